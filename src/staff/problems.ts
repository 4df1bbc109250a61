/**
 * The problem codes of the staff API. All operations share those of the host; each subject's contract adds its own
 * (`problems`). The partner API has a separate, closed table.
 */
export type ProblemTable = Readonly<Record<string, readonly [status: number, meaning: string]>>

export const sharedStaffProblems = {
  invalid_request: [400, 'The request is not valid.'],
  unknown_query_parameter: [400, 'The request has a query parameter that is not accepted here.'],
  invalid_cursor: [400, 'The cursor cannot be used here. Start again without it.'],
  not_signed_in: [401, 'There is no session, or it has ended. Sign in.'],
  not_permitted: [403, 'None of your roles allows this.'],
  request_forged: [403, 'The request does not come from the console: its X-CSRF-Token or its origin is wrong.'],
  route_not_found: [404, 'Nothing is served at this path.'],
  method_not_allowed: [
    405,
    'The path does not accept this method. The Allow header names the methods that it accepts.',
  ],
  host_not_served: [421, 'The Host of the request is not a name of this host.'],
  precondition_failed: [
    412,
    'The record is not as the If-Match header says: it has changed, or the header does not have its ETag. Read it again.',
  ],
  internal_error: [500, 'An unexpected error occurred. The log has its cause under the requestId.'],
  service_unavailable: [503, 'The service cannot answer right now. Try again later.'],
  audit_unavailable: [503, 'The change could not be recorded, so it was not made. Try again later.'],
} as const satisfies ProblemTable

export type SharedStaffProblem = keyof typeof sharedStaffProblems

/** Merges the tables. @throws Error if two subjects give one code different meanings */
export function mergedProblems(tables: readonly ProblemTable[]): ProblemTable {
  const merged: Record<string, readonly [number, string]> = { ...sharedStaffProblems }
  for (const [code, entry] of tables.flatMap((table) => Object.entries(table))) {
    if (merged[code] && merged[code].join() !== entry.join()) throw new Error(`${code} has two meanings`)
    merged[code] = entry
  }
  return merged
}
