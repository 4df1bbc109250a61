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
    this.faults = Array.isArray(problem.errors) ? problem.errors : []
    this.retryAfter = retryAfter
  }
}

/** There is no answer that tells how it went. Only of a read is it sure that nothing was done. */
class Unanswered extends Error {
  constructor(isChange: boolean, what: string) {
    super(
      isChange
        ? `${what}, so it is not known whether this was done. What you typed is still here: look, then try again.`
        : `${what}. Nothing on this page was lost; try again.`,
    )
  }
}

/** The host was not reached. */
export class Unreachable extends Unanswered {
  /**
   * @param isChange it may have been made, although its answer did not come
   * @param wasOffline nothing can have left this machine
   */
  constructor(isChange = false, wasOffline = false) {
    super(isChange && !wasOffline, 'The service cannot be reached')
    this.name = 'Unreachable'
    if (wasOffline) {
      this.message = `You are offline${isChange ? ', so nothing was sent' : ''}. Nothing on this page was lost; try again once you are online.`
    }
  }
}

/** The host took the call, and then nothing came for long. */
export class NoAnswer extends Unanswered {
  constructor(isChange: boolean) {
    super(isChange, 'The service did not answer in time')
    this.name = 'NoAnswer'
  }
}

/** An answer that is none of its contract. */
export class NotUnderstood extends Unanswered {
  constructor(isChange = false) {
    super(isChange, 'The service gave an answer that this page does not understand')
    this.name = 'NotUnderstood'
  }
}

/** Whether it is a refusal of the service; a proxy before it may answer anything. */
export function isProblem(body: unknown): body is ProblemDocument {
  const { code, detail } = (body ?? {}) as Partial<ProblemDocument>
  return typeof code === 'string' && typeof detail === 'string'
}

export function isRefusal(error: unknown, ...codes: readonly string[]): error is Refusal {
  return error instanceof Refusal && (codes.length === 0 || codes.includes(error.code))
}
