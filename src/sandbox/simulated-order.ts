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
  order_number: number
  status: OrderStatus
  held: boolean
  updated_on: string
  lines: LineRow[] | null
  open_shipments: { shipment_number: number; opened_on: number; items: [number, number][] }[] | null
}

type LineRow = {
  line_number: number
  item_number: number | null
  job_name: string | null
  quantity: number
  requires_proof: boolean
  shippable: boolean
  production_status: ProductionStatus | null
  proof_status: ProofStatus | null
  proof_revisions: number
  problem: string | null
  backorder_quantity: number | null
  shipped: boolean
  cancelled: boolean
  updated_on: number
}

/** undefined where there is none. Instants inside the JSON are milliseconds. Served by primary keys and shipment_by_order. */
export async function readSimulatedOrder(reads: Queries, orderNumber: number): Promise<SimulatedOrder | undefined> {
  const row = await reads.row<Row>(sql`
    select orders.order_number, orders.status, orders.held_on is not null as held, orders.updated_on,
      (
        select json_agg(json_build_object(
          'line_number', line.line_number, 'item_number', line.item_number, 'job_name', line.job_name,
          'quantity', line.quantity,
          'requires_proof', coalesce(master.requires_proof, product.requires_proof), 'shippable', line.shippable,
          'production_status', line.production_status, 'proof_status', line.proof_status,
          'proof_revisions', (
            select count(*) from proof_file
            where proof_file.order_number = line.order_number and proof_file.line_number = line.line_number
          ),
          'problem', line.problem, 'backorder_quantity', line.backorder_quantity,
          'shipped', line.shipped_on is not null, 'cancelled', line.cancelled_on is not null,
          'updated_on', extract(epoch from line.updated_on) * 1000
        ) order by line.line_number)
        from order_line line
        join product using (product_number)
        left join product master on master.product_number = product.master_number
        where line.order_number = orders.order_number and line.record_kind = 'SALE'
      ) as lines, (
        select json_agg(json_build_object(
          'shipment_number', shipment.shipment_number, 'opened_on', extract(epoch from shipment.created_on) * 1000,
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
    orderNumber: row.order_number,
    status: row.status,
    held: row.held,
    updatedOn: new Date(row.updated_on),
    lines: (row.lines ?? []).map((line) => ({
      lineNumber: line.line_number,
      itemNumber: line.item_number,
      jobName: line.job_name,
      quantity: line.quantity,
      requiresProof: line.requires_proof,
      shippable: line.shippable,
      productionStatus: line.production_status,
      proofStatus: line.proof_status,
      proofRevisions: line.proof_revisions,
      problem: line.problem,
      backorderQuantity: line.backorder_quantity,
      shipped: line.shipped,
      cancelled: line.cancelled,
      updatedOn: new Date(line.updated_on),
    })),
    openShipments: (row.open_shipments ?? []).map((shipment) => ({
      shipmentNumber: shipment.shipment_number,
      openedOn: new Date(shipment.opened_on),
      items: shipment.items.map(([lineNumber, quantity]) => ({ lineNumber, quantity })),
    })),
  }
}
