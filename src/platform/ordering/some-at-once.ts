/**
 * What `work` answers for each item, in order, with at most so many under way at once. After a failure no more begin; it
 * is thrown once those under way have ended.
 */
export async function someAtOnce<Item, Result>(
  items: readonly Item[],
  atOnceMax: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const left = turns(items)
  async function takeTurns(): Promise<void> {
    for (const [index, item] of left) results[index] = await work(item)
  }
  const ends = await Promise.allSettled(Array.from({ length: Math.min(atOnceMax, items.length) }, takeTurns))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return results
}

/** A loop that fails ends a generator for the other loops as well; it would not end an array's iterator. */
function* turns<Item>(items: readonly Item[]): Generator<[number, Item]> {
  yield* items.entries()
}
