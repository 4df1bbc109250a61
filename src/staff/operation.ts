import type { AnyOperation, Answer, CallOf, Chapter, Method } from '../contract/operation.ts'
import type { Change } from '../vocabulary/change.ts'
import type { Permission } from '../vocabulary/staff-roles.ts'
import type { StaffEnvironment, StaffEnvironments } from './environment.ts'
import type { staffPathParameters } from './parameters.ts'
import type { ProblemTable, SharedStaffProblem } from './problems.ts'
import type { Session } from './session/sessions.ts'

/**
 * An operation of the staff API. Beyond what every operation has (`contract/operation.ts`) it has a permission, and codes
 * from the table of its own subject. Every malformed value is `invalid_request`.
 */
export type StaffOperation = AnyOperation & {
  /** a path without `{environment}` works on production */
  at: `${Method} /staff/v1/${string}`
  /** null = every signed-in account */
  permission: Permission | null
  /** not a GET, because it takes a body, and still it only shows: it changes nothing and writes no audit record */
  changesNothing?: true
}

/** A subject's part of the API: its operations, and its codes beyond the shared ones. */
export type StaffSubject = Chapter<StaffOperation> & { problems: ProblemTable }

/** Declares an operation, keeping every literal for the types derived from it. */
export function staffOperation<const Op extends StaffOperation>(entry: Op): Op {
  return entry
}

/** Declares a subject; an operation that refuses with a code not in its table does not compile. */
export function staffSubject<
  const Problems extends ProblemTable,
  const Operations extends Readonly<
    Record<string, StaffOperation & { refuses: readonly (keyof Problems | SharedStaffProblem)[] }>
  >,
>(subject: { name: string; says: string; problems: Problems; operations: Operations }) {
  return subject
}

/** A checked request of a person with the permission. An open operation does not know the person. */
export type StaffCall<Op extends StaffOperation> = CallOf<Op, typeof staffPathParameters> & {
  /** production or the sandbox, as the path says */
  environment: StaffEnvironment
  /** both, for what is read in one and written in the other */
  environments: StaffEnvironments
  sourceAddress: string
} & (Op extends { open: true } ? unknown : CallOfPerson)

type CallOfPerson = {
  /** the session of the request */
  session: Session
  /** the person, the time and the request, as platform verbs want them for the audit record */
  change: Change
}

/** A handler for every operation of a subject, and for no other. */
export type StaffHandlers<Subject extends { operations: Readonly<Record<string, StaffOperation>> }> = {
  [Id in keyof Subject['operations']]: (
    call: StaffCall<Subject['operations'][Id]>,
  ) => Promise<Answer<Subject['operations'][Id]>>
}

/** Every code an operation can answer, in the order a caller meets them. */
export function staffProblemsOf(entry: StaffOperation): string[] {
  return [
    ...new Set([
      'host_not_served',
      ...(entry.open ? ['request_forged'] : ['not_signed_in']),
      ...(isUnsafe(entry) && !entry.open ? ['request_forged'] : []),
      ...(entry.permission === null ? [] : ['not_permitted']),
      'unknown_query_parameter',
      'invalid_request',
      ...(entry.query && 'cursor' in entry.query ? ['invalid_cursor'] : []),
      ...(entry.revises === undefined ? [] : ['precondition_failed']),
      ...entry.refuses,
      'internal_error',
      'service_unavailable',
      ...(isUnsafe(entry) && !entry.changesNothing ? ['audit_unavailable'] : []),
    ]),
  ]
}

/** Whether its method may change something: such a call must prove that it comes from no other site's page. */
export function isUnsafe(entry: StaffOperation): boolean {
  return !entry.at.startsWith('GET ')
}
