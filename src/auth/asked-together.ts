/**
 * Look-ups of one kind that arrive in one turn of the event loop share a statement. It is sent after the last of them
 * arrived, so each sees the state at its arrival or later: a revocation committed before a request takes effect on it
 * (AUTH-18). Nothing is cached.
 * @param read answers what it found by key; what it throws is thrown to every caller
 */
export function askedTogether<Found>(
  read: (keys: string[]) => Promise<ReadonlyMap<string, Found>>,
): (key: string) => Promise<Found | undefined> {
  let waiting = new Map<string, PromiseWithResolvers<Found | undefined>>()

  async function send(): Promise<void> {
    const asked = waiting
    waiting = new Map()
    try {
      const found = await read([...asked.keys()])
      for (const [key, answer] of asked) answer.resolve(found.get(key))
    } catch (error) {
      for (const answer of asked.values()) answer.reject(error)
    }
  }

  return (key) => {
    let answer = waiting.get(key)
    if (!answer) {
      if (waiting.size === 0) setImmediate(() => void send())
      answer = Promise.withResolvers()
      waiting.set(key, answer)
    }
    return answer.promise
  }
}
