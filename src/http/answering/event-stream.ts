import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { OpenStream } from '../../contract/operation.ts'
import { Outage } from '../../vocabulary/outage.ts'
import { CallerGone } from '../reading/read-body.ts'
import type { AnswerContext } from './answer.ts'

/**
 * Answers that go on: server-sent events, of which the reader is told as they happen. They know nothing of what the
 * events tell.
 */

/** The streams of a host that are open, in this process. */
export type Streams = {
  /**
   * Counts a stream until its response ends.
   * @returns undefined if whoever this is has too many already
   * @throws Outage if there are too many in all, or the host closes
   */
  open: (whose: string, response: ServerResponse, lastEventId: string | undefined) => OpenStream | undefined
  /** ends all streams, and lets none begin */
  close: () => void
}

export function createStreams(max: { ofOne: number; inAll: number }): Streams {
  const opened = new Map<OpenStream, string>()
  let isClosed = false
  return {
    open: (whose, response, lastEventId) => {
      if (isClosed) throw new Outage('the host closes')
      if (opened.size >= max.inAll) throw new Outage('too many streams are open')
      if ([...opened.values()].filter((each) => each === whose).length >= max.ofOne) return undefined
      const ending = new AbortController()
      const stream: OpenStream = { lastEventId, ending: ending.signal, end: () => ending.abort() }
      opened.set(stream, whose)
      response.once('close', () => {
        opened.delete(stream)
        ending.abort()
      })
      return stream
    },
    close: () => {
      isClosed = true
      for (const { end } of opened.keys()) end()
    },
  }
}

/** An event as it is sent. `id` is what the client sends as `Last-Event-ID` to go on behind it; without it, it keeps the last. */
export function writtenEvent({ event, id, data }: { event: string; id?: string | undefined; data: object }): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`
}

/** How soon browsers come back when a stream has ended. */
const comeBackMilliseconds = 2_000

/** A reader who takes nothing for this long is cut off: what waits for it would grow without end. */
const slowMilliseconds = 10_000

/**
 * Sends the events until they end or the stream does. A comment at every pulse keeps proxies from cutting the
 * connection, and shows that the client is still there.
 * @param mayGoOn asked at every pulse, and before every event: who lost the right is told nothing more
 */
export async function sendEvents(
  { http }: AnswerContext,
  stream: OpenStream,
  events: AsyncIterable<string>,
  { pulseMilliseconds, mayGoOn }: { pulseMilliseconds: number; mayGoOn: () => Promise<boolean> },
): Promise<void> {
  const { request, response } = http
  if (response.destroyed) throw new CallerGone()
  http.status = 200
  http.answeredAt = performance.now()
  http.deadline.end()
  // nginx keeps back what it forwards, unless it is told not to.
  response.writeHead(200, { ...http.headers, 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
  if (request.method === 'HEAD') return void response.end()

  // A client that closes its half may still read one answer, but not one without an end: browsers close a page so.
  const leave = (): void => stream.end()
  request.socket.once('end', leave)

  const pulse = setInterval(() => {
    if (!response.writableNeedDrain) response.write(':\n\n')
    // While nobody can tell, it goes on: the events cannot be read either.
    mayGoOn().then(
      (may) => may || stream.end(),
      () => undefined,
    )
  }, pulseMilliseconds)
  try {
    await write(response, `retry: ${comeBackMilliseconds}\n\n`)
    for await (const event of events) {
      if (stream.ending.aborted || !(await mayGoOn())) break
      await write(response, event)
    }
    response.end()
  } catch (error) {
    // The status is sent already, so only a cut connection tells that something is wrong.
    response.destroy()
    throw error
  } finally {
    clearInterval(pulse)
    request.socket.off('end', leave)
  }
}

/** @throws CallerGone when the client has gone or reads too slowly */
async function write(response: ServerResponse, text: string): Promise<void> {
  if (response.destroyed) throw new CallerGone()
  if (response.write(text)) return
  const cut = setTimeout(() => response.destroy(), slowMilliseconds)
  const waiting = new AbortController()
  const gone = (): void => waiting.abort()
  response.once('close', gone)
  try {
    await once(response, 'drain', { signal: waiting.signal })
  } catch {
    throw new CallerGone()
  } finally {
    clearTimeout(cut)
    response.off('close', gone)
  }
}
