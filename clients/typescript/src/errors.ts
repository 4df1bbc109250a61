import type { BodyFault, ProblemCode, Submission, SubmissionError } from './generated/types.gen.ts'

/** The root of everything that the client throws, but for what an `AbortSignal` brings and mistakes in using it. */
export class PartnerCommerceError extends Error {
  /** the operation that failed, such as `getOrder` */
  readonly operation: string

  constructor(operation: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
    this.operation = operation
  }
}

/** A problem document, as the API sends it. */
export type ProblemDocument = {
  type: string
  title: string
  status: number
  code: ProblemCode
  detail: string
  requestId: string
  errors?: BodyFault[]
}

/** The API refused a request, or could not answer it. Branch on `code`; show `detail` to people. */
export class ApiProblem extends PartnerCommerceError {
  /** the HTTP status */
  readonly status: number
  /** what is wrong, for programs; the API may know newer codes than this version of the client */
  readonly code: ProblemCode
  /** the short summary of the status */
  readonly title: string
  /** what is wrong, for people; never parse it */
  readonly detail: string
  /** all faults of a body that has several; otherwise empty */
  readonly errors: readonly BodyFault[]
  /** quote it to support */
  readonly requestId: string
  /** milliseconds that the API asks you to wait */
  readonly retryAfter: number | undefined

  constructor(operation: string, problem: ProblemDocument, retryAfter?: number) {
    super(
      operation,
      `${problem.code}: ${problem.detail} (${operation}, ${problem.status}, request ${problem.requestId})`,
    )
    this.status = problem.status
    this.code = problem.code
    this.title = problem.title
    this.detail = problem.detail
    this.errors = problem.errors ?? []
    this.requestId = problem.requestId
    this.retryAfter = retryAfter
  }
}

/** 400: the request is not valid. Do not repeat it unchanged. */
export class BadRequestProblem extends ApiProblem {}

/** 401: the credential is missing, expired or revoked, also after it was renewed. */
export class UnauthorizedProblem extends ApiProblem {}

/** 403: the credential lacks the scope. */
export class ForbiddenProblem extends ApiProblem {}

/** 404: there is no such record on the sites that are granted to you. */
export class NotFoundProblem extends ApiProblem {}

/** 409: what is there does not allow it. */
export class ConflictProblem extends ApiProblem {}

/** 412: somebody changed the record since you read it. Nothing has changed. */
export class PreconditionFailedProblem extends ApiProblem {}

/** 422: the request is understood and cannot be done. */
export class UnprocessableProblem extends ApiProblem {}

/** 429: the rate or the quota of the day is used up, also after the repetitions. */
export class RateLimitedProblem extends ApiProblem {}

/** 500 and other faults of the service. Quote `requestId` to support. */
export class ServerProblem extends ApiProblem {}

/** 503: the service cannot answer right now, also after the repetitions. */
export class UnavailableProblem extends ApiProblem {}

const byStatus: Readonly<Record<number, typeof ApiProblem>> = {
  400: BadRequestProblem,
  401: UnauthorizedProblem,
  403: ForbiddenProblem,
  404: NotFoundProblem,
  409: ConflictProblem,
  412: PreconditionFailedProblem,
  422: UnprocessableProblem,
  429: RateLimitedProblem,
  503: UnavailableProblem,
}

/** The problem of the class that its status has. */
export function apiProblem(operation: string, problem: ProblemDocument, retryAfter?: number): ApiProblem {
  const Problem = byStatus[problem.status] ?? (problem.status >= 500 ? ServerProblem : ApiProblem)
  return new Problem(operation, problem, retryAfter)
}

/** An answer that is not the API's, such as an error page of a proxy on the way. */
export class UnexpectedAnswer extends PartnerCommerceError {
  /** the HTTP status */
  readonly status: number
  /** the beginning of the answer */
  readonly excerpt: string
  /** milliseconds that the answer asks you to wait */
  readonly retryAfter: number | undefined

  constructor(operation: string, status: number, text: string, retryAfter?: number) {
    super(
      operation,
      status >= 300 && status < 400
        ? `The answer to ${operation} is a redirect (${status}), which is not followed. The address must be that of the API host.`
        : `The answer to ${operation} has status ${status} and is no document of the API.`,
    )
    this.status = status
    this.excerpt = text.slice(0, 500)
    this.retryAfter = retryAfter
  }
}

/** 403 of the firewall at the edge: too many requests from one address, or contents that look like an attack. */
export class FirewallRefusal extends UnexpectedAnswer {
  override message = `The firewall refused ${this.operation}: too many requests from this address within five minutes, or contents that look like an attack. Wait five minutes.`
}

/** The token endpoint gave no token. */
export class TokenRefused extends PartnerCommerceError {
  /** the HTTP status */
  readonly status: number
  /** the word of RFC 6749, such as `invalid_client` */
  readonly error: string
  /** milliseconds that the endpoint asks you to wait */
  readonly retryAfter: number | undefined

  constructor(operation: string, status: number, error: string, description: string, retryAfter?: number) {
    super(operation, `No token: ${error}${description && `: ${description}`}`)
    this.status = status
    this.error = error
    this.retryAfter = retryAfter
  }
}

/** There was no answer, or only a part of one. */
export class ConnectionFailed extends PartnerCommerceError {
  /** whether the request may have arrived: then a change may have been made although nobody told you */
  readonly mayHaveArrived: boolean

  constructor(operation: string, message: string, mayHaveArrived: boolean, cause?: unknown) {
    super(operation, message, { cause })
    this.mayHaveArrived = mayHaveArrived
  }
}

/** An attempt took longer than `timeout`. */
export class TimedOut extends ConnectionFailed {}

/** 304: nothing has changed since the answer that `ifNoneMatch` names. */
export class NotModified extends PartnerCommerceError {}

/** The submission ended as `failed`. No order exists, and its `partnerOrderId` is used up. */
export class SubmissionRejected extends PartnerCommerceError {
  /** the submission as it ended */
  readonly submission: Submission
  /** what is wrong, one entry per problem */
  readonly errors: readonly SubmissionError[]

  constructor(operation: string, submission: Submission) {
    const errors = submission.errors ?? []
    const problems = errors.map(
      ({ detail, field, partnerLineId }) =>
        `- ${partnerLineId === undefined ? '' : `line ${partnerLineId}: `}${detail}${field === undefined ? '' : ` (${field})`}`,
    )
    super(
      operation,
      [
        `The order ${submission.partnerOrderId} was rejected, and nothing was charged.`,
        ...problems,
        `Its partnerOrderId is used up: mend the order and send it under a new one.`,
      ].join('\n'),
    )
    this.submission = submission
    this.errors = errors
  }
}

/**
 * The outcome of a submission is not known in time. Call `submitAndWait` again with the same order: the same
 * `partnerOrderId` with the same body never orders twice.
 */
export class SubmissionPending extends PartnerCommerceError {
  readonly partnerOrderId: string
  /** the submission as it was last seen; undefined when no answer has come yet */
  readonly submission: Submission | undefined

  constructor(operation: string, partnerOrderId: string, submission: Submission | undefined, cause?: unknown) {
    const state = submission === undefined ? 'no answer has come yet' : `it is ${submission.status}`
    super(
      operation,
      `The outcome of ${partnerOrderId} is not known in time: ${state}. Call again with the same order; it never orders twice.`,
      { cause },
    )
    this.partnerOrderId = partnerOrderId
    this.submission = submission
  }
}

/** The proof does not take this decision: somebody decided otherwise, or another revision waits now. */
export class DecisionConflict extends PartnerCommerceError {
  /** the proof status that was found when the line was read again */
  readonly found: string | null

  constructor(operation: string, message: string, found: string | null, cause?: unknown) {
    super(operation, message, { cause })
    this.found = found
  }
}

/** The storage did not take a file. */
export class UploadFailed extends PartnerCommerceError {
  /** the storage's HTTP status; undefined when there was no answer */
  readonly status: number | undefined

  constructor(operation: string, message: string, status: number | undefined, cause?: unknown) {
    super(operation, message, { cause })
    this.status = status
  }
}

/** Whether it may work later: there was no answer, or one that says so. */
export function isPassing(error: unknown): error is PartnerCommerceError {
  if (error instanceof ConnectionFailed) return true
  const { status = 0 } = error as { status?: number }
  return error instanceof PartnerCommerceError && (status === 429 || status >= 500)
}
