import { cancelShipment } from '../platform/shipments/cancel-shipment.ts'
import type { OpenShipment } from './simulated-order.ts'
import { advanceLine, byLineVerb, shipPart, shipWhole, type StepOf, type StepOutcome } from './take-step.ts'

/** Steps of shipments. A step that ships first advances the lines through the stations they have not passed. */

export async function shipFirstInPart(of: StepOf): Promise<StepOutcome> {
  const [shipment] = of.order.openShipments
  if (!shipment) return { refused: 'no_open_shipment' }
  return (await pack(of, shipment)) ?? shipPart(of, shipment.shipmentNumber)
}

/** Each shipment leaves in its own transaction: if one cannot leave, those before it have left all the same. */
export async function shipAll(of: StepOf): Promise<StepOutcome> {
  const { openShipments } = of.order
  if (openShipments.length === 0) return { refused: 'no_open_shipment' }
  for (const shipment of openShipments) {
    const refused = await pack(of, shipment)
    if (refused) return refused
    const shipped = await shipWhole(of, shipment.shipmentNumber)
    if ('refused' in shipped) return shipped
  }
  return { done: {} }
}

export async function cancelFirstShipment({ database, order, change }: StepOf): Promise<StepOutcome> {
  const [shipment] = order.openShipments
  if (!shipment) return { refused: 'no_open_shipment' }
  return database.change((tx) => cancelShipment(tx, change, order.orderNumber, shipment.shipmentNumber))
}

async function pack(of: StepOf, shipment: OpenShipment): Promise<StepOutcome | undefined> {
  for (const { lineNumber } of shipment.items) {
    let station = of.order.lines.find((line) => line.lineNumber === lineNumber)?.productionStatus ?? null
    while (station !== 'PACKING' && station !== 'COMPLETE') {
      const moved = await byLineVerb(of, lineNumber, advanceLine)
      if ('refused' in moved) return moved
      station = moved.done.productionStatus
    }
  }
  return undefined
}
