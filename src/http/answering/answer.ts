import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { AnyOperation, Answered } from '../../contract/operation.ts'
import type { Refusal } from '../../contract/refusal.ts'
import type { PlainAnswer } from '../plain-route.ts'
import { CallerGone } from '../reading/read-body.ts'
import { takeSteps, type Step } from '../steps.ts'
import { asRefusal } from './as-refusal.ts'
import { startDeadline, type Deadline } from './deadline.ts'
import { problemMediaType, type Problem } from './problem.ts'
import { sendPieces } from './send-pieces.ts'
import { send, sendPlain, type Headers } from './send.ts'

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
  requestId: string
  now: Date
  sourceAddress: string
  /** the headers of whatever is answered */
  headers: Headers
  deadline: Deadline
  status: number
  code: string | undefined
}

/** What the steps of a request share; each host adds to it. */
export type AnswerContext = { http: Exchange }

export type Frame<Context extends AnswerContext> = {
  clock: () => Date
  sourceAddress: (request: IncomingMessage) => string
  /** headers of every answer besides `Request-Id` */
  headers: (request: IncomingMessage) => Headers | undefined
  problem: (refusal: Refusal<string>, requestId: string) => Problem<string>
  /** who asked, for the log */
  asker: (context: Context) => Readonly<Record<string, string | undefined>>
  /** told of every answer, for metrics */
  observe: (name: string, status: number, milliseconds: number) => void
  log: Logger
}

/** By convention among proxies: the caller hung up before there was an answer. */
const callerGoneStatus = 499

export function beginExchange(
  request: IncomingMessage,
  response: ServerResponse,
  name: string,
  frame: Pick<Frame<never>, 'clock' | 'sourceAddress' | 'headers'>,
): Exchange {
  const requestId = randomUUID()
  return {
    request,
    response,
    name,
    requestId,
    now: frame.clock(),
    sourceAddress: frame.sourceAddress(request),
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
    await takeSteps(steps, context)
  } catch (error) {
    answerThrown(context.http, error, frame)
  } finally {
    const { name, requestId, status, code, deadline } = context.http
    deadline.end()
    const milliseconds = performance.now() - startedAt
    frame.observe(name, status, milliseconds)
    frame.log.info(
      {
        requestId,
        operation: name,
        status,
        code,
        ...frame.asker(context),
        milliseconds: Math.round(milliseconds * 10) / 10,
      },
      'answered',
    )
  }
}

function answerThrown(exchange: Exchange, error: unknown, frame: Pick<Frame<never>, 'problem' | 'log'>): void {
  if (error instanceof CallerGone) return
  if (error instanceof EarlyAnswer) return answerPlain(exchange, error.answer)
  const refusal = asRefusal(error, exchange.requestId, exchange.name, frame.log)
  const problem = frame.problem(refusal, exchange.requestId)
  exchange.status = problem.status
  exchange.code = problem.code
  const text = JSON.stringify(problem)
  send(exchange.response, problem.status, problemMediaType, text, exchange.headers, refusal.headers)
}

export function answerPlain(exchange: Exchange, plain: PlainAnswer): void {
  exchange.status = plain.status
  sendPlain(exchange.response, plain, exchange.headers)
}

/** The last step of an operation: sends what the handler answered. */
export function answerJson({ http, answered }: AnswerContext & { answered: Answered | undefined }): void {
  const { status, body, headers } = answered!
  http.status = status
  send(http.response, status, 'application/json', JSON.stringify(body), http.headers, headers)
}

/** The last step of an operation that answers a file. */
export async function answerFile({
  http,
  operation,
  answered,
}: AnswerContext & { operation: { entry: AnyOperation }; answered: Answered | undefined }): Promise<void> {
  const { status, body, headers } = answered!
  const { mediaType } = operation.entry.download!
  const sent = { ...http.headers, 'content-type': mediaType, ...headers }
  if (http.request.method === 'HEAD') {
    // Nothing of the file is made.
    http.status = status
    http.response.writeHead(status, sent).end()
    return
  }
  await sendPieces(http.response, status, sent, body as AsyncIterable<string>, http.deadline)
  http.status = status
}
