/**
 * True for an amount as it is written outside: digits, and after a point so many more at most; no sign, exponent or
 * blank. Amounts stay text until they are reckoned with, so that none is ever rounded on its way in.
 */
export function isExactDecimal(text: string, decimalsMax: number): boolean {
  const match = /^\d{1,9}(?:\.(\d{1,6}))?$/.exec(text)
  return match !== null && (match[1]?.length ?? 0) <= decimalsMax
}
