import { type Money, zero } from '../../vocabulary/money.ts'

/** A site's tax in a state, and which charges besides the goods are taxed there. */
export type TaxRate = { percent: Money; shippingTaxed: boolean; handlingTaxed: boolean }

/** The tax percents of a line, its handling and its delivery; 0 = untaxed. Stored when an order is placed. */
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
