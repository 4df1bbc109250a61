/** The first records of a list, over as many pages as it takes. */
export async function collected<Record>(
  list: AsyncIterable<Record>,
  limit = Number.POSITIVE_INFINITY,
): Promise<{ records: Record[]; isCut: boolean }> {
  const records: Record[] = []
  for await (const record of list) {
    if (records.length === limit) return { records, isCut: true }
    records.push(record)
  }
  return { records, isCut: false }
}
