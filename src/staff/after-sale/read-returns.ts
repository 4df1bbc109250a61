import type { Static } from 'typebox'
import { type Looked, lookThrough } from '../../database/bounded-look.ts'
import type { Queries } from '../../database/database.ts'
import { nothing, sql, sqlText, word } from '../../database/sql.ts'
import { columns, jsonList, type View } from '../../database/view.ts'
import type { ReturnStatus } from '../../platform/after-sale/return-states.ts'
import type { Return } from './contract.ts'

type Shown = Static<typeof Return>

const returnView: View<Shown> = {
  returnNumber: 'goods_return.return_number',
  rmaNumber: "'RMA-' || goods_return.return_number",
  orderNumber: 'goods_return.order_number',
  siteId: 'orders.site_id',
  status: 'goods_return.status',
  reference: 'goods_return.reference',
  reason: 'goods_return.reason',
  comment: 'goods_return.comment',
  lines: jsonList<Shown['lines'][number]>(
    { lineNumber: 'line.line_number', announced: 'line.announced' },
    'from goods_return_line line where line.return_number = goods_return.return_number',
    'line.line_number',
  ),
  received: jsonList<Shown['received'][number]>(
    {
      lineNumber: 'receipt.line_number',
      condition: 'receipt.condition',
      pieces: 'receipt.pieces',
      restocked: 'receipt.restocked',
      shelf: 'receipt.shelf',
    },
    'from goods_return_receipt receipt where receipt.return_number = goods_return.return_number',
    'receipt.position',
  ),
  announcedOn: 'goods_return.announced_on',
  receivedOn: 'goods_return.received_on',
  endedOn: 'goods_return.ended_on',
}

/** How many returns one read looks at, each with its order, which says its site. */
const returnsLookedAt = 400

/** At most `limit` returns, newest first; `before` = the number of the one before. */
export function listReturns(
  reads: Queries,
  {
    siteId,
    status,
    orderNumber,
  }: { siteId?: number | undefined; status?: ReturnStatus | undefined; orderNumber?: number | undefined },
  { before, limit }: { before: number | undefined; limit: number },
): Promise<Looked<Shown, { returnNumber: number }>> {
  const walked = sqlText`
    select * from goods_return
    where true
      ${status === undefined ? nothing : sqlText`and status = ${word(status)}`}
      ${orderNumber === undefined ? nothing : sqlText`and order_number = ${orderNumber}`}
      ${before === undefined ? nothing : sqlText`and return_number < ${before}`}
    order by return_number desc`
  return lookThrough(
    reads,
    { walked, lookAt: returnsLookedAt, limit, key: sqlText`return_number` },
    (looked) => sql`
    select ${columns(returnView)}
    from (${looked}) as goods_return join orders using (order_number)
    where true ${siteId === undefined ? nothing : sqlText`and orders.site_id = ${siteId}`}
    order by goods_return.return_number desc
    limit ${limit}`,
  )
}

export function readReturn(reads: Queries, returnNumber: number): Promise<Shown | undefined> {
  return reads.row<Shown>(sql`
    select ${columns(returnView)} from goods_return join orders using (order_number)
    where goods_return.return_number = ${returnNumber}`)
}
