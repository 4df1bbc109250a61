import type { IncomingMessage } from 'node:http'
import {
  pathParameterNames,
  type AnyOperation,
  type Answered,
  type Body,
  type CallOf,
  type Paired,
  type Upload,
} from '../contract/operation.ts'
import type { Parameter } from '../contract/parameters.ts'
import { Refusal } from '../contract/refusal.ts'
import { isCurrent, revisionOf } from './answering/entity-tags.ts'
import type { Cursors } from './answering/cursors.ts'
import type { Deadline } from './answering/deadline.ts'
import { pageBinding, pager, type Pager } from './answering/pages.ts'
import { bodyReader } from './reading/check-body.ts'
import { readDeclaredBody } from './reading/read-body.ts'
import { pathReader } from './reading/read-path.ts'
import { queryReader, type Values } from './reading/read-query.ts'
import { readUpload, uploadReader } from './reading/read-upload.ts'
import { queryOf } from './reading/request-line.ts'
import { takeSteps, type Step } from './steps.ts'
import { jsonTextOf } from '../vocabulary/json-text.ts'
import type { TraceContext } from '../vocabulary/trace-context.ts'

/**
 * How an operation is performed, for partners, agents and staff alike: the steps that read a request, and the one that
 * calls the handler. Each host puts them in order. Who may ask, and how an answer is sent, is decided elsewhere.
 */

/** An operation with its handler and the readers of its inputs, which are made once. */
export type ReadyOperation<Op extends AnyOperation = AnyOperation> = Paired<Op, never> & {
  readPath: (texts: RawInputs['path']) => Values
  readQuery: (text: string) => Values
  readBody: (read: RawInputs['body']) => Promise<unknown>
  cursors: Cursors
  /** of a change: the read whose ETag its `If-Match` names */
  revised: ReadyOperation<Op> | undefined
}

/** The inputs of a request as they came in. */
export type RawInputs = {
  /** decoded path segments by name */
  path: Readonly<Record<string, string | undefined>>
  /** the query string without its question mark */
  query: string
  /** the JSON body (undefined when there is none) or the upload; read only in its step. Rejects with `BodyRefused` */
  body: () => Promise<unknown>
  /** the header */
  ifMatch?: string | undefined
}

/** A request for an operation, and what the steps have made of it so far. */
export type OperationContext<Op extends AnyOperation = AnyOperation> = {
  operation: ReadyOperation<Op>
  raw: RawInputs
  requestId: string
  /** where the request's trace goes on; undefined = there is none */
  traceContext?: TraceContext | undefined
  now: Date
  /** bounds the handler's work by the time left for an answer; rejects with Outage */
  inTime: Deadline['inTime']
  read: Inputs
  answered: Answered | undefined
}

/** The inputs as far as steps have read them. */
type Inputs = { path: Values; query: Values; body: unknown; pages: Pager }

export function readyOperations<Op extends AnyOperation>(
  operations: readonly Paired<Op, never>[],
  rules: {
    pathParameters: Parameters
    cursors: Cursors
    /** the one code for every malformed input; without it each parameter has its own */
    malformed?: 'invalid_request'
  },
): ReadyOperation<Op>[] {
  const { cursors, malformed } = rules
  const coded = (parameters: Parameters): Parameters => (malformed ? withCode(parameters, malformed) : parameters)
  const pathParameters = coded(rules.pathParameters)
  const ready = operations.map(({ entry, handler }): ReadyOperation<Op> => {
    // With one code for everything, `updatedSince` is an unknown parameter on lists too.
    const { queryRules = [] } = entry
    const queried = malformed ? { query: coded(entry.query ?? {}), queryRules } : entry
    const declared: Body | undefined = entry.body && { malformed: 'invalid_request', ...entry.body }
    return {
      entry,
      handler,
      readPath: pathReader(pathParameterNames<string>(entry), pathParameters),
      readQuery: queryReader(queried),
      readBody: entry.upload ? uploadReader : bodyReader(declared),
      cursors,
      revised: undefined,
    }
  })
  const byId = new Map(ready.map((operation) => [operation.entry.id, operation]))
  for (const operation of ready) operation.revised = byId.get(operation.entry.revises ?? '')
  return ready
}

type Parameters = Readonly<Record<string, Parameter<unknown>>>

function withCode(parameters: Parameters, malformed: 'invalid_request'): Parameters {
  return Object.fromEntries(Object.entries(parameters).map(([name, parameter]) => [name, { ...parameter, malformed }]))
}

/** A request's inputs over HTTP. */
export function httpInputs(
  { request, deadline }: { request: IncomingMessage; deadline: Deadline },
  { body: declared, upload }: AnyOperation,
  texts: RawInputs['path'],
): RawInputs {
  const read = (): Promise<unknown> => (upload ? readUpload(request, upload) : readDeclaredBody(request, declared))
  const ifMatch = request.headers['if-match']
  return { path: texts, query: queryOf(request), body: () => deadline.apart(read), ifMatch }
}

export function nothingRead(): Inputs {
  return { path: {}, query: {}, body: undefined, pages: onePage }
}

/** The only page of an operation that is not a list. */
const onePage: Pager = { after: undefined, page: (rows) => ({ rows, nextCursor: null }) }

export function path({ operation, raw, read }: OperationContext): void {
  read.path = operation.readPath(raw.path)
}

export function query({ operation, raw, read }: OperationContext): void {
  read.query = operation.readQuery(raw.query)
}

/** Opens the cursor of a list. @param whose what the cursor is bound to besides the other inputs */
export function cursorBoundTo<Context extends OperationContext>(
  whose: (context: Context) => readonly string[],
): Step<Context> {
  return (context) => {
    const { operation, read } = context
    if (!operation.entry.collection) return
    const boundTo = pageBinding(whose(context), { ...read.path, ...read.query })
    read.pages = pager(operation.cursors, read.query, boundTo)
  }
}

export async function body({ operation, raw, read }: OperationContext): Promise<void> {
  read.body = await operation.readBody(raw.body)
}

/** Lets a change be committed only if its condition holds. */
export type Guarded = AnyCall['guarded']
type AnyCall = CallOf<AnyOperation, Parameters>

const unguarded: Guarded = (verb) => verb

/** What `If-Match` needs of a host. */
export type Conditions<Context extends OperationContext> = {
  /** the steps that read the record of a change: those of its read, from the path on */
  readSteps: () => readonly Step<Context>[]
  /** waits until no other transaction has this turn, and keeps it until its own ends */
  takeTurn: (tx: never, turn: string) => Promise<void>
}

/** Calls the handler. @param added what the call holds besides the inputs */
export function handlerWith<Context extends OperationContext>(
  added: (context: Context, guarded: Guarded) => object | undefined,
  conditions: Conditions<Context>,
): Step<Context> {
  return async (context) => {
    const { operation, raw, read, inTime } = context
    const { upload, takesTime } = operation.entry
    const isConditional = raw.ifMatch !== undefined && operation.revised !== undefined
    const guarded = isConditional ? await inTime(guardOf(context, raw.ifMatch!, conditions)) : unguarded
    const call = {
      path: read.path,
      query: read.query,
      body: upload ? undefined : read.body,
      upload: upload ? (read.body as Upload) : undefined,
      after: read.pages.after,
      page: read.pages.page,
      now: context.now,
      requestId: context.requestId,
      inTime,
      refuse,
      guarded,
      ...added(context, guarded),
    }
    const work = operation.handler(call as never)
    context.answered = await (takesTime ? work : inTime(work))
  }
}

/**
 * `If-Match` (RFC 9110 §13.1.1). A record that has changed already is refused at once. Of two changes at the same moment
 * one waits for the other's rows inside its verb. So the record is read again when the verb is done, over another
 * connection: its rows are now locked by this transaction, and whoever had them before has committed. The turn settles
 * changes of one record that lock different rows.
 */
async function guardOf<Context extends OperationContext>(
  context: Context,
  ifMatch: string,
  { readSteps, takeTurn }: Conditions<Context>,
): Promise<Guarded> {
  const revised = context.operation.revised!
  const revision = async (): Promise<string | undefined> => {
    const raw = { path: context.raw.path, query: '', body: async () => undefined }
    const reading = {
      ...context,
      operation: revised,
      raw,
      read: nothingRead(),
      answered: undefined as Answered | undefined,
    }
    try {
      await takeSteps(readSteps(), reading)
    } catch (error) {
      if (error instanceof Refusal) return undefined
      throw error
    }
    return revisionOf(jsonTextOf(reading.answered!.body), reading.answered!.links)
  }

  const first = await revision()
  // What cannot be read is refused by the change itself, in its own words.
  if (first !== undefined && !isCurrent(ifMatch, first)) throw changedMeanwhile()
  let isSettled = false
  return (verb) => async (tx) => {
    const outcome = await verb(tx)
    if (isSettled || 'refused' in outcome) return outcome
    await takeTurn(tx as never, `${revised.entry.id} ${JSON.stringify(context.raw.path)}`)
    if (!isCurrent(ifMatch, await revision())) throw changedMeanwhile()
    isSettled = true
    return outcome
  }
}

function changedMeanwhile(): Refusal<string> {
  return new Refusal<string>('precondition_failed')
}

function refuse(...told: ConstructorParameters<typeof Refusal<string>>): Refusal<string> {
  return new Refusal(...told)
}
