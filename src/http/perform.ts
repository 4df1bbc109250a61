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
 * How an operation is performed, for partners, agents and staff alike: the steps that read what was asked, in whatever
 * order a host takes them, and the one that calls the handler. It owns neither who may ask nor how an answer is sent.
 */

/** An operation with its handler and all that reads its inputs, made once. */
export type ReadyOperation<Op extends AnyOperation = AnyOperation> = Paired<Op, never> & {
  readPath: (texts: RawInputs['path']) => Values
  readQuery: (text: string) => Values
  readBody: (read: RawInputs['body']) => Promise<unknown>
  cursors: Cursors
}

/** What was asked, as it came in. */
export type RawInputs = {
  /** decoded path segments by name */
  path: Readonly<Record<string, string | undefined>>
  /** the query string without its question mark */
  query: string
  /** the JSON body, undefined when there is none, or the upload; read only when its turn comes. Rejects with `BodyRefused` */
  body: () => Promise<unknown>
}

/** A request for an operation, with what the steps have read of it. */
export type Visit<Op extends AnyOperation = AnyOperation> = {
  operation: ReadyOperation<Op>
  raw: RawInputs
  requestId: string
  now: Date
  /** lets the handler's work take what is left of the time for an answer */
  inTime: Deadline['inTime']
  read: Inputs
  answered: Answered | undefined
}

/** The inputs as far as they are read. */
type Inputs = { path: Values; query: Values; body: unknown; pages: Pager }

export function readyOperations<Op extends AnyOperation>(
  operations: readonly Paired<Op, never>[],
  rules: {
    pathParameters: Parameters
    cursors: Cursors
    /** the one code for whatever is malformed; without it each parameter has its own */
    malformed?: 'invalid_request'
  },
): ReadyOperation<Op>[] {
  const { cursors, malformed } = rules
  const coded = (parameters: Parameters): Parameters => (malformed ? withCode(parameters, malformed) : parameters)
  const pathParameters = coded(rules.pathParameters)
  return operations.map(({ entry, handler }) => {
    // Where there is one code, the reserved `updatedSince` of lists is unknown like any other parameter.
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

/** For whatever is no list. */
const onePage: Pager = { after: undefined, page: (rows) => ({ rows, nextCursor: null }) }

export function path({ operation, raw, read }: Visit): void {
  read.path = operation.readPath(raw.path)
}

export function query({ operation, raw, read }: Visit): void {
  read.query = operation.readQuery(raw.query)
}

/** Opens the cursor of a list. @param whose what it is valid for, beside every input */
export function cursorOf<At extends Visit>(whose: (visit: At) => readonly string[]): Step<At> {
  return (visit) => {
    const { operation, read } = visit
    if (!operation.entry.collection) return
    const boundTo = pageBinding(whose(visit), { ...read.path, ...read.query })
    read.pages = pager(operation.cursors, read.query, boundTo)
  }
}

export async function body({ operation, raw, read }: Visit): Promise<void> {
  read.body = await operation.readBody(raw.body)
}

/** Calls the handler. @param added what its call holds beside what was read */
export function handlerWith<At extends Visit>(added: (visit: At) => object | undefined): Step<At> {
  return async (visit) => {
    const { operation, read, inTime } = visit
    const { upload, takesTime } = operation.entry
    const call = {
      path: read.path,
      query: read.query,
      body: upload ? undefined : read.body,
      upload: upload ? (read.body as Upload) : undefined,
      after: read.pages.after,
      page: read.pages.page,
      now: visit.now,
      requestId: visit.requestId,
      inTime,
      refuse,
      ...added(visit),
    }
    const work = operation.handler(call as never)
    visit.answered = await (takesTime ? work : inTime(work))
  }
}

function refuse(code: string, detail?: string, headers?: Readonly<Record<string, string>>): Refusal<string> {
  return new Refusal(code, detail, headers)
}
