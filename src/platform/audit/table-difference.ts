/** The rows that a table gained and lost when it was replaced as a whole, for its audit record. Rows that stayed are left out. */
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
