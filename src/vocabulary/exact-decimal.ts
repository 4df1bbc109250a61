/**
 * True for an amount in its external form: digits and, after a point, at most `decimalsMax` more; no sign, exponent or
 * blank. Amounts stay text until they are calculated with, so that none is rounded on input.
 */
export function isExactDecimal(text: string, decimalsMax: number): boolean {
  const match = /^\d{1,9}(?:\.(\d{1,6}))?$/.exec(text)
  return match !== null && (match[1]?.length ?? 0) <= decimalsMax
}
