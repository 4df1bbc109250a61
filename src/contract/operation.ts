import type { Static, TSchema } from 'typebox'
import type { Change } from '../vocabulary/change.ts'
import type { Scope } from '../vocabulary/scopes.ts'
import type { Caller } from './caller.ts'
import type { Parameter, pathParameters, PathParameterName, ValueOf } from './parameters.ts'
import type { ProblemCode } from './problems.ts'
import type { Refusal } from './refusal.ts'

/**
 * What an operation is, for each kind of caller: a partner, a partner of the sandbox or staff. One entry holds everything
 * that the outside may know of it. The route, the validation, the authorization, the OpenAPI document, the MCP tool and the
 * walks over every operation come from it. It owns no behaviour: a handler is a function of the call.
 */
export type AnyOperation<Problem extends string = string> = {
  /** verb and noun: `approveProof`; its handler file is `approve-proof.ts`, its MCP tool `approve_proof` */
  id: string
  at: `${Method} /${string}`
  /** answers without a credential, so its call names nobody; a host may still ask for one */
  open?: true
  query?: Readonly<Record<string, Parameter<unknown>>>
  /** checked in this order once every parameter is well-formed */
  queryRules?: readonly QueryRule[]
  body?: JsonBody
  /** instead of a JSON body: bytes of one of these media types */
  upload?: UploadForm
  /** instead of a JSON answer on success: a file of this media type, sent piece by piece */
  download?: { mediaType: string }
  /** a collection read: the plural key that holds its records */
  collection?: string
  answers: Readonly<Record<number, TSchema>>
  /** by status; also headers that only some answers of a status carry */
  headers?: Readonly<Record<number, readonly AnswerHeader[]>>
  /** the handler may take longer than the time for an answer; it bounds the parts that must not by `inTime` itself */
  takesTime?: true
  /** refusals of the handler, in checking order; those of reading path, query and body follow from the entry */
  refuses: readonly Problem[]
  /** one sentence for people */
  says: string
  /** what a reader must know beyond `says`, agents above all */
  agentNote?: string
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT'

export type JsonBody = {
  schema: TSchema
  /** the body may be left out altogether, which reads as `{}` */
  optional?: true
  /** rules across fields that a schema cannot say; answers what is wrong, as a sentence. The body has the schema's shape. */
  check?: (body: never) => string | undefined
  /** largest accepted body; default 256 KB */
  bytesMax?: number
  /** a body as a caller might send it, accepted by the demo world: the documents show it, and a test sends it */
  example?: object
}

export type UploadForm = { mediaTypes: readonly string[]; bytesMax: number }

/** A rule across query parameters: `broken` gets their values as read, before the cursor is opened. */
export type QueryRule = { code: ProblemCode; broken: (query: never) => boolean }

/** Headers an answer carries beyond those that stand on every answer. */
export type AnswerHeader = 'Cache-Control' | 'Location' | 'Retry-After'

/** An operation of the partner API, or of the sandbox's control API beside it. */
export type Operation = AnyOperation<ProblemCode> & {
  at: `${Method} /${'v1' | 'sandbox'}/${string}`
  /** null = any valid credential */
  scope: Scope | null
  body?: Body & { example: object }
  /**
   * Hints for MCP clients. `never` keeps the operation out of the tools; a GET is read-only without saying so; a repeated
   * call of an idempotent one changes nothing more; a destructive one overwrites or removes what was there.
   */
  agents?: { offered?: 'never'; readOnly?: true; idempotent?: true; destructive?: true }
}

/** A body with codes for its faults. */
export type Body = JsonBody & {
  /** the code that answers a body of the wrong shape */
  malformed: ProblemCode
  /** `refused`: an explicit null for a field that cannot be cleared is `null_not_supported`, before its type is looked at */
  nulls?: 'refused'
  /** fields that have a code of their own for a malformed value */
  fieldProblems?: Readonly<Record<string, ProblemCode>>
  /** fields that have a code of their own when they are missing */
  missingProblems?: Readonly<Record<string, ProblemCode>>
}

/** Operations that belong together, under one heading, with what a reader should know before the single ones. */
export type Chapter<Op extends AnyOperation = Operation> = {
  name: string
  says: string
  operations: Readonly<Record<string, Op>>
}

/** Declares an operation, keeping every literal for the types derived from it. */
export function operation<const Op extends Operation>(entry: Op): Op {
  return entry
}

type ParameterNames<At extends string> = At extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never

type PathOf<Op extends AnyOperation, Parameters> = {
  [Name in ParameterNames<Op['at']> & keyof Parameters]: ValueOf<Parameters[Name]>
}

type QueryOf<Op extends AnyOperation> =
  Op['query'] extends Readonly<Record<string, Parameter<unknown>>>
    ? {
        [Name in keyof Op['query']]:
          | ValueOf<Op['query'][Name]>
          | (Op['query'][Name] extends { fallback: unknown } ? never : undefined)
      }
    : Record<never, never>

type BodyOf<Op extends AnyOperation> = Op['body'] extends { schema: infer Schema extends TSchema }
  ? Static<Schema>
  : undefined

/** What was sent in place of a JSON body. */
export type Upload = { mediaType: string; bytes: Buffer }

/** Where a page ends: the sort key of its last record. */
export type SortKey = readonly (string | number)[]

/** One request, read and checked as far as its contract can; each API adds who asks. */
export type CallOf<Op extends AnyOperation, Parameters> = Asked<Op, Parameters> &
  (Op['upload'] extends object ? { upload: Upload } : unknown)

type Asked<Op extends AnyOperation, Parameters> = {
  path: PathOf<Op, Parameters>
  query: QueryOf<Op>
  body: BodyOf<Op>
  /** the sort key to start after, from the cursor; undefined on the first page */
  after: SortKey | undefined
  /** makes a page of up to `limit` records out of `limit + 1` rows */
  page: <Row>(rows: Row[], sortKey: (row: Row) => SortKey) => { rows: Row[]; nextCursor: string | null }
  now: Date
  requestId: string
  /** rejects with Outage when the work is not done within the time for an answer; around all of a handler unless it takes time */
  inTime: <Result>(work: Promise<Result>) => Promise<Result>
  /** the one way to say no: only the codes the contract declares */
  refuse: (
    code: Op['refuses'][number],
    detail?: string,
    headers?: Readonly<Record<string, string>>,
  ) => Refusal<Op['refuses'][number]>
}

/** What a handler of the partner API receives besides its dependencies; an open operation does not know who asks. */
export type Call<Op extends Operation> = CallOf<Op, typeof pathParameters> &
  (Op extends { open: true } ? unknown : CallOfPartner)

type CallOfPartner = {
  caller: Caller
  /** the granted sites this call speaks of: all of them, or the one its site filter or path names */
  siteIds: readonly number[]
  /** who changes what the call changes, when, and in answer to which request */
  change: Change
}

export type Answer<Op extends AnyOperation> = {
  [Status in keyof Op['answers'] & number]: {
    status: Status
    body: Op['download'] extends object ? AsyncIterable<string> : Static<Op['answers'][Status]>
    headers?: Readonly<Record<string, string>>
  }
}[keyof Op['answers'] & number]

export type Handler<Op extends Operation> = (call: Call<Op>) => Promise<Answer<Op>>

/** A handler for every operation, and for no other. */
export type Handlers<Operations extends Readonly<Record<string, Operation>>> = {
  [Id in keyof Operations]: Handler<Operations[Id]>
}

/** An answer once the static types have done their work. */
export type Answered = { status: number; body: unknown; headers?: Readonly<Record<string, string>> }

/** A handler likewise: it is only ever called with the call of its own entry. */
export type AnyHandler<AnyCall = Call<Operation>> = (call: AnyCall) => Promise<Answered>

export type Paired<Op extends AnyOperation = Operation, AnyCall = Call<Operation>> = {
  entry: Op
  handler: AnyHandler<AnyCall>
}

/** Every operation with its handler, in the contract's order. One without the other does not compile. */
export function paired<const Operations extends Readonly<Record<string, AnyOperation>>, AnyCall>(
  operations: Operations,
  handlers: Readonly<Record<keyof Operations, (call: never) => Promise<Answered>>>,
): Paired<Operations[keyof Operations], AnyCall>[] {
  // The one place that lets go of the types of the single operations. Their handlers were held against them one by one
  // where they were listed (`Handlers`), and `perform` makes each call from the entry that stands beside the handler.
  return Object.entries(operations).map(([id, entry]) => ({
    entry: entry as Operations[keyof Operations],
    handler: handlers[id] as AnyHandler<AnyCall>,
  }))
}

export function methodOf(entry: { at: `${Method} ${string}` }): Method {
  return entry.at.slice(0, entry.at.indexOf(' ')) as Method
}

export function pathOf(entry: { at: string }): string {
  return entry.at.slice(entry.at.indexOf(' ') + 1)
}

/** The names in a path's braces, in order. */
export function pathParameterNames<Name extends string = PathParameterName>(entry: { at: string }): Name[] {
  return [...entry.at.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as Name)
}
