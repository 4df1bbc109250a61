import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Choice, PickList, PickRow } from './drawing/sheet-facts.ts'
import { choicesOf, inOrderAsked, lineName, type LineId } from './print-of.ts'

type Row = LineId & {
  siteId: number
  siteName: string
  orderStatus: string
  productName: string
  productId: string
  variantId: number | null
  sku: string | null
  attributes: readonly Choice[]
  isCancelled: boolean
  isHeld: boolean
  shippable: boolean
  /** in shipments that are still open */
  toShip: number
  backorderQuantity: number | null
  center: string | null
  shelf: string | null
}

/** What is to be fetched for lines: the pieces of their open shipments, together for each place, in the order of the shelves. */
export async function readPickList(
  queries: Queries,
  asked: readonly LineId[],
): Promise<{ list: PickList; siteId: number } | { missing: string[] }> {
  // The primary keys of all tables, shipment_line_by_order
  const rows = await queries.rows<Row>(sql`
    select line.order_number, line.line_number, orders.site_id, site.name as site_name, orders.status as order_status,
      line.product_name, line.product_id, line.variant_id, line.sku, line.attributes,
      line.cancelled_on is not null as is_cancelled, line.shippable, line.backorder_quantity,
      coalesce(line.production_status = 'ON_HOLD', false) or orders.status = 'ON_HOLD' as is_held,
      center.name as center, coalesce(variant.location, stocked.location) as shelf, (
        select coalesce(sum(shipment_line.quantity), 0)::int from shipment_line
        join shipment using (shipment_number)
        where shipment_line.order_number = line.order_number and shipment_line.line_number = line.line_number
          and shipment.status = 'OPEN'
      ) as to_ship
    from unnest(${asked.map((line) => line.orderNumber)}::bigint[], ${asked.map((line) => line.lineNumber)}::int[])
      as wanted(order_number, line_number)
    join order_line line using (order_number, line_number)
    join orders using (order_number)
    join site on site.site_id = orders.site_id
    left join variant on variant.variant_id = line.variant_id
    left join variant stocked on stocked.variant_id = line.stock_variant_id
    left join fulfilment_center center on center.fulfilment_center_id = line.fulfilment_center_id`)
  const found = inOrderAsked(asked, rows, lineName)
  if ('missing' in found) return found
  const leftOut = found.rows.flatMap((row) => {
    const why = reasonToLeaveOut(row)
    return why === undefined ? [] : [`${lineName(row)}  ${row.productName}: ${why}`]
  })
  const picked = found.rows.filter((row) => reasonToLeaveOut(row) === undefined)
  const [first] = found.rows
  const orders = new Set(found.rows.map(({ orderNumber }) => orderNumber))
  const sites = new Set(found.rows.map(({ siteName }) => siteName))
  const title = orders.size === 1 ? `Pick list of order ${first!.orderNumber}` : 'Pick list'
  const subject = `${[...sites].join(', ')}  ·  ${picked.length} ${picked.length === 1 ? 'line' : 'lines'} of ${orders.size} ${orders.size === 1 ? 'order' : 'orders'}`
  return { list: { title, subject, groups: groupsOf(picked), leftOut }, siteId: first!.siteId }
}

function reasonToLeaveOut(row: Row): string | undefined {
  if (row.isCancelled) return 'cancelled'
  if (!row.shippable) return 'not shipped as goods'
  if (row.orderStatus === 'PENDING_APPROVAL') return 'the order waits for approval'
  if (row.isHeld) return 'on hold'
  if (row.toShip === 0) return 'shipped already'
  if (piecesOf(row) <= 0) return 'on back order'
  return undefined
}

function piecesOf({ toShip, backorderQuantity }: Row): number {
  return toShip - (backorderQuantity ?? 0)
}

const byShelf = new Intl.Collator('en', { numeric: true })

function groupsOf(rows: readonly Row[]): PickList['groups'] {
  const centers = Map.groupBy(rows, ({ center }) => center ?? 'No fulfilment center')
  return [...centers]
    .toSorted(([one], [other]) => byShelf.compare(one, other))
    .map(([center, own]) => ({
      center,
      rows: together(own.filter(({ variantId }) => variantId !== null)),
      made: together(own.filter(({ variantId }) => variantId === null)),
    }))
}

/** One row for all lines that take the same goods from the same shelf; what has no shelf comes last. */
function together(rows: readonly Row[]): PickRow[] {
  const keyOf = (row: Row): string =>
    JSON.stringify([row.shelf, row.productId, row.variantId, row.productName, row.attributes])
  return [...Map.groupBy(rows, keyOf).values()]
    .map((lines): PickRow => {
      const { shelf, sku, productName, attributes } = lines[0]!
      return {
        shelf,
        sku,
        productName,
        choices: choicesOf(attributes),
        pieces: lines.reduce((sum, line) => sum + piecesOf(line), 0),
        lines: lines.map((line) => `${lineName(line)} × ${piecesOf(line).toLocaleString('en-US')}`),
      }
    })
    .toSorted(
      (one, other) =>
        Number(one.shelf === null) - Number(other.shelf === null) ||
        byShelf.compare(one.shelf ?? '', other.shelf ?? '') ||
        byShelf.compare(one.productName, other.productName),
    )
}
