/**
 * A limit per key over any sixty seconds. It is exact: it remembers the time of each admission. When there are too many
 * keys, those quiet for the longest are forgotten.
 */
export type MinuteLimit = {
  /** 0 = admitted and counted; otherwise the whole seconds until one is admitted */
  admit: (key: string, now: Date) => number
}

const minute = 60_000

export function minuteLimit({ perMinute, keysMax = 20_000 }: { perMinute: number; keysMax?: number }): MinuteLimit {
  // Ordered by last admission.
  const admitted = new Map<string, number[]>()

  function forgetQuietKeys(instant: number): void {
    for (const [key, instants] of admitted) {
      if (admitted.size <= keysMax && instant - instants.at(-1)! < minute) return
      admitted.delete(key)
    }
  }

  return {
    admit: (key, now) => {
      const instant = now.getTime()
      // An instant ahead of now was written before the clock was set back, and no longer counts.
      const recent = (admitted.get(key) ?? []).filter((earlier) => earlier <= instant && instant - earlier < minute)
      if (recent.length >= perMinute) return Math.max(1, Math.ceil((recent[0]! + minute - instant) / 1000))
      recent.push(instant)
      admitted.delete(key)
      admitted.set(key, recent)
      forgetQuietKeys(instant)
      return 0
    },
  }
}
