import type { Mutant } from './mutant.ts'

const login = 'clients/cli/test/login.test.ts'
const terminal = 'clients/cli/test/terminal.test.ts'
const listen = 'clients/cli/test/listen.test.ts'

export const commandLine: readonly Mutant[] = [
  {
    says: 'others can read the credentials',
    in: 'clients/cli/src/credentials/profiles.ts',
    from: 'await chmod(next, 0o600)',
    to: 'await chmod(next, 0o644)',
    caughtBy: login,
  },
  {
    says: 'two commands renew with the same token',
    in: 'clients/cli/src/session.ts',
    from: 'const current = personAt(profiles, name, baseUrl) ?? known',
    to: 'const current = known',
    caughtBy: login,
  },
  {
    says: 'a sign-in is ended here only',
    in: 'clients/cli/src/commands/login.ts',
    from: "if (credential.kind === 'person') {",
    to: "if (credential.kind === 'person' && url === '') {",
    caughtBy: login,
  },
  {
    says: 'whoever knocks at the port ends the sign-in',
    in: 'clients/cli/src/credentials/sign-in.ts',
    from: 'if (error instanceof oauth.AuthorizationResponseError) {\n          tell(',
    to: 'if (error instanceof Error) {\n          tell(',
    caughtBy: login,
  },
  {
    says: 'a kept credential goes to any host',
    in: 'clients/cli/src/session.ts',
    from: '(name) => profiles[name]!.url === address)',
    to: '() => true)',
    caughtBy: login,
  },
  {
    says: 'a secret goes over plain http to any host',
    in: 'clients/cli/src/credentials/address.ts',
    from: "if (url.protocol === 'http:' && !isLoopback(address)) {",
    to: "if (url.protocol === 'ftp:' && !isLoopback(address)) {",
    caughtBy: login,
  },
  {
    says: 'lines are printed as they came',
    in: 'clients/cli/src/terminal/terminal.ts',
    from: 'painted(piece, safeText(textOf(piece)), inColour)',
    to: 'painted(piece, textOf(piece), inColour)',
    caughtBy: terminal,
  },
  {
    says: 'what overrides the direction of text is shown',
    in: 'clients/cli/src/terminal/safe-text.ts',
    from: '\\u202A-\\u202E',
    to: '\\u202A-\\u202D',
    caughtBy: terminal,
  },
  {
    says: 'JSON holds controls of one byte as they are',
    in: 'clients/cli/src/terminal/terminal.ts',
    from: 'stdout.write(`${safeJson(value, line ? undefined : 2)}\\n`)',
    to: 'stdout.write(`${JSON.stringify(value, null, line ? undefined : 2)}\\n`)',
    caughtBy: terminal,
  },
  {
    says: 'an event that is told again is forwarded again',
    in: 'clients/cli/src/commands/listen.ts',
    from: 'if (this.#ids.has(eventId)) return true\n',
    to: '',
    caughtBy: listen,
  },
  {
    says: 'a clock that is behind is said to be ahead',
    in: 'clients/cli/src/commands/doctor.ts',
    from: "skew > 0 ? 'ahead' : 'behind'",
    to: "skew < 0 ? 'ahead' : 'behind'",
    caughtBy: 'clients/cli/test/doctor.test.ts',
  },
  {
    says: 'a decision is on whatever proof waits when it arrives',
    in: 'clients/cli/src/commands/proofs.ts',
    from: '...(etag !== null && { ifMatch: etag })',
    to: '',
    caughtBy: 'clients/cli/test/orders.test.ts',
  },
  {
    says: 'a file that needs changes is well',
    in: 'clients/cli/src/commands/artwork.ts',
    from: "inspection.status !== 'needs_changes' && ",
    to: '',
    caughtBy: 'clients/cli/test/orders.test.ts',
  },
  {
    says: 'calls that were shown are shown again',
    in: 'clients/cli/src/commands/logs.ts',
    from: 'if (printed.has(request.requestId)) continue\n',
    to: '',
    caughtBy: 'clients/cli/test/logs.test.ts',
  },
]
