import * as production from '../platform/orders/production.ts'
import type { SimulatedOrder } from './simulated-order.ts'
import { shipPart, shipWhole, type StepOf, type StepOutcome } from './take-step.ts'

/** Steps that end with goods on their way: whatever is missing until then is done first, station by station. */

type OpenShipment = SimulatedOrder['openShipments'][number]

export async function shipFirstInPart(of: StepOf): Promise<StepOutcome> {
  const [shipment] = of.order.openShipments
  if (!shipment) return { refused: 'no_open_shipment' }
  return (await pack(of, shipment)) ?? shipPart(of.database, of.order, shipment.shipmentNumber, of.change)
}

/** Each shipment on its own: what has left before one that cannot leave stays away. */
export async function shipAll(of: StepOf): Promise<StepOutcome> {
  const { openShipments } = of.order
  if (openShipments.length === 0) return { refused: 'no_open_shipment' }
  for (const shipment of openShipments) {
    const refused = await pack(of, shipment)
    if (refused) return refused
    const shipped = await shipWhole(of.database, of.order, shipment.shipmentNumber, of.change)
    if ('refused' in shipped) return shipped
  }
  return { done: {} }
}

export async function cancelFirstShipment({ database, order, change }: StepOf): Promise<StepOutcome> {
  const [shipment] = order.openShipments
  if (!shipment) return { refused: 'no_open_shipment' }
  return production.cancelShipment(database, order.orderNumber, shipment.shipmentNumber, change)
}

async function pack({ database, order, change }: StepOf, shipment: OpenShipment) {
  for (const { lineNumber } of shipment.items) {
    let at = order.lines.find((line) => line.lineNumber === lineNumber)?.productionStatus ?? null
    while (at !== 'PACKING' && at !== 'COMPLETE') {
      const moved = await production.advanceProduction(database, order.orderNumber, lineNumber, change)
      if ('refused' in moved) return moved
      at = moved.done.productionStatus
    }
  }
  return undefined
}
