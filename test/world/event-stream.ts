import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { until } from './webhooks.ts'

/** Reads a stream of server-sent events as a browser does. */

export type StreamEvent = { event: string; id: string | undefined; data: any } // eslint-disable-line typescript/no-explicit-any

export type Reading = {
  status: number
  /** of a refusal */
  code: string | undefined
  headers: IncomingMessage['headers']
  events: StreamEvent[]
  /** everything as it came */
  text: () => string
  lastEventId: () => string
  hasEnded: () => boolean
  /** stops to read, and leaves what comes in the connection */
  pause: () => void
  leave: () => void
}

export async function readStream(url: string, token: string, lastEventId = ''): Promise<Reading> {
  const request = get(url, {
    agent: false,
    headers: { authorization: `Bearer ${token}`, ...(lastEventId !== '' && { 'last-event-id': lastEventId }) },
  })
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  let text = ''
  let hasEnded = false
  const events: StreamEvent[] = []
  answer.setEncoding('utf8')
  answer.on('data', (piece: string) => {
    text += piece
    events.splice(0, Infinity, ...eventsOf(text))
  })
  answer.on('error', () => undefined).on('close', () => (hasEnded = true))
  const status = answer.statusCode!
  if (status !== 200) await once(answer, 'end')
  else await until(async () => events.length > 0 || hasEnded)
  return {
    status,
    code: status === 200 ? undefined : (JSON.parse(text) as { code: string }).code,
    headers: answer.headers,
    events,
    text: () => text,
    lastEventId: () => events.findLast(({ id }) => id !== undefined)!.id!,
    hasEnded: () => hasEnded,
    pause: () => void answer.pause(),
    leave: () => void request.destroy(),
  }
}

function eventsOf(text: string): StreamEvent[] {
  const whole = text.slice(0, text.lastIndexOf('\n\n') + 1).split('\n\n')
  return whole.flatMap((block) => {
    const field = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
    const event = field('event')
    return event === undefined ? [] : [{ event, id: field('id'), data: JSON.parse(field('data')!) }]
  })
}
