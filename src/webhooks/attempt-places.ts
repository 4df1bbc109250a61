/**
 * Decides how many attempts may be under way and whose are next, so that no endpoint waits for another. It owns the
 * counting alone: nothing is claimed or sent here.
 *
 * Attempts run in two lanes with places of their own. An endpoint whose last attempt went unanswered, or one of whose
 * attempts has been under way for long, is slow and counts in the slow lane: however many receivers are dead, they cannot
 * take a place from those that answer. An endpoint that has proved nothing yet, or answered late, gets a few places among
 * the quick ones, and if it hangs has left them soon; the slow lane may then hold more than its places, up to a bound on
 * everything. Within a lane places go to those with the fewest attempts under way first.
 */
export type AttemptPlaces = {
  /** How many attempts each of these endpoints may begin now; those that may begin none are left out. */
  rooms: (endpointIds: Iterable<string>, now: number) => Map<string, number>
  /** Takes a place; what it returns gives it back, once. Instants are milliseconds on a clock that never steps. */
  begin: (endpointId: string, now: number) => (now: number, isAnswered: boolean) => void
}

const placesInLane = 256

/** Attempts under way in all, each of which may hold a connection. */
export const placesInAll = 1_024

/** From here on an attempt is late. */
export const lateAfterMilliseconds = 500

const placesOfEndpoint = { UNPROVEN: 2, QUICK: 64, SLOW: 8 } as const

type Pace = keyof typeof placesOfEndpoint

type Endpoint = {
  /** the instants at which the attempts under way began, oldest first */
  underWay: Set<{ beganAt: number }>
  /** by the attempt that ended last */
  pace: Pace
}

type Lane = 'quick' | 'slow'

type Candidate = { endpointId: string; lane: Lane; underWay: number; most: number }

export function createAttemptPlaces(): AttemptPlaces {
  // Kept for as long as the process lives: there are as many as endpoints that were ever sent anything.
  const endpoints = new Map<string, Endpoint>()

  function paceOf({ underWay, pace }: Endpoint, now: number): Pace {
    const [oldest] = underWay
    return oldest && now - oldest.beganAt >= lateAfterMilliseconds ? 'SLOW' : pace
  }

  return {
    rooms: (endpointIds, now) => {
      const free: Record<Lane, number> = { quick: placesInLane, slow: placesInLane }
      let freeInAll = placesInAll
      for (const endpoint of endpoints.values()) {
        free[laneOf(paceOf(endpoint, now))] -= endpoint.underWay.size
        freeInAll -= endpoint.underWay.size
      }

      let candidates: Candidate[] = []
      for (const endpointId of endpointIds) {
        const endpoint = endpoints.get(endpointId)
        const pace = endpoint ? paceOf(endpoint, now) : 'UNPROVEN'
        const underWay = endpoint?.underWay.size ?? 0
        candidates.push({ endpointId, lane: laneOf(pace), underWay, most: placesOfEndpoint[pace] })
      }

      const rooms = new Map<string, number>()
      // Round after round, everyone who has `level` under way gets one more, while there are places in the lane.
      for (let level = 0; candidates.length > 0; level++) {
        candidates = candidates.filter(({ lane, most }) => level < most && free[lane] > 0 && freeInAll > 0)
        for (const { endpointId, lane, underWay } of candidates) {
          if (underWay > level || free[lane] <= 0 || freeInAll <= 0) continue
          free[lane] -= 1
          freeInAll -= 1
          rooms.set(endpointId, (rooms.get(endpointId) ?? 0) + 1)
        }
      }
      return rooms
    },

    begin: (endpointId, now) => {
      let endpoint = endpoints.get(endpointId)
      if (!endpoint) endpoints.set(endpointId, (endpoint = { underWay: new Set(), pace: 'UNPROVEN' }))
      const { underWay } = endpoint
      const attempt = { beganAt: now }
      underWay.add(attempt)
      return (endedAt, isAnswered) => {
        if (!underWay.delete(attempt)) return
        if (endedAt - attempt.beganAt < lateAfterMilliseconds) endpoint.pace = 'QUICK'
        else endpoint.pace = isAnswered ? 'UNPROVEN' : 'SLOW'
      }
    },
  }
}

function laneOf(pace: Pace): Lane {
  return pace === 'SLOW' ? 'slow' : 'quick'
}
