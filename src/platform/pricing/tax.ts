import { type Money, zero } from '../../vocabulary/money.ts'

/** A site's tax in a state, and what besides the goods is taxed there. */
export type TaxRate = { percent: Money; shippingTaxed: boolean; handlingTaxed: boolean }

/** What a line, its handling and its delivery are taxed with; 0 = untaxed. Kept with them when an order is placed. */
export type TaxPercents = { onLine: Money; onHandling: Money; onDelivery: Money }

/** @param rate null where the state levies none */
export function taxPercents(rate: TaxRate | null, free: { taxable: boolean; buyerExempt: boolean }): TaxPercents {
  if (!rate || free.buyerExempt) return { onLine: zero, onHandling: zero, onDelivery: zero }
  return {
    onLine: free.taxable ? rate.percent : zero,
    onHandling: rate.handlingTaxed ? rate.percent : zero,
    onDelivery: rate.shippingTaxed ? rate.percent : zero,
  }
}
