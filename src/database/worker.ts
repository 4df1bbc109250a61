import { AsyncLocalStorage } from 'node:async_hooks'
import type { Logger } from 'pino'
import type { Database } from './database.ts'

/**
 * The loop of every background worker. A worker makes a round when it starts, when it is woken and at every poll, since
 * a hint may be lost and a lease lapses without one. Rounds never overlap: a wake-up during a round leads to one more
 * round, and a wake-up while no slot is free waits for a slot. After a failed round the worker waits for the next poll
 * or hint. A repeated failure is logged once.
 */
export type Worker = {
  /** Tells the worker that there may be work. */
  wake: () => void
  /** Takes a free slot for work from elsewhere; undefined while earlier work may be waiting. */
  takeSlot: () => Slot | undefined
  /** When the last round ended that did not fail; before it, when the worker started. */
  lastRoundOn: () => Date
  /** Stops making rounds, and waits for the round and the work under way. May be called again. */
  close: () => Promise<void>
}

/** A worker as seen by whoever starts it. */
export type RunningWorker = Pick<Worker, 'lastRoundOn' | 'close'>

/** A slot ends with `leave`, or with the work that was begun in it. */
export type Slot = { begin: (work: Work) => void; leave: () => void }

/** A piece of work that runs beside the rounds. It handles its own errors. */
export type Work = () => Promise<void>

/** Looks for work once, and does or begins it. Answers true if there may be more. */
export type Round = (worker: {
  /** the number of free slots */
  free: number
  /** takes a slot until the work has ended */
  begin: (work: Work) => void
  /** aborted when the worker is closed */
  closing: AbortSignal
}) => Promise<boolean | void>

export function startWorker(parts: {
  round: Round
  /** logged when a round fails */
  failed: string
  log: Logger
  pollMilliseconds: number
  /** a channel of the database; its hints wake the worker, after `heard` was called with each */
  hints?: { database: Pick<Database, 'listen'>; channel: string; heard?: (payload: string) => void }
  /** wake-ups within this time share a round */
  gatherMilliseconds?: number
  /** how many pieces of work may be under way at once */
  slots?: number
}): Worker {
  const { log, hints, gatherMilliseconds = 0, slots = Infinity } = parts
  const ending = new AbortController()
  const closing = ending.signal
  const underWay = new Set<Promise<void>>()
  /** slots taken by work that has not begun */
  let taken = 0
  let isAwaited = false
  let isWaitingOut = false
  let lastFailure: string | undefined
  let lastRoundOn = new Date()
  let rounds: Promise<void> | undefined
  let closed: Promise<void> | undefined

  /** A round is no part of the request that woke the worker, so no trace of that request gets its statements. */
  const apart = AsyncLocalStorage.snapshot()
  const free = (): number => slots - underWay.size - taken
  const mayGoRound = (): boolean => isAwaited && !isWaitingOut && !closing.aborted && free() > 0

  function wake(): void {
    isAwaited = true
    goOn()
  }

  function goOn(): void {
    // Started asynchronously, so that rounds that end at once do not end before this assignment.
    if (mayGoRound()) rounds ??= apart(() => Promise.resolve().then(makeRounds))
  }

  async function makeRounds(): Promise<void> {
    while (mayGoRound()) {
      if (gatherMilliseconds > 0) await pause(gatherMilliseconds)
      if (closing.aborted) break
      isAwaited = false
      try {
        if (await parts.round({ free: free(), begin, closing })) isAwaited = true
        lastFailure = undefined
        lastRoundOn = new Date()
      } catch (error) {
        isAwaited = true
        isWaitingOut = true
        report(error as Error)
      }
    }
    rounds = undefined
  }

  function report(error: Error): void {
    if (error.message !== lastFailure) log.warn({ err: error }, parts.failed)
    lastFailure = error.message
  }

  function begin(work: Work): void {
    const ended = work().finally(() => {
      underWay.delete(ended)
      goOn()
    })
    underWay.add(ended)
  }

  function takeSlot(): Slot | undefined {
    if (closing.aborted || isAwaited || free() <= 0) return undefined
    taken++
    const leave = (): void => {
      taken--
      goOn()
    }
    return {
      leave,
      begin: (work) => {
        begin(work)
        leave()
      },
    }
  }

  /** Called at a poll, and at a hint, which shows that the database answers. */
  function tryAgain(): void {
    isWaitingOut = false
    wake()
  }

  const listening = hints?.database.listen(hints.channel, (payload) => {
    hints.heard?.(payload)
    tryAgain()
  })
  const polling = setInterval(tryAgain, parts.pollMilliseconds)
  wake()

  async function end(): Promise<void> {
    ending.abort()
    clearInterval(polling)
    const stopListening = await listening
    await stopListening?.()
    await rounds
    while (underWay.size > 0) await Promise.all(underWay)
  }

  return { wake, takeSlot, lastRoundOn: () => lastRoundOn, close: () => (closed ??= end()) }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })
}
