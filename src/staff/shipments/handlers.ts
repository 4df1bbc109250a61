import { buffer } from 'node:stream/consumers'
import { buyLabel, type LabelStores } from '../../platform/shipments/buy-label.ts'
import { cancelShipment } from '../../platform/shipments/cancel-shipment.ts'
import { giveLabelBack } from '../../platform/shipments/give-label-back.ts'
import { listShipmentLabels, readShipmentLabel, type ShipmentLabel } from '../../platform/shipments/shipment-labels.ts'
import { ship } from '../../platform/shipments/ship.ts'
import { Outage } from '../../vocabulary/outage.ts'
import type { StaffEnvironment } from '../environment.ts'
import type { StaffHandlers } from '../operation.ts'
import { changeDelivery } from '../../platform/shipments/change-delivery.ts'
import { priceDelivery } from '../../platform/shipments/price-delivery.ts'
import type { OrderAddress } from '../../platform/ordering/order-request.ts'
import { permissionsOf } from '../../vocabulary/staff-roles.ts'
import { changedOrder, orderChange } from '../orders/change-order.ts'
import { shipments } from './contract.ts'

export const shipmentHandlers: StaffHandlers<typeof shipments> = {
  ship: (call) => {
    const { environment, path, body } = call
    const departure = {
      ...(body.items && { items: body.items }),
      ...(body.packages && {
        packages: body.packages.map(({ trackingUrl, ...each }) => ({ ...each, ...(trackingUrl && { trackingUrl }) })),
      }),
    }
    return changedOrder(
      call,
      (change) =>
        environment.database.change((tx) => ship(tx, change, path.orderNumber, path.shipmentNumber, departure)),
      (refusal) => ('lineNumber' in refusal ? aboutLine(refusal) : undefined),
    )
  },
  buyLabel: async (call) => {
    const { environment, path, body, refuse } = call
    const { packageNumber = 1, weightOunces = null } = body
    const made = await buyLabel(storesOf(environment, refuse), await orderChange(call), path, {
      packageNumber,
      weightOunces,
    })
    if ('refused' in made) throw refuse(made.refused, 'detail' in made ? made.detail : undefined)
    const label = await labelOf(environment, made.done.labelId, refuse)
    return { status: made.done.bought ? 201 : 200, body: label }
  },
  listLabels: async ({ environment, path, query, after, page }) => {
    const found = await listShipmentLabels(
      environment.database.longReads,
      path,
      Number(after?.[0] ?? 0),
      query.limit + 1,
    )
    const { rows, nextCursor } = page(found, ({ labelId }) => [labelId])
    return { status: 200, body: { labels: rows, nextCursor } }
  },
  downloadLabel: async ({ environment, path, refuse }) => {
    const { database, objectStore } = environment
    const { labelId } = path
    const [listed] = await listShipmentLabels(database.reads, path, labelId - 1, 1)
    if (listed?.labelId !== labelId) throw refuse('label_not_found')
    const objectKey = (await readShipmentLabel(database.reads, labelId))?.objectKey
    if (!objectKey) throw refuse('label_not_bought')
    const file = await objectStore.read(objectKey)
    if (!file) throw new Outage('the PDF of a label is not in the store')
    const headers = { 'content-disposition': `inline; filename="label-${path.shipmentNumber}-${labelId}.pdf"` }
    return { status: 200, body: await buffer(file), headers }
  },
  giveLabelBack: async (call) => {
    const { environment, path, refuse } = call
    const made = await giveLabelBack(storesOf(environment, refuse), await orderChange(call), path)
    if ('refused' in made) throw refuse(made.refused, 'detail' in made ? made.detail : undefined)
    return { status: 200, body: await labelOf(environment, path.labelId, refuse) }
  },
  previewDelivery: async (call) => {
    const { environment, path, body, refuse } = call
    const { orderNumber, shipmentNumber } = path
    const { suppliers, database } = environment
    const found = await priceDelivery(database.statements, suppliers, orderNumber, shipmentNumber, body)
    if ('refused' in found) throw refuse(found.refused, 'detail' in found ? found.detail : undefined)
    const { priced } = found
    const change = await orderChange(call)
    const shown = await database.change((tx) =>
      changeDelivery(tx, change, orderNumber, shipmentNumber, priced, 'preview'),
    )
    // A preview always ends as a refusal, which undoes it.
    if ('done' in shown) throw new Error('a preview of a delivery was made')
    if (shown.refused !== 'previewed') throw refuse(shown.refused)
    const { shipTo, service, currency, estimatedShipBy } = priced
    const { shippingServiceId, provider, serviceName } = service
    return {
      status: 200,
      body: {
        orderNumber,
        shipmentNumber,
        shipTo: placeOf(shipTo),
        service: { shippingServiceId, provider, serviceName },
        currency,
        ...shown.preview,
        estimatedShipBy,
        estimatedDeliveryFrom: priced.deliveryFrom?.toISOString() ?? null,
        estimatedDeliveryTo: priced.deliveryTo?.toISOString() ?? null,
      },
    }
  },
  changeDelivery: async (call) => {
    const { environment, path, body, session, refuse } = call
    if (!permissionsOf(session.roles).has('orders:money')) {
      throw refuse('not_permitted', 'A change of delivery needs the permission orders:money too, as its preview does.')
    }
    const { orderNumber, shipmentNumber } = path
    const { totalPrice, charge, ...wish } = body
    const { suppliers, database } = environment
    const found = await priceDelivery(database.statements, suppliers, orderNumber, shipmentNumber, wish)
    if ('refused' in found) throw refuse(found.refused, 'detail' in found ? found.detail : undefined)
    return changedOrder(call, async (change) => {
      const changed = await database.change((tx) =>
        changeDelivery(tx, change, orderNumber, shipmentNumber, found.priced, { totalPrice, charge }),
      )
      if ('refused' in changed && changed.refused === 'previewed')
        throw new Error('a change of a delivery was only shown')
      return changed
    })
  },
  cancelShipment: (call) => {
    const { orderNumber, shipmentNumber } = call.path
    return changedOrder(call, (change) =>
      call.environment.database.change((tx) => cancelShipment(tx, change, orderNumber, shipmentNumber)),
    )
  },
}

type Refuse<Code extends string> = (code: Code, detail?: string) => Error

/** In the sandbox, the sandbox's own account at carriers. */
function storesOf(
  { database, objectStore, carriers }: StaffEnvironment,
  refuse: Refuse<'carriers_not_set_up'>,
): LabelStores {
  if (!carriers) throw refuse('carriers_not_set_up')
  return { database, objectStore, carriers }
}

/** As it is now, which a replica may not know yet. */
async function labelOf(
  { database }: StaffEnvironment,
  labelId: number,
  refuse: Refuse<'order_not_found'>,
): Promise<ShipmentLabel> {
  const found = await readShipmentLabel(database.statements, labelId)
  // A reset of the sandbox may have removed the order since.
  if (!found) throw refuse('order_not_found')
  const { objectKey: _, ...label } = found
  return label
}

/** All keys of a published address; what the address lacks is null. */
function placeOf(address: OrderAddress) {
  const { name, company = null, address1, address2 = null, city, state, postalCode, country, phone = null } = address
  return { name, company, address1, address2, city, state, postalCode, country, phone }
}

function aboutLine({ refused, lineNumber }: { refused: keyof typeof shipments.problems; lineNumber: number }): string {
  return `Line ${lineNumber}: ${shipments.problems[refused][1]}`
}
