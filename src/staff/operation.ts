import type { Static, TSchema } from 'typebox'
import type { Method, QueryOf, SortKey } from '../contract/operation.ts'
import type { Parameter, ValueOf } from '../contract/parameters.ts'
import type { Refusal } from '../contract/refusal.ts'
import type { Change } from '../vocabulary/change.ts'
import type { Session } from './session/sessions.ts'
import type { Permission } from '../vocabulary/staff-roles.ts'
import type { staffPathParameters, StaffPathParameterName } from './parameters.ts'
import type { ProblemTable, SharedStaffProblem } from './problems.ts'
import type { StaffWorld } from './world.ts'

/**
 * What an operation of the staff API is: the sibling of `contract/operation.ts`, for people who work here. From an entry
 * come the route, the permission check, the strict validation, the OpenAPI document and the walks over every operation.
 * Handlers are functions of the call; what they need of the world they find in it.
 */
export type StaffOperation = {
  /** verb and noun, unique in the staff API */
  id: string
  /** `{environment}` is the world it works on; without it, production */
  at: `${Method} /staff/v1/${string}`
  /** null = whoever is signed in */
  permission: Permission | null
  /** needs no session: signing in */
  open?: true
  query?: Readonly<Record<string, Parameter<unknown>>>
  body?: StaffBody
  /** in place of a JSON body: bytes of one of these media types */
  upload?: { mediaTypes: readonly string[]; bytesMax: number }
  /** in place of a JSON answer where it succeeds: a file of this media type, sent piece by piece */
  download?: { mediaType: string }
  /** the handler may take longer than answers do; it is told nothing of the time */
  takesTime?: true
  /** a collection read: the plural key that holds its records */
  collection?: string
  answers: Readonly<Record<number, TSchema>>
  /** codes of the subject's own table that the handler itself can answer */
  refuses: readonly string[]
  /** one sentence for people */
  says: string
}

/** Always answered with `invalid_request` where it is not of the shape. */
export type StaffBody = {
  schema: TSchema
  /** the body may be left out altogether, which reads as `{}` */
  optional?: true
  /** rules across fields that a schema cannot say; answers what is wrong, as a sentence */
  check?: (body: never) => string | undefined
  bytesMax?: number
}

/** A subject's part of the API: its operations, and the codes they refuse with beyond those all share. */
export type StaffSubject = {
  name: string
  says: string
  problems: ProblemTable
  operations: Readonly<Record<string, StaffOperation>>
}

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

type ParameterNames<At extends string> = At extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never

type PathOf<Op extends StaffOperation> = {
  [Name in ParameterNames<Op['at']> & StaffPathParameterName]: ValueOf<(typeof staffPathParameters)[Name]>
}

type BodyOf<Op extends StaffOperation> = Op['body'] extends { schema: infer Schema extends TSchema }
  ? Static<Schema>
  : undefined

/** One request of a person who may make it, read and checked. */
export type StaffCall<Op extends StaffOperation> = {
  /** the session it is made in; an open operation has none and must not ask */
  session: Session
  /** production or the sandbox, as the path says */
  world: StaffWorld
  path: PathOf<Op>
  query: QueryOf<Op>
  body: BodyOf<Op>
  upload: Op['upload'] extends object ? { mediaType: string; bytes: Buffer } : undefined
  /** the sort key to start behind; undefined on the first page */
  after: SortKey | undefined
  /** makes a page of up to `limit` records out of `limit + 1` rows */
  page: <Row>(rows: Row[], sortKey: (row: Row) => SortKey) => { rows: Row[]; nextCursor: string | null }
  now: Date
  requestId: string
  /** the person, the time and the request, as platform verbs want them for the audit record */
  change: Change
  sourceAddress: string
  /** the one way to say no: only the codes the contract declares */
  refuse: (code: Op['refuses'][number], detail?: string, headers?: Readonly<Record<string, string>>) => Refusal<string>
}

export type StaffAnswer<Op extends StaffOperation> = {
  [Status in keyof Op['answers'] & number]: {
    status: Status
    body: Op['download'] extends object ? AsyncIterable<string> : Static<Op['answers'][Status]>
    headers?: Readonly<Record<string, string>>
  }
}[keyof Op['answers'] & number]

export type StaffHandler<Op extends StaffOperation> = (call: StaffCall<Op>) => Promise<StaffAnswer<Op>>

/** A handler for every operation of a subject. */
export type StaffHandlers<Subject extends { operations: Readonly<Record<string, StaffOperation>> }> = {
  [Id in keyof Subject['operations']]: StaffHandler<Subject['operations'][Id]>
}

/** What the host keeps once the static types have done their work. */
export type AnyStaffHandler = (call: StaffCall<StaffOperation>) => Promise<{
  status: number
  body: unknown
  headers?: Readonly<Record<string, string>>
}>

/** The names in a path's braces, in order. */
export function staffPathNames(entry: StaffOperation): StaffPathParameterName[] {
  return [...entry.at.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as StaffPathParameterName)
}

/** Every code an operation can answer, in the order a caller meets them. */
export function staffProblemsOf(entry: StaffOperation): string[] {
  return [
    ...new Set([
      ...(entry.open ? ['request_forged'] : ['not_signed_in']),
      ...(isUnsafe(entry) && !entry.open ? ['request_forged'] : []),
      ...(entry.permission === null ? [] : ['not_permitted']),
      'unknown_query_parameter',
      'invalid_request',
      ...(entry.query && 'cursor' in entry.query ? ['invalid_cursor'] : []),
      ...entry.refuses,
      'internal_error',
      'service_unavailable',
      ...(isUnsafe(entry) ? ['audit_unavailable'] : []),
    ]),
  ]
}

/** It may change something. */
export function isUnsafe(entry: StaffOperation): boolean {
  return !entry.at.startsWith('GET ')
}
