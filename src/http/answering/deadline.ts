import { Outage } from '../../vocabulary/outage.ts'

/**
 * The time within which every caller gets an answer, if only that the service cannot answer (ERR-72). The deadline
 * stops no work: what was begun goes on, and its result is dropped.
 */
export type Deadline = {
  /** work of the service; rejects with Outage when the time is over first */
  inTime: <Result>(work: Promise<Result> | Result) => Promise<Result>
  /** work whose length the caller decides, such as receiving a body; not counted */
  apart: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** call it once the answer is known */
  end: () => void
}

/** Longer than any single wait for the database, and shorter than the five seconds that callers are promised. */
const answerMilliseconds = 4_300

export function startDeadline(): Deadline {
  const over = Promise.withResolvers<never>()
  over.promise.catch(() => undefined)
  // Input that arrived while this process was busy is not late.
  const expire = (): unknown => setImmediate(() => over.reject(new Outage('the time for an answer is over')))
  let left = answerMilliseconds
  let since = performance.now()
  let timer = setTimeout(expire, left)
  return {
    inTime: (work) => Promise.race([work, over.promise]),
    apart: async (work) => {
      clearTimeout(timer)
      left -= performance.now() - since
      try {
        return await work()
      } finally {
        since = performance.now()
        timer = setTimeout(expire, left)
      }
    },
    end: () => clearTimeout(timer),
  }
}
