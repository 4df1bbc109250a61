import type { Static, TSchema } from 'typebox'
import type { Change } from '../vocabulary/change.ts'
import type { JsonObject } from '../vocabulary/json.ts'
import type { JsonText } from '../vocabulary/json-text.ts'
import type { Scope } from '../vocabulary/scopes.ts'
import type { Caller } from './caller.ts'
import type { Parameter, pathParameters, PathParameterName, ValueOf } from './parameters.ts'
import type { ProblemCode } from './problems.ts'
import type { BodyFault, Refusal } from './refusal.ts'

/**
 * The model of an operation, for partners and their developers, for the sandbox's control API and for staff. One entry has everything that
 * callers may know of it; the route, the validation, the permission check, the OpenAPI document, the MCP tool and the
 * tests over every operation are made from it. It has no behaviour: a handler is a function of the call.
 */
export type AnyOperation<Problem extends string = string> = {
  /** verb and noun: `approveProof`; its handler file is `approve-proof.ts`, its MCP tool `approve_proof` */
  id: string
  at: `${Method} /${string}`
  /** needs no credential, so its call has no caller; a host may still require one */
  open?: true
  query?: Readonly<Record<string, Parameter<unknown>>>
  /** checked in this order once every parameter is well-formed */
  queryRules?: readonly QueryRule[]
  body?: JsonBody
  /** instead of a JSON body: bytes of one of these media types */
  upload?: UploadForm
  /**
   * instead of a JSON answer on success: a file of this media type, sent piece by piece, or whole as bytes. What goes on
   * are events (`http/answering/event-stream.ts`), sent until the reader leaves
   */
  download?: { mediaType: string; goesOn?: GoesOn }
  /** its answers hold a secret: they are never compressed, since the length of what stands beside it could tell of it */
  confidential?: true
  /** of a PATCH or PUT, and of a POST that decides on a record: the id of the read whose ETag `If-Match` names */
  revises?: string
  /** a collection read: the plural key that holds its records */
  collection?: string
  answers: Readonly<Record<number, TSchema>>
  /** by status, including headers that only some answers of a status have */
  headers?: Readonly<Record<number, readonly AnswerHeader[]>>
  /** the handler may exceed the time for an answer; it limits parts of its work by `inTime` itself */
  takesTime?: true
  /** the handler's own refusals, in checking order; those of path, query and body follow from the entry */
  refuses: readonly Problem[]
  /** one sentence for people */
  says: string
  /** further details beyond `says`, mainly for agents */
  agentNote?: string
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT'

export type JsonBody = {
  schema: TSchema
  /** the body may be absent, which reads as `{}` */
  optional?: true
  /**
   * rules that a schema cannot express; answers the fault as a sentence, or all faults; none = nothing is wrong. The body
   * need not fit the schema: a rule passes over what is absent or of another type, since the schema's faults tell that
   */
  check?: (body: JsonObject) => string | readonly BodyFault[] | undefined
  /** largest accepted body; default 256 KB */
  bytesMax?: number
  /** a body as a caller might send it, accepted by the demo data: the documents show it, and a test sends it */
  example?: object
}

/** `idExample`: the `id` of an event, as a client may send it back. */
export type GoesOn = { idExample: string }

export type UploadForm = { mediaTypes: readonly string[]; bytesMax: number }

/** A rule across query parameters: `broken` gets their parsed values, before the cursor is decoded. */
export type QueryRule = {
  code: ProblemCode
  broken: (query: never) => boolean
  /** says what is wrong where the code alone does not */
  detail?: string
}

/** Headers of an answer beyond those that every answer has. */
export type AnswerHeader = 'Location' | 'Retry-After'

/** An operation of the partner API, the developer API or the sandbox's control API. */
export type Operation = AnyOperation<ProblemCode> & {
  at: `${Method} /${'v1' | 'sandbox' | 'developer'}/${string}`
  /** null = any valid credential */
  scope: Scope | null
  /**
   * a token of a person is accepted only if this service's own applications got it (`vocabulary/own-applications.ts`):
   * whoever lets an agent order does not thereby let it manage credentials or read the log
   */
  ownApplications?: true
  body?: Body & { example: object }
  /**
   * Hints for MCP clients. `never` keeps the operation out of the tools; a GET is read-only by itself; a repeated call
   * of an idempotent one changes nothing more; a destructive one overwrites or removes data, or costs money; one of the
   * open world reaches hosts that the caller names.
   */
  agents?: { offered?: 'never'; readOnly?: true; idempotent?: true; destructive?: true; openWorld?: true }
}

/** A body with its own problem codes. */
export type Body = JsonBody & {
  /** the code for a body of the wrong shape */
  malformed: ProblemCode
  /**
   * `refused`: an explicit null for a field that cannot be cleared is `null_not_supported`, before its type is looked
   * at
   */
  nulls?: 'refused'
  /** codes of fields with a malformed value, whatever the fault is */
  fieldProblems?: Readonly<Record<string, ProblemCode>>
  /** codes of absent fields */
  missingProblems?: Readonly<Record<string, ProblemCode>>
}

/** Operations that belong together, under one heading, with an introduction. */
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

/** The bytes that were sent instead of a JSON body. */
export type Upload = { mediaType: string; bytes: Buffer }

/** An answer that goes on. */
export type OpenStream = {
  /** as the client sent it: the id of the last event that it has */
  lastEventId: string | undefined
  /** aborted when the client has gone, when it may read no longer, and when the host closes */
  ending: AbortSignal
  end: () => void
}

/** Where a page ends: the sort key of its last record. */
export type SortKey = readonly (string | number)[]

/** One request, parsed and checked against its contract; each API adds the caller. */
export type CallOf<Op extends AnyOperation, Parameters> = Asked<Op, Parameters> &
  (Op['upload'] extends object ? { upload: Upload } : unknown) &
  (Op['download'] extends { goesOn: GoesOn } ? { stream: OpenStream } : unknown)

type Asked<Op extends AnyOperation, Parameters> = {
  path: PathOf<Op, Parameters>
  query: QueryOf<Op>
  body: BodyOf<Op>
  /** the sort key to start after, from the cursor; undefined on the first page */
  after: SortKey | undefined
  /**
   * makes a page of up to `limit` records out of `limit + 1` rows. If there are fewer because the read stopped looking,
   * `goOn` says from where the next page looks on
   */
  page: <Row>(rows: Row[], sortKey: (row: Row) => SortKey, goOn?: SortKey) => { rows: Row[]; nextCursor: string | null }
  now: Date
  requestId: string
  /**
   * rejects with Outage if the work exceeds the time for an answer; applied to the whole handler unless the entry takes
   * time
   */
  inTime: <Result>(work: Promise<Result>) => Promise<Result>
  /**
   * around the verb of a change, inside `database.change`: where the request has `If-Match`, the change is committed only
   * if the record is still as that header says
   */
  guarded: <Tx, Result extends object>(verb: (tx: Tx) => Promise<Result>) => (tx: Tx) => Promise<Result>
  /** the only way to refuse: with a code that the contract declares */
  refuse: (
    code: Op['refuses'][number],
    detail?: string,
    headers?: Readonly<Record<string, string>>,
    errors?: readonly BodyFault[],
  ) => Refusal<Op['refuses'][number]>
}

/** What a handler of the partner API gets besides its dependencies. The call of an open operation has no caller. */
export type Call<Op extends Operation> = CallOf<Op, typeof pathParameters> &
  (Op extends { open: true } ? unknown : CallOfPartner)

type CallOfPartner = {
  caller: Caller
  /** the granted sites that this call is about: all of them, or the one that its site filter or path names */
  siteIds: readonly number[]
  /** the actor, time and request of the changes that the call makes */
  change: Change
}

/** Loads the picture that an agent is shown besides the body; undefined = there is none now. Over HTTP the body links to it. */
export type Picture = () => Promise<{ mediaType: string; bytes: Buffer } | undefined>

export type Answer<Op extends AnyOperation> = {
  [Status in keyof Op['answers'] & number]: {
    status: Status
    body: Op['download'] extends object
      ? AsyncIterable<string> | Uint8Array
      : Op['collection'] extends string
        ? Static<Op['answers'][Status]> | JsonText<Static<Op['answers'][Status]>>
        : Static<Op['answers'][Status]>
    headers?: Readonly<Record<string, string>>
    /** the signed links in the body and when they expire, which change although the record does not */
    links?: readonly (string | null)[]
    picture?: Picture
  }
}[keyof Op['answers'] & number]

export type Handler<Op extends Operation> = (call: Call<Op>) => Promise<Answer<Op>>

/** Exactly one handler for every operation. */
export type Handlers<Operations extends Readonly<Record<string, Operation>>> = {
  [Id in keyof Operations]: Handler<Operations[Id]>
}

/** An answer without the static types of its operation. */
export type Answered = {
  status: number
  body: unknown
  headers?: Readonly<Record<string, string>>
  links?: readonly (string | null)[]
  picture?: Picture
}

/** A handler without them; it is only called with the call of its own entry. */
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
  // The only cast that drops the types of the operations. `Handlers` checked each handler against its operation, and
  // `perform` makes each call from the entry that is paired with the handler.
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
