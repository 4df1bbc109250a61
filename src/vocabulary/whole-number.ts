/**
 * Reads the number of a record as it stands in a path or a query: decimal digits only, at least 1, no sign, no leading
 * zero, no exponent, at most `digitsMax` digits (GEN-16: nine for a 32-bit column). `digitsMax` is at most 15, so every
 * accepted number is exact. Anything else is undefined; the caller knows which code to answer.
 */
export function readWholeNumber(text: string, { digitsMax }: { digitsMax: number }): number | undefined {
  return text.length <= digitsMax && /^[1-9][0-9]*$/.test(text) ? Number(text) : undefined
}
