import type { Queries } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { type ArtworkStanding, inPrepress, newestArtwork, proofOutdated } from '../platform/lines/artwork-standing.ts'
import type { OrderStatus, ProductionStatus, ProofStatus } from '../vocabulary/statuses.ts'

/** What the simulator needs to know of an order: its lines, and the shipments that have not left yet. */
export type SimulatedOrder = {
  orderNumber: number
  status: OrderStatus
  /** the whole order is on hold */
  held: boolean
  updatedOn: Date
  lines: SimulatedLine[]
  openShipments: OpenShipment[]
}

export type OpenShipment = {
  shipmentNumber: number
  openedOn: Date
  items: { lineNumber: number; quantity: number }[]
}

export type SimulatedLine = {
  lineNumber: number
  itemNumber: number | null
  jobName: string | null
  quantity: number
  requiresProof: boolean
  shippable: boolean
  productionStatus: ProductionStatus | null
  proofStatus: ProofStatus | null
  proofRevisions: number
  /** null = the line has no print file */
  artwork: ArtworkStanding | null
  /** the line is in prepress, and a newer file came after the proof that waits for a decision or is approved */
  proofOutdated: boolean
  problem: string | null
  backorderQuantity: number | null
  shipped: boolean
  cancelled: boolean
  updatedOn: Date
}

type Row = Omit<SimulatedOrder, 'updatedOn' | 'lines' | 'openShipments'> & {
  updatedOn: string
  lines: Milliseconds<SimulatedLine, 'updatedOn'>[]
  openShipments: Milliseconds<OpenShipment, 'openedOn'>[]
}

/** An instant inside the JSON is a number of milliseconds. */
type Milliseconds<Shape, Instant extends keyof Shape> = Omit<Shape, Instant> & Record<Instant, number>

/** undefined if there is no such order. Served by primary keys and shipment_by_order. */
export async function readSimulatedOrder(reads: Queries, orderNumber: number): Promise<SimulatedOrder | undefined> {
  const row = await reads.row<Row>(sql`
    select orders.order_number, orders.status, orders.held_on is not null as held, orders.updated_on,
      (
        select coalesce(json_agg(json_build_object(
          'lineNumber', line.line_number, 'itemNumber', line.item_number, 'jobName', line.job_name,
          'quantity', line.quantity,
          'requiresProof', coalesce(master.requires_proof, product.requires_proof), 'shippable', line.shippable,
          'productionStatus', line.production_status, 'proofStatus', line.proof_status,
          'proofRevisions', (
            select count(*) from proof_file
            where proof_file.order_number = line.order_number and proof_file.line_number = line.line_number
          ),
          'artwork', newest.standing,
          'proofOutdated', line.proof_status in ('PENDING_REVIEW', 'APPROVED')
            and ${inPrepress} and coalesce(${proofOutdated}, false),
          'problem', line.problem, 'backorderQuantity', line.backorder_quantity,
          'shipped', line.shipped_on is not null, 'cancelled', line.cancelled_on is not null,
          'updatedOn', extract(epoch from line.updated_on) * 1000
        ) order by line.line_number), '[]')
        from order_line line
        join product using (product_number)
        left join product master on master.product_number = product.master_number
        left join lateral (${newestArtwork}) as newest on true
        where line.order_number = orders.order_number and line.record_kind = 'SALE'
      ) as lines, (
        select coalesce(json_agg(json_build_object(
          'shipmentNumber', shipment.shipment_number, 'openedOn', extract(epoch from shipment.created_on) * 1000,
          'items', array(
            select json_build_object('lineNumber', item.line_number, 'quantity', item.quantity) from shipment_line item
            where item.shipment_number = shipment.shipment_number
            order by item.line_number
          )
        ) order by shipment.shipment_number), '[]')
        from shipment
        where shipment.order_number = orders.order_number and shipment.status = 'OPEN' and not shipment.rework
      ) as open_shipments
    from orders
    where orders.order_number = ${orderNumber}`)
  return (
    row && {
      ...row,
      updatedOn: new Date(row.updatedOn),
      lines: row.lines.map((line) => ({ ...line, updatedOn: new Date(line.updatedOn) })),
      openShipments: row.openShipments.map((each) => ({ ...each, openedOn: new Date(each.openedOn) })),
    }
  )
}
