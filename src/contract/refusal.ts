import type { ProblemCode } from './problems.ts'

/**
 * An expected refusal with its published code, by default one of the partner API. Handlers make one by `call.refuse`,
 * which accepts only the codes that their operation declares; the host turns it into a problem document.
 */
export class Refusal<Code extends string = ProblemCode> extends Error {
  readonly code: Code
  readonly detail: string | undefined
  readonly headers: Readonly<Record<string, string>> | undefined

  constructor(code: Code, detail?: string, headers?: Readonly<Record<string, string>>) {
    super(detail ?? code)
    this.name = 'Refusal'
    this.code = code
    this.detail = detail
    this.headers = headers
    // A refusal is an answer, not a fault: nobody reads its stack, and capturing one costs more than the answer.
    this.stack = undefined
  }
}
