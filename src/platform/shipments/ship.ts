import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { decimalString, zero } from '../../vocabulary/money.ts'
import { lockLines, type LockedLine } from '../lines/change-line.ts'
import { markShipped } from '../lines/update-lines.ts'
import { holdOf, lineHolds, productionSteps } from '../lines/production-states.ts'
import { shippedQuantities } from '../lines/shipped-quantity.ts'
import { changeOrder } from '../order-changes/change-order.ts'
import { step } from '../order-changes/state-table.ts'
import { cutOffHourDefault, type BusinessCalendar } from '../shipping/business-days.ts'
import { deliveryEstimate } from '../shipping/services.ts'
import { lockShipment, openSuccessor, type LockedShipment } from './lock-shipment.ts'
import { shipmentSteps } from './shipment-states.ts'

type Items = readonly { lineNumber: number; quantity: number }[]

export type Departure = {
  /** the items that leave; absent = the whole shipment. The rest moves to a new one. */
  items?: Items
  packages: readonly {
    trackingNumber: string | null
    /** absent = the service's tracking page, if it has one */
    trackingUrl?: string
    /** decimal */
    weightOunces: string | null
  }[]
}

/** Sends a shipment, or a part of it. A line has shipped once all of its quantity has left (ORD-14). */
export function ship(
  tx: Transaction,
  change: Change,
  orderNumber: number,
  shipmentNumber: number,
  departure: Departure,
) {
  return changeOrder(tx, change, orderNumber, 'work', async (order) => {
    const { now } = change
    const shipment = await lockShipment(tx, orderNumber, shipmentNumber)
    if (!shipment) return { refused: 'shipment_not_found' }
    const moved = step(shipmentSteps, shipment.status, 'ship')
    if ('refused' in moved) return moved
    const leaving: Items = departure.items ?? shipment.items
    const staying = rest(shipment, leaving)
    if (!staying) return { refused: 'items_not_in_shipment' }

    const lineNumbers = leaving.map((item) => item.lineNumber)
    const [lines, before] = await Promise.all([
      lockLines(tx, orderNumber, lineNumbers),
      shippedQuantities(tx, orderNumber, lineNumbers),
    ])
    const linesShipped: number[] = []
    for (const { lineNumber, quantity } of leaving) {
      const line = lines.find((each) => each.lineNumber === lineNumber)
      const shipped = (before.get(lineNumber) ?? 0) + quantity
      const refused = line ? unfit(line, shipped) : ({ refused: 'line_not_found' } as const)
      if (refused) return { ...refused, lineNumber }
      if (shipped >= line!.quantity) linesShipped.push(lineNumber)
    }

    const restShipmentNumber =
      staying.length > 0 ? await openSuccessor(tx, shipment, staying, decimalString(zero, order.scale), now) : null
    await Promise.all([
      keepOnly(tx, shipment, leaving),
      markShipped(tx, orderNumber, linesShipped, now),
      insertPackages(tx, shipment, departure),
      leave(tx, shipment, now),
    ])
    return {
      done: { restShipmentNumber, linesShipped },
      audit: {
        action: 'shipment.shipped',
        subject: { kind: 'shipment', id: shipmentNumber },
        detail: { orderNumber, packages: departure.packages.length, restShipmentNumber },
      },
      events: [{ type: 'shipment.shipped', siteId: order.siteId, orderNumber, shipmentNumber }],
    }
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

/** Why a line cannot leave. @param shipped its shipped pieces in total, including these */
function unfit(line: LockedLine, shipped: number) {
  if (line.cancelled) return { refused: 'line_cancelled' as const }
  const free = step(lineHolds, holdOf(line.production), 'move')
  if ('refused' in free) return free
  const made = step(productionSteps, line.production.station, 'ship')
  if ('refused' in made) return made
  if (line.proofStatus !== null && line.proofStatus !== 'APPROVED') return { refused: 'proof_not_approved' as const }
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

async function insertPackages(tx: Transaction, shipment: LockedShipment, { packages }: Departure): Promise<void> {
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

type Transit = Omit<BusinessCalendar, 'closedDays'> & {
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
  const arrives = transit && (await deliveryEstimate(transit, { ...transit, closedDays: [] }, now))
  await tx.rows(sql`
    update shipment set status = 'SHIPPED', shipped_on = ${now}, updated_on = ${now},
      estimated_delivery_from = ${arrives?.from ?? null}, estimated_delivery_to = ${arrives?.to ?? null}
    where shipment_number = ${shipment.shipmentNumber}`)
}
