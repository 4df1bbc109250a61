/** So many at once; whoever comes later waits for a place, in the order of coming. */
export type Places = {
  /** @returns gives the place back, once. @throws the signal's reason if it aborts first */
  take(signal?: AbortSignal): Promise<() => void>
}

export function createPlaces(count: number): Places {
  let free = count
  const waiting: (() => void)[] = []

  function giveBack(): void {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }

  return {
    take: async (signal) => {
      signal?.throwIfAborted()
      if (free > 0) free -= 1
      else {
        const { promise, resolve, reject } = Promise.withResolvers<void>()
        const leave = (): void => {
          waiting.splice(waiting.indexOf(resolve), 1)
          reject(signal!.reason as Error)
        }
        waiting.push(resolve)
        signal?.addEventListener('abort', leave, { once: true })
        await promise.finally(() => signal?.removeEventListener('abort', leave))
      }
      let isTaken = true
      return () => {
        if (isTaken) giveBack()
        isTaken = false
      }
    },
  }
}
