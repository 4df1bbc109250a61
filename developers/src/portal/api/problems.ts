/** What a host says when it refuses or fails, in its own words. */

export type Fault = { path: string; detail: string }

export type ProblemDocument = {
  status: number
  code: string
  detail: string
  requestId: string
  errors?: readonly Fault[]
}

/** An answer that is a problem document. */
export class Refusal extends Error {
  readonly status: number
  /** branch on this */
  readonly code: string
  readonly requestId: string
  /** what is wrong with the body, by path */
  readonly faults: readonly Fault[]
  /** seconds after which it may be asked again; null = the host did not say */
  readonly retryAfter: number | null

  constructor(problem: ProblemDocument, retryAfter: number | null) {
    super(problem.detail)
    this.name = 'Refusal'
    this.status = problem.status
    this.code = problem.code
    this.requestId = problem.requestId
    this.faults = problem.errors ?? []
    this.retryAfter = retryAfter
  }
}

/** The host was not reached, or answered with something that is not its own. */
export class Unreachable extends Error {
  /** @param isChange it may have been made, although its answer did not come */
  constructor(isChange = false) {
    super(
      isChange
        ? 'The service cannot be reached, so it is not known whether this was done. What you typed is still here: look, then try again.'
        : 'The service cannot be reached. Nothing on this page was lost; try again.',
    )
    this.name = 'Unreachable'
  }
}

export function isRefusal(error: unknown, ...codes: readonly string[]): error is Refusal {
  return error instanceof Refusal && (codes.length === 0 || codes.includes(error.code))
}
