import * as production from '../../platform/orders/production.ts'
import type { StaffHandlers } from '../operation.ts'
import { changedOrder, orderChange } from '../orders/change-order.ts'
import { shipments } from './contract.ts'

export const shipmentHandlers: StaffHandlers<typeof shipments> = {
  ship: async (call) => {
    const { world, path, body } = call
    const departure = {
      ...(body.items && { items: body.items }),
      packages: body.packages.map(({ trackingUrl, ...each }) => ({ ...each, ...(trackingUrl && { trackingUrl }) })),
    }
    const change = await orderChange(call)
    const shipped = await production.ship(world.database, path.orderNumber, path.shipmentNumber, departure, change)
    return changedOrder(call, shipped, 'lineNumber' in shipped ? aboutLine(shipped) : undefined)
  },
  cancelShipment: async (call) => {
    const { world, path } = call
    const change = await orderChange(call)
    return changedOrder(
      call,
      await production.cancelShipment(world.database, path.orderNumber, path.shipmentNumber, change),
    )
  },
}

function aboutLine({ refused, lineNumber }: { refused: keyof typeof shipments.problems; lineNumber: number }): string {
  return `Line ${lineNumber}: ${shipments.problems[refused][1]}`
}
