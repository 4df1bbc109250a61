/** How many rows a statement removes at a time: few enough that no other statement has to wait long. */
export const batchMax = 500

/**
 * Removes rows batch by batch, each a transaction of its own.
 * @param remove removes at most `batchMax` rows and answers them
 * @param ending aborted = leave the rest
 * @returns how many rows were removed
 */
export async function inBatches(remove: () => Promise<readonly unknown[]>, ending?: AbortSignal): Promise<number> {
  for (let removed = 0; ;) {
    const { length } = await remove()
    removed += length
    if (length < batchMax || ending?.aborted) return removed
  }
}
