import type { Queries } from '../../database/database.ts'
import type { Money } from '../../vocabulary/money.ts'
import { askOnce } from './ask-once.ts'
import { creditApplied, creditToDraw } from './credit-to-draw.ts'
import { artworkUrlProblems } from './fetch-artwork.ts'
import type { OrderProblem, OrderRequest } from './order-request.ts'
import { planTrial, type OrderPlan, type Suppliers } from './plan-order.ts'

export type QuotedOrder = {
  plan: OrderPlan
  /** for each line the pieces that stock lacks; null = its stock is not counted */
  backorders: (number | null)[]
  /** null = it was not asked for */
  creditApplied: Money | null
}

/**
 * What an order would be if it were placed now: the very plan that placing it makes, with the credit that it would draw,
 * or every problem that the plan has. Nothing is written, taken or locked, and no print file is fetched or drawn.
 * @throws Outage when a supplier does not answer
 */
export async function quoteOrder(
  queries: Queries,
  suppliers: Suppliers,
  orderingUserId: number,
  request: OrderRequest,
  { now, withCredit }: { now: Date; withCredit: boolean },
): Promise<QuotedOrder | { problems: OrderProblem[] }> {
  const templateVendor = askOnce(suppliers.templateVendor)
  const planned = await planTrial(queries, { ...suppliers, templateVendor }, orderingUserId, request, now)
  const unusable = artworkUrlProblems(suppliers.artwork, request.lines)
  if ('problems' in planned) return { problems: [...planned.problems, ...unusable] }
  if (unusable.length > 0) return { problems: unusable }
  const { plan } = planned
  return {
    plan,
    backorders: backordersOf(plan),
    creditApplied: withCredit ? creditApplied(await creditToDraw(queries, plan, now)) : null,
  }
}

/** Lines take from the stock that they share in their order, as `take-stock.ts` does. */
function backordersOf({ lines }: OrderPlan): (number | null)[] {
  const left = new Map<number, number>()
  return lines.map(({ variant, asked: { quantity } }) => {
    if (!variant || variant.availableQuantity === null) return null
    const after = (left.get(variant.stockVariantId) ?? variant.availableQuantity) - quantity
    left.set(variant.stockVariantId, after)
    return Math.max(Math.min(-after, quantity), 0)
  })
}
