import { useSyncExternalStore } from 'react'
import { environments, type Environment } from '../environment.ts'

/**
 * The portal shares its limits with the programs of the partner. So only a few of its calls are under way at once, and
 * when the host says that there are too many, all of them wait as long as it says, together.
 */

const atOnce = 4

type Lane = {
  underWay: number
  waiting: (() => void)[]
  /** milliseconds since 1970, by this machine's clock; 0 = nothing is held */
  heldUntil: number
  /** after a refusal one at a time, until nothing waits any more */
  isNarrow: boolean
}

const lanes = Object.fromEntries(
  environments.map((each): [Environment, Lane] => [each, { underWay: 0, waiting: [], heldUntil: 0, isNarrow: false }]),
) as Record<Environment, Lane>
const listeners = new Set<() => void>()

/** Calls when it is this call's turn. @param isFirst it goes before others that wait */
export async function inTurn<Done>(
  environment: Environment,
  act: () => Promise<Done>,
  { signal, isFirst }: { signal: AbortSignal | undefined; isFirst: boolean },
): Promise<Done> {
  const lane = lanes[environment]
  await turnIn(lane, signal, isFirst)
  try {
    return await act()
  } finally {
    lane.underWay--
    goOn(lane)
  }
}

/** Lets all calls wait for so many seconds. */
export function hold(environment: Environment, seconds: number): void {
  const lane = lanes[environment]
  const until = Date.now() + seconds * 1_000
  if (until <= lane.heldUntil) return
  lane.isNarrow = true
  lane.heldUntil = until
  tell()
  setTimeout(() => {
    // Another refusal has made it longer.
    if (lane.heldUntil !== until) return
    lane.heldUntil = 0
    tell()
    goOn(lane)
  }, seconds * 1_000)
}

/**
 * Whether calls go slowly because there were too many, and until when they are held, in milliseconds since 1970; 0 = they
 * are not held right now.
 */
export function useTurns(environment: Environment): { isSlow: boolean; heldUntil: number } {
  return {
    isSlow: useSyncExternalStore(subscribe, () => lanes[environment].isNarrow),
    heldUntil: useSyncExternalStore(subscribe, () => lanes[environment].heldUntil),
  }
}

function turnIn(lane: Lane, signal: AbortSignal | undefined, isFirst: boolean): Promise<void> {
  signal?.throwIfAborted()
  return new Promise((resolve, reject) => {
    const leave = () => {
      lane.waiting = lane.waiting.filter((each) => each !== begin)
      reject(signal!.reason as Error)
    }
    const begin = () => {
      signal?.removeEventListener('abort', leave)
      lane.underWay++
      resolve()
    }
    signal?.addEventListener('abort', leave, { once: true })
    if (isFirst) lane.waiting.unshift(begin)
    else lane.waiting.push(begin)
    goOn(lane)
  })
}

function goOn(lane: Lane): void {
  if (lane.heldUntil > 0) return
  if (lane.isNarrow && lane.waiting.length === 0 && lane.underWay === 0) {
    lane.isNarrow = false
    tell()
  }
  while (lane.waiting.length > 0 && lane.underWay < (lane.isNarrow ? 1 : atOnce)) lane.waiting.shift()!()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function tell(): void {
  for (const listener of listeners) listener()
}
