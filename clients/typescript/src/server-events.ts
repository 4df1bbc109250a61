import { ApiProblem, ConnectionFailed, isPassing } from './errors.ts'
import type { CallOptions } from './options.ts'
import { openStream, retryAfterIn, type Input, type Sender } from './send.ts'
import type { Sent } from './sent.ts'
import { sleep } from './wait.ts'

/** One message of a stream. */
export type ServerEvent<Data> = {
  /** where the stream goes on after this message; undefined where it has none */
  id: string | undefined
  /** the kind of the message; `message` where the stream names none */
  event: string
  /** what it tells: JSON as its value, anything else as its text */
  data: Data
}

/** A stream that is silent for so long is dead: heartbeats come far more often. */
const silenceMilliseconds = 60_000
const longestWait = 10_000

/**
 * The answer to a stream: an iterable over its messages. When the connection ends it is opened again, after the last
 * message that arrived, for as long as you iterate or until the signal aborts.
 */
export class ServerEvents<Data> implements AsyncIterable<ServerEvent<Data>> {
  readonly #iterate: () => AsyncGenerator<ServerEvent<Data>, void, undefined>

  constructor(sender: Sender, operation: string, sent: Sent, input: Input = {}, options: CallOptions = {}) {
    this.#iterate = () => messages<Data>(sender, operation, sent, input, options)
  }

  /** @throws ApiProblem when the stream is refused */
  [Symbol.asyncIterator](): AsyncGenerator<ServerEvent<Data>, void, undefined> {
    return this.#iterate()
  }
}

async function* messages<Data>(
  sender: Sender,
  operation: string,
  sent: Sent,
  input: Input,
  options: CallOptions,
): AsyncGenerator<ServerEvent<Data>, void, undefined> {
  const { signal } = options
  const base = sender.retry?.base ?? 500
  let lastEventId = input['lastEventId'] as string | undefined
  let refusedToken: string | undefined
  for (let failures = 0; ;) {
    const connection = new AbortController()
    const abort = (): void => connection.abort(signal!.reason)
    signal?.addEventListener('abort', abort)
    try {
      signal?.throwIfAborted()
      const token = await sender.tokens?.current(signal)
      const wish = { ...input, ...(lastEventId !== undefined && { lastEventId }) }
      const response = await openStream(
        sender,
        operation,
        sent,
        wish,
        { ...options, signal: connection.signal },
        token,
      ).catch((error: unknown) => {
        if (!(error instanceof ApiProblem && error.status === 401) || token === refusedToken) throw error
        refusedToken = token
        sender.tokens?.refuse(token!)
        return undefined
      })
      if (response === undefined) continue
      for await (const message of parsed(operation, response, connection)) {
        failures = 0
        if (message.id !== undefined) lastEventId = message.id
        yield { ...message, data: valueOf(message.data) as Data }
      }
      // A stream that was asked for with an end has reached it.
      if (input['seconds'] !== undefined) return
    } catch (error) {
      signal?.throwIfAborted()
      if (!isPassing(error)) throw error
      const wait = Math.max(retryAfterIn(error) ?? 0, Math.random() * base)
      sender.onRetry?.({ operation, attempt: failures + 1, error, wait })
      await sleep(wait, signal)
    } finally {
      signal?.removeEventListener('abort', abort)
      connection.abort()
    }
    failures++
    await sleep(Math.min(longestWait, base * 2 ** Math.min(failures, 10)) / 2, signal)
  }
}

type Message = { id: string | undefined; event: string; data: string }

/** Reads `text/event-stream`, as the HTML standard describes it. */
async function* parsed(
  operation: string,
  response: Response,
  connection: AbortController,
): AsyncGenerator<Message, void, undefined> {
  const reader = response
    .body!.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array<ArrayBuffer>>)
    .getReader()
  let rest = ''
  for (;;) {
    const timer = setTimeout(() => connection.abort(new Error('The stream is silent.')), silenceMilliseconds)
    const { value, done } = await reader
      .read()
      .catch((error: unknown) => {
        throw new ConnectionFailed(operation, 'The stream broke off.', true, error)
      })
      .finally(() => clearTimeout(timer))
    if (done) return
    // A carriage return at the end may be the first half of a line break.
    const text = (rest + value).replace(/\r\n/g, '\n').replace(/\r(?!$)/g, '\n')
    const blocks = text.split('\n\n')
    rest = blocks.pop()!
    for (const block of blocks) {
      const fields = { id: undefined as string | undefined, event: 'message', data: [] as string[] }
      for (const line of block.split('\n')) {
        const [, name, content = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!
        if (name === 'data') fields.data.push(content)
        else if (name === 'id') fields.id = content
        else if (name === 'event') fields.event = content
      }
      if (fields.data.length > 0) yield { ...fields, data: fields.data.join('\n') }
    }
  }
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
