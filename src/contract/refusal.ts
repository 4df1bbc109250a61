import type { ProblemCode } from './problems.ts'

/** One thing that is wrong with a body. */
export type BodyFault = {
  /** `lines[2].quantity`; empty = the whole body */
  path: string
  /** the keyword of the schema that it breaks, or a word of ours for what no schema says */
  rule: string
  /** a sentence: what is wrong, where, and what would be right */
  detail: string
}

/**
 * An expected refusal with its published code, by default one of the partner API. Handlers make one by `call.refuse`,
 * which accepts only the codes that their operation declares; the host turns it into a problem document.
 */
export class Refusal<Code extends string = ProblemCode> extends Error {
  readonly code: Code
  readonly detail: string | undefined
  readonly headers: Readonly<Record<string, string>> | undefined

  /** all faults of the body, of which `detail` tells the first */
  readonly errors: readonly BodyFault[] | undefined

  constructor(code: Code, detail?: string, headers?: Readonly<Record<string, string>>, errors?: readonly BodyFault[]) {
    super(detail ?? code)
    this.name = 'Refusal'
    this.code = code
    this.detail = detail
    this.headers = headers
    this.errors = errors
    // A refusal is an answer, not a fault: nobody reads its stack, and capturing one costs more than the answer.
    this.stack = undefined
  }
}
