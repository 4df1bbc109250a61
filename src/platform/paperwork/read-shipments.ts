import type { Queries } from '../../database/database.ts'
import { sql, sqlText } from '../../database/sql.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import { addressLines, type Place } from '../../vocabulary/address-lines.ts'
import { money, sum } from '../../vocabulary/money.ts'
import type { CenterAddress } from '../shipping/fulfilment-centers.ts'
import { serviceInWords } from '../../vocabulary/service-name.ts'
import { readBrandFor } from '../sites/brand.ts'
import type { Choice, Label, PackingSlip } from './drawing/sheet-facts.ts'
import { choicesOf, dayIn, inOrderAsked } from './print-of.ts'
import { drawnBrand } from './read-pictures.ts'

type ShipmentRow = {
  shipmentNumber: number
  orderNumber: number
  siteId: number
  partnerId: string | null
  partnerOrderId: string | null
  purchaseOrderNumber: string | null
  timeZone: string
  placedOn: string
  status: string
  shippedOn: string | null
  estimatedShipBy: string | null
  provider: string | null
  serviceName: string | null
  shipTo: Place | null
  center: {
    name: string
    address: CenterAddress | null
    state: string
    postalCode: string
    country: string
  } | null
  /** what is in the box; customers are told of those that are shown, and of a reprint in its own shipment */
  items: {
    productName: string
    sku: string | null
    attributes: readonly Choice[]
    jobName: string | null
    externalId: string | null
    quantity: number
    ordered: number
    unitWeightOunces: string | null
    shown: boolean
  }[]
  packages: { packageNumber: number; trackingNumber: string | null; weightOunces: string | null }[]
}

type Stores = { queries: Queries; objectStore: Pick<ObjectStore, 'read'> }

const columns = sqlText`
  shipment.shipment_number, shipment.order_number, orders.site_id, orders.partner_id, orders.partner_order_id,
  orders.purchase_order_number, site.time_zone, orders.placed_on, shipment.status, shipment.shipped_on,
  shipment.estimated_ship_by, shipment.provider, shipment.service_name,
  coalesce(shipment.ship_to, orders.ship_to) as ship_to, (
    select json_build_object('name', name, 'address', address, 'state', state_code, 'postalCode', postal_code, 'country', country_code)
    from fulfilment_center center where center.fulfilment_center_id = shipment.fulfilment_center_id
  ) as center, (
    select coalesce(json_agg(json_build_object('productName', line.product_name, 'sku', line.sku,
      'attributes', line.attributes, 'jobName', line.job_name, 'externalId', line.external_id,
      'quantity', shipment_line.quantity, 'ordered', line.quantity, 'unitWeightOunces', line.unit_weight_ounces::text,
      'shown', shipment.rework or exists (
        select from visible_order_line visible
        where visible.order_number = line.order_number and visible.line_number = line.line_number
      )
    ) order by line.line_number), '[]')
    from shipment_line
    join order_line line on line.order_number = shipment_line.order_number
      and line.line_number = shipment_line.line_number
    where shipment_line.shipment_number = shipment.shipment_number
  ) as items, (
    select coalesce(json_agg(json_build_object('packageNumber', package_number, 'trackingNumber', tracking_number,
      'weightOunces', weight_ounces::text) order by package_number), '[]')
    from shipment_package where shipment_package.shipment_number = shipment.shipment_number
  ) as packages`

async function shipmentRows(
  queries: Queries,
  asked: readonly number[],
): Promise<{ rows: ShipmentRow[] } | { missing: string[] }> {
  // The primary keys of all tables
  const rows = await queries.rows<ShipmentRow>(sql`
    select ${columns} from shipment
    join orders using (order_number)
    join site on site.site_id = orders.site_id
    where shipment.shipment_number = any(${asked}::bigint[]) and shipment.status <> 'CANCELLED'`)
  const nameOf = (of: number | ShipmentRow): string => String(typeof of === 'number' ? of : of.shipmentNumber)
  return inOrderAsked(asked, rows, nameOf)
}

/** The packing slips of shipments, in the order asked for. Cancelled shipments have none. */
export async function readPackingSlips(
  { queries, objectStore }: Stores,
  asked: readonly number[],
): Promise<{ slips: PackingSlip[]; siteId: number } | { missing: string[] }> {
  const found = await shipmentRows(queries, asked)
  if ('missing' in found) return found
  const brandOf = brandsOf({ queries, objectStore })
  const slips = found.rows.map(async (row): Promise<PackingSlip> => ({
    brand: await brandOf(row),
    orderNumber: row.orderNumber,
    shipmentNumber: row.shipmentNumber,
    partnerOrderId: row.partnerOrderId,
    purchaseOrderNumber: row.purchaseOrderNumber,
    orderedOn: dayIn(row.timeZone, row.placedOn),
    shippedOn: dayIn(row.timeZone, row.shippedOn),
    service: serviceInWords(row.provider, row.serviceName),
    packageCount: row.packages.length === 0 ? null : row.packages.length,
    shipTo: addressLines(row.shipTo),
    items: row.items
      .filter(({ shown }) => shown)
      .map(({ productName, sku, attributes, jobName, externalId, quantity, ordered }) => ({
        productName,
        sku,
        choices: choicesOf(attributes),
        jobName,
        reference: externalId,
        pieces: quantity,
        ordered,
      })),
  }))
  return { slips: await Promise.all(slips), siteId: found.rows[0]!.siteId }
}

/**
 * The labels of shipments, one for each package, in the order asked for.
 * @param packageCount of shipments that were not packed yet
 */
export async function readLabels(
  { queries, objectStore }: Stores,
  asked: readonly number[],
  packageCount: number,
): Promise<{ labels: Label[]; siteId: number } | { missing: string[] }> {
  const found = await shipmentRows(queries, asked)
  if ('missing' in found) return found
  const brandOf = brandsOf({ queries, objectStore })
  const labels = found.rows.map(async (row) => labelsOf(row, await brandOf(row), packageCount))
  return { labels: (await Promise.all(labels)).flat(), siteId: found.rows[0]!.siteId }
}

function labelsOf(row: ShipmentRow, brand: PackingSlip['brand'], packageCount: number): Label[] {
  const { center, packages, shipmentNumber } = row
  const planned = Array.from({ length: packageCount }, (_, index) => ({
    packageNumber: index + 1,
    trackingNumber: null,
    // What every package weighs is known only once they are packed.
    weightOunces: packageCount === 1 ? weightOf(row) : null,
  }))
  const packed = packages.length > 0 ? packages : planned
  return packed.map(({ packageNumber, trackingNumber, weightOunces }, index) => ({
    from: [brand.name, ...addressLines(center && { ...center, ...center.address })],
    to: addressLines(row.shipTo),
    returnTo: brand.senderAddress,
    service: serviceInWords(row.provider, row.serviceName) ?? 'Standard',
    weight: weightOunces === null ? null : weightInWords(weightOunces),
    packageNumber: index + 1,
    packageCount: packed.length,
    orderReference: String(row.orderNumber),
    shipOn: dayIn(row.timeZone, row.shippedOn ?? row.estimatedShipBy),
    code: codeOf(trackingNumber) ?? `${shipmentNumber}-${packageNumber}`,
  }))
}

/** A tracking number as a bar code; undefined for one that no Code 128 of a label has room for. */
function codeOf(trackingNumber: string | null): string | undefined {
  return trackingNumber !== null && /^[!-~]{1,24}$/.test(trackingNumber) ? trackingNumber : undefined
}

function weightOf({ items }: ShipmentRow): string | null {
  if (items.some(({ unitWeightOunces }) => unitWeightOunces === null)) return null
  return sum(items.map(({ unitWeightOunces, quantity }) => money(unitWeightOunces!).times(quantity))).toFixed()
}

/** Such as `4 lb 12.5 oz` or `12 oz`. */
function weightInWords(weightOunces: string): string {
  const tenths = Math.round(Number(weightOunces) * 10)
  const pounds = Math.floor(tenths / 160)
  const rest = (tenths - pounds * 160) / 10
  if (pounds === 0) return `${rest} oz`
  return rest === 0 ? `${pounds} lb` : `${pounds} lb ${rest} oz`
}

/** Reads each brand once. */
function brandsOf({ queries, objectStore }: Stores) {
  const known = new Map<string, Promise<PackingSlip['brand']>>()
  return (row: Pick<ShipmentRow, 'siteId' | 'partnerId'>) =>
    known.getOrInsertComputed(`${row.siteId} ${row.partnerId}`, async () =>
      drawnBrand(objectStore, await readBrandFor(queries, row)),
    )
}
