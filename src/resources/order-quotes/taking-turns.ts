import { Outage } from '../../vocabulary/outage.ts'

/** Beyond these the answer would come too late anyway. */
const waitingMax = 16

/**
 * Lets only so many pieces of work of one key be under way at once; the next wait in line.
 * @throws Outage when too many wait already
 */
export function takingTurns(atOnceMax: number) {
  const lines = new Map<string, { underWay: number; waiting: (() => void)[] }>()
  return async <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
    const line = lines.getOrInsertComputed(key, () => ({ underWay: 0, waiting: [] }))
    if (line.waiting.length >= waitingMax) throw new Outage('too much of this work waits already')
    if (line.underWay < atOnceMax) line.underWay++
    else await new Promise<void>((begin) => line.waiting.push(begin))
    try {
      return await work()
    } finally {
      const next = line.waiting.shift()
      if (next) next()
      else if (--line.underWay === 0) lines.delete(key)
    }
  }
}
