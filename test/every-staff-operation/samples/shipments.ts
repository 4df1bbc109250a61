import type { Samples } from '../samples.ts'
import { placedOrder, untilPacked } from './placed-order.ts'

export const shipmentSamples: Samples = {
  ship: async (world) => {
    const { orderNumber, at } = await placedOrder(world, ...untilPacked)
    const { shipmentNumber } = (await world.admin.get(at)).body.shipments[0]
    const packages = [
      { trackingNumber: '1Z999', trackingUrl: 'https://carrier.example.com/1Z999', weightOunces: '12.5' },
    ]
    return { path: { orderNumber, shipmentNumber }, body: { items: [{ lineNumber: 1, quantity: 100 }], packages } }
  },
  cancelShipment: async (world) => {
    const { orderNumber, at } = await placedOrder(world)
    const { shipmentNumber } = (await world.admin.get(at)).body.shipments[0]
    return { path: { orderNumber, shipmentNumber } }
  },
}
