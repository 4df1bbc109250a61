import { sourceNetwork } from '../../vocabulary/source-network.ts'

/**
 * The edge's rate rule (LIM-08, LIM-09). A source that sends more than 2,000 requests in five minutes is blocked for as
 * long as its count of the last five minutes stays above that. Blocked requests count too. The window slides in ten
 * slots of thirty seconds. An IPv6 source is its /64.
 */
export type AddressRule = {
  /** counts a request; false = its source is blocked */
  admits: (address: string) => boolean
}

const requestsMax = 2000
const slots = 10
const slotMilliseconds = 30_000

/** As people are told it. */
export const edgeLimit = { requests: requestsMax, seconds: (slots * slotMilliseconds) / 1_000 }

type Count = { slot: number; total: number; bySlot: number[] }

/**
 * @param monotonic milliseconds, never set back
 * @param sourcesMax how many sources are remembered; beyond that, the longest quiet are forgotten
 */
export function addressRule(monotonic: () => number, sourcesMax = 50_000): AddressRule {
  // Ordered by the slot in which each source was last seen, the longest quiet first.
  const counts = new Map<string, Count>()

  function forgetQuiet(slot: number): void {
    for (const [source, count] of counts) {
      if (counts.size <= sourcesMax && slot - count.slot < slots) return
      counts.delete(source)
    }
  }

  return {
    admits: (address) => {
      const source = sourceNetwork(address)
      const slot = Math.floor(monotonic() / slotMilliseconds)
      let count = counts.get(source)
      if (!count || count.slot !== slot) {
        count = count ? advanced(count, slot) : { slot, total: 0, bySlot: Array<number>(slots).fill(0) }
        counts.delete(source)
        counts.set(source, count)
        forgetQuiet(slot)
      }
      count.bySlot[slot % slots]!++
      count.total++
      return count.total <= requestsMax
    },
  }
}

/** Clears the slots that have left the window. */
function advanced(count: Count, slot: number): Count {
  for (let passed = Math.max(count.slot + 1, slot - slots + 1); passed <= slot; passed++) {
    count.total -= count.bySlot[passed % slots]!
    count.bySlot[passed % slots] = 0
  }
  count.slot = slot
  return count
}
