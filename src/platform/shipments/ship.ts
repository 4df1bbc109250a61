import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Refused } from '../../vocabulary/outcome.ts'
import { decimalString, zero } from '../../vocabulary/money.ts'
import { pickFromShelves } from '../catalog/stock-picking.ts'
import { lockLines, type LockedLine } from '../lines/change-line.ts'
import { markShipped } from '../lines/update-lines.ts'
import { holdOf, lineHolds, productionSteps } from '../lines/production-states.ts'
import { isCounted } from '../lines/line-stock.ts'
import { shippedQuantities } from '../lines/shipped-quantity.ts'
import { queueShipmentMail } from '../mail/order-mails.ts'
import { changeOrder } from '../order-changes/change-order.ts'
import { step } from '../order-changes/state-table.ts'
import { cutOffHourDefault, type CarrierCalendar } from '../shipping/business-days.ts'
import { deliveryEstimate } from '../shipping/services.ts'
import { lockShipment, openSuccessor, type LockedShipment } from './lock-shipment.ts'
import { lockLabelsInUse } from './shipment-labels.ts'
import { shipmentSteps } from './shipment-states.ts'

type Items = readonly { lineNumber: number; quantity: number }[]

export type Departure = {
  /** the items that leave; absent = the whole shipment. The rest moves to a new one. */
  items?: Items
  /** absent = one for each label that was bought of a carrier */
  packages?: readonly Package[]
}

type Package = {
  trackingNumber: string | null
  /** absent = the service's tracking page, if it has one */
  trackingUrl?: string
  /** decimal */
  weightOunces: string | null
}

/** Sends a shipment, or a part of it. A line has shipped once all of its quantity has left (ORD-14). */
export function ship(
  tx: Transaction,
  change: Change,
  orderNumber: number,
  shipmentNumber: number,
  departure: Departure,
) {
  return changeOrder(
    tx,
    change,
    orderNumber,
    'work',
    async (order) => {
      const { now } = change
      const shipment = await lockShipment(tx, orderNumber, shipmentNumber)
      if (!shipment) return { refused: 'shipment_not_found' }
      const moved = step(shipmentSteps, shipment.status, 'ship')
      if ('refused' in moved) return moved
      const leaving: Items = departure.items ?? shipment.items
      const staying = rest(shipment, leaving)
      if (!staying) return { refused: 'items_not_in_shipment' }

      const lineNumbers = leaving.map((item) => item.lineNumber)
      const [lines, before, overridden] = await Promise.all([
        lockLines(tx, orderNumber, lineNumbers),
        shippedQuantities(tx, orderNumber, lineNumbers),
        unprovenLines(tx, orderNumber),
      ])
      const linesShipped: number[] = []
      for (const { lineNumber, quantity } of leaving) {
        const line = lines.find((each) => each.lineNumber === lineNumber)
        const shipped = (before.get(lineNumber) ?? 0) + quantity
        const refused = line
          ? unfit(line, shipped, overridden.has(lineNumber))
          : ({ refused: 'line_not_found' } as const)
        if (refused) return { ...refused, lineNumber }
        if (shipped >= line!.quantity) linesShipped.push(lineNumber)
      }

      const packages = departure.packages ?? (await labelledPackages(tx, shipmentNumber))
      if ('refused' in packages) return packages
      const restShipmentNumber =
        staying.length > 0 ? await openSuccessor(tx, shipment, staying, decimalString(zero, order.scale), now) : null
      await Promise.all([
        keepOnly(tx, shipment, leaving),
        markShipped(tx, orderNumber, linesShipped, now),
        insertPackages(tx, shipment, packages),
        leave(tx, shipment, now),
        ...(shipment.rework ? [] : [queueShipmentMail(tx, now, orderNumber, shipmentNumber)]),
      ])
      return {
        done: { restShipmentNumber, linesShipped },
        audit: {
          action: 'shipment.shipped',
          subject: { kind: 'shipment', id: shipmentNumber },
          detail: { orderNumber, packages: packages.length, restShipmentNumber },
        },
        events: shipment.rework
          ? []
          : [{ type: 'shipment.shipped', siteId: order.siteId, orderNumber, shipmentNumber }],
        stock: () => pickFromShelves(tx, change, piecesOf(leaving, lines)),
      }
    },
    { shipmentNumber },
  )
}

/** Of the items, those that were taken from a stock. */
function piecesOf(leaving: Items, lines: readonly LockedLine[]) {
  return leaving.flatMap(({ lineNumber, quantity }) => {
    const line = lines.find((each) => each.lineNumber === lineNumber)!
    const { orderNumber, stockVariantId } = line
    return isCounted(line) ? [{ variantId: stockVariantId!, pieces: quantity, orderNumber, lineNumber }] : []
  })
}

/** The items that stay; undefined if `leaving` is empty or has items that are not in the shipment. */
function rest(shipment: LockedShipment, leaving: Items): LockedShipment['items'] | undefined {
  const left = new Map(shipment.items.map((item) => [item.lineNumber, item.quantity]))
  const named = new Set(leaving.map((item) => item.lineNumber))
  if (leaving.length === 0 || named.size < leaving.length) return undefined
  for (const { lineNumber, quantity } of leaving) {
    const there = left.get(lineNumber) ?? 0
    if (!Number.isInteger(quantity) || quantity < 1 || quantity > there) return undefined
    left.set(lineNumber, there - quantity)
  }
  return [...left].flatMap(([lineNumber, quantity]) => (quantity > 0 ? [{ lineNumber, quantity }] : []))
}

/**
 * Lines that somebody sent out of prepress without an approved proof. One that came back there since has passed its
 * guards again before it is packed.
 */
async function unprovenLines(tx: Transaction, orderNumber: number): Promise<Set<number>> {
  const rows = await tx.rows<{ lineNumber: number }>(sql`
    select line_number from order_decision
    where order_number = ${orderNumber} and kind = 'override' and 'proof_not_approved' = any(overridden)`)
  return new Set(rows.map(({ lineNumber }) => lineNumber))
}

/**
 * Why a line cannot leave.
 * @param shipped its shipped pieces in total, including these
 * @param unproven somebody decided that it is made without an approved proof
 */
function unfit(line: LockedLine, shipped: number, unproven: boolean) {
  if (line.cancelled) return { refused: 'line_cancelled' as const }
  const free = step(lineHolds, holdOf(line.production), 'move')
  if ('refused' in free) return free
  const made = step(productionSteps, line.production.station, 'ship')
  if ('refused' in made) return made
  if (line.proofStatus !== null && line.proofStatus !== 'APPROVED' && !unproven) {
    return { refused: 'proof_not_approved' as const }
  }
  if (shipped > line.quantity - (line.backorderQuantity ?? 0)) return { refused: 'quantity_backordered' as const }
  return undefined
}

async function keepOnly(tx: Transaction, shipment: LockedShipment, leaving: Items): Promise<void> {
  await tx.rows(sql`
    with leaving as (
      select * from unnest(${leaving.map((item) => item.lineNumber)}::int[], ${leaving.map((item) => item.quantity)}::int[])
        as leaving(line_number, quantity)
    ), gone as (
      delete from shipment_line
      where shipment_number = ${shipment.shipmentNumber} and line_number not in (select line_number from leaving)
    )
    update shipment_line set quantity = leaving.quantity from leaving
    where shipment_number = ${shipment.shipmentNumber} and shipment_line.line_number = leaving.line_number`)
}

/** A package for each bought label, in their order. */
async function labelledPackages(
  tx: Transaction,
  shipmentNumber: number,
): Promise<Package[] | Refused<'packages_missing' | 'label_unfinished'>> {
  const labels = await lockLabelsInUse(tx, shipmentNumber)
  if (labels.length === 0) return { refused: 'packages_missing' }
  if (labels.some(({ status }) => status !== 'BOUGHT')) return { refused: 'label_unfinished' }
  return labels
    .toSorted((one, other) => one.packageNumber - other.packageNumber)
    .map(({ trackingNumber, trackingUrl, parcel }) => ({
      trackingNumber,
      ...(trackingUrl !== null && { trackingUrl }),
      weightOunces: parcel.weightOunces,
    }))
}

async function insertPackages(tx: Transaction, shipment: LockedShipment, packages: readonly Package[]): Promise<void> {
  await tx.rows(sql`
    insert into shipment_package (shipment_number, package_number, tracking_number, tracking_url, weight_ounces)
    select ${shipment.shipmentNumber}, packed.position, packed.tracking_number,
      coalesce(packed.tracking_url, replace(shipping_service.tracking_url_form, '{trackingNumber}', packed.in_url)),
      packed.weight_ounces
    from unnest(${packages.map((each) => each.trackingNumber)}::text[],
      ${packages.map((each) => each.trackingNumber && encodeURIComponent(each.trackingNumber))}::text[],
      ${packages.map((each) => each.trackingUrl ?? null)}::text[],
      ${packages.map((each) => each.weightOunces)}::numeric[])
      with ordinality as packed(tracking_number, in_url, tracking_url, weight_ounces, position)
    left join shipping_service on shipping_service.shipping_service_id = ${shipment.shippingServiceId}`)
}

type Transit = CarrierCalendar & {
  transitBusinessDaysMin: number
  transitBusinessDaysMax: number
}

/** The delivery is expected after the service's transit time, counted from the day the shipment leaves. */
async function leave(tx: Transaction, shipment: LockedShipment, now: Date): Promise<void> {
  const transit = await tx.row<Transit>(sql`
    select service.transit_business_days_min, service.transit_business_days_max,
      coalesce(center.time_zone, site.time_zone) as time_zone,
      coalesce(center.country_code, site.country_code) as country_code,
      coalesce(center.state_code, '') as state_code,
      coalesce(center.cut_off_hour, ${cutOffHourDefault}) as cut_off_hour
    from shipment
    join site using (site_id)
    join shipping_service service on service.shipping_service_id = shipment.shipping_service_id
    left join fulfilment_center center on center.fulfilment_center_id = shipment.fulfilment_center_id
    where shipment.shipment_number = ${shipment.shipmentNumber}`)
  const arrives = transit && (await deliveryEstimate(transit, transit, now))
  await tx.rows(sql`
    update shipment set status = 'SHIPPED', shipped_on = ${now}, updated_on = ${now},
      estimated_delivery_from = ${arrives?.from ?? null}, estimated_delivery_to = ${arrives?.to ?? null}
    where shipment_number = ${shipment.shipmentNumber}`)
}
