import { type Money, zero } from '../../vocabulary/money.ts'

/** Draws an order's charges on credit: uses the balances account by account; the rest is invoiced. */

export type CreditToDraw = {
  creditAccountId: number
  balance: Money
  /** which charges besides the goods draw on the account; null = not set, so they do */
  shippingApplicable: boolean | null
  handlingApplicable: boolean | null
  taxApplicable: boolean | null
}

export type Charges = { product: Money; shipping: Money; handling: Money; tax: Money }

export type DebitType = 'PRODUCT_DEBIT' | 'SHIPPING_DEBIT' | 'HANDLING_DEBIT' | 'TAX_DEBIT'

export type Movement = {
  creditAccountId: number
  type: DebitType
  /** negative */
  amount: Money
  balanceAfter: Money
}

/** @param accounts in the order they are to be used */
export function drawDown(accounts: readonly CreditToDraw[], charges: Charges): Movement[] {
  const movements: Movement[] = []
  const open = { ...charges }
  for (const account of accounts) {
    let balance = account.balance
    const draw = (charge: keyof Charges, type: DebitType, applicable: boolean | null): void => {
      const drawn = balance.lt(open[charge]) ? balance : open[charge]
      if (applicable === false || drawn.lte(zero)) return
      balance = balance.minus(drawn)
      open[charge] = open[charge].minus(drawn)
      movements.push({ creditAccountId: account.creditAccountId, type, amount: drawn.neg(), balanceAfter: balance })
    }
    draw('product', 'PRODUCT_DEBIT', true)
    draw('shipping', 'SHIPPING_DEBIT', account.shippingApplicable)
    draw('handling', 'HANDLING_DEBIT', account.handlingApplicable)
    draw('tax', 'TAX_DEBIT', account.taxApplicable)
  }
  return movements
}
