import type { BodyFault } from '../../contract/refusal.ts'
import { problemMeaning, problemStatus, problemTitle, type ProblemCode } from '../../contract/problems.ts'

/** The only code that makes a problem document (ERR-01 … ERR-05). */
export type Problem<Code extends string = ProblemCode> = {
  type: 'about:blank'
  title: string
  status: number
  code: Code
  detail: string
  requestId: string
  errors?: readonly BodyFault[]
}

export const problemMediaType = 'application/problem+json'

export function problemDocument(
  code: ProblemCode,
  requestId: string,
  detail?: string,
  errors?: readonly BodyFault[],
): Problem {
  // The detail already tells a single fault of a body, with its place. What a quote objects to does not name it.
  const isListed = errors && (errors.length > 1 || code === 'quote_invalid')
  return writtenProblem(code, problemStatus(code), detail ?? problemMeaning(code), requestId, isListed ? errors : [])
}

/** The same for a code of any table. */
export function writtenProblem<Code extends string>(
  code: Code,
  status: number,
  detail: string,
  requestId: string,
  errors: readonly BodyFault[] = [],
): Problem<Code> {
  const problem = { type: 'about:blank', title: problemTitle(status), status, code, detail, requestId } as const
  return errors.length > 0 ? { ...problem, errors } : problem
}
