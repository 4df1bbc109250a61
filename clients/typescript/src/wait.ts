import type { Retry } from './options.ts'

/** The waits between the attempts of one call: exponential, with jitter, never before `Retry-After`, and bounded. */
export type Backoff = {
  /**
   * @param attempt how often the request was sent so far
   * @param retryAfter milliseconds that the service asks for
   * @returns milliseconds to wait; undefined when the request may not be sent again
   */
  next: (attempt: number, retryAfter: number | undefined) => number | undefined
}

const longestWait = 10_000

export function backoff({ attempts = 5, total = 60_000, base = 500 }: Retry = {}): Backoff {
  const startedAt = performance.now()
  return {
    next(attempt, retryAfter = 0) {
      if (attempt >= attempts) return undefined
      const exponential = Math.min(longestWait, base * 2 ** (attempt - 1))
      // Many clients that failed together do not come back together, after Retry-After neither.
      const wait = Math.max(retryAfter, exponential / 2) + (Math.random() * exponential) / 2
      return performance.now() - startedAt + wait > total ? undefined : Math.ceil(wait)
    },
  }
}

/** Waits, or rejects with the reason of the signal. */
export function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return raced(signal, (resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    return () => clearTimeout(timer)
  })
}

/** Resolves with the promise, or rejects with the reason of the signal. What the promise stands for goes on. */
export function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  return raced(signal, (resolve, reject) => {
    promise.then(resolve, reject)
    return () => undefined
  })
}

function raced<Value>(
  signal: AbortSignal | undefined,
  begin: (resolve: (value: Value) => void, reject: (reason: unknown) => void) => () => void,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error)
    const settle = (): void => {
      signal?.removeEventListener('abort', abort)
      stop()
    }
    const abort = (): void => {
      settle()
      reject(signal!.reason as Error)
    }
    const stop = begin(
      (value) => {
        settle()
        resolve(value)
      },
      (reason) => {
        settle()
        reject(reason as Error)
      },
    )
    signal?.addEventListener('abort', abort)
  })
}

/** Milliseconds of a `Retry-After` header, which is seconds or a date; undefined without one that can be read. */
export function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  if (/^\d+$/.test(value)) return Number(value) * 1_000
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now())
}
