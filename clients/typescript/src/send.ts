import type { Tokens } from './credentials.ts'
import {
  apiProblem,
  ApiProblem,
  ConnectionFailed,
  FirewallRefusal,
  NotModified,
  TimedOut,
  TokenRefused,
  UnexpectedAnswer,
  type PartnerCommerceError,
  type ProblemDocument,
} from './errors.ts'
import type { CallOptions, Fetch, Repetition, Retry } from './options.ts'
import type { Reply } from './promises.ts'
import { isRepeatable, type Sent } from './sent.ts'
import { backoff, retryAfterOf, sleep } from './wait.ts'

/** The input of a call: parameters by name, and `body`. */
export type Input = Readonly<Record<string, unknown>>

/** What sends calls. */
export type Sender = {
  baseUrl: string
  fetch: Fetch
  /** undefined where a client certificate identifies the caller */
  tokens: Tokens | undefined
  timeout: number
  retry: Retry | undefined
  onRetry: ((repetition: Repetition) => void) | undefined
  /** undefined in a browser, which names itself */
  userAgent: string | undefined
}

/** Errors of a connection that was never made: the request has not arrived. */
const neverConnected = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

/**
 * Sends a call, again where that is safe, with a fresh token after a 401.
 * @throws PartnerCommerceError, or the reason of the signal
 */
export async function send<Data>(
  sender: Sender,
  operation: string,
  sent: Sent,
  input: Input = {},
  options: CallOptions = {},
): Promise<Reply<Data>> {
  const [method, , { open } = {}] = sent
  const { signal } = options
  const canRepeat = isRepeatable(operation, method, input['ifMatch'] !== undefined)
  const waits = backoff(options.retry ?? sender.retry)
  const tokens = open ? undefined : sender.tokens
  let token: string | undefined
  let hasRenewed = false
  for (let attempt = 1; ; attempt++) {
    token ??= await tokens?.current(signal)
    const outcome = await once<Data>(sender, operation, sent, input, options, token)
    if ('reply' in outcome) return outcome.reply
    const { error } = outcome
    if (tokens && token !== undefined && error instanceof ApiProblem && error.status === 401 && !hasRenewed) {
      hasRenewed = true
      const refused = token
      tokens.refuse(refused)
      token = await tokens.current(signal)
      if (token !== refused) {
        attempt--
        continue
      }
    }
    token = undefined
    const wait = mayRepeat(error, canRepeat) ? waits.next(attempt, retryAfterIn(error)) : undefined
    if (wait === undefined) throw error
    sender.onRetry?.({ operation, attempt, error, wait })
    await sleep(wait, signal)
  }
}

/** Opens the answer to a call as it comes, for answers that do not end. It is sent once. */
export async function openStream(
  sender: Sender,
  operation: string,
  sent: Sent,
  input: Input,
  options: CallOptions,
  token: string | undefined,
): Promise<Response> {
  const { url, init } = request(sender, operation, sent, input, options, token)
  let response: Response
  try {
    response = await sender.fetch(url, { ...init, ...(options.signal && { signal: options.signal }) })
  } catch (error) {
    options.signal?.throwIfAborted()
    throw connectionFailure(operation, error)
  }
  if (response.ok) return response
  throw refusal(operation, response, await textOf(operation, response).catch(() => ''))
}

type Outcome<Data> = { reply: Reply<Data> } | { error: PartnerCommerceError }

async function once<Data>(
  sender: Sender,
  operation: string,
  sent: Sent,
  input: Input,
  options: CallOptions,
  token: string | undefined,
): Promise<Outcome<Data>> {
  const { signal, timeout = sender.timeout } = options
  signal?.throwIfAborted()
  const { url, init } = request(sender, operation, sent, input, options, token)
  const attempt = new AbortController()
  const abort = (): void => attempt.abort(signal!.reason)
  signal?.addEventListener('abort', abort)
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    attempt.abort()
  }, timeout)
  try {
    const response = await sender.fetch(url, { ...init, signal: attempt.signal })
    const text = await textOf(operation, response)
    if (!response.ok) return { error: refusal(operation, response, text) }
    const data = text === '' ? undefined : (JSON.parse(text) as unknown)
    // Every answer with a body is a document: an object.
    if (data === null || (text !== '' && typeof data !== 'object'))
      return { error: new UnexpectedAnswer(operation, response.status, text) }
    const { status, headers } = response
    const facts = { status, headers, requestId: headers.get('request-id'), etag: headers.get('etag') }
    return { reply: { data: data as Data, response: facts } }
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof UnexpectedAnswer) return { error }
    if (isLate) return { error: new TimedOut(operation, `${operation} took longer than ${timeout} ms.`, true, error) }
    return { error: connectionFailure(operation, error) }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

/** No answer of the API is nearly as large: what is larger comes from something else, and would fill the memory. */
const answerBytesMax = 64 * 2 ** 20

async function textOf(operation: string, response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let bytes = 0
  let text = ''
  const reader = response.body?.getReader()
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { value: undefined, done: true }
    if (done) return text + decoder.decode()
    bytes += value.length
    text += decoder.decode(value, { stream: true })
    if (bytes <= answerBytesMax) continue
    await reader!.cancel().catch(() => undefined)
    throw new UnexpectedAnswer(operation, response.status, text)
  }
}

function request(
  sender: Sender,
  operation: string,
  [method, path, { form, events } = {}]: Sent,
  input: Input,
  options: CallOptions,
  token: string | undefined,
): { url: string; init: RequestInit } {
  const { body, ifMatch, ifNoneMatch, lastEventId, ...rest } = input
  const parameters: Record<string, unknown> = rest
  const headers = new Headers({ accept: events ? 'text/event-stream' : 'application/json, application/problem+json' })
  const set = (name: string, value: unknown): void => {
    if (value !== undefined) headers.set(name, String(value))
  }
  set('user-agent', sender.userAgent)
  set('authorization', token && `Bearer ${token}`)
  set('if-match', ifMatch)
  set('if-none-match', ifNoneMatch)
  set('last-event-id', lastEventId)
  for (const [name, value] of Object.entries(options.headers ?? {})) set(name, value)

  const query = new URLSearchParams()
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name]
    delete parameters[name]
    return pathValue(operation, name, value)
  })
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) query.set(name, Array.isArray(value) ? value.join(',') : String(value))
  const url = sender.baseUrl + filled + (query.size > 0 ? `?${query.toString()}` : '')

  if (body === undefined) return { url, init: { method, headers, redirect: 'manual' } }
  headers.set('content-type', form ? 'application/x-www-form-urlencoded' : 'application/json')
  const text = form ? new URLSearchParams(body as Record<string, string>).toString() : JSON.stringify(body)
  return { url, init: { method, headers, body: text, redirect: 'manual' } }
}

/** A value that has another meaning in a path would reach another operation. */
function pathValue(operation: string, name: string, value: unknown): string {
  const text = value === undefined || value === null ? '' : String(value)
  if (/^\.{0,2}$/.test(text))
    throw new TypeError(`${operation} needs ${name}, which cannot be ${JSON.stringify(value) ?? 'left out'}.`)
  return encodeURIComponent(text)
}

/**
 * Whether the request may be sent again. 429 and `audit_unavailable` say that nothing was done. After any other failure
 * the request may have been carried out, so that only what can be repeated is.
 */
function mayRepeat(error: PartnerCommerceError, canRepeat: boolean): boolean {
  if (error instanceof ConnectionFailed) return canRepeat || !error.mayHaveArrived
  if (error instanceof ApiProblem && error.code === 'audit_unavailable') return true
  const { status } = error as { status?: number }
  return status === 429 || (canRepeat && (status === 502 || status === 503 || status === 504))
}

/** Milliseconds that the answer asks to wait. */
export function retryAfterIn(error: PartnerCommerceError): number | undefined {
  return (error as { retryAfter?: number }).retryAfter
}

function refusal(operation: string, response: Response, text: string): PartnerCommerceError {
  const { status, headers } = response
  if (status === 304) return new NotModified(operation, `${operation}: nothing has changed.`)
  const retryAfter = retryAfterOf(headers)
  const body = parsed(text)
  if (typeof body?.['code'] === 'string' && typeof body['detail'] === 'string')
    return apiProblem(operation, { errors: [], ...body, status } as unknown as ProblemDocument, retryAfter)
  if (typeof body?.['error'] === 'string')
    return new TokenRefused(operation, status, body['error'], String(body['error_description'] ?? ''), retryAfter)
  const Unexpected = status === 403 ? FirewallRefusal : UnexpectedAnswer
  return new Unexpected(operation, status, text, retryAfter)
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

function connectionFailure(operation: string, error: unknown): ConnectionFailed {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const { code, message } = cause as { code?: string; message?: string }
  const mayHaveArrived = code === undefined || !neverConnected.has(code)
  return new ConnectionFailed(
    operation,
    `${operation} got no whole answer: ${message ?? String(error)}`,
    mayHaveArrived,
    error,
  )
}
