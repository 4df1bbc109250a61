import type { Static } from 'typebox'
import type { SortKey } from '../../contract/operation.ts'
import type { Queries } from '../../database/database.ts'
import { nothing, sql, sqlText, type SqlPart } from '../../database/sql.ts'
import { columns, type View } from '../../database/view.ts'
import { newestArtwork } from '../../platform/lines/artwork-standing.ts'
import { dueKey, dueOn, isOpen, orderGoesOn, priorityKey, station, statusKey } from '../../platform/lines/open-lines.ts'
import type { ProductId } from '../../vocabulary/product-id.ts'
import type { LinePriority, OrderStatus, ProofStatus } from '../../vocabulary/statuses.ts'
import { stationWords, type LineInWork, type StationWord } from './records.ts'

/** Lines across orders. Each queue of the works is one of these lists. */

export type LineWish = {
  siteId?: number | undefined
  fulfilmentCenterId?: number | undefined
  partnerId?: string | undefined
  orderNumber?: number | undefined
  productId?: ProductId | undefined
  productionStatus?: readonly StationWord[] | undefined
  proofStatus?: readonly ProofStatus[] | undefined
  orderStatus?: readonly OrderStatus[] | undefined
  priority?: readonly LinePriority[] | undefined
  problem?: boolean | undefined
  held?: boolean | undefined
  /** neither held nor waiting for the approval of its order */
  workable?: boolean | undefined
  artworkMissing?: boolean | undefined
  artworkFaulty?: boolean | undefined
  proofMissing?: boolean | undefined
  /** a `staffId`, or `nobody` */
  assignee?: string | undefined
  /** exclusive */
  dueBefore?: string | undefined
  due?: 'late' | 'today' | undefined
  /** exclusive */
  proofWaitingSince?: string | undefined
  /** inclusive */
  proofPublishedFrom?: string | undefined
  /** a date by the clock of the plant */
  shippedDay?: string | undefined
  shippedLate?: boolean | undefined
  /** false = finished lines too; only for one order or day */
  open: boolean
  sort: 'due' | 'newest'
}

type Shown = Static<typeof LineInWork>

/** A line, and what the handler makes the rest of the record from. */
export type LineRow = Omit<Shown, 'assignee' | 'preview' | 'due' | 'daysLate'> & {
  dueOn: string | null
  priorityKey: number
  /** the picture of its newest print file or, failing that, of its current proof */
  previewKey: string | null
}

/** What a row of `page`, and of what is joined to it, shows. */
const lineView: View<LineRow> = {
  orderNumber: 'line.order_number',
  lineNumber: 'line.line_number',
  itemNumber: 'line.item_number',
  siteId: 'line.site_id',
  orderStatus: 'orders.status',
  placedOn: 'orders.placed_on',
  partnerId: 'orders.partner_id',
  partnerName: 'partner.name',
  partnerOrderId: 'orders.partner_order_id',
  recordKind: 'line.record_kind',
  productId: 'line.product_id',
  productName: 'line.product_name',
  productCode: 'line.product_code',
  jobName: 'line.job_name',
  quantity: 'line.quantity',
  backorderQuantity: 'line.backorder_quantity',
  productionStatus: 'line.production_status',
  station: 'page.station',
  held: `case when line.production_status = 'ON_HOLD' then 'LINE' when orders.held_on is not null then 'ORDER' end`,
  heldReason: 'stop.label',
  heldComment: 'stop.comment',
  proofStatus: 'line.proof_status',
  proofSince: 'proof.created_on',
  problem: 'line.problem',
  priority: 'line.priority',
  assigneeId: 'line.assignee_id',
  fulfilmentCenterId: 'line.fulfilment_center_id',
  artworkSource: 'line.artwork_source',
  artwork: 'newest.standing',
  shipmentNumber: 'parcel.shipment_number',
  updatedOn: 'line.updated_on',
  dueOn: 'page.due_on',
  priorityKey: 'page.priority_key',
  previewKey: 'coalesce(picture.object_key, proof.rendition_key)',
}

/** At most `limit` lines. @param now real time, also in the sandbox */
export function listLines(
  reads: Queries,
  wish: LineWish,
  { after, limit, now }: { after: SortKey | undefined; limit: number; now: Date },
): Promise<LineRow[]> {
  const order =
    wish.sort === 'newest'
      ? sqlText`line.order_number desc, line.line_number desc`
      : sqlText`${dueKey}, ${priorityKey}, line.order_number, line.line_number`
  const found = sqlText`
    select line.order_number, line.line_number, ${dueOn} as due_on, ${dueKey} as due_key, ${priorityKey} as priority_key,
      ${station} as station
    from ${source(wish)}
    where true ${conditions(wish, now)} ${after === undefined ? nothing : beyond(wish, after)}
    order by ${order}
    limit ${limit}`
  const pageOrder =
    wish.sort === 'newest'
      ? sqlText`page.order_number desc, page.line_number desc`
      : sqlText`page.due_key, page.priority_key, page.order_number, page.line_number`
  const page = isOneWalk(wish)
    ? found
    : // Each status gives its next lines by order_line_open_by_due, and the page takes the first of them all.
      sqlText`
          select found.* from unnest(${statusesOf(wish) ?? stationWords}::text[]) as at(status)
          cross join lateral (${found}) as found
          order by due_key, priority_key, order_number, line_number
          limit ${limit}`
  // The rest is looked up for the lines of the page only, by primary keys, print_file_by_line, proof_file_one_active,
  // order_decision_by_order and shipment_line_by_order.
  return reads.rows<LineRow>(sql`
    select ${columns(lineView)}
    from (${page}) as page
    join order_line line using (order_number, line_number)
    join orders using (order_number)
    left join partner using (partner_id)
    left join lateral (${newestArtwork}) as newest on true
    left join lateral (
      select artwork_picture.object_key from print_file
      join print_file drawn on drawn.order_number = print_file.order_number and drawn.object_key = print_file.object_key
      join artwork_inspection on artwork_inspection.print_file_id = drawn.print_file_id
      join artwork_picture using (inspection_id)
      where print_file.order_number = line.order_number and print_file.line_number = line.line_number and print_file.active
        and artwork_picture.page = 1 and artwork_picture.kind = 'small'
      order by print_file.print_file_id desc
      limit 1
    ) as picture on true
    left join proof_file proof on proof.order_number = line.order_number and proof.line_number = line.line_number
      and proof.active
    left join lateral (
      select reason.label, decision.comment from order_decision decision
      left join reason on reason.kind = decision.kind and reason.code = decision.reason
      where decision.order_number = line.order_number and decision.kind = 'hold'
        and decision.line_number is not distinct from case when line.production_status = 'ON_HOLD' then line.line_number end
      order by decision.decision_id desc
      limit 1
    ) as stop on line.production_status = 'ON_HOLD' or orders.held_on is not null
    left join lateral (
      select shipment.shipment_number from shipment_line
      join shipment using (shipment_number)
      where shipment_line.order_number = line.order_number and shipment_line.line_number = line.line_number
        and shipment.status = 'OPEN'
      limit 1
    ) as parcel on true
    order by ${pageOrder}`)
}

/** Where a page starts: the sort key of the line before. */
export function keyOf({ sort }: Pick<LineWish, 'sort'>, line: LineRow): SortKey {
  const which = [line.orderNumber, line.lineNumber]
  return sort === 'newest' ? which : [line.dueOn ?? 'infinity', line.priorityKey, ...which]
}

function beyond({ sort }: LineWish, after: SortKey): SqlPart {
  if (sort === 'newest') {
    return sqlText`and (line.order_number, line.line_number) < (${after[0]}::bigint, ${after[1]}::int)`
  }
  return sqlText`and (${dueKey}, ${priorityKey}, line.order_number, line.line_number)
    > (${after[0]}::timestamptz, ${after[1]}::int, ${after[2]}::bigint, ${after[3]}::int)`
}

/** Whether the lines are looked up, or walked newest first, rather than status by status. */
function isOneWalk(wish: LineWish): boolean {
  return wish.sort === 'newest' || isLookedUp(wish)
}

/** Whether a filter leaves few lines, which an index finds: they are sorted instead of walked. */
function isLookedUp(wish: LineWish): boolean {
  const { orderNumber, partnerId, shippedDay, problem, held, assignee } = wish
  const isPerson = assignee !== undefined && assignee !== 'nobody'
  const byOrder = orderNumber !== undefined || partnerId !== undefined || standsStill(wish)
  return byOrder || shippedDay !== undefined || problem === true || held === true || isPerson
}

/** Whether only lines of orders are wished that wait for a decision: few, which orders_by_status finds. */
function standsStill({ orderStatus }: LineWish): boolean {
  return (
    orderStatus !== undefined && orderStatus.every((status) => status === 'PENDING_APPROVAL' || status === 'ON_HOLD')
  )
}

/** The tables that lines are taken from: `line` and `orders`. */
function source(wish: LineWish): SqlPart {
  const { held, orderNumber, orderStatus } = wish
  if (standsStill(wish) && orderNumber === undefined) {
    return sqlText`site
      cross join lateral (
        select orders.* from orders where orders.site_id = site.site_id and orders.status = any(${orderStatus}::text[])
      ) as orders
      cross join lateral (
        select * from order_line where order_line.order_number = orders.order_number offset 0
      ) as line`
  }
  // The order is looked up for each line: a merge would walk all orders for the few lines at work.
  if (!isLookedUp(wish))
    return sqlText`order_line line
      cross join lateral (select * from orders where orders.order_number = line.order_number limit 1) as orders`
  if (held !== true || orderNumber !== undefined) return sqlText`order_line line join orders using (order_number)`
  // A held order is ON_HOLD, so orders_by_status finds it; lines on hold are a status of order_line_open_by_due.
  return sqlText`(
      select line.order_number, line.line_number from order_line line where ${isOpen} and ${statusKey} = 'ON_HOLD'
      union
      select line.order_number, line.line_number from site
      cross join lateral (
        select orders.order_number from orders
        where orders.site_id = site.site_id and orders.status = 'ON_HOLD' and orders.held_on is not null
      ) as stopped
      join order_line line using (order_number)
    ) as stopped
    join order_line line using (order_number, line_number)
    join orders using (order_number)`
}

function conditions(wish: LineWish, now: Date): SqlPart {
  const parts: SqlPart[] = []
  const statuses = statusesOf(wish)
  const add = (part: SqlPart): void => void parts.push(sqlText`and ${part}`)
  // Work on a line of a completed order is refused, so it is in no queue.
  if (wish.open) add(sqlText`${isOpen} and ${orderGoesOn}`)
  if (!isOneWalk(wish)) add(sqlText`${statusKey} = at.status`)
  else if (statuses) add(sqlText`${statusKey} = any(${statuses}::text[])`)
  if (wish.siteId !== undefined) add(sqlText`line.site_id = ${wish.siteId}`)
  if (wish.fulfilmentCenterId !== undefined) add(sqlText`line.fulfilment_center_id = ${wish.fulfilmentCenterId}`)
  if (wish.partnerId !== undefined) add(sqlText`orders.partner_id = ${wish.partnerId} and ${isAtWork}`)
  if (wish.orderNumber !== undefined) add(sqlText`line.order_number = ${wish.orderNumber}`)
  if (wish.productId !== undefined) {
    const { kind, number } = wish.productId
    add(sqlText`line.product_number = ${number}::bigint and line.product_id = ${`${kind}_${number}`}`)
  }
  if (wish.proofStatus) add(sqlText`line.proof_status = any(${wish.proofStatus}::text[])`)
  if (wish.orderStatus) add(sqlText`orders.status = any(${wish.orderStatus}::text[])`)
  if (wish.priority) add(sqlText`line.priority = any(${wish.priority}::text[])`)
  if (wish.problem !== undefined) add(wish.problem ? sqlText`line.problem is not null` : sqlText`line.problem is null`)
  if (wish.held === false) add(sqlText`${statusKey} <> 'ON_HOLD' and orders.held_on is null`)
  if (wish.held === true) add(sqlText`(${statusKey} = 'ON_HOLD' or orders.held_on is not null)`)
  if (wish.workable !== undefined) add(wish.workable ? isWorkable : sqlText`not (${isWorkable})`)
  if (wish.assignee === 'nobody') add(sqlText`line.assignee_id is null`)
  else if (wish.assignee !== undefined) add(sqlText`line.assignee_id = ${wish.assignee}`)
  if (wish.dueBefore !== undefined) add(sqlText`${dueKey} < ${wish.dueBefore}::timestamptz`)
  if (wish.due === 'late') add(sqlText`${dueKey} < ${now}::timestamptz`)
  if (wish.due === 'today') add(isDueToday(now))
  if (wish.artworkMissing !== undefined)
    add(wish.artworkMissing ? isWithoutArtwork : sqlText`not (${isWithoutArtwork})`)
  if (wish.artworkFaulty !== undefined) add(wish.artworkFaulty ? hasFaultyArtwork : sqlText`not (${hasFaultyArtwork})`)
  if (wish.proofMissing !== undefined) add(wish.proofMissing ? needsProof : sqlText`not (${needsProof})`)
  const { proofWaitingSince, proofPublishedFrom, shippedDay, shippedLate } = wish
  if (proofWaitingSince !== undefined) {
    add(sqlText`line.proof_status = 'PENDING_REVIEW' and ${proofWaitsSince} < ${proofWaitingSince}::timestamptz`)
  }
  if (proofPublishedFrom !== undefined) {
    add(sqlText`line.proof_status = 'PENDING_REVIEW' and ${proofWaitsSince} >= ${proofPublishedFrom}::timestamptz`)
  }
  if (shippedDay !== undefined) add(shippedOnDay(shippedDay))
  if (shippedLate !== undefined) {
    const late = sqlText`coalesce(line.shipped_on > ${dueOn}, false)`
    add(shippedLate ? late : sqlText`line.shipped_on is not null and not ${late}`)
  }
  return parts.reduce((all, part) => sqlText`${all} ${part}`, nothing)
}

/** In the words of the index orders_at_work_by_partner. */
const isAtWork = sqlText`orders.status in ('PENDING_APPROVAL', 'ON_HOLD', 'IN_PROCESS', 'IN_PRODUCTION', 'PARTIALLY_SHIPPED')`

/** Whether the line may be worked on now. */
export const isWorkable = sqlText`${statusKey} <> 'ON_HOLD' and orders.held_on is null and orders.status <> 'PENDING_APPROVAL'`

const beforeProduction: readonly StationWord[] = ['NOT_STARTED', 'PREPRESS', 'ON_HOLD']

/** The statuses that lines of the list can have; undefined = any. */
function statusesOf(wish: LineWish): readonly StationWord[] | undefined {
  const { productionStatus, artworkMissing, artworkFaulty, proofMissing } = wish
  if (!artworkMissing && !artworkFaulty && !proofMissing) return productionStatus
  return productionStatus ? beforeProduction.filter((word) => productionStatus.includes(word)) : beforeProduction
}

/** Whether the line has not left prepress; on hold there too. */
const isBeforeProduction = sqlText`${statusKey} in ('NOT_STARTED', 'PREPRESS', 'ON_HOLD')
  and coalesce(line.held_production_status, 'PREPRESS') = 'PREPRESS'`

// What follows is asked line by line, so that a list reads no more lines than it shows: PostgreSQL would make joins of
// conditions without a limit.

/** Whether the line, not past prepress, is to be printed from a file and has none that inspection let pass. */
export const isWithoutArtwork = sqlText`line.artwork_source in ('UPLOAD', 'TEMPLATE') and line.record_kind <> 'PROOF'
  and ${isBeforeProduction}
  and (
    select true from print_file
    join artwork_inspection using (print_file_id)
    where print_file.order_number = line.order_number and print_file.line_number = line.line_number
      and print_file.active and artwork_inspection.status in ('passed', 'passed_with_warnings')
    limit 1
  ) is null`

/** Whether the newest print file of the line, not past prepress, has errors that nobody waived or cannot be read. */
export const hasFaultyArtwork = sqlText`${isBeforeProduction}
  and coalesce((select standing from (${newestArtwork}) as newest), '') = 'blocked'`

/** Whether the line, not past prepress, has a product whose proof the customer sees, and is not in proofing yet. */
export const needsProof = sqlText`line.proof_status is null and line.record_kind <> 'PROOF'
  and ${isBeforeProduction} and coalesce((
    select coalesce(master.requires_proof, product.requires_proof) from product
    left join product master on master.product_number = product.master_number
    where product.product_number = line.product_number
    limit 1
  ), false)`

/** Since when the proof of the line waits: when its current proof was published. */
export const proofWaitsSince = sqlText`coalesce((
    select created_on from proof_file
    where proof_file.order_number = line.order_number and proof_file.line_number = line.line_number and active
    limit 1
  ), line.updated_on)`

/** The time zone of the line's fulfilment center or, without one, of its site. */
const zone = sqlText`coalesce(
    (select time_zone from fulfilment_center center where center.fulfilment_center_id = line.fulfilment_center_id),
    (select time_zone from site where site.site_id = line.site_id)
  )`

/** Whether the line shipped on a date by the clock of its plant. Served by order_line_shipped, whatever the time zone. */
function shippedOnDay(date: string): SqlPart {
  return sqlText`line.shipped_on >= (${date}::date - 1)::timestamp at time zone 'UTC'
    and line.shipped_on < (${date}::date + 2)::timestamp at time zone 'UTC'
    and (line.shipped_on at time zone ${zone})::date = ${date}::date`
}

/** Whether the line is due later today, in the time zone of its plant. */
export function isDueToday(now: Date): SqlPart {
  return sqlText`${dueKey} >= ${now}::timestamptz and ${dueKey} < ${now}::timestamptz + interval '25 hours'
    and (${dueKey} at time zone ${zone})::date = (${now}::timestamptz at time zone ${zone})::date`
}
