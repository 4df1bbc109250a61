import { Type } from 'typebox'
import {
  bodyObject,
  decimal,
  described,
  flag,
  formedText,
  idInBody,
  instant,
  int32,
  longNumber,
  nullable,
  oneOf,
  pageOf,
  patchBody,
  record,
  text,
  textUpTo,
  whole,
} from '../../contract/fields.ts'
import type { BodyFault } from '../../contract/refusal.ts'
import { Place, sentPlaceWithoutEmail } from '../../contract/ship-to.ts'
import { paged } from '../../contract/parameters.ts'
import { refusals } from '../../platform/orders/refusals.ts'
import { labelStatuses } from '../../platform/shipments/shipment-labels.ts'
import { isJsonObject, type JsonObject } from '../../vocabulary/json.ts'
import { staffOperation, staffSubject } from '../operation.ts'
import { OrderDetail } from '../orders/order-records.ts'
import { lineProblems, lineRefuses, orderRefuses } from '../orders/refusals.ts'
import { shipping } from '../shipping/contract.ts'
import { shownWith } from '../shown-with.ts'

export const weightOunces = nullable(
  formedText('^\\d{1,9}(\\.\\d{1,4})?$', 'a decimal with at most nine digits and four decimals, such as "12.5"', {
    description: 'exact decimal',
  }),
)

const sentPackage = bodyObject({
  trackingNumber: nullable(Type.String({ minLength: 1, maxLength: 100 })),
  trackingUrl: Type.Optional(described(textUpTo(2_000), "left out = the service's own tracking page, if it has one")),
  weightOunces,
})

function checkPackages({ packages }: JsonObject): BodyFault[] {
  const isLink = (url: string) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
  if (!Array.isArray(packages)) return []
  return packages.flatMap((sent: unknown, index) => {
    const trackingUrl = isJsonObject(sent) ? sent.trackingUrl : undefined
    if (typeof trackingUrl !== 'string' || isLink(trackingUrl)) return []
    const path = `packages[${index}].trackingUrl`
    return [{ path, rule: 'uri', detail: `The field ${path} must be an http or https URL.` }]
  })
}

const LabelView = record('ShipmentLabel', {
  labelId: described(longNumber, 'identifies the label'),
  packageNumber: described(whole, 'which package of the shipment it is for'),
  status: described(
    oneOf(labelStatuses),
    'UNFINISHED = the carrier did not answer: buy it again, which costs nothing twice. GIVING_BACK = the same of giving it back',
  ),
  carrierService: described(text, "the carrier's service, such as USPS:GroundAdvantage"),
  weightOunces: described(decimal, 'as the carrier was told'),
  trackingNumber: nullable(described(text, 'null = not bought')),
  trackingUrl: nullable(described(text, 'page on which the package is tracked; null = none')),
  price: shownWith('orders:money', nullable(described(decimal, 'what the carrier charges for it; null = not bought'))),
  currency: nullable(described(text, 'ISO 4217 code')),
  refusal: nullable(described(text, 'why the carrier did not sell it, or did not take it back, in its words')),
  requestedOn: described(instant, 'when it was first asked for'),
  boughtOn: nullable(described(instant, 'null = not bought')),
  givenBackOn: nullable(described(instant, 'null = not given back')),
})

const buyingRefuses = [
  'carriers_not_set_up',
  ...orderRefuses('work'),
  'shipment_not_found',
  ...refusals.shipment('ship'),
  'service_not_by_carrier',
  'sender_address_missing',
  'ship_to_missing',
  'weight_missing',
  'label_unfinished',
  'label_busy',
  'label_differs',
  'carrier_refused',
] as const

const delivery = {
  shipTo: Type.Optional(described(sentPlaceWithoutEmail, 'where it goes now; left out = to the same address')),
  shippingServiceId: Type.Optional(described(idInBody, 'a delivery service of the site; left out = the same')),
}

const amountText = formedText('^-?\\d+(\\.\\d+)?$', 'an exact decimal such as "12.50"', { maxLength: 30 })

const deliveryAmounts = (name: string, says: string) =>
  nullable(
    described(
      record(name, { shippingTotal: decimal, taxTotal: decimal, totalPrice: decimal }),
      `${says}; null = a line has no price`,
    ),
  )

const PreviewOfDelivery = record('DeliveryPreview', {
  orderNumber: longNumber,
  shipmentNumber: longNumber,
  shipTo: Place,
  service: record('DeliveryService', { shippingServiceId: int32, provider: text, serviceName: text }),
  currency: described(text, 'ISO 4217 code'),
  before: deliveryAmounts('DeliveryBefore', 'what the order costs'),
  after: deliveryAmounts('DeliveryAfter', 'what it would cost; send its totalPrice with the change'),
  difference: deliveryAmounts('DeliveryDifference', 'by how much the order would cost more or, negative, less'),
  settled: nullable(
    described(
      decimal,
      'what the customer would pay more or, negative, get back: of a fall, only what earlier refunds do not contain; null = a line has no price',
    ),
  ),
  estimatedShipBy: nullable(instant),
  estimatedDeliveryFrom: nullable(instant),
  estimatedDeliveryTo: nullable(instant),
})

const deliveryRefuses = [
  ...orderRefuses('amend'),
  'shipment_not_found',
  'address_not_usable',
  'nothing_to_change',
  'service_not_offered',
  'not_deliverable',
  ...refusals.shipment('change'),
  'price_changed',
  'label_in_use',
  'shipment_packed',
  'line_partly_shipped',
] as const

export const shipments = staffSubject({
  name: 'Shipments',
  says: 'Shipping and cancelling the shipments of an order, and the labels that carriers sell for their packages. A change of a shipment answers with the order.',
  problems: {
    ...lineProblems,
    shipment_not_found: [404, 'The order has no such shipment.'],
    shipment_shipped: [409, 'The shipment has already shipped.'],
    shipment_cancelled: [409, 'The shipment is cancelled.'],
    shipment_status_unknown: [409, 'The platform does not know the status of the shipment, so it changed nothing.'],
    quantity_backordered: [409, 'Some of these pieces are on back order.'],
    shipment_packed: [
      409,
      'A line of the shipment is packed, so its delivery can no longer change. Cancel or ship it.',
    ],
    line_partly_shipped: [409, 'A part of a line has shipped, so the rest cannot go to another state.'],
    price_changed: [409, 'The order does not cost what the preview said any more. Preview the change again.'],
    carriers_not_set_up: shipping.problems.carriers_not_set_up,
    label_not_found: [404, 'The shipment has no such label.'],
    label_unfinished: [409, 'A label of the shipment is unfinished. Buy it again, or give it back.'],
    label_busy: [409, 'The carrier is being asked about this label right now. Look again in a moment.'],
    label_differs: [
      409,
      'The package has a label for another address, weight or service, or one that is being given back. Give it back first.',
    ],
    label_in_use: [409, 'The shipment has a label of a carrier. Give it back first.'],
    label_used: [409, 'The shipment left with this label.'],
    label_not_bought: [409, 'The carrier did not sell this label.'],
    carrier_refused: [409, 'The carrier refuses. The detail has its words.'],
    service_not_by_carrier: [422, 'The delivery service of the shipment names no service of a carrier.'],
    sender_address_missing: [422, 'The fulfilment center has no address.'],
    ship_to_missing: [422, 'The shipment has no address to which it goes.'],
    weight_missing: [422, 'A product of the shipment has no weight. Send weightOunces.'],
    packages_missing: [422, 'The shipment has no label of a carrier. Send packages.'],
    address_not_usable: [422, 'A field of the address is not usable.'],
    service_not_offered: [422, 'The site does not offer this delivery service.'],
    not_deliverable: [422, 'The delivery service does not go to this address, or not with this weight.'],
    nothing_to_change: [422, 'The shipment already goes there by this service.'],
    items_not_in_shipment: [422, 'Name items of the shipment, at most in its quantities.'],
  },
  operations: {
    ship: staffOperation({
      id: 'ship',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/shipments/{shipmentNumber}/ship',
      permission: 'orders:write',
      body: {
        schema: bodyObject({
          items: Type.Optional(
            Type.Array(bodyObject({ lineNumber: whole, quantity: whole }), {
              maxItems: 1_000,
              description: 'what ships; left out = everything. The rest moves to a new open shipment',
            }),
          ),
          packages: Type.Optional(
            Type.Array(sentPackage, {
              minItems: 1,
              maxItems: 200,
              description: 'left out = one for each label that was bought of a carrier',
            }),
          ),
        }),
        check: checkPackages,
      },
      answers: { 200: OrderDetail },
      refuses: [
        ...lineRefuses('work'),
        'shipment_not_found',
        ...refusals.shipment('ship'),
        'items_not_in_shipment',
        ...refusals.hold('move'),
        ...refusals.production('ship'),
        'proof_not_approved',
        'quantity_backordered',
        'packages_missing',
        'label_unfinished',
      ],
      says: 'Ships a shipment or a part of it, in one or more packages. Partners are notified.',
    }),
    buyLabel: staffOperation({
      id: 'buyLabel',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/shipments/{shipmentNumber}/labels',
      permission: 'orders:write',
      takesTime: true,
      body: {
        schema: bodyObject({
          packageNumber: Type.Optional(
            described(Type.Integer({ minimum: 1, maximum: 200 }), 'which package of the shipment it is for; default 1'),
          ),
          weightOunces: Type.Optional(
            described(weightOunces, 'of the package; left out or null = what the goods weigh'),
          ),
        }),
        optional: true,
      },
      answers: { 200: LabelView, 201: LabelView },
      refuses: buyingRefuses,
      says: "Buys the label of a package by the carrier's service that the shipment's own stands for. 200 = it was bought before; a package never gets two.",
    }),
    listLabels: staffOperation({
      id: 'listLabels',
      at: 'GET /staff/v1/{environment}/orders/{orderNumber}/shipments/{shipmentNumber}/labels',
      permission: 'orders:read',
      query: paged({ default: 50, max: 200 }),
      collection: 'labels',
      answers: { 200: pageOf('ShipmentLabelPage', 'labels', LabelView) },
      refuses: [],
      says: "Lists a shipment's labels of carriers, oldest first, also those that were refused or given back.",
    }),
    downloadLabel: staffOperation({
      id: 'downloadLabel',
      at: 'GET /staff/v1/{environment}/orders/{orderNumber}/shipments/{shipmentNumber}/labels/{labelId}/pdf',
      permission: 'orders:read',
      download: { mediaType: 'application/pdf' },
      answers: { 200: Type.String({ format: 'binary', description: 'a PDF document' }) },
      refuses: ['label_not_found', 'label_not_bought'],
      says: 'Downloads a bought label as the carrier drew it.',
    }),
    giveLabelBack: staffOperation({
      id: 'giveLabelBack',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/shipments/{shipmentNumber}/labels/{labelId}/give-back',
      permission: 'orders:write',
      takesTime: true,
      answers: { 200: LabelView },
      refuses: [
        'carriers_not_set_up',
        'order_not_found',
        'label_not_found',
        'label_not_bought',
        'label_used',
        'label_busy',
        'carrier_refused',
      ],
      says: 'Gives a label back that was not used. The carrier refunds it in its own time.',
    }),
    previewDelivery: staffOperation({
      id: 'previewDelivery',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/shipments/{shipmentNumber}/change/preview',
      permission: 'orders:money',
      changesNothing: true,
      body: { schema: patchBody(delivery) },
      answers: { 200: PreviewOfDelivery },
      refuses: deliveryRefuses,
      says: 'Shows what it would cost to send a shipment to another address, or by another service, and when it would arrive. Nothing changes; what the change would refuse is refused here.',
    }),
    changeDelivery: staffOperation({
      id: 'changeDelivery',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/shipments/{shipmentNumber}/change',
      permission: 'orders:write',
      body: {
        schema: bodyObject({
          ...delivery,
          totalPrice: nullable(described(amountText, 'of the order after the change, as the preview said')),
          charge: described(flag, 'false = the order keeps its price, and the difference is only on the record'),
        }),
      },
      answers: { 200: OrderDetail },
      refuses: ['not_permitted', ...deliveryRefuses],
      says: 'Sends a shipment to another address, or by another service, until one of its lines is packed. What the preview showed is what is taken, so it needs the permission orders:money too.',
    }),
    cancelShipment: staffOperation({
      id: 'cancelShipment',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/shipments/{shipmentNumber}/cancel',
      permission: 'orders:write',
      answers: { 200: OrderDetail },
      refuses: [...orderRefuses('amend'), 'shipment_not_found', ...refusals.shipment('cancel'), 'label_in_use'],
      says: 'Cancels a shipment that has not shipped. Its goods move to a new open shipment. Partners are notified.',
    }),
  },
})
