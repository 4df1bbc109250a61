import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { AnyOperation, Answered } from '../../contract/operation.ts'
import type { Refusal } from '../../contract/refusal.ts'
import { jsonTextOf } from '../../vocabulary/json-text.ts'
import { timeOrderedUuid } from '../../vocabulary/time-ordered-uuid.ts'
import { readTraceparent, type TraceContext } from '../../vocabulary/trace-context.ts'
import type { RequestSpan, Tracing } from '../../vocabulary/tracing.ts'
import type { PlainAnswer } from '../plain-route.ts'
import { CallerGone } from '../reading/read-body.ts'
import { takeSteps, type Step } from '../steps.ts'
import { asRefusal, traceIdOf } from './as-refusal.ts'
import { codingFor, compressed, gzipFor, varyWith } from './compression.ts'
import { startDeadline, type Deadline } from './deadline.ts'
import { entityTag, isKnown, revisionOf } from './entity-tags.ts'
import { problemMediaType, type Problem } from './problem.ts'
import { sendPieces } from './send-pieces.ts'
import { send, sendEmpty, sendPlain, type Headers } from './send.ts'

/**
 * The frame around every answer of a host: it takes the steps, answers what they throw, and reports each answer once to
 * the log and the metrics. It knows no single step and no kind of caller.
 */

/** A request on its way to an answer. */
export type Exchange = {
  request: IncomingMessage
  response: ServerResponse
  /** the operation or route, for log and metrics */
  name: string
  /** holds `now` */
  requestId: string
  now: Date
  sourceAddress: string
  /** where its trace goes on: that of the caller, or of the span that traces it */
  traceContext: TraceContext | undefined
  span: RequestSpan | undefined
  /** the headers of whatever is answered */
  headers: Headers
  deadline: Deadline
  /** by `performance.now()`; only an answer that goes on afterwards sets it */
  answeredAt?: number
  status: number
  code: string | undefined
  /** the seconds of `Retry-After` */
  retryAfter?: number
  /** an app client that the request named, at a path outside the contract */
  claimedClient?: string | undefined
}

/** What the steps of a request share; each host adds to it. */
export type AnswerContext = { http: Exchange }

export type Frame<Context extends AnswerContext> = {
  clock: () => Date
  sourceAddress: (request: IncomingMessage) => string
  tracing: Tracing
  /** headers of every answer besides `Request-Id` */
  headers: (request: IncomingMessage) => Headers | undefined
  problem: (refusal: Refusal<string>, requestId: string) => Problem<string>
  /** further headers of the answer with that problem */
  problemHeaders?: (code: string) => Headers | undefined
  /** who asked, for the log */
  asker: (context: Context) => Readonly<Record<string, string | undefined>>
  /** told of every answer, for metrics; `code` is that of its refusal */
  observe: (name: string, status: number, milliseconds: number, code: string | undefined) => void
  /** told of every answer with its request, for records of their own */
  answered?: (context: Context, milliseconds: number) => void
  log: Logger
}

/** By convention among proxies: the caller hung up before there was an answer. */
const callerGoneStatus = 499

export function beginExchange(
  request: IncomingMessage,
  response: ServerResponse,
  name: string,
  frame: Pick<Frame<never>, 'clock' | 'sourceAddress' | 'headers' | 'tracing'>,
  route?: string,
): Exchange {
  const now = frame.clock()
  const requestId = timeOrderedUuid(now)
  const given = readTraceparent(request.headers.traceparent)
  const span = frame.tracing.serve(request.method!, route, name, given)
  return {
    request,
    response,
    name,
    requestId,
    now,
    sourceAddress: frame.sourceAddress(request),
    traceContext: span ? span.context : given,
    span,
    headers: { 'request-id': requestId, ...frame.headers(request) },
    deadline: startDeadline(),
    status: callerGoneStatus,
    code: undefined,
  }
}

/** A step throws it to answer by itself, with something other than a problem document. */
export class EarlyAnswer extends Error {
  readonly answer: PlainAnswer

  constructor(plain: PlainAnswer) {
    super(`answered with ${plain.status}`)
    this.name = 'EarlyAnswer'
    this.answer = plain
    this.stack = undefined
  }
}

/** Takes the steps, the last of which answers. */
export async function answer<Context extends AnswerContext>(
  context: Context,
  steps: readonly Step<Context>[],
  frame: Frame<Context>,
): Promise<void> {
  const startedAt = performance.now()
  try {
    const { span } = context.http
    await (span ? span.run(() => takeSteps(steps, context)) : takeSteps(steps, context))
  } catch (error) {
    await answerThrown(context.http, error, frame)
  } finally {
    const {
      name,
      requestId,
      status,
      code,
      sourceAddress,
      deadline,
      span,
      answeredAt = performance.now(),
    } = context.http
    deadline.end()
    const milliseconds = answeredAt - startedAt
    span?.end(status, code)
    frame.observe(name, status, milliseconds, code)
    frame.answered?.(context, milliseconds)
    frame.log.info(
      {
        requestId,
        traceId: traceIdOf(context.http),
        operation: name,
        status,
        code,
        sourceAddress,
        ...frame.asker(context),
        milliseconds: Math.round(milliseconds * 10) / 10,
      },
      'answered',
    )
  }
}

function answerThrown(
  exchange: Exchange,
  error: unknown,
  frame: Pick<Frame<never>, 'problem' | 'problemHeaders' | 'log'>,
): void | Promise<void> {
  if (error instanceof CallerGone) return
  if (error instanceof EarlyAnswer) return answerPlain(exchange, error.answer)
  const refusal = asRefusal(error, exchange, exchange.name, frame.log)
  const problem = frame.problem(refusal, exchange.requestId)
  exchange.code = problem.code
  if (refusal.headers?.['retry-after'] !== undefined) exchange.retryAfter = Number(refusal.headers['retry-after'])
  const text = JSON.stringify(problem)
  const headers = {
    'content-type': problemMediaType,
    ...frame.problemHeaders?.(problem.code),
    ...refusal.headers,
  }
  return sendText(exchange, { status: problem.status, headers, text, compressible: true })
}

export function answerPlain(exchange: Exchange, plain: PlainAnswer): void | Promise<void> {
  const { status, body: text } = plain
  exchange.code = plain.told?.code
  exchange.claimedClient = plain.told?.clientId
  // Caches may keep some answers for a time, such as the public keys, but no answer to a request with a credential.
  const { authorization, cookie } = exchange.request.headers
  const hasCredential = authorization !== undefined || cookie !== undefined
  const headers = hasCredential && !plain.immutable ? { ...plain.headers, 'cache-control': 'no-store' } : plain.headers
  if (plain.compressible && typeof text === 'string') {
    return sendText(exchange, {
      status,
      headers: headers as Headers,
      text,
      compressible: true,
      revised: isRead(exchange, status),
    })
  }
  exchange.status = status
  sendPlain(exchange.response, { ...plain, headers }, exchange.headers)
}

/** The last step of an operation: sends what the handler answered. */
export function answerJson({
  http,
  operation,
  answered,
}: AnswerContext & { operation: { entry: AnyOperation }; answered: Answered | undefined }): void | Promise<void> {
  const { status, body, headers, links } = answered!
  return sendText(http, {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    text: jsonTextOf(body),
    compressible: !operation.entry.confidential,
    revised: isRead(http, status),
    links,
  })
}

function isRead({ request }: Exchange, status: number): boolean {
  return status === 200 && (request.method === 'GET' || request.method === 'HEAD')
}

type Told = {
  status: number
  headers: Headers
  text: string | Buffer
  compressible: boolean
  /** it has an ETag, and is 304 for who has it already */
  revised?: boolean
  links?: Answered['links']
}

function sendText(http: Exchange, { status, text, compressible, revised, links, ...told }: Told): void | Promise<void> {
  const { request, response } = http
  const { 'content-type': mediaType = '', ...headers } = { ...http.headers, ...told.headers }
  const coding = compressible ? codingFor(request, text) : undefined
  if (compressible) headers.vary = varyWith(headers.vary, 'Accept-Encoding')
  http.status = status
  if (revised) {
    const revision = revisionOf(text, links)
    headers.etag = entityTag(revision, coding)
    const known = request.headers['if-none-match']
    if (known !== undefined && isKnown(known, revision)) {
      http.status = 304
      return sendEmpty(response, 304, headers)
    }
  }
  if (coding === undefined) return send(response, status, mediaType, text, headers)
  headers['content-encoding'] = coding
  return compressed(text, coding).then((bytes) => send(response, status, mediaType, bytes, headers))
}

/** The last step of an operation that answers a file. */
export async function answerFile({
  http,
  operation,
  answered,
}: AnswerContext & { operation: { entry: AnyOperation }; answered: Answered | undefined }): Promise<void> {
  const { status, body, headers } = answered!
  const { mediaType } = operation.entry.download!
  if (body instanceof Uint8Array) {
    // A file that is made whole, such as a PDF, is compressed already.
    http.status = status
    return send(http.response, status, mediaType, Buffer.from(body), { ...http.headers, ...(headers as Headers) })
  }
  const compress = gzipFor(http.request)
  const sent: Headers = {
    ...http.headers,
    'content-type': mediaType,
    ...headers,
    vary: varyWith(http.headers.vary, 'Accept-Encoding'),
    ...(compress && { 'content-encoding': 'gzip' }),
  }
  // Of HEAD nothing of the file is made.
  if (http.request.method === 'HEAD') sendEmpty(http.response, status, sent)
  else await sendPieces(http.response, status, sent, body as AsyncIterable<string>, http.deadline, compress)
  http.status = status
}
