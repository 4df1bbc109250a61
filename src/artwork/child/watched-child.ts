import type { Frame } from './frames.ts'
import type { Child, Ending } from './launch.ts'
import { resourcesOf } from './resources.ts'
import type { Order } from './serve-file.ts'

/** Why a child came to no end of its own. `died`: it crashed, or said what no child says. */
export type StopReason = 'time' | 'memory' | 'died'

export class ChildStopped extends Error {
  readonly reason: StopReason

  constructor(reason: StopReason, message: string) {
    super(message)
    this.reason = reason
  }
}

/** Someone else killed a child: the system when its memory was full, or a person. It says nothing about the file. */
export class ChildKilled extends Error {}

export type ChildLimits = {
  /** beyond what its start took */
  cpuSeconds: number
  /** how long the service waits for what the child says, in all; also where CPU time cannot be told */
  waitSeconds: number
  residentBytes: number
}

/** A child whose time and memory are watched. What exceeds its limits is killed. */
export type WatchedChild = {
  tell(order: Order, bytes?: Uint8Array): Promise<void>
  /** What it says next. @throws ChildStopped, ChildKilled */
  next(): Promise<Frame>
  /** Kills it; resolves when it is gone. */
  end(): Promise<void>
}

const lookEveryMilliseconds = 100

/** @param limits are asked at each look: they may grow with the file */
export function watchChild(child: Child, limits: () => ChildLimits): WatchedChild {
  const cpuSecondsBefore = resourcesOf(child.pid)?.cpuSeconds ?? 0
  let exceeded: StopReason | undefined
  let waitedMilliseconds = 0
  let waitsSince: number | undefined
  const timer = setInterval(look, lookEveryMilliseconds)
  void child.gone.then(() => clearInterval(timer))

  function look(): void {
    const { cpuSeconds, waitSeconds, residentBytes } = limits()
    const used = resourcesOf(child.pid)
    const waited = waitedMilliseconds + (waitsSince === undefined ? 0 : performance.now() - waitsSince)
    if (used && used.residentBytes > residentBytes) exceeded = 'memory'
    else if ((used && used.cpuSeconds - cpuSecondsBefore > cpuSeconds) || waited > waitSeconds * 1_000)
      exceeded = 'time'
    if (exceeded) child.kill()
  }

  return {
    tell: (order, bytes) => child.tell(order, bytes),
    next: async () => {
      waitsSince = performance.now()
      try {
        const frame = await child.next()
        if (frame) return frame
      } catch (error) {
        child.kill()
        throw new ChildStopped('died', `a child said what no child says: ${(error as Error).message}`)
      } finally {
        waitedMilliseconds += performance.now() - waitsSince
        waitsSince = undefined
      }
      const ending = await child.gone
      const how = `a child ended with ${ending.signal ?? ending.code}`
      if (exceeded === undefined && isEndedBy(ending, 'SIGKILL', 9)) throw new ChildKilled(how)
      throw new ChildStopped(exceeded ?? reasonOf(ending), how)
    },
    end: async () => {
      child.kill()
      await child.gone
    },
  }
}

/** Of an end that was not ours. */
function reasonOf(ending: Ending): StopReason {
  // V8 aborts when its heap is full.
  if (isEndedBy(ending, 'SIGABRT', 6)) return 'memory'
  return isEndedBy(ending, 'SIGXCPU', 24) ? 'time' : 'died'
}

/** A shell or sandbox in between tells a signal as a code above 128. */
function isEndedBy({ code, signal }: Ending, name: NodeJS.Signals, number: number): boolean {
  return signal === name || code === 128 + number
}
