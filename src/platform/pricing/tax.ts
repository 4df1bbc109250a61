import { money, type Money, zero } from '../../vocabulary/money.ts'

/** The percents at a destination: of the goods, of their handling and of their delivery; 0 = untaxed. */
export type TaxRate = { onGoods: Money; onHandling: Money; onDelivery: Money }

/** A site's tax in a state, and which charges besides the goods are taxed there. */
export type TableTax = { percent: string; shippingTaxed: boolean; handlingTaxed: boolean }

export function tableTax({ percent, shippingTaxed, handlingTaxed }: TableTax): TaxRate {
  const levied = money(percent)
  return {
    onGoods: levied,
    onHandling: handlingTaxed ? levied : zero,
    onDelivery: shippingTaxed ? levied : zero,
  }
}

/** The tax percents of a line, its handling and its delivery; 0 = untaxed. Stored when an order is placed. */
export type TaxPercents = { onLine: Money; onHandling: Money; onDelivery: Money }

/** @param rate null where none is levied */
export function taxPercents(rate: TaxRate | null, free: { taxable: boolean; buyerExempt: boolean }): TaxPercents {
  if (!rate || free.buyerExempt) return { onLine: zero, onHandling: zero, onDelivery: zero }
  return {
    onLine: free.taxable ? rate.onGoods : zero,
    onHandling: rate.onHandling,
    onDelivery: rate.onDelivery,
  }
}
