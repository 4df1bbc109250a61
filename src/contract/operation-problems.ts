import { pathParameterNames, type Body, type Chapter, type Operation } from './operation.ts'
import { pathParameters } from './parameters.ts'
import { everyProblemCode, problemCodes, type ProblemCode } from './problems.ts'

/**
 * Every problem code that an operation can answer, in the order in which they are checked: credential, limits, scope,
 * application, path, query, body, granted site, then the handler's refusals, then failures (ERR-07).
 */
export function problemsOf(entry: Operation): ProblemCode[] {
  return [
    ...new Set<ProblemCode>([
      'invalid_token',
      'rate_limit_exceeded',
      ...(entry.scope === null ? [] : ['insufficient_scope' as const]),
      ...(entry.ownApplications ? ['application_not_allowed' as const] : []),
      ...pathParameterNames(entry).map((name) => pathParameters[name].malformed),
      ...queryProblems(entry),
      ...bodyProblems(entry.body),
      ...(pathParameterNames(entry).includes('siteId') ? ['site_not_found' as const] : []),
      ...(entry.revises === undefined ? [] : ['precondition_failed' as const]),
      ...entry.refuses,
      'internal_error',
      'service_unavailable',
    ]),
  ]
}

/** The codes of the partner API, and those that these operations answer besides, in the order of the table. */
export function codesBeside(chapters: readonly Chapter[]): ProblemCode[] {
  const answered = chapters.flatMap(({ operations }) => Object.values(operations).flatMap(problemsOf))
  const codes = new Set([...problemCodes, ...answered])
  return everyProblemCode.filter((code) => codes.has(code))
}

function queryProblems(entry: Operation): ProblemCode[] {
  const parameters = Object.values(entry.query ?? {})
  return [
    'unknown_query_parameter',
    ...(entry.collection ? ['updated_since_not_supported' as const] : []),
    // a parameter sent twice
    ...(parameters.length > 0 ? ['invalid_request' as const] : []),
    ...parameters.map((parameter) => parameter.malformed),
    ...(entry.queryRules ?? []).map((rule) => rule.code),
  ]
}

function bodyProblems(body: Body | undefined): ProblemCode[] {
  // a body where none is accepted
  if (!body) return ['invalid_request']
  return [
    ...(body.nulls === 'refused' ? ['null_not_supported' as const] : []),
    ...Object.values(body.missingProblems ?? {}),
    ...Object.values(body.fieldProblems ?? {}),
    body.malformed,
  ]
}
