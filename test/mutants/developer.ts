import type { Mutant } from './mutant.ts'

const tests = 'src/developer/developer.test.ts'
const signIn = 'src/auth/sign-in/own-applications.test.ts'
const pages = 'src/gateway/developer-pages.test.ts'

export const developer: readonly Mutant[] = [
  {
    says: 'a partner reads the calls of others by their ids',
    in: 'src/gateway/request-log/read-request-log.ts',
    from: '${partnerId === undefined ? nothing : sqlText`and partner_id = ${partnerId}::uuid`}\n    order by recorded_on, entry_id limit 100',
    to: '${partnerId === undefined ? nothing : sqlText`and ${partnerId}::uuid is not null`}\n    order by recorded_on, entry_id limit 100',
    caughtBy: tests,
  },
  {
    says: 'a partner reads the deliveries of others',
    in: 'src/developer/webhooks.ts',
    from: 'found?.partnerId === caller.partnerId &&',
    to: 'found !== undefined &&',
    caughtBy: tests,
  },
  {
    says: 'a partner goes on reading about orders of a site that it lost',
    in: 'src/webhooks/deliveries.ts',
    from: 'where (site_id = any(${siteIds}) or is_test_ping)',
    to: 'where (${siteIds}::int[] is not null)',
    caughtBy: tests,
  },
  {
    says: 'a read that looked at enough ends the list',
    in: 'src/database/bounded-look.ts',
    from: 'return { found, goOn }',
    to: 'return { found, goOn: undefined }',
    caughtBy: 'src/database/bounded-look.test.ts',
  },
  {
    says: 'a certificate that has ended counts as one that ends',
    in: 'src/developer/credentials.ts',
    from: "left <= 0 ? 'EXPIRED'",
    to: "left <= -1e12 ? 'EXPIRED'",
    caughtBy: tests,
  },
  {
    says: 'whoever follows the log sees that it follows the log',
    in: 'src/developer/requests.ts',
    from: 'exceptOperations: filter.operation === undefined ? ownOperations : undefined',
    to: 'exceptOperations: undefined',
    caughtBy: tests,
  },
  {
    says: 'an agent reads the log and the credentials of its partner',
    in: 'src/gateway/perform.ts',
    from: "if (authMethod === 'IDP_USER' && !isOwnApplication(clientId))",
    to: "if (authMethod === 'IDP_USER' && clientId === null)",
    caughtBy: signIn,
  },
  {
    says: 'any program of a device gets the access of the command line without a question',
    in: 'src/auth/sign-in/consent.ts',
    from: 'clientIdOf(step) === ownApplications.portal',
    to: 'isOwnApplication(clientIdOf(step))',
    caughtBy: signIn,
  },
  {
    says: 'an own application signs people in without a state',
    in: 'src/auth/sign-in/sign-in.ts',
    from: "isOwnApplication(clientId) && (query.get('state') ?? '') === ''",
    to: "isOwnApplication(clientId) && query.get('state') === 'none'",
    caughtBy: signIn,
  },
  {
    says: 'staff register an application under the id of an own one',
    in: 'src/partners/sign-in-clients.ts',
    from: "if (isOwnApplication(clientId)) return { refused: 'client_id_taken' }",
    to: '',
    caughtBy: signIn,
  },
  {
    says: 'pages of every port and scheme of the developer site’s machine may call',
    in: 'src/gateway/developer-pages.ts',
    from: 'origin === new URL(developerUrl()).origin ? origin : undefined',
    to: 'URL.parse(origin)?.hostname === new URL(developerUrl()).hostname ? origin : undefined',
    caughtBy: pages,
  },
  {
    says: 'pages of the developer site read the pages on which people sign in',
    in: 'src/gateway/developer-pages.ts',
    from: '|^\\/oauth2\\/(?:token|revoke)$/',
    to: '|^\\/oauth2\\//',
    caughtBy: pages,
  },
  {
    says: 'over mutual TLS the catalog answers without a registered certificate',
    in: 'src/gateway/host.ts',
    from: 'return answer(context, grid.closed, frame)',
    to: 'return answer(context, grid.plain, frame)',
    caughtBy: 'src/mutual-tls/mutual-tls.test.ts',
  },
]
