import type { Logger } from 'pino'
import type { Database } from '../../database/database.ts'
import { startWorker, type Worker } from '../../database/worker.ts'
import type { OpenStream } from '../../contract/operation.ts'
import { writtenEvent } from '../../http/answering/event-stream.ts'
import { auditSealed } from '../../platform/audit/audit-chain.ts'
import {
  changesMax,
  readChanges,
  readNewest,
  readPosition,
  writtenPosition,
  type Changes,
  type Position,
} from './read-changes.ts'
import type { ToldKind, ToldSubject } from './told-kinds.ts'

/**
 * Tells people of the changes in one environment as they happen. One reader of this process reads them for all who listen,
 * and only while somebody does.
 */
export type ChangeFeed = {
  /**
   * The events for somebody, until the stream ends.
   * @param may which kinds of records the person may read
   * @throws Outage
   */
  follow: (stream: OpenStream, may: (kind: ToldKind) => boolean) => Promise<AsyncIterable<string>>
  /** call it when no stream is open any more */
  close: () => Promise<void>
}

const pollMilliseconds = 1_000

type Reader = { worker: Worker; /** where it stands; waits for its first look */ position: () => Promise<Position> }

export function createChangeFeed(database: Database, log: Logger): ChangeFeed {
  const followers = new Set<Follower>()
  const ending = new Set<Promise<void>>()
  let reader: Reader | undefined

  function startReader(): Reader {
    const known = new Map<string, number>()
    const first = Promise.withResolvers<void>()
    let position: Position | undefined
    const worker = startWorker({
      log,
      failed: 'staff are not told of changes; trying again soon',
      pollMilliseconds,
      hints: { database, channel: auditSealed },
      round: async () => {
        if (position) {
          const changes = await readChanges(database.reads, position, known)
          position = changes.position
          for (const follower of followers) follower.add(changes)
          return changes.isMore
        }
        position = await readNewest(database.reads)
        first.resolve()
        return false
      },
    })
    return { worker, position: () => first.promise.then(() => position!) }
  }

  function stopReader({ worker }: Reader): void {
    const ended = worker.close().finally(() => ending.delete(ended))
    ending.add(ended)
  }

  return {
    follow: async (stream, may) => {
      const follower = createFollower(may, stream.ending)
      followers.add(follower)
      reader ??= startReader()
      stream.ending.addEventListener('abort', () => {
        followers.delete(follower)
        if (followers.size > 0 || !reader) return
        stopReader(reader)
        reader = undefined
      })
      const current = await reader.position()
      const { lastEventId } = stream
      if (lastEventId !== undefined) follower.add((await changesSince(lastEventId)) ?? { ...nothing, isWhole: false })
      follower.add({ ...nothing, position: current })
      return follower.events(lastEventId === undefined)
    },
    close: async () => {
      await Promise.all(ending)
    },
  }

  /** undefined = the position is not known, or too long ago */
  async function changesSince(lastEventId: string): Promise<Changes | undefined> {
    const from = readPosition(lastEventId)
    const changes = from && (await readChanges(database.reads, from))
    return changes?.isMore ? undefined : changes
  }
}

const nothing: Changes = { subjects: [], position: { chainNumber: 0, inspectedOn: 0 }, isWhole: true, isMore: false }

type Follower = {
  add: (changes: Changes) => void
  /** @param isNew the person has no events yet */
  events: (isNew: boolean) => AsyncIterable<string>
}

/** What waits for a person is bounded: if there is more, the person is told only that something was missed. */
function createFollower(may: (kind: ToldKind) => boolean, ending: AbortSignal): Follower {
  const waiting = new Map<string, ToldSubject>()
  let hasMissed = false
  let { position } = nothing
  let wake = (): void => undefined

  function add(changes: Changes): void {
    position = {
      chainNumber: Math.max(position.chainNumber, changes.position.chainNumber),
      inspectedOn: Math.max(position.inspectedOn, changes.position.inspectedOn),
    }
    if (!changes.isWhole) hasMissed = true
    for (const subject of changes.subjects) {
      if (may(subject.kind)) waiting.set(`${subject.kind} ${subject.id}`, subject)
    }
    if (waiting.size > changesMax) hasMissed = true
    if (hasMissed) waiting.clear()
    wake()
  }

  async function* events(isNew: boolean): AsyncGenerator<string> {
    // Whoever goes on keeps its id: if the connection broke now, what still waits would be lost behind a newer one.
    yield writtenEvent({ event: 'ready', id: isNew ? writtenPosition(position) : undefined, data: {} })
    while (!ending.aborted) {
      const id = writtenPosition(position)
      if (hasMissed) {
        hasMissed = false
        yield writtenEvent({ event: 'missed', id, data: {} })
      } else if (waiting.size > 0) {
        const subjects = [...waiting.values()]
        waiting.clear()
        yield writtenEvent({ event: 'changed', id, data: { subjects } })
      } else {
        await new Promise<void>((resolve) => (wake = resolve))
      }
    }
  }

  ending.addEventListener('abort', () => wake())
  return { add, events }
}
