import type { Static } from 'typebox'
import type { Discount } from '../../contract/discount.ts'
import type { Handler } from '../../contract/operation.ts'
import type { BodyFault } from '../../contract/refusal.ts'
import type { Place } from '../../contract/ship-to.ts'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { laneOf } from '../../intake/claim-submissions.ts'
import {
  divisionNotActive,
  orderingColumns,
  orderingSite,
  orderingUserOf,
  type OrderingAt,
} from '../../intake/ordering-user.ts'
import type { OrderAddress, OrderProblem } from '../../platform/ordering/order-request.ts'
import type { OrderPlan, Suppliers } from '../../platform/ordering/plan-order.ts'
import { quoteOrder as quote, type QuotedOrder } from '../../platform/ordering/quote-order.ts'
import type { AppliedDiscount } from '../../platform/pricing/price-line.ts'
import { decimalString, type Money } from '../../vocabulary/money.ts'
import type { OrderQuote, orderQuotes } from './contract.ts'
import { takingTurns } from './taking-turns.ts'

type Shown = Static<typeof OrderQuote>

/** As many quotes as orders of a partner may ask the template vendor at once. */
const drawn = { atOnce: 4, waiting: 16 }
/** Each of these takes a process for some milliseconds, in which everybody else waits. */
const long = { lines: 10, atOnce: 2, waiting: 64 }

/**
 * The order's own plan with its amounts, so that a quote cannot differ from the order. What a partner's credential cannot
 * read of credit, the quote does not tell either.
 */
export function quoteOrder(database: Database, suppliers: Suppliers): Handler<typeof orderQuotes.quoteOrder> {
  const inTurn = takingTurns(drawn.atOnce, drawn.waiting)
  const longInTurn = takingTurns(long.atOnce, long.waiting)
  return async ({ caller, body, now, refuse }) => {
    const found = await database.reads.row<OrderingAt>(sql`
      select ${orderingColumns(body)} from site where ${orderingSite(body, caller.siteIds)}`)
    const ordering = orderingUserOf(found, body, caller.siteIds)
    if ('refused' in ordering) {
      if (ordering.refused === 'division_not_active') throw refuse('invalid_request', divisionNotActive)
      throw refuse(ordering.refused)
    }
    const { orderingUserId } = ordering.done
    const asked = { now, withCredit: caller.scopes.has('credit:read') }
    const work = () => quote(database.reads, suppliers, orderingUserId, body, asked)
    const { partnerId } = caller
    const quoted = await (laneOf(body) === 'artwork'
      ? inTurn(partnerId, work)
      : body.lines.length > long.lines
        ? longInTurn(partnerId, work)
        : work())
    if ('problems' in quoted) {
      throw refuse('quote_invalid', quoted.problems[0]!.detail, undefined, quoted.problems.map(faultOf))
    }
    return { status: 200, body: { ...view(quoted), quotedOn: now.toISOString() } }
  }
}

/** A problem of an order as a fault of the body that was quoted. */
function faultOf({ field = '', reason, detail }: OrderProblem): BodyFault {
  return { path: field, rule: reason, detail }
}

function view({ plan, backorders, creditApplied }: QuotedOrder): Omit<Shown, 'quotedOn'> {
  const { request, facts, totals, service } = plan
  const amount = (value: Money): string => decimalString(value, facts.scale)
  const discount = (applied: AppliedDiscount | null): Static<typeof Discount> | null =>
    applied && { name: applied.name, percent: applied.percent.toFixed(), amount: amount(applied.amount) }
  return {
    siteId: request.siteId,
    currency: facts.currency,
    itemTotal: amount(totals.itemTotal),
    discountTotal: amount(totals.discountTotal),
    handlingTotal: amount(totals.handlingTotal),
    shippingTotal: amount(totals.shippingTotal),
    taxTotal: amount(totals.taxTotal),
    creditApplied: creditApplied && amount(creditApplied),
    totalPrice: amount(totals.totalPrice),
    requiresApproval: plan.requiresApproval,
    shippingProvider: service?.provider ?? null,
    shippingMethod: service?.serviceName ?? null,
    lines: plan.lines.map(({ asked, product, variant, price, estimatedShipBy }, index) => ({
      partnerLineId: asked.partnerLineId,
      productId: product.productId,
      productName: product.name,
      variantId: variant?.variantId ?? null,
      quantity: asked.quantity,
      lineListTotal: amount(price.lineListTotal),
      productDiscount: discount(price.productDiscount),
      userDiscount: discount(price.userDiscount),
      lineTotal: amount(price.lineTotal),
      handlingTotal: amount(price.handlingTotal),
      backorderQuantity: backorders[index]!,
      turnaroundBusinessDays: product.turnaroundBusinessDays,
      estimatedShipBy: estimatedShipBy.toISOString(),
    })),
    shipments: plan.parcels.map((parcel) => ({
      partnerLineIds: parcel.lineIndexes.map((index) => plan.lines[index]!.asked.partnerLineId),
      shipTo: placeOf(parcel.address),
      shippingTotal: amount(parcel.shippingTotal),
      estimatedShipBy: parcel.estimatedShipBy.toISOString(),
      estimatedDeliveryFrom: parcel.deliveryFrom?.toISOString() ?? null,
      estimatedDeliveryTo: parcel.deliveryTo?.toISOString() ?? null,
    })),
    messages: messagesOn(plan),
  }
}

function placeOf(address: OrderAddress): Static<typeof Place> {
  const { name, company = null, address1, address2 = null, city, state, postalCode, country, phone = null } = address
  return { name, company, address1, address2, city, state, postalCode, country, phone }
}

function messagesOn({ lines, requiresApproval }: OrderPlan): string[] {
  return [
    ...(requiresApproval ? ['The order would wait for approval.'] : []),
    ...(lines.some(({ asked }) => asked.artworkUrl !== undefined)
      ? ['What artworkUrl leads to was not fetched: a file that cannot be used still rejects the order.']
      : []),
  ]
}
