/**
 * Decides how many attempts may be under way and which endpoints are next, so that no endpoint waits for another. It
 * only counts: it claims and sends nothing.
 *
 * Attempts run in two lanes, each with slots of its own. An endpoint is slow when its last attempt went unanswered, or
 * when one of its attempts has been under way for long; it then counts in the slow lane. So any number of dead
 * receivers takes no slot from those that answer. An endpoint that has not been tried, or answered late, gets a few of
 * the quick slots, and leaves them soon if it hangs. The slow lane may then exceed its slots, up to a limit on all
 * attempts. Within a lane, slots go first to the endpoints with the fewest attempts under way.
 */
export type AttemptSlots = {
  /** How many attempts each of these endpoints may begin now; those that may begin none are left out. */
  free: (endpointIds: Iterable<string>, now: number) => Map<string, number>
  /** Takes a slot; the answer gives it back, once. Instants are milliseconds of a monotonic clock. */
  take: (endpointId: string, now: number) => (now: number, isAnswered: boolean) => void
}

const slotsOfLane = 256

/** Attempts under way in all, each of which may hold a connection. */
export const slotsInAll = 1_024

/** An attempt that takes this long is late. */
export const lateAfterMilliseconds = 500

const slotsOfEndpoint = { UNPROVEN: 2, QUICK: 64, SLOW: 8 } as const

type Pace = keyof typeof slotsOfEndpoint

/** How many endpoints are remembered while they have no attempt under way. Whichever is forgotten is unproven again. */
export const endpointsMax = 10_000

type Endpoint = {
  /** the instants at which the attempts under way began, oldest first */
  underWay: Set<{ beganAt: number }>
  /** by the answer to the latest attempt that ended */
  pace: Pace
}

type Lane = 'quick' | 'slow'

type Candidate = { endpointId: string; lane: Lane; underWay: number; most: number }

export function createAttemptSlots(): AttemptSlots {
  const endpoints = new Map<string, Endpoint>()
  /** those of them that have no attempt under way, in the order in which their last attempts ended */
  const quiet = new Set<string>()

  function paceOf({ underWay, pace }: Endpoint, now: number): Pace {
    const [oldest] = underWay
    return oldest && now - oldest.beganAt >= lateAfterMilliseconds ? 'SLOW' : pace
  }

  function forgetLongestQuiet(): void {
    const [endpointId] = quiet
    quiet.delete(endpointId!)
    endpoints.delete(endpointId!)
  }

  return {
    free: (endpointIds, now) => {
      const freeInLane: Record<Lane, number> = { quick: slotsOfLane, slow: slotsOfLane }
      let freeInAll = slotsInAll
      for (const endpoint of endpoints.values()) {
        freeInLane[laneOf(paceOf(endpoint, now))] -= endpoint.underWay.size
        freeInAll -= endpoint.underWay.size
      }

      let candidates: Candidate[] = []
      for (const endpointId of endpointIds) {
        const endpoint = endpoints.get(endpointId)
        const pace = endpoint ? paceOf(endpoint, now) : 'UNPROVEN'
        const underWay = endpoint?.underWay.size ?? 0
        candidates.push({ endpointId, lane: laneOf(pace), underWay, most: slotsOfEndpoint[pace] })
      }

      const freeSlots = new Map<string, number>()
      // Round after round, every endpoint with `level` attempts under way gets one more, while its lane has slots.
      for (let level = 0; candidates.length > 0; level++) {
        candidates = candidates.filter(({ lane, most }) => level < most && freeInLane[lane] > 0 && freeInAll > 0)
        for (const { endpointId, lane, underWay } of candidates) {
          if (underWay > level || freeInLane[lane] <= 0 || freeInAll <= 0) continue
          freeInLane[lane] -= 1
          freeInAll -= 1
          freeSlots.set(endpointId, (freeSlots.get(endpointId) ?? 0) + 1)
        }
      }
      return freeSlots
    },

    take: (endpointId, now) => {
      let endpoint = endpoints.get(endpointId)
      if (!endpoint) endpoints.set(endpointId, (endpoint = { underWay: new Set(), pace: 'UNPROVEN' }))
      quiet.delete(endpointId)
      const { underWay } = endpoint
      const attempt = { beganAt: now }
      underWay.add(attempt)
      return (endedAt, isAnswered) => {
        if (!underWay.delete(attempt)) return
        if (endedAt - attempt.beganAt < lateAfterMilliseconds) endpoint.pace = 'QUICK'
        else endpoint.pace = isAnswered ? 'UNPROVEN' : 'SLOW'
        if (underWay.size > 0) return
        quiet.add(endpointId)
        if (quiet.size > endpointsMax) forgetLongestQuiet()
      }
    },
  }
}

function laneOf(pace: Pace): Lane {
  return pace === 'SLOW' ? 'slow' : 'quick'
}
