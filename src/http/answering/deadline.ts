import { Outage } from '../../vocabulary/outage.ts'

/**
 * The time within which every caller is told something, if only that the service cannot answer (ERR-72). It ends no work:
 * what was begun goes on unheard, as after any answer that was lost on its way.
 */
export type Deadline = {
  /** what the service does for the caller; rejects with Outage when the time is over first */
  inTime: <Result>(work: Promise<Result> | Result) => Promise<Result>
  /** what takes the caller's own time, such as sending a body */
  apart: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** to be called once the answer is known */
  end: () => void
}

/** Longer than any one wait for the database, and shorter than the five seconds callers are promised. */
const answerMilliseconds = 4_300

export function startDeadline(): Deadline {
  const over = Promise.withResolvers<never>()
  over.promise.catch(() => undefined)
  // What arrived while this process was busy is not late.
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
