import type { Logger } from 'pino'
import type { OpenStream } from '../contract/operation.ts'
import type { Database } from '../database/database.ts'
import { startWorker, type Worker } from '../database/worker.ts'
import { writtenEvent } from '../http/answering/event-stream.ts'
import { eventChannel } from '../platform/events/events.ts'
import { eventHours } from '../platform/events/forget-events.ts'
import type { Clock } from '../vocabulary/clock.ts'
import {
  lateMilliseconds,
  readNewestPlace,
  readPlace,
  readPublishedEvents,
  writtenPlace,
  type Place,
  type PublishedEvent,
} from '../webhooks/published-events.ts'
import { signatureHeader } from '../webhooks/signature.ts'

/**
 * Tells partners of their webhook events over connections that they open, so that a developer needs no receiver that the
 * sandbox can reach. Each stream reads the published events by itself, a page at a time and only when its client has taken
 * the last one, so nothing piles up for a slow one. While streams are open, one watcher of this process tells them
 * when there is something to read; without streams nothing happens.
 */
export type EventStreams = {
  /** The events for a partner, until the stream ends. They throw Outage too: the client comes back. @throws Outage */
  follow: (stream: OpenStream, wish: Wish) => Promise<AsyncIterable<string>>
  /** call it when no stream is open any more */
  close: () => Promise<void>
}

type Wish = {
  partnerId: string
  types: readonly string[]
  /** sign the events of this stream; the first is told */ secrets: readonly [string, ...string[]]
}

const pageSize = 100
const pollMilliseconds = 250
/** The hint comes when an event is recorded; it is published a moment later. */
const gatherMilliseconds = 25

type Watcher = { worker: Worker; waiting: Set<() => void>; /** how often something new was seen */ seen: number }

export function createEventStreams(parts: { database: Database; clock: Clock; log: Logger }): EventStreams {
  const { database, clock, log } = parts
  const open = new Set<OpenStream>()
  const ending = new Set<Promise<void>>()
  let watcher: Watcher | undefined

  function startWatcher(): Watcher {
    let last = ''
    const waiting = new Set<() => void>()
    const worker = startWorker({
      log,
      failed: 'streams of events do not go on; trying again soon',
      pollMilliseconds,
      gatherMilliseconds,
      hints: { database, channel: eventChannel },
      round: async () => {
        const { publishedOn, count } = await readNewestPlace(database.lists)
        const newest = `${publishedOn} ${count}`
        if (newest === last) return
        last = newest
        started.seen++
        for (const wake of waiting) wake()
      },
    })
    const started: Watcher = { worker, waiting, seen: 0 }
    return started
  }

  function watch(stream: OpenStream): Watcher {
    open.add(stream)
    const watching = (watcher ??= startWatcher())
    stream.ending.addEventListener('abort', () => {
      for (const wake of watching.waiting) wake()
      open.delete(stream)
      if (open.size > 0) return
      watcher = undefined
      const ended = watching.worker.close().finally(() => ending.delete(ended))
      ending.add(ended)
    })
    return watching
  }

  return {
    follow: async (stream, wish) => {
      const newest = await readNewestPlace(database.lists)
      // The client may have gone meanwhile.
      return stream.ending.aborted ? none() : events(stream, watch(stream), wish, newest)
    },
    close: async () => {
      await Promise.all(ending)
    },
  }

  async function* events(
    { ending: over, lastEventId }: OpenStream,
    watching: Watcher,
    { partnerId, types, secrets }: Wish,
    newest: Place,
  ): AsyncGenerator<string> {
    const isNew = lastEventId === undefined
    const known = isNew ? newest : readPlace(lastEventId)
    let place = known ?? newest
    /** events that a read would find again, with their times */
    const told = new Map<string, number>()
    const nextPage = (): Promise<PublishedEvent[]> =>
      readPublishedEvents(database.lists, {
        partnerId,
        types,
        after: place,
        except: [...told.keys()],
        limit: pageSize,
      })
    const note = ({ eventId, place: { publishedOn } }: PublishedEvent): void => void told.set(eventId, publishedOn)

    // What is published already and may be found again is not for a new stream.
    for (let isMore = isNew; isMore;) {
      const page = await nextPage()
      page.forEach(note)
      isMore = page.length === pageSize
    }
    // Whoever goes on keeps its id: if the connection broke now, what still comes would be lost behind a newer one.
    yield writtenEvent({
      event: 'ready',
      id: isNew ? writtenPlace(place) : undefined,
      data: { secret: secrets[0], types },
    })
    if (!known || !isKept(known)) yield writtenEvent({ event: 'missed', id: writtenPlace(place), data: {} })

    while (!over.aborted) {
      const { seen } = watching
      const page = await nextPage()
      for (const event of page) {
        place = event.place
        note(event)
        yield writtenEvent({ event: 'event', id: writtenPlace(place), data: signed(event, secrets) })
      }
      for (const [eventId, on] of told) if (on <= place.publishedOn - lateMilliseconds) told.delete(eventId)
      if (page.length === 0) await news(over, watching, seen)
    }
  }

  /** What was published after it is still there. */
  function isKept({ publishedOn }: Place): boolean {
    return publishedOn === 0 || publishedOn > clock().getTime() - eventHours * 3_600_000
  }

  function signed({ eventId, type, body }: PublishedEvent, secrets: Wish['secrets']) {
    // Real time, as with receivers: their clocks are compared with it.
    const [secret, ...former] = secrets
    const signature = signatureHeader(secret, Buffer.from(body), Math.floor(clock().getTime() / 1_000), ...former)
    return { eventId, type, body, signature }
  }
}

/** Resolves when more was seen than at that time, or the stream is over. */
async function news(over: AbortSignal, watching: Watcher, seen: number): Promise<void> {
  if (watching.seen !== seen || over.aborted) return
  const { promise, resolve } = Promise.withResolvers<void>()
  watching.waiting.add(resolve)
  await promise
  watching.waiting.delete(resolve)
}

async function* none(): AsyncGenerator<string> {}
