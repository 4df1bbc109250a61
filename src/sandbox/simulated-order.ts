import type { Queries } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { OrderStatus, ProductionStatus, ProofStatus } from '../vocabulary/statuses.ts'

/** How an order stands, as far as the simulator needs to know: what was bought, and what has not left yet. */
export type SimulatedOrder = {
  orderNumber: number
  status: OrderStatus
  /** people hold the whole order */
  held: boolean
  updatedOn: Date
  lines: SimulatedLine[]
  openShipments: { shipmentNumber: number; openedOn: Date; items: { lineNumber: number; quantity: number }[] }[]
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
  problem: string | null
  backorderQuantity: number | null
  shipped: boolean
  cancelled: boolean
  updatedOn: Date
}

type Row = {
  orderNumber: number
  status: OrderStatus
  held: boolean
  updatedOn: string
  lines: LineRow[] | null
  openShipments: { shipmentNumber: number; openedOn: number; items: [number, number][] }[] | null
}

type LineRow = {
  lineNumber: number
  itemNumber: number | null
  jobName: string | null
  quantity: number
  requiresProof: boolean
  shippable: boolean
  productionStatus: ProductionStatus | null
  proofStatus: ProofStatus | null
  proofRevisions: number
  problem: string | null
  backorderQuantity: number | null
  shipped: boolean
  cancelled: boolean
  updatedOn: number
}

/** undefined where there is none. Instants inside the JSON are milliseconds. Served by primary keys and shipment_by_order. */
export async function readSimulatedOrder(reads: Queries, orderNumber: number): Promise<SimulatedOrder | undefined> {
  const row = await reads.row<Row>(sql`
    select orders.order_number, orders.status, orders.held_on is not null as held, orders.updated_on,
      (
        select json_agg(json_build_object(
          'lineNumber', line.line_number, 'itemNumber', line.item_number, 'jobName', line.job_name,
          'quantity', line.quantity,
          'requiresProof', coalesce(master.requires_proof, product.requires_proof), 'shippable', line.shippable,
          'productionStatus', line.production_status, 'proofStatus', line.proof_status,
          'proofRevisions', (
            select count(*) from proof_file
            where proof_file.order_number = line.order_number and proof_file.line_number = line.line_number
          ),
          'problem', line.problem, 'backorderQuantity', line.backorder_quantity,
          'shipped', line.shipped_on is not null, 'cancelled', line.cancelled_on is not null,
          'updatedOn', extract(epoch from line.updated_on) * 1000
        ) order by line.line_number)
        from order_line line
        join product using (product_number)
        left join product master on master.product_number = product.master_number
        where line.order_number = orders.order_number and line.record_kind = 'SALE'
      ) as lines, (
        select json_agg(json_build_object(
          'shipmentNumber', shipment.shipment_number, 'openedOn', extract(epoch from shipment.created_on) * 1000,
          'items', array(
            select json_build_array(item.line_number, item.quantity) from shipment_line item
            where item.shipment_number = shipment.shipment_number
            order by item.line_number
          )
        ) order by shipment.shipment_number)
        from shipment
        where shipment.order_number = orders.order_number and shipment.status = 'OPEN'
      ) as open_shipments
    from orders
    where orders.order_number = ${orderNumber}`)
  return row && orderOf(row)
}

function orderOf(row: Row): SimulatedOrder {
  return {
    orderNumber: row.orderNumber,
    status: row.status,
    held: row.held,
    updatedOn: new Date(row.updatedOn),
    lines: (row.lines ?? []).map((line) => ({
      lineNumber: line.lineNumber,
      itemNumber: line.itemNumber,
      jobName: line.jobName,
      quantity: line.quantity,
      requiresProof: line.requiresProof,
      shippable: line.shippable,
      productionStatus: line.productionStatus,
      proofStatus: line.proofStatus,
      proofRevisions: line.proofRevisions,
      problem: line.problem,
      backorderQuantity: line.backorderQuantity,
      shipped: line.shipped,
      cancelled: line.cancelled,
      updatedOn: new Date(line.updatedOn),
    })),
    openShipments: (row.openShipments ?? []).map((shipment) => ({
      shipmentNumber: shipment.shipmentNumber,
      openedOn: new Date(shipment.openedOn),
      items: shipment.items.map(([lineNumber, quantity]) => ({ lineNumber, quantity })),
    })),
  }
}
