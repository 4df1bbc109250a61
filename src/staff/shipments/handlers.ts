import { cancelShipment } from '../../platform/shipments/cancel-shipment.ts'
import { ship } from '../../platform/shipments/ship.ts'
import type { StaffHandlers } from '../operation.ts'
import { changedOrder } from '../orders/change-order.ts'
import { shipments } from './contract.ts'

export const shipmentHandlers: StaffHandlers<typeof shipments> = {
  ship: (call) => {
    const { environment, path, body } = call
    const departure = {
      ...(body.items && { items: body.items }),
      packages: body.packages.map(({ trackingUrl, ...each }) => ({ ...each, ...(trackingUrl && { trackingUrl }) })),
    }
    return changedOrder(
      call,
      (change) =>
        environment.database.change((tx) => ship(tx, change, path.orderNumber, path.shipmentNumber, departure)),
      (refusal) => ('lineNumber' in refusal ? aboutLine(refusal) : undefined),
    )
  },
  cancelShipment: (call) => {
    const { orderNumber, shipmentNumber } = call.path
    return changedOrder(call, (change) =>
      call.environment.database.change((tx) => cancelShipment(tx, change, orderNumber, shipmentNumber)),
    )
  },
}

function aboutLine({ refused, lineNumber }: { refused: keyof typeof shipments.problems; lineNumber: number }): string {
  return `Line ${lineNumber}: ${shipments.problems[refused][1]}`
}
