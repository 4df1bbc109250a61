import { Outage } from '../../vocabulary/outage.ts'

/**
 * Lets only so many pieces of work of one key be under way at once; the next wait in line.
 * @param waitingMax beyond these the answer would come too late anyway
 * @throws Outage when so many wait already
 */
export function takingTurns(atOnceMax: number, waitingMax: number) {
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
