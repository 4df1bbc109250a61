/** What a table that was replaced as a whole gained and lost, as its audit record tells: rows that stayed are not repeated. */
export function tableDifference(
  before: readonly (readonly unknown[])[],
  after: readonly (readonly unknown[])[],
): { added: unknown[]; removed: unknown[] } {
  const former = new Set(before.map((row) => JSON.stringify(row)))
  const next = new Set(after.map((row) => JSON.stringify(row)))
  return {
    added: after.filter((row) => !former.has(JSON.stringify(row))),
    removed: before.filter((row) => !next.has(JSON.stringify(row))),
  }
}
