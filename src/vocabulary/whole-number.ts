/**
 * Reads the number of a record in a path or a query: decimal digits only, at least 1, no sign, no leading zero, no
 * exponent, at most `digitsMax` digits (GEN-16: nine for a 32-bit column). `digitsMax` is at most 15, so every accepted
 * number is exact. Returns undefined for anything else; the caller knows the code to answer.
 */
export function readWholeNumber(text: string, { digitsMax }: { digitsMax: number }): number | undefined {
  return text.length <= digitsMax && /^[1-9][0-9]*$/.test(text) ? Number(text) : undefined
}

/** An id as its 32-bit column can hold it: one beyond it as 0, which names no record, as that id does not. */
export function recordId(id: number): number {
  return id > 2_147_483_647 || id < 0 ? 0 : id
}
