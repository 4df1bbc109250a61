import type { ProblemCode } from './problems.ts'

/**
 * An expected "no", named by its published code: of the partner API unless told. Handlers make one through `call.refuse`,
 * which accepts only the codes their operation declares; the host alone turns it into a problem document.
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
    // A refusal is an answer, not a fault: nobody reads its stack, and taking one costs more than the answer.
    this.stack = undefined
  }
}
