import { money } from './money.ts'

/**
 * True for an amount in its external form: digits and, after a point, at most `decimalsMax` more; no sign, exponent or
 * blank. Amounts stay text until they are calculated with, so that none is rounded on input.
 */
export function isExactDecimal(text: string, decimalsMax: number): boolean {
  const match = /^\d{1,9}(?:\.(\d{1,6}))?$/.exec(text)
  return match !== null && (match[1]?.length ?? 0) <= decimalsMax
}

/**
 * A change of decimals, in which a number that stays keeps its text: `6.50` in place of `6.5` is no change. Texts that are
 * no exact decimals stay as they are, for the rules to refuse.
 */
export function withKeptDecimals<const Field extends string, Wish extends { [Each in Field]?: string | null }>(
  before: { readonly [Each in Field]: string | null },
  wish: Wish,
  fields: readonly Field[],
): Wish {
  const kept = fields.filter((field) => isSameNumber(before[field], wish[field]))
  return { ...wish, ...Object.fromEntries(kept.map((field) => [field, before[field]])) }
}

function isSameNumber(before: string | null, wish: string | null | undefined): boolean {
  return typeof before === 'string' && typeof wish === 'string' && isExactDecimal(wish, 6) && money(before).eq(wish)
}
