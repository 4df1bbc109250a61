import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from '../../database/database.ts'
import { insertRows } from '../../database/rows.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { restockPieces } from '../catalog/stock-verbs.ts'
import { isReference } from '../credit/lock-account.ts'
import { lockLines } from '../lines/change-line.ts'
import { isCounted, noteRestocked } from '../lines/line-stock.ts'
import { shippedQuantities } from '../lines/shipped-quantity.ts'
import { changeOrder } from '../order-changes/change-order.ts'
import { reasonDetail } from '../order-changes/decisions.ts'
import { step } from '../order-changes/state-table.ts'
import { givenReason, refuseReason, type Why } from '../reasons/reasons.ts'
import { returnSteps, type ReturnStatus } from './return-states.ts'

/**
 * Goods that customers send back, under the lock of their order. Of a line no more pieces are on their way back or back
 * than have shipped.
 */

export const conditions = ['RESALABLE', 'DAMAGED', 'DEFECTIVE', 'WRONG_ITEM'] as const

export type Announcement = Why & {
  lines: readonly { lineNumber: number; pieces: number }[]
  /** 1 to 100 visible ASCII characters, chosen by the caller; unique within the order */
  reference: string
}

/**
 * Announces a return. A repeated call with the same reference answers the return that the first call announced.
 * @returns `repeated`: an earlier call announced it, and this one changed nothing
 */
export function announceReturn(tx: Transaction, change: Change, orderNumber: number, announcement: Announcement) {
  return changeOrder(tx, change, orderNumber, null, async () => {
    const { lines, reference } = announcement
    if (!isReference(reference)) return { refused: 'reference_not_usable' }
    const made = await tx.row<{ returnNumber: number; asked: unknown }>(sql`
      select return_number, asked from goods_return where order_number = ${orderNumber} and reference = ${reference}`)
    if (made) {
      if (!isDeepStrictEqual(made.asked, lines)) return { refused: 'reference_taken' }
      const { returnNumber } = made
      return { done: { returnNumber, repeated: true }, unchanged: true, audit: auditOf('announced', returnNumber, {}) }
    }
    const given = givenReason(announcement)
    const unfit = await refuseReason(tx, 'return', given.reason)
    if (unfit) return unfit
    const fault = await unreturnable(tx, orderNumber, null, lines)
    if (fault) return fault
    const [row] = await insertRows<{ returnNumber: number }>(
      tx,
      'goods_return',
      [{ orderNumber, status: 'ANNOUNCED', reference, asked: lines, ...given, announcedOn: change.now }],
      ['returnNumber'],
    )
    const { returnNumber } = row!
    const rows = lines.map(({ lineNumber, pieces }) => ({ returnNumber, orderNumber, lineNumber, announced: pieces }))
    await insertRows(tx, 'goods_return_line', rows)
    return {
      done: { returnNumber, repeated: false },
      audit: auditOf('announced', returnNumber, { orderNumber, lines, ...reasonDetail(given) }),
    }
  })
}

export type Received = {
  lineNumber: number
  condition: (typeof conditions)[number]
  pieces: number
  /** back into stock, on this shelf; null = on none */
  restock: boolean
  shelf: string | null
}

/** Notes what came back in which condition, and puts back into stock what can be sold again. */
export function receiveReturn(
  tx: Transaction,
  change: Change,
  orderNumber: number,
  returnNumber: number,
  received: readonly Received[],
) {
  return changeOrder(tx, change, orderNumber, null, async () => {
    const goods = await readReturn(tx, orderNumber, returnNumber)
    if (!goods) return { refused: 'return_not_found' }
    const moved = step(returnSteps, goods.status, 'receive')
    if ('refused' in moved) return moved
    const announced = new Set(goods.lineNumbers)
    if (received.some(({ lineNumber }) => !announced.has(lineNumber))) return { refused: 'line_not_in_return' }
    const byLine = [...Map.groupBy(received, ({ lineNumber }) => lineNumber)].map(([lineNumber, of]) => ({
      lineNumber,
      pieces: of.reduce((sum, { pieces }) => sum + pieces, 0),
    }))
    const fault = await unreturnable(tx, orderNumber, returnNumber, byLine)
    if (fault) return fault
    const lines = new Map(
      (await lockLines(tx, orderNumber, goods.lineNumbers)).map((line) => [line.lineNumber, line] as const),
    )
    const restocked = received.filter(({ restock }) => restock)
    if (
      restocked.some(({ lineNumber, condition }) => condition !== 'RESALABLE' || !isCounted(lines.get(lineNumber)!))
    ) {
      return { refused: 'not_restockable' }
    }
    await tx.rows(sql`
      update goods_return set status = ${moved.to}, received_on = ${change.now} where return_number = ${returnNumber}`)
    await insertRows(
      tx,
      'goods_return_receipt',
      received.map(({ restock, ...each }, index) => ({
        returnNumber,
        position: index + 1,
        ...each,
        restocked: restock,
      })),
    )
    // Stock is locked last, and the lower id first.
    const inOrder = restocked
      .map((each) => ({ ...each, stockVariantId: lines.get(each.lineNumber)!.stockVariantId! }))
      .toSorted((a, b) => a.stockVariantId - b.stockVariantId)
    for (const { stockVariantId, lineNumber, pieces, shelf } of inOrder) {
      const line = { stockVariantId, orderNumber, lineNumber }
      const put = await restockPieces(tx, change, line, { pieces, shelf, reason: `RMA-${returnNumber}` })
      if ('refused' in put) return put
      await noteRestocked(tx, line, pieces)
    }
    return { done: {}, audit: auditOf('received', returnNumber, { orderNumber, received }) }
  })
}

/** Ends a return that was received. */
export function closeReturn(tx: Transaction, change: Change, orderNumber: number, returnNumber: number) {
  return changeOrder(tx, change, orderNumber, null, async () => {
    const goods = await readReturn(tx, orderNumber, returnNumber)
    if (!goods) return { refused: 'return_not_found' }
    const moved = step(returnSteps, goods.status, 'close')
    if ('refused' in moved) return moved
    await endReturn(tx, change, returnNumber, moved.to)
    return { done: {}, audit: auditOf('closed', returnNumber, { orderNumber }) }
  })
}

/** Ends a return whose goods will not come. */
export function cancelReturn(tx: Transaction, change: Change, orderNumber: number, returnNumber: number) {
  return changeOrder(tx, change, orderNumber, null, async () => {
    const goods = await readReturn(tx, orderNumber, returnNumber)
    if (!goods) return { refused: 'return_not_found' }
    const moved = step(returnSteps, goods.status, 'cancel')
    if ('refused' in moved) return moved
    await endReturn(tx, change, returnNumber, moved.to)
    return { done: {}, audit: auditOf('cancelled', returnNumber, { orderNumber }) }
  })
}

async function endReturn(tx: Transaction, change: Change, returnNumber: number, status: ReturnStatus): Promise<void> {
  await tx.rows(sql`
    update goods_return set status = ${status}, ended_on = ${change.now} where return_number = ${returnNumber}`)
}

/** A return of an order that is locked. */
export function readReturn(
  tx: Transaction,
  orderNumber: number,
  returnNumber: number,
): Promise<{ status: ReturnStatus; lineNumbers: number[] } | undefined> {
  return tx.row(sql`
    select status, array(
      select line_number from goods_return_line where goods_return_line.return_number = goods_return.return_number
      order by line_number) as line_numbers
    from goods_return where return_number = ${returnNumber} and order_number = ${orderNumber}`)
}

/** Why these pieces cannot come back. @param exceptReturn whose own pieces do not count */
async function unreturnable(
  tx: Transaction,
  orderNumber: number,
  exceptReturn: number | null,
  lines: readonly { lineNumber: number; pieces: number }[],
) {
  const lineNumbers = lines.map(({ lineNumber }) => lineNumber)
  if (new Set(lineNumbers).size < lineNumbers.length) return { refused: 'line_not_found' } as const
  const [shipped, others] = await Promise.all([
    shippedQuantities(tx, orderNumber, lineNumbers),
    // goods_return_line_by_order
    tx.rows<{ lineNumber: number; pieces: number }>(sql`
      select line.line_number, sum(case when goods_return.status = 'ANNOUNCED' then line.announced else (
          select coalesce(sum(pieces), 0) from goods_return_receipt receipt
          where receipt.return_number = line.return_number and receipt.line_number = line.line_number
        ) end)::int as pieces
      from goods_return_line line
      join goods_return using (return_number)
      where line.order_number = ${orderNumber} and status <> 'CANCELLED'
        and line.return_number is distinct from ${exceptReturn}::bigint
      group by line.line_number`),
  ])
  for (const { lineNumber, pieces } of lines) {
    const most = (shipped.get(lineNumber) ?? 0) - (others.find((each) => each.lineNumber === lineNumber)?.pieces ?? 0)
    if (pieces <= most) continue
    const detail = `At most ${most} pieces of line ${lineNumber} have shipped and are not returned yet.`
    return { refused: 'more_than_shipped', detail } as const
  }
  return undefined
}

function auditOf(done: string, returnNumber: number, detail: Readonly<Record<string, unknown>>) {
  return { action: `return.${done}`, subject: { kind: 'return', id: returnNumber }, detail }
}
