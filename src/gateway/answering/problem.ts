import { problemMeaning, problemStatus, problemTitle, type ProblemCode } from '../../contract/problems.ts'

/** The one place a problem document is made (ERR-01 … ERR-05). */
export type Problem = {
  type: 'about:blank'
  title: string
  status: number
  code: ProblemCode
  detail: string
  requestId: string
}

export const problemMediaType = 'application/problem+json'

export function problemDocument(code: ProblemCode, requestId: string, detail?: string): Problem {
  const status = problemStatus(code)
  return {
    type: 'about:blank',
    title: problemTitle(status),
    status,
    code,
    detail: detail ?? problemMeaning(code),
    requestId,
  }
}
