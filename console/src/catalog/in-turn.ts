let last: Promise<unknown> = Promise.resolve()

/**
 * Does work after the work before it has ended, so that a list of many rows does not ask the service everything at once:
 * whether a product is orderable is a trial order. Work that nobody waits for any more is left out.
 */
export function inTurn<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  const turn = last.then(() => {
    signal.throwIfAborted()
    return work()
  })
  last = turn.catch(() => undefined)
  return turn
}
