import type { ExitName } from './exit-codes.ts'

/** An expected end without a result. */
export class Failure extends Error {
  /** how the program exits */
  readonly exit: Exclude<ExitName, 'ok'>
  /** what would be right, as a sentence */
  readonly cure: string | undefined

  /** @param what went wrong, as a sentence */
  constructor(exit: Exclude<ExitName, 'ok'>, what: string, cure?: string) {
    super(what)
    this.exit = exit
    this.cure = cure
  }
}

export function usage(what: string, cure: string): Failure {
  return new Failure('usage', what, cure)
}
