import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from '../../database/database.ts'
import { insertRows } from '../../database/rows.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { decimalString, money, type Money, roundTo, sum, zero } from '../../vocabulary/money.ts'
import type { Refused } from '../../vocabulary/outcome.ts'
import type { Charges } from '../credit/draw-down.ts'
import { drawnCredit, type DrawnCredit } from '../credit/give-back.ts'
import { isReference } from '../credit/lock-account.ts'
import { reasonDetail } from '../order-changes/decisions.ts'
import { changeOrder, type LockedOrder } from '../order-changes/change-order.ts'
import { chargedParts, readChargedLines, readShipments, totalsOf } from '../order-changes/order-charges.ts'
import { recordOrderMovements, recordRefundParts } from '../order-money/order-movements.ts'
import {
  amountOf,
  type ChargedPart,
  type ChargeKey,
  partOf,
  readRefunded,
  type Refunded,
  taxOn,
} from '../order-money/refunded.ts'
import { type GivenReason, givenReason, refuseReason, type Why } from '../reasons/reasons.ts'
import { creditRefund, type Shares } from './credit-refund.ts'
import { readReturn } from './returns.ts'

/** A decimal in the scale of the order's currency, or all that is left to refund of the charge. */
export type AmountAsked = string

export type RefundOf = {
  /** everything that is left; then nothing else is named */
  everything?: true
  lines?: readonly { lineNumber: number; amount?: AmountAsked; quantity?: number }[]
  handling?: AmountAsked
  shipping?: AmountAsked
}

export type RefundRequest = RefundOf &
  Why & {
    /** CREDIT: to the accounts the order drew on, or the one named; OUTSIDE: staff pay it in another way */
    to: 'CREDIT' | 'OUTSIDE'
    creditAccountId?: number
    /** with CREDIT, for what the order did not draw from credit */
    outsideReference?: string
    /** the return for which it is made */
    returnNumber?: number
    /** 1 to 100 visible ASCII characters, chosen by the caller; unique within the order */
    reference: string
  }

type Part = ChargeKey & { amount: Money; quantity: number }

/**
 * Gives back money that an order was charged, at any time after it was placed. Tax follows in proportion: what is
 * refunded in parts is in the end the whole, to the cent. An order's totals stay what was charged; a refund is a movement
 * of its own. A repeated call with the same reference answers the refund that the first call made.
 * @returns `repeated`: an earlier call made it, and this one changed nothing
 */
export function refund(tx: Transaction, change: Change, orderNumber: number, request: RefundRequest) {
  return changeOrder(tx, change, orderNumber, null, async (order) => {
    const { reference, reason, comment, ...of } = request
    const given = givenReason({ reason, comment })
    if (!isReference(reference)) return { refused: 'reference_not_usable' }
    const asked = JSON.parse(JSON.stringify(of)) as unknown
    const made = await madeRefund(tx, orderNumber, reference)
    if (made) {
      if (!isDeepStrictEqual(made.asked, asked)) return { refused: 'reference_taken' }
      return { done: { refundId: made.refundId, repeated: true }, unchanged: true, audit: auditOf(made.refundId, {}) }
    }
    const found = await workOut(tx, order, request, given, change)
    if ('refused' in found) return found
    const { worked, refunded } = found
    const refundId = await write(tx, order, { ...request, ...given }, asked, worked, refunded, change)
    const { total, toCredit, paidOutside } = amountsTold(worked, order.scale)
    return {
      done: { refundId, repeated: false },
      audit: auditOf(refundId, {
        orderNumber,
        reference,
        total,
        toCredit,
        paidOutside,
        ...reasonDetail(given),
      }),
    }
  })
}

/** Always refuses, which undoes what it tried: with what the refund would be, or with why it would be refused. */
export function previewRefund(tx: Transaction, change: Change, orderNumber: number, request: RefundRequest) {
  return changeOrder(tx, change, orderNumber, null, async (order) => {
    const given = givenReason({ reason: request.reason, comment: request.comment })
    const found = await workOut(tx, order, request, given, change)
    if ('refused' in found) return found
    return { refused: 'previewed', preview: amountsTold(found.worked, order.scale) }
  })
}

type Found = { worked: Worked; refunded: Refunded }

type NotRefundable =
  | 'reason_not_usable'
  | 'return_not_found'
  | 'return_cancelled'
  | 'order_not_priced'
  | 'line_not_found'
  | 'pieces_not_refundable'
  | 'refund_not_usable'
  | 'refund_exceeds_charge'
  | 'nothing_to_refund'
  | 'credit_not_drawn'
  | 'refund_exceeds_paid_outside'
  | 'credit_account_not_found'
  | 'credit_account_expired'
  | 'credit_account_inactive'
  | 'credit_account_not_of_customer'

/** What is refunded, of which charges and to where. What goes to credit is booked. */
async function workOut(
  tx: Transaction,
  order: LockedOrder,
  request: RefundRequest,
  given: GivenReason,
  change: Change,
): Promise<Found | (Refused<NotRefundable> & { detail?: string })> {
  const { orderNumber } = order
  const unfit = await refuseReason(tx, 'refund', given.reason)
  if (unfit) return unfit
  if (request.returnNumber !== undefined) {
    const goods = await readReturn(tx, orderNumber, request.returnNumber)
    if (!goods) return { refused: 'return_not_found' }
    if (goods.status === 'CANCELLED') return { refused: 'return_cancelled' }
  }
  const [drawn, refunded, lines, shipments] = await Promise.all([
    drawnCredit(tx, orderNumber),
    readRefunded(tx, orderNumber),
    readChargedLines(tx, orderNumber),
    readShipments(tx, orderNumber),
  ])
  const totals = totalsOf(lines, shipments, order.scale)
  if (!totals) return { refused: 'order_not_priced' }
  const charged = chargedParts(lines, shipments)
  const chosen = partsOf(request, charged, refunded, order.scale)
  if ('refused' in chosen) return chosen
  const { parts } = chosen
  const amounts = amountsOf(parts, charged, refunded, order.scale)
  const total = sum(Object.values(amounts))
  if (total.lte(zero)) return { refused: 'nothing_to_refund' }
  const shares = sharesOf(request, amounts, drawn, {
    product: totals.itemTotal.minus(totals.discountTotal).minus(amountOf(refunded.parts, 'ITEMS')),
    handling: totals.handlingTotal.minus(amountOf(refunded.parts, 'HANDLING')),
    shipping: totals.shippingTotal.minus(amountOf(refunded.parts, 'SHIPPING')),
    tax: totals.taxTotal.minus(refunded.tax),
  })
  if ('refused' in shares) {
    return { refused: shares.refused, detail: shares.detail(decimalString(shares.at, order.scale)) }
  }
  const credited = await creditRefund(tx, order, drawn, shares, request.creditAccountId, change.now)
  if (credited) return credited
  return { worked: { parts, charged, amounts, shares }, refunded }
}

function amountsTold({ amounts, shares }: Worked, scale: number) {
  const amount = (value: Money): string => decimalString(value, scale)
  return {
    items: amount(amounts.product),
    handling: amount(amounts.handling),
    shipping: amount(amounts.shipping),
    tax: amount(amounts.tax),
    total: amount(sum(Object.values(amounts))),
    toCredit: amount(sum(Object.values(shares.fromCredit)).plus(shares.granted)),
    paidOutside: amount(shares.outside),
  }
}

function auditOf(refundId: number, detail: Readonly<Record<string, unknown>>) {
  return { action: 'order.refunded', subject: { kind: 'refund', id: refundId }, detail }
}

/** Served by refund_by_reference. The order is locked, so no other call can make it meanwhile. */
function madeRefund(tx: Transaction, orderNumber: number, reference: string) {
  return tx.row<{ refundId: number; asked: unknown }>(sql`
    select refund_id, asked from refund where order_number = ${orderNumber} and reference = ${reference}`)
}

/** The parts of the charges that are asked for. */
function partsOf(
  request: RefundOf,
  charged: readonly ChargedPart[],
  refunded: Refunded,
  scale: number,
):
  | { parts: Part[] }
  | Refused<'line_not_found' | 'pieces_not_refundable'>
  | (Refused<'refund_not_usable'> & { detail?: string })
  | (Refused<'refund_exceeds_charge'> & { detail: string }) {
  const left = charged.map((part) => ({
    ...part,
    amount: part.amount.minus(partOf(refunded.parts, part)?.amount ?? zero),
    quantity: 0,
  }))
  if (request.everything) return { parts: left.filter(({ amount }) => amount.gt(zero)) }
  const parts: Part[] = []
  const exceeds = (what: string, most: Money) => ({
    refused: 'refund_exceeds_charge' as const,
    detail: `At most ${decimalString(most, scale)} is left to refund of ${what}.`,
  })
  for (const line of request.lines ?? []) {
    const key = { charge: 'ITEMS', number: line.lineNumber } as const
    const [now, rest] = [partOf(charged, key), partOf(left, key)]
    if (!now || !rest) return { refused: 'line_not_found' }
    if (partOf(parts, key)) {
      return { refused: 'refund_not_usable', detail: `The refund names line ${line.lineNumber} twice. Name it once.` }
    }
    const { quantity = 0 } = line
    if (line.quantity !== undefined) {
      const before = partOf(refunded.parts, key)?.quantity ?? 0
      if (quantity < 1 || before + quantity > now.quantity) return { refused: 'pieces_not_refundable' }
      const upTo = (pieces: number) => roundTo(now.amount.times(pieces).div(now.quantity), scale)
      const amount = upTo(before + quantity).minus(upTo(before))
      if (amount.gt(rest.amount)) return exceeds(`line ${line.lineNumber}`, rest.amount)
      parts.push({ ...key, amount, quantity })
      continue
    }
    const amount = amountAsked(line.amount ?? all, rest.amount, scale)
    if (!amount) return { refused: 'refund_not_usable' }
    if (amount.gt(rest.amount)) return exceeds(`line ${line.lineNumber}`, rest.amount)
    parts.push({ ...key, amount, quantity: 0 })
  }
  const named = new Set((request.lines ?? []).map(({ lineNumber }) => lineNumber))
  for (const [charge, asked] of [
    ['HANDLING', request.handling],
    ['SHIPPING', request.shipping],
  ] as const) {
    if (asked === undefined) continue
    // The handling of the lines named goes first.
    const open = left.filter((part) => part.charge === charge)
    const ordered = [
      ...open.filter((part) => named.has(part.number)),
      ...open.filter((part) => !named.has(part.number)),
    ]
    const most = sum(open.map(({ amount }) => amount))
    let amount = amountAsked(asked, most, scale)
    if (!amount) return { refused: 'refund_not_usable' }
    if (amount.gt(most)) return exceeds(charge.toLowerCase(), most)
    for (const { number, amount: rest } of ordered) {
      const taken: Money = rest.lt(amount) ? rest : amount
      amount = amount.minus(taken)
      parts.push({ charge, number, amount: taken, quantity: 0 })
    }
  }
  return { parts: parts.filter(({ amount }) => amount.gt(zero)) }
}

const all = 'ALL'

function amountAsked(asked: AmountAsked, left: Money, scale: number): Money | undefined {
  if (asked === all) return left
  const amount = money(asked)
  return amount.gt(zero) && roundTo(amount, scale).eq(amount) ? amount : undefined
}

/** What is refunded by kind, with the tax in proportion. */
function amountsOf(
  parts: readonly Part[],
  charged: readonly ChargedPart[],
  refunded: Refunded,
  scale: number,
): Charges {
  const taxAfter = taxOn([...refunded.parts, ...parts], charged, scale)
  return {
    product: amountOf(parts, 'ITEMS'),
    handling: amountOf(parts, 'HANDLING'),
    shipping: amountOf(parts, 'SHIPPING'),
    tax: taxAfter.gt(refunded.tax) ? taxAfter.minus(refunded.tax) : zero,
  }
}

const kinds = ['product', 'handling', 'shipping', 'tax'] as const

/**
 * Credit returns as credit: what was drawn is never paid outside. So the order never keeps more credit than it costs.
 * @param left what each kind costs after the refunds before
 */
function sharesOf(
  { to, creditAccountId, outsideReference }: RefundRequest,
  amounts: Charges,
  drawn: readonly DrawnCredit[],
  left: Charges,
):
  | Shares
  | (Refused<'credit_not_drawn' | 'refund_exceeds_paid_outside'> & { at: Money; detail: (at: string) => string }) {
  const drawnOf = (kind: keyof Charges): Money =>
    sum(drawn.filter(({ type }) => type === `${kind.toUpperCase()}_DEBIT`).map(({ amount }) => amount))
  const lesser = (a: Money, b: Money): Money => (a.lt(b) ? a : b)
  const total = sum(Object.values(amounts))
  if (to === 'OUTSIDE') {
    const most = sum(kinds.map((kind) => lesser(amounts[kind], left[kind].minus(drawnOf(kind)))))
    if (total.gt(most)) {
      const detail = (at: string) => `Of this, ${at} was paid without credit. Refund the rest to credit.`
      return { refused: 'refund_exceeds_paid_outside', at: most, detail }
    }
    return { fromCredit: { product: zero, handling: zero, shipping: zero, tax: zero }, granted: zero, outside: total }
  }
  const fromCredit = byKind((kind) => lesser(amounts[kind], drawnOf(kind)))
  const returned = sum(Object.values(fromCredit))
  const rest = total.minus(returned)
  if (creditAccountId !== undefined) return { fromCredit, granted: rest, outside: zero }
  if (rest.gt(zero) && outsideReference === undefined) {
    const detail = (at: string) =>
      `The order drew ${at} of this from credit. Name a credit account, or how the rest is paid outside.`
    return { refused: 'credit_not_drawn', at: returned, detail }
  }
  return { fromCredit, granted: zero, outside: rest }
}

function byKind(amount: (kind: keyof Charges) => Money): Charges {
  return Object.fromEntries(kinds.map((kind) => [kind, amount(kind)])) as Charges
}

type Worked = { parts: readonly Part[]; charged: readonly ChargedPart[]; amounts: Charges; shares: Shares }

async function write(
  tx: Transaction,
  order: LockedOrder,
  request: RefundRequest & GivenReason,
  asked: unknown,
  { parts, charged, amounts, shares }: Worked,
  { hasMovements }: Refunded,
  change: Change,
): Promise<number> {
  const amount = (value: Money): string => decimalString(value, order.scale)
  const returned = sum(Object.values(shares.fromCredit))
  const movement = {
    kind: 'REFUNDED',
    cause: 'order.refunded',
    items: amounts.product.neg(),
    discount: zero,
    handling: amounts.handling.neg(),
    shipping: amounts.shipping.neg(),
    tax: amounts.tax.neg(),
    credit: returned.neg(),
  } as const
  const [movementId] = await recordOrderMovements(tx, order, [movement], change, hasMovements)
  const [[row]] = await Promise.all([
    insertRows<{ refundId: number }>(
      tx,
      'refund',
      [
        {
          orderNumber: order.orderNumber,
          movementId,
          reference: request.reference,
          asked,
          items: amount(amounts.product),
          handling: amount(amounts.handling),
          shipping: amount(amounts.shipping),
          tax: amount(amounts.tax),
          toCredit: amount(returned.plus(shares.granted)),
          paidOutside: amount(shares.outside),
          creditAccountId: request.creditAccountId ?? null,
          outsideReference: request.outsideReference ?? null,
          returnNumber: request.returnNumber ?? null,
          reason: request.reason,
          comment: request.comment,
          refundedOn: change.now,
        },
      ],
      ['refundId'],
    ),
    recordRefundParts(
      tx,
      order,
      movementId!,
      parts.map((part) => ({ ...part, charged: partOf(charged, part)!.amount })),
    ),
  ])
  return row!.refundId
}
