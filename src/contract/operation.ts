import type { Static, TSchema } from 'typebox'
import type { Change } from '../vocabulary/change.ts'
import type { Scope } from '../vocabulary/scopes.ts'
import type { Caller } from './caller.ts'
import type { Parameter, pathParameters, PathParameterName, ValueOf } from './parameters.ts'
import type { ProblemCode } from './problems.ts'
import type { Refusal } from './refusal.ts'

/**
 * What an operation is. One entry tells everything the outside may know of it; the route, the validation, the scope
 * check, the OpenAPI document, the MCP tool, the client and the walks over every operation are made from it.
 * It owns no behaviour: handlers live in `resources/`.
 */

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT'

export type Body = {
  schema: TSchema
  /** the code that answers a body of the wrong shape */
  malformed: ProblemCode
  /** `refused`: an explicit null for a field that cannot be cleared is `null_not_supported`, before its type is looked at */
  nulls?: 'refused'
  /** fields whose malformed value has a code of its own, whatever else is wrong with them */
  fieldProblems?: Readonly<Record<string, ProblemCode>>
  /** fields whose absence has a code of its own */
  missingProblems?: Readonly<Record<string, ProblemCode>>
  /** the body may be left out altogether, which reads as `{}` */
  optional?: true
  /** rules across fields that a schema cannot say; answers what is wrong, as a sentence. The body has the schema's shape. */
  check?: (body: never) => string | undefined
  /** largest accepted body; 256 KB unless told */
  bytesMax?: number
}

/** A rule across query parameters: `broken` gets their values as read, before the cursor is opened. */
export type QueryRule = { code: ProblemCode; broken: (query: never) => boolean }

/** Headers an answer carries beyond those that stand on every answer. */
export type AnswerHeader = 'Cache-Control' | 'Location' | 'Retry-After'

export type Operation = {
  /** verb and noun: `approveProof`; its handler file is `approve-proof.ts`, its MCP tool `approve_proof` */
  id: string
  /** of the partner API, or of the sandbox's control API beside it */
  at: `${Method} /${'v1' | 'sandbox'}/${string}`
  /** null = any valid credential; `liveness` needs none on the bearer hosts */
  scope: Scope | null
  liveness?: true
  query?: Readonly<Record<string, Parameter<unknown>>>
  /** asked in this order once every parameter is well-formed */
  queryRules?: readonly QueryRule[]
  body?: Body
  /** a collection read: the plural key that holds its records */
  collection?: string
  answers: Readonly<Record<number, TSchema>>
  /** by status; a header that stands only on some answers of a status is named too */
  headers?: Readonly<Record<number, readonly AnswerHeader[]>>
  /** the handler waits for what others do, longer than answers may take; it bounds its other work by `inTime` itself */
  waits?: true
  /** refusals the handler itself can answer, in checking order; those of reading path, query and body follow from the entry */
  refuses: readonly ProblemCode[]
  /** one sentence for people */
  says: string
  /** what an agent must know beyond `says` */
  agentNote?: string
  /**
   * Hints for MCP clients. `never` keeps the operation out of the tools; a GET is read-only without saying so; a repeated
   * call of an idempotent one changes nothing more; a destructive one overwrites or removes what was there.
   */
  agents?: { offered?: 'never'; readOnly?: true; idempotent?: true; destructive?: true }
}

/** Operations that belong together, under one heading, with what a reader should know before the single ones. */
export type Chapter = { name: string; says: string; operations: Readonly<Record<string, Operation>> }

/** Declares an operation, keeping every literal for the types derived from it. */
export function operation<const Op extends Operation>(entry: Op): Op {
  return entry
}

type ParameterNames<At extends string> = At extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never

export type PathOf<Op extends Operation> = {
  [Name in ParameterNames<Op['at']> & PathParameterName]: ValueOf<(typeof pathParameters)[Name]>
}

export type QueryOf<Op extends Pick<Operation, 'query'>> =
  Op['query'] extends Readonly<Record<string, Parameter<unknown>>>
    ? {
        [Name in keyof Op['query']]:
          | ValueOf<Op['query'][Name]>
          | (Op['query'][Name] extends { fallback: unknown } ? never : undefined)
      }
    : Record<never, never>

export type BodyOf<Op extends Operation> = Op['body'] extends { schema: infer Schema extends TSchema }
  ? Static<Schema>
  : undefined

/** Where a page ends: the sort key of its last record. */
export type SortKey = readonly (string | number)[]

/** One request, read and checked as far as its contract can: what a handler receives besides its dependencies. */
export type Call<Op extends Operation> = {
  caller: Caller
  /** the granted sites this call speaks of: all of them, or the one its site filter or path names */
  siteIds: readonly number[]
  path: PathOf<Op>
  query: QueryOf<Op>
  body: BodyOf<Op>
  /** the sort key to start behind, from the cursor; undefined on the first page */
  after: SortKey | undefined
  /** makes a page of up to `limit` records out of `limit + 1` rows */
  page: <Row>(rows: Row[], sortKey: (row: Row) => SortKey) => { rows: Row[]; nextCursor: string | null }
  now: Date
  requestId: string
  /** the partner, the time and the request, as verbs want them */
  change: Change
  /** rejects with Outage when the work is not done within the time for an answer; around all of a handler unless it waits */
  inTime: <Result>(work: Promise<Result>) => Promise<Result>
  /** the one way to say no: only the codes the contract declares */
  refuse: (code: Op['refuses'][number], detail?: string) => Refusal
}

export type Answer<Op extends Operation> = {
  [Status in keyof Op['answers'] & number]: {
    status: Status
    body: Static<Op['answers'][Status]>
    headers?: Readonly<Record<string, string>>
  }
}[keyof Op['answers'] & number]

export type Handler<Op extends Operation> = (call: Call<Op>) => Promise<Answer<Op>>

/** What the gateway keeps once the static types have done their work. */
export type AnyHandler = (call: Call<Operation>) => Promise<{
  status: number
  body: unknown
  headers?: Readonly<Record<string, string>>
}>

export function methodOf(entry: { at: `${Method} ${string}` }): Method {
  return entry.at.slice(0, entry.at.indexOf(' ')) as Method
}

export function pathOf(entry: { at: string }): string {
  return entry.at.slice(entry.at.indexOf(' ') + 1)
}

/** The names in a path's braces, in order. */
export function pathParameterNames(entry: Operation): PathParameterName[] {
  return [...entry.at.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as PathParameterName)
}
