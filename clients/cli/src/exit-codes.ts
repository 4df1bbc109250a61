/** What the command line exits with. Scripts may rely on it: a code is never given another meaning. */
export const exitCodes = {
  ok: [0, 'everything went as asked'],
  failed: [1, 'a check found something wrong, or the order was not accepted'],
  usage: [2, 'the command cannot be understood: an unknown option, a missing value, a file that is not there'],
  credential: [3, 'nobody is signed in, or the service does not accept the credential (401)'],
  refused: [4, 'the service refuses the request (any other 4xx), and says why'],
  outage: [5, 'the service cannot be reached, or cannot answer now (5xx)'],
  interrupted: [130, 'you ended it with Ctrl-C'],
} as const satisfies Record<string, readonly [code: number, meaning: string]>

export type ExitName = keyof typeof exitCodes

export function exitCodeOf(name: ExitName): number {
  return exitCodes[name][0]
}
