import type { Mutant } from './mutant.ts'

/** The endpoint for models, the host of the staff, and mutual TLS. */
export const hosts: readonly Mutant[] = [
  {
    says: 'a batch of messages has no limit',
    in: 'src/mcp/endpoint.ts',
    from: 'messages.length === 0 || messages.length > batchMessagesMax',
    to: 'messages.length === 0',
    caughtBy: 'src/mcp/protocol.test.ts',
  },
  {
    says: "a page on the caller's own machine may call a public host",
    in: 'src/mcp/page-origins.ts',
    from: '(loopback.includes(name) && published.some((own) => loopback.includes(own)))',
    to: 'loopback.includes(name)',
    caughtBy: 'src/mcp/own-hosts.test.ts',
  },
  {
    says: 'tools are called beyond the limit',
    in: 'src/mcp/call-tool.ts',
    from: 'if (!spending.allowed) {',
    to: 'if (!spending) {',
    caughtBy: 'src/mcp/limits.test.ts',
  },
  {
    says: "another site's page changes data for the person who is signed in",
    in: 'src/staff/host.ts',
    from: 'change:   [ownHost, session, origin, permission,',
    to: 'change:   [ownHost, session, permission,',
    caughtBy: 'src/staff/session/session.test.ts',
  },
  {
    says: 'a page that was led to the staff host reads with the session of a person',
    in: 'src/staff/host.ts',
    from: 'read:     [ownHost, session,',
    to: 'read:     [session,',
    caughtBy: 'src/staff/own-host.test.ts',
  },
  {
    says: 'a session that nobody uses goes on until its age ends it',
    in: 'src/staff/session/sessions.ts',
    from: ' and last_used_on > ${before(now, restSeconds)}',
    to: '',
    caughtBy: 'src/staff/session/session.test.ts',
  },
  {
    says: 'one person who mistypes locks their whole office out',
    in: 'src/staff/session/sign-in-throttle.ts',
    from: 'return ofAccount > 0 ? ofAccount : count(database, addressKey(attempt), failuresMax.address, since, now)',
    to: 'return Math.max(ofAccount, await count(database, addressKey(attempt), failuresMax.address, since, now))',
    caughtBy: 'src/staff/session/session.test.ts',
  },
  {
    says: 'a spreadsheet computes a text that begins with a full-width sign',
    in: 'src/staff/csv/cells.ts',
    from: '\\r\\n\\uff0b\\uff0d\\uff1d\\uff20]`',
    to: '\\r\\n]`',
    caughtBy: 'src/staff/csv-files/csv-files.test.ts',
  },
  {
    says: 'a text keeps the apostrophe that its export wrote before it',
    in: 'src/staff/csv/cells.ts',
    from: '(cell.includes(impossible) ? undefined : unguarded(cell))',
    to: '(cell.includes(impossible) ? undefined : cell)',
    caughtBy: 'src/staff/csv-files/csv-files.test.ts',
  },
  {
    says: 'an expired authority still vouches for certificates',
    in: 'src/mutual-tls/truststore.ts',
    from: 'if (!isValid(link, now)) return false\n',
    to: '',
    caughtBy: 'src/mutual-tls/truststore.test.ts',
  },
  {
    says: 'the certificate of a client vouches for others',
    in: 'src/mutual-tls/truststore.ts',
    from: 'return issuer.ca && certificate.checkIssued(issuer)',
    to: 'return certificate.checkIssued(issuer)',
    caughtBy: 'src/mutual-tls/truststore.test.ts',
  },
  {
    says: 'a chain may have five certificates',
    in: 'src/mutual-tls/truststore.ts',
    from: 'if (length === chainLengthMax) return false',
    to: 'if (length > chainLengthMax) return false',
    caughtBy: 'src/mutual-tls/truststore.test.ts',
  },
]
