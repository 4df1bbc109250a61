import { breaksConstraint, type Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { decimalString, money, type Money, roundTo, zero } from '../../vocabulary/money.ts'
import { isReference } from '../credit/lock-account.ts'
import { lineSubject, lockLines, type LockedLine } from '../lines/change-line.ts'
import { takeMoreStock } from '../lines/line-stock.ts'
import { addReworkLine } from '../lines/rework-line.ts'
import { changeOrder, type LockedOrder } from '../order-changes/change-order.ts'
import { reasonDetail } from '../order-changes/decisions.ts'
import { copyPrintFiles } from '../print-files/copy-print-files.ts'
import { copyProof } from '../proofs/copy-proof.ts'
import { givenReason, refuseReason, type Why } from '../reasons/reasons.ts'
import { openReworkShipment } from '../shipments/rework-shipment.ts'

/** NONE takes over the approved proof; OWN = the reprint gets a proof of its own. */
export const reprintProofs = ['NONE', 'OWN'] as const

export type ReprintRequest = Why & {
  /** left out = all pieces of the line that was bought */
  quantity?: number
  proof: (typeof reprintProofs)[number]
  /** a decimal, without tax: at most what the pieces cost on the line that was bought; left out or 0 = free of charge */
  charge?: string
  /** 1 to 100 visible ASCII characters, chosen by the caller; unique within the order */
  reference: string
}

type Made = {
  lineNumber: number
  namedLineNumber: number
  quantityAsked: number | null
  proof: string
  charge: string
}

/**
 * Makes a line anew, or pieces of it, free or for a part of what they cost: a line of its own with the same files, in a
 * shipment of its own, also after the order is completed. Partners see no such line (ORD-27); what it costs is in the
 * order's totals, at the percent of tax of the line. A reprint of a reprint is linked to the line that was bought. A
 * repeated call with the same reference answers the line that the first call added.
 * @returns `repeated`: an earlier call added it, and this one changed nothing
 */
export async function reprintLine(
  tx: Transaction,
  change: Change,
  orderNumber: number,
  lineNumber: number,
  request: ReprintRequest,
) {
  try {
    return await reprint(tx, change, orderNumber, lineNumber, request)
  } catch (error) {
    if (breaksConstraint(error, 'variant_stock_not_negative')) return { refused: 'not_in_stock' as const }
    throw error
  }
}

function reprint(tx: Transaction, change: Change, orderNumber: number, lineNumber: number, request: ReprintRequest) {
  const { reference, proof } = request
  const charge = money(request.charge ?? 0)
  return changeOrder(
    tx,
    change,
    orderNumber,
    'amend',
    async (order) => {
      if (!isReference(reference)) return { refused: 'reference_not_usable' }
      const made = await tx.row<Made>(sql`
      select line_number, named_line_number, quantity_asked, proof, charge from reprint
      where order_number = ${orderNumber} and reference = ${reference}`)
      if (made) {
        const isSame =
          made.namedLineNumber === lineNumber &&
          made.quantityAsked === (request.quantity ?? null) &&
          made.proof === proof &&
          charge.eq(made.charge)
        if (!isSame) return { refused: 'reference_taken' }
        const done = { lineNumber: made.lineNumber, repeated: true }
        return { done, unchanged: true, audit: auditOf(orderNumber, made.lineNumber, {}) }
      }
      if (order.gate === 'PENDING_APPROVAL') return { refused: 'order_pending_approval' }
      const given = givenReason(request)
      const unfit = await refuseReason(tx, 'reprint', given.reason)
      if (unfit) return unfit
      const original = await originalOf(tx, orderNumber, lineNumber)
      const lines = await lockLines(tx, orderNumber, [lineNumber, original])
      const line = lines.find((each) => each.lineNumber === lineNumber)
      const bought = lines.find((each) => each.lineNumber === original)
      if (!line || !bought) return { refused: 'line_not_found' }
      if (line.cancelled || bought.cancelled) return { refused: 'line_cancelled' }
      if (bought.recordKind !== 'SALE') return { refused: 'line_not_reprintable' }
      const { quantity = bought.quantity } = request
      if (quantity < 1 || quantity > bought.quantity) {
        const detail = `The line has ${bought.quantity} pieces, so 1 to ${bought.quantity} of them can be made anew.`
        return { refused: 'reprint_out_of_range', detail }
      }
      const unchargeable = charge.gt(zero) && chargeFault(order, bought, quantity, charge)
      if (unchargeable) return unchargeable
      if (proof === 'NONE' && line.proofStatus !== null && line.proofStatus !== 'APPROVED') {
        return {
          refused: 'proof_not_approved',
          detail: 'The proof of the line is not approved. Ask for a proof of its own.',
        }
      }
      const proofStatus = proof === 'OWN' ? 'NOT_CREATED' : line.proofStatus
      const { now } = change
      const amount = decimalString(charge, order.scale)
      const lineTotal = charge.gt(zero) ? amount : null
      const added = await addReworkLine(tx, line, { quantity, proofStatus, lineTotal, now })
      await tx.rows(sql`
      insert into reprint (order_number, line_number, of_line_number, named_line_number, quantity_asked, proof, charge,
        reference, reason, comment, ordered_on)
      values (${orderNumber}, ${added.lineNumber}, ${original}, ${lineNumber}, ${request.quantity ?? null}, ${proof},
        ${amount}, ${reference}, ${given.reason}, ${given.comment}, ${now})`)
      await copyPrintFiles(tx, line, added.lineNumber)
      if (proofStatus === 'APPROVED') await copyProof(tx, line, added.lineNumber)
      if (line.shippable) await openReworkShipment(tx, line, { ...added, quantity }, now)
      const detail = { reprintOf: original, quantity, proof, charge: amount, reference, ...reasonDetail(given) }
      return {
        done: { lineNumber: added.lineNumber, repeated: false },
        audit: auditOf(orderNumber, added.lineNumber, detail),
        ...(line.stockVariantId !== null && {
          stock: () =>
            takeMoreStock(tx, { ...line, lineNumber: added.lineNumber, stockTaken: 0 }, quantity, quantity, change),
        }),
      }
    },
    { rework: true },
  )
}

/** Why the reprint cannot be charged so. */
function chargeFault({ scale, totals }: LockedOrder, bought: LockedLine, quantity: number, charge: Money) {
  if (totals.itemTotal === null || bought.lineTotal === null) return { refused: 'order_not_priced' } as const
  const most = roundTo(bought.lineTotal.times(quantity).div(bought.quantity), scale)
  if (charge.lte(most) && roundTo(charge, scale).eq(charge)) return undefined
  const detail = `A charge is a decimal with at most ${scale} decimals. These pieces cost ${decimalString(most, scale)} on the line that was bought, and no more can be charged for making them anew.`
  return { refused: 'charge_not_usable', detail } as const
}

/** The line that was bought of which a line is a reprint: itself, if it is none. */
async function originalOf(tx: Transaction, orderNumber: number, lineNumber: number): Promise<number> {
  const row = await tx.row<{ original: number }>(sql`
    select of_line_number as original from reprint where order_number = ${orderNumber} and line_number = ${lineNumber}`)
  return row?.original ?? lineNumber
}

function auditOf(orderNumber: number, lineNumber: number, detail: Readonly<Record<string, unknown>>) {
  return { action: 'line.reprinted', subject: lineSubject({ orderNumber, lineNumber }), detail }
}
