import type { ProblemCode } from './problems.ts'

/** The page of the developer site that explains a problem code. */
export function guideToProblem(code: ProblemCode): string {
  return `/guides/errors/${code}/`
}
