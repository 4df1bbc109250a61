import type { Child } from './launch.ts'

/** Children of one kind. One is kept ready ahead, so that a file need not wait for a process to start. */
export type Spares = {
  /** The spare, or a child that is started now. */
  take(): Promise<Child>
  /** Starts a spare if there is none. */
  refill(): void
  /** Ends all children, those that work too. */
  close(): Promise<void>
}

export function createSpares(start: () => Promise<Child>, idleMilliseconds: number): Spares {
  type Spare = { child: Promise<Child | undefined>; idle?: NodeJS.Timeout }
  let spare: Spare | undefined
  let isClosed = false
  const starting = new Set<Promise<unknown>>()
  const living = new Set<Child>()

  async function startChild(): Promise<Child> {
    const started = startUnlessClosed()
    const settled = started.catch(() => {}).finally(() => starting.delete(settled))
    starting.add(settled)
    return started
  }

  async function startUnlessClosed(): Promise<Child> {
    if (isClosed) throw new EngineClosed()
    const child = await start()
    living.add(child)
    void child.gone.then(() => living.delete(child))
    if (!isClosed) return child
    child.kill()
    await child.gone
    throw new EngineClosed()
  }

  async function startSpare(own: Spare): Promise<Child | undefined> {
    // Why no spare can be started, the next file will learn when it starts a child itself.
    const child = await startChild().catch(() => undefined)
    if (!child) return undefined
    child.hold(false)
    own.idle = setTimeout(() => child.kill(), idleMilliseconds).unref()
    void child.gone.finally(() => {
      clearTimeout(own.idle)
      if (spare === own) spare = undefined
    })
    return child
  }

  return {
    take: async () => {
      const taken = spare
      spare = undefined
      const child = await taken?.child
      clearTimeout(taken?.idle)
      if (!child || !living.has(child)) return startChild()
      child.hold(true)
      return child
    },
    refill: () => {
      if (spare || isClosed) return
      const own = {} as Spare
      spare = own
      own.child = startSpare(own)
    },
    close: async () => {
      isClosed = true
      spare = undefined
      await Promise.all(starting)
      for (const child of living) {
        // What waits for the end of a spare shall not end before it.
        child.hold(true)
        child.kill()
      }
      await Promise.all(Array.from(living, ({ gone }) => gone))
    },
  }
}

export class EngineClosed extends Error {
  constructor() {
    super('artwork is inspected no more: the service stops')
  }
}
