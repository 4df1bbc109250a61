import type { Sample, Samples, SampleWorld } from '../samples.ts'
import { placedOrder, untilPacked } from './placed-order.ts'
import { newService } from './shipping.ts'

const office = {
  name: 'Dana Reyes',
  company: 'Reyes Interiors',
  address1: '233 S Wacker Dr',
  address2: 'Suite 4700',
  city: 'Chicago',
  state: 'IL',
  postalCode: '60606',
  country: 'US',
}

/** A new order of which the shipment shall go to another address. */
async function moving(world: SampleWorld): Promise<Sample & { at: string }> {
  const { orderNumber, at } = await placedOrder(world)
  const { shipmentNumber } = (await world.admin.get(at)).body.shipments[0]
  return {
    at: `${at}/shipments/${shipmentNumber}/change`,
    path: { orderNumber, shipmentNumber },
    body: { shipTo: office },
  }
}

/** A new order by a carrier's service, from a center with an address. */
async function byCarrier({ service, admin, ...world }: SampleWorld) {
  const { orderNumber, at } = await placedOrder({ service, admin, ...world })
  const [{ shipmentNumber, fulfilmentCenterId }] = (await admin.get(at)).body.shipments
  const address = { address1: '1200 Harbor Rd', address2: 'Dock 4', city: 'Reno', phone: '+1 775 555 0134' }
  await admin.patch(`/staff/v1/production/fulfilment-centers/${fulfilmentCenterId}`, { address })
  const { body } = await admin.post(`/staff/v1/production/sites/${service.manifest.sites.main}/shipping-services`, {
    ...newService(),
    carrierService: 'USPS:GroundAdvantage',
  })
  const change = `${at}/shipments/${shipmentNumber}/change`
  const wish = { shippingServiceId: body.shippingServiceId }
  const { totalPrice } = (await admin.post(`${change}/preview`, wish)).body.after
  await admin.post(change, { ...wish, totalPrice, charge: true })
  return { orderNumber, shipmentNumber: shipmentNumber as number }
}

async function labelled(world: SampleWorld) {
  const path = await byCarrier(world)
  const at = `/staff/v1/production/orders/${path.orderNumber}/shipments/${path.shipmentNumber}/labels`
  const { body } = await world.admin.post(at, { weightOunces: '12.5' })
  return { ...path, labelId: body.labelId as number }
}

export const shipmentSamples: Samples = {
  ship: async (world) => {
    const { orderNumber, at } = await placedOrder(world, ...untilPacked)
    const { shipmentNumber } = (await world.admin.get(at)).body.shipments[0]
    const packages = [
      {
        trackingNumber: '1Z6R9F420312345784',
        trackingUrl: 'https://carrier.example.com/1Z6R9F420312345784',
        weightOunces: '12.5',
      },
    ]
    return { path: { orderNumber, shipmentNumber }, body: { items: [{ lineNumber: 1, quantity: 100 }], packages } }
  },
  buyLabel: async (world) => ({
    path: await byCarrier(world),
    body: { packageNumber: 1, weightOunces: '12.5' },
  }),
  listLabels: async (world) => ({ path: await labelled(world) }),
  downloadLabel: async (world) => ({ path: await labelled(world) }),
  giveLabelBack: async (world) => ({ path: await labelled(world) }),
  previewDelivery: async (world) => {
    const { path, body } = await moving(world)
    return { path: path!, body }
  },
  changeDelivery: async (world) => {
    const { at, path } = await moving(world)
    const preview = await world.admin.post(`${at}/preview`, { shipTo: office })
    return { path: path!, body: { shipTo: office, totalPrice: preview.body.after.totalPrice, charge: true } }
  },
  cancelShipment: async (world) => {
    const { orderNumber, at } = await placedOrder(world)
    const { shipmentNumber } = (await world.admin.get(at)).body.shipments[0]
    return { path: { orderNumber, shipmentNumber } }
  },
}
