import type { Mutant } from './mutant.ts'

/** What stands around the API: clients, the control of the sandbox, streams and quotes. */

const clients = 'src/sandbox/clients.test.ts'

export const besideTheApi: readonly Mutant[] = [
  {
    says: 'a command for the sandbox runs on production where the environment gives the credential',
    in: 'clients/cli/src/session.ts',
    from: 'if (environment === wanted) return\n',
    to: 'if (environment === wanted || session.environment === undefined) return\n',
    caughtBy: 'clients/cli/test/login.test.ts',
  },
  {
    says: 'a webhook is verified within a window of NaN seconds',
    in: 'clients/typescript/src/webhooks/verify.ts',
    from: 'if (!Number.isFinite(tolerance) || tolerance < 0)',
    to: 'if (tolerance < 0)',
    caughtBy: 'clients/typescript/test/webhooks.test.ts',
  },
  {
    says: 'the client sends its secret over plain http to any machine',
    in: 'clients/typescript/src/client.ts',
    from: "if (url.protocol === 'http:' && !isLoopback(url.hostname))",
    to: "if (url.protocol === 'ws:' && !isLoopback(url.hostname))",
    caughtBy: 'clients/typescript/test/operations.test.ts',
  },
  {
    says: 'a token with few scopes makes a client with all',
    in: 'src/partners/partners.ts',
    from: '.filter((scope) => !held.has(scope))',
    to: '.filter((scope) => !held.has(scope) && false)',
    caughtBy: clients,
  },
  {
    says: 'an agent registers a receiver of webhooks',
    in: 'src/sandbox/control/receivers-contract.ts',
    from: "at: 'POST /sandbox/receivers',\n    scope: null,\n    ownApplications: true,\n",
    to: "at: 'POST /sandbox/receivers',\n    scope: null,\n",
    caughtBy: clients,
  },
  {
    says: 'a token that may only read resets the sandbox',
    in: 'src/sandbox/control/contract.ts',
    from: "at: 'POST /sandbox/reset',\n    scope: 'orders:write',\n",
    to: "at: 'POST /sandbox/reset',\n    scope: null,\n",
    caughtBy: clients,
  },
  {
    says: 'a revoked credential is told events until the next pulse',
    in: 'src/http/answering/event-stream.ts',
    from: 'if (stream.ending.aborted || !(await mayGoOn())) break',
    to: 'if (stream.ending.aborted) break',
    caughtBy: 'src/http/answering/event-stream.test.ts',
  },
  {
    says: 'a quote passes over a URL that can never be fetched',
    in: 'src/platform/ordering/fetch-artwork.ts',
    from: 'egress.assertCallable(artworkUrl)\n',
    to: '\n',
    caughtBy: 'src/resources/order-quotes/order-quotes.test.ts',
  },
  {
    says: 'what was earned for going live is lost with the calls that earned it',
    in: 'src/sandbox/go-live/go-live.ts',
    from: 'if (!ending?.aborted) await keepEarned',
    to: 'if (ending?.aborted) await keepEarned',
    caughtBy: 'src/sandbox/go-live/go-live.test.ts',
  },
  {
    says: 'a check of a receiver is taken from another partner',
    in: 'src/sandbox/go-live/webhook-check.ts',
    from: 'handed.partnerId === partnerId && isCurrent',
    to: 'isCurrent',
    caughtBy: 'src/sandbox/go-live/webhook-check.test.ts',
  },
  {
    says: 'a receiver that accepts forged deliveries passes the check',
    in: 'src/sandbox/go-live/webhook-check.ts',
    from: 'forged.status === null || isAccepted(forged)',
    to: 'forged.status === null',
    caughtBy: 'src/sandbox/go-live/webhook-check.test.ts',
  },
]
