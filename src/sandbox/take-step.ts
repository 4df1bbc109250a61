import type { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { ObjectStore } from '../outside/object-store/object-store.ts'
import type { Change } from '../vocabulary/change.ts'
import * as production from '../platform/orders/production.ts'
import type { NextStep } from './plan.ts'
import type { SimulatedOrder } from './simulated-order.ts'

/** What stands against a step: the platform's own word for it. */
export type StepOutcome = { done: object } | { refused: string }

/** What a step is taken with. */
export type StepOf = {
  database: Database
  objectStore: ObjectStore
  order: SimulatedOrder
  change: Change
}

type World = { database: Database; objectStore: ObjectStore }

/** Takes a planned step by the verb that staff would use. */
export async function takeStep(
  { database, objectStore }: World,
  order: SimulatedOrder,
  next: NextStep,
  change: Change,
): Promise<StepOutcome> {
  const { orderNumber } = order
  // Which of the two a step is of, the plan has said.
  const lineNumber = next.lineNumber ?? 0
  switch (next.step) {
    case 'approve_order':
      return production.approveOrder(database, orderNumber, change)
    case 'enter_proofing':
      return production.putInProofing(database, orderNumber, lineNumber, change)
    case 'publish_proof':
    case 'reproof':
      return production.publishProof(database, objectStore, orderNumber, lineNumber, change)
    case 'decline_proof':
      return declineProof(database, orderNumber, lineNumber, change)
    case 'start_prepress':
    case 'queue':
    case 'print':
    case 'finish':
    case 'pack':
    case 'put_aside':
      return production.advanceProduction(database, orderNumber, lineNumber, change)
    case 'restock':
      return production.backorderLine(database, orderNumber, lineNumber, 0, change)
    case 'ship_part':
      return shipPart(database, order, next.shipmentNumber!, change)
    case 'ship':
      return shipWhole(database, order, next.shipmentNumber!, change)
    case 'complete':
      return production.completeOrder(database, orderNumber, change)
  }
}

/** With the first reason the line offers; without any it cannot be declined. */
export async function declineProof(
  database: Database,
  orderNumber: number,
  lineNumber: number,
  change: Change,
): Promise<StepOutcome> {
  const line = await database.reads.row<{
    artworkSource: Parameters<typeof production.denialReasons>[0]
    switchedOff: string[]
  }>(sql`
    select artwork_source, array(
        select code from denial_reason_switched_off where denial_reason_switched_off.site_id = order_line.site_id
      ) as switched_off
    from order_line where order_number = ${orderNumber} and line_number = ${lineNumber}`)
  const [reason] = line ? production.denialReasons(line.artworkSource, line.switchedOff) : []
  if (!reason) return { refused: 'denial_reason_not_available' }
  const decision = { decision: 'decline', reason: reason.code, comment: 'As the name of the line asks.' } as const
  return production.decideProof(database, orderNumber, lineNumber, decision, change)
}

/** Half of each line that has more than one piece, at least one piece altogether; the rest stays for later. */
export function shipPart(database: Database, order: SimulatedOrder, shipmentNumber: number, change: Change) {
  const shipment = order.openShipments.find((each) => each.shipmentNumber === shipmentNumber)
  const items = (shipment?.items ?? []).flatMap(({ lineNumber, quantity }) =>
    quantity > 1 ? [{ lineNumber, quantity: Math.ceil(quantity / 2) }] : [],
  )
  return production.ship(
    database,
    order.orderNumber,
    shipmentNumber,
    { items, packages: [packageOf(shipmentNumber)] },
    change,
  )
}

export function shipWhole(database: Database, order: SimulatedOrder, shipmentNumber: number, change: Change) {
  return production.ship(database, order.orderNumber, shipmentNumber, { packages: [packageOf(shipmentNumber)] }, change)
}

/** A tracking number like a carrier's, the same whenever it is made. */
function packageOf(shipmentNumber: number) {
  return { trackingNumber: `1ZSANDBOX${String(shipmentNumber).padStart(9, '0')}`, weightOunces: null }
}
