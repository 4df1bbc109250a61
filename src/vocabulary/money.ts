import Big from 'big.js'

/**
 * Money is exact decimal from end to end (GEN-06, GEN-07): `Big` inside, a decimal string in the currency's scale
 * outside. Only the two published JSON-number fields of a submission's order convert it to `number`.
 */
export type Money = Big

export function money(amount: string | number | Big): Money {
  return new Big(amount)
}

export const zero: Money = new Big(0)

export function sum(amounts: Iterable<Money>): Money {
  let total = zero
  for (const amount of amounts) total = total.plus(amount)
  return total
}

const scaleByCurrency: Readonly<Record<string, number>> = { JPY: 0, KRW: 0, CLP: 0, BHD: 3, KWD: 3, TND: 3 }

/** Number of decimals of an ISO 4217 currency; 2 for all but the listed exceptions. */
export function currencyScale(currency: string): number {
  return scaleByCurrency[currency] ?? 2
}

/** Rounds to the currency's scale, half away from zero, as invoices do. */
export function roundTo(amount: Money, scale: number): Money {
  return amount.round(scale, Big.roundHalfUp)
}

/** `12.5` → `"12.50"`: the published form. */
export function decimalString(amount: Money, scale: number): string {
  return amount.toFixed(scale, Big.roundHalfUp)
}
