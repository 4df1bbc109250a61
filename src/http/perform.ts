import type { IncomingMessage } from 'node:http'
import {
  pathParameterNames,
  type AnyOperation,
  type Answered,
  type Body,
  type Paired,
  type Upload,
} from '../contract/operation.ts'
import type { Parameter } from '../contract/parameters.ts'
import { Refusal } from '../contract/refusal.ts'
import type { Cursors } from './answering/cursors.ts'
import type { Deadline } from './answering/deadline.ts'
import { pageBinding, pager, type Pager } from './answering/pages.ts'
import { bodyReader } from './reading/check-body.ts'
import { readDeclaredBody } from './reading/read-body.ts'
import { pathReader } from './reading/read-path.ts'
import { queryReader, type Values } from './reading/read-query.ts'
import { readUpload, uploadReader } from './reading/read-upload.ts'
import { queryOf } from './reading/request-line.ts'
import type { Step } from './steps.ts'

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
}

/** The inputs of a request as they came in. */
export type RawInputs = {
  /** decoded path segments by name */
  path: Readonly<Record<string, string | undefined>>
  /** the query string without its question mark */
  query: string
  /** the JSON body (undefined when there is none) or the upload; read only in its step. Rejects with `BodyRefused` */
  body: () => Promise<unknown>
}

/** A request for an operation, and what the steps have made of it so far. */
export type OperationContext<Op extends AnyOperation = AnyOperation> = {
  operation: ReadyOperation<Op>
  raw: RawInputs
  requestId: string
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
  return operations.map(({ entry, handler }) => {
    // With one code for everything, `updatedSince` is an unknown parameter on lists too.
    const queried = malformed ? { query: coded(entry.query ?? {}) } : entry
    const declared: Body | undefined = entry.body && { malformed: 'invalid_request', ...entry.body }
    return {
      entry,
      handler,
      readPath: pathReader(pathParameterNames<string>(entry), pathParameters),
      readQuery: queryReader(queried),
      readBody: entry.upload ? uploadReader : bodyReader(declared),
      cursors,
    }
  })
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
  return { path: texts, query: queryOf(request), body: () => deadline.apart(read) }
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

/** Calls the handler. @param added what the call holds besides the inputs */
export function handlerWith<Context extends OperationContext>(
  added: (context: Context) => object | undefined,
): Step<Context> {
  return async (context) => {
    const { operation, read, inTime } = context
    const { upload, takesTime } = operation.entry
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
      ...added(context),
    }
    const work = operation.handler(call as never)
    context.answered = await (takesTime ? work : inTime(work))
  }
}

function refuse(...told: ConstructorParameters<typeof Refusal<string>>): Refusal<string> {
  return new Refusal(...told)
}
