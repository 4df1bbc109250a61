import { Outage } from '../vocabulary/outage.ts'

/**
 * Writes of one kind that are ready at the same time share a transaction, and so its round trips, its locks and its
 * wait for the disk. A lone write starts at once; while `atOnceMax` transactions are under way, others gather for the
 * next. Writes that fail together, other than by an outage, are repeated one by one, so that each gets its own answer.
 * @param write writes all items in one transaction and answers a result for each, in order; or throws, and then none is
 * written
 */
export function writtenTogether<Item, Result>(
  write: (items: readonly Item[]) => Promise<readonly Result[]>,
  { groupMax, atOnceMax }: { groupMax: number; atOnceMax: number },
): (item: Item) => Promise<Result> {
  type Waiting = PromiseWithResolvers<Result> & { item: Item }
  const waiting: Waiting[] = []
  let underWay = 0

  async function writeWaiting(): Promise<void> {
    const group = waiting.splice(0, groupMax)
    if (group.length > 0) await writeGroup(group)
    underWay--
    goOn()
  }

  async function writeGroup(group: readonly Waiting[]): Promise<void> {
    try {
      const results = await write(group.map(({ item }) => item))
      group.forEach((each, index) => each.resolve(results[index]!))
    } catch (error) {
      // After an outage it is not known whether the transaction was committed.
      if (group.length === 1 || error instanceof Outage) group.forEach((each) => each.reject(error))
      else for (const each of group) await writeGroup([each])
    }
  }

  function goOn(): void {
    if (waiting.length === 0 || underWay >= atOnceMax) return
    underWay++
    // Writes that become ready in this turn of the event loop join.
    setImmediate(() => void writeWaiting())
  }

  return (item) => {
    const each = { item, ...Promise.withResolvers<Result>() }
    waiting.push(each)
    goOn()
    return each.promise
  }
}
