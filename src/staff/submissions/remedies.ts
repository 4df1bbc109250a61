import { wherePricesStart } from '../../platform/catalog/quantity-rules.ts'
import type { OrderRequestLine } from '../../platform/ordering/order-request.ts'
import type { RejectionReason } from '../../platform/ordering/rejection-reasons.ts'
import type { Environment } from '../../vocabulary/environment.ts'

/** One thing that would let the order through if it were sent again. */
export type Remedy = {
  by: 'PARTNER' | 'STAFF'
  /** what to change, as a sentence */
  says: string
  /** the staff operation that changes it, and its path; null for partners */
  operation: string | null
  path: string | null
}

export type RejectedFor = {
  /** the sentence that the partner received */
  detail: string
  environment: Environment
  siteId: number
  orderingUserId: number
  /** undefined = the whole order is concerned */
  line: Partial<OrderRequestLine> | undefined
}

type Make = (facts: Facts) => Remedy[]

type Facts = {
  siteId: number
  orderingUserId: number
  /** names the product in a sentence */
  product: string
  variant: string
  quantity: string
  /** the prices start at more pieces; the product itself may have no smallest quantity */
  isOfPrices: boolean
  partner: (says: string) => Remedy
  staff: (says: string, operation: string, path: string) => Remedy
  /** paths below the environment */
  productPath: string
  variantPath: string
}

/**
 * What would have to change so that an order like this one is accepted. A rejected submission stays rejected: the partner
 * sends the order again under another `partnerOrderId`.
 */
export function remediesOf(
  reason: RejectionReason,
  { detail, environment, siteId, orderingUserId, line }: RejectedFor,
): Remedy[] {
  const root = `/staff/v1/${environment.toLowerCase()}`
  const productPath = `products/${line?.productId ?? '{productId}'}`
  return makers[reason]({
    siteId,
    orderingUserId,
    product: line?.productId === undefined ? 'the product' : `product ${line.productId}`,
    variant: line?.variantId === undefined ? 'the variant' : `variant ${line.variantId}`,
    quantity: line?.quantity === undefined ? 'the ordered quantity' : String(line.quantity),
    isOfPrices: detail.endsWith(wherePricesStart),
    partner: (says) => ({ by: 'PARTNER', says, operation: null, path: null }),
    staff: (says, operation, path) => ({ by: 'STAFF', says, operation, path: `${root}/${path}` }),
    productPath,
    variantPath: `${productPath}/variants/${line?.variantId ?? '{variantId}'}`,
  })
}

const makers: Readonly<Record<RejectionReason, Make>> = {
  product_unknown: ({ product, siteId, partner, staff }) => [
    partner(`Order a product that site ${siteId} has; GET /v1/products lists them.`),
    staff(
      `Share ${product} with site ${siteId}, if another site has it, and tell the partner the id of the share.`,
      'shareProduct',
      'products/{productId}/shares',
    ),
  ],
  product_inactive: ({ product, productPath, staff }) => [
    staff(
      `Make ${product} active: set active to true, on its master too if it is a share.`,
      'changeProduct',
      productPath,
    ),
  ],
  product_not_offered: ({ product, productPath, orderingUserId, staff }) => [
    staff(
      `Set the visibility of ${product} to PUBLIC, or from HIDDEN to SEGMENTS with a segment of the ordering user ${orderingUserId}.`,
      'changeProduct',
      productPath,
    ),
    staff(
      `Show ${product} to a segment that the ordering user ${orderingUserId} is in.`,
      'setProductSegments',
      `${productPath}/segments`,
    ),
    staff(
      `Put the ordering user ${orderingUserId} into a segment that sees ${product}.`,
      'replaceUserSegments',
      `users/${orderingUserId}/segments`,
    ),
  ],
  variant_required: ({ product, partner }) => [partner(`Send the variantId of one of the variants of ${product}.`)],
  variant_not_accepted: ({ product, partner }) => [
    partner(`Leave variantId out: ${product} is printed on demand and has no variants.`),
  ],
  variant_unknown: ({ product, productPath, partner, staff }) => [
    partner(`Send the variantId of one of the variants of ${product}.`),
    staff(`Add the missing variant to ${product}.`, 'createVariant', `${productPath}/variants`),
  ],
  variant_inactive: ({ variant, variantPath, partner, staff }) => [
    staff(`Make ${variant} active: set active to true.`, 'changeVariant', variantPath),
    partner('Order another variant.'),
  ],
  sku_of_another: ({ variant, variantPath, partner, staff }) => [
    partner(`Send the SKU of ${variant}, or leave sku out.`),
    staff(`Correct the SKU of ${variant}, if it is wrong here.`, 'changeVariant', variantPath),
  ],
  quantity_below_minimum: ({ product, quantity, isOfPrices, productPath, partner, staff }) => [
    partner('Order at least as many as the reason says.'),
    isOfPrices
      ? staff(`Let the prices of ${product} start at ${quantity} or less.`, 'replacePrices', `${productPath}/prices`)
      : staff(
          `Lower the smallest quantity (minQuantity) of ${product} to ${quantity} or less, and let its prices start there too.`,
          'changeProduct',
          productPath,
        ),
  ],
  quantity_above_maximum: ({ product, quantity, productPath, partner, staff }) => [
    partner('Order at most as many as the reason says, or split the line into several orders.'),
    staff(
      `Raise the largest quantity (maxQuantity) of ${product} to ${quantity} or more, or set it to null.`,
      'changeProduct',
      productPath,
    ),
  ],
  not_priced: ({ product, productPath, staff }) => [
    staff(
      `Give ${product} a price: one row from quantity 1 is enough. A share takes its master's prices while it has none.`,
      'replacePrices',
      `${productPath}/prices`,
    ),
  ],
  out_of_stock: ({ variant, variantPath, partner, staff }) => [
    staff(`Count or add the stock of ${variant}, if pieces are on the shelf.`, 'adjustStock', `${variantPath}/stock`),
    staff(`Let ${variant} be back ordered: set backorderable to true.`, 'changeVariant', variantPath),
    partner('Order fewer pieces, or order again once there are enough.'),
  ],
  backorder_too_large: ({ variant, variantPath, partner, staff }) => [
    partner('Order fewer pieces.'),
    staff(`Add the stock of ${variant} that has come in.`, 'adjustStock', `${variantPath}/stock`),
  ],
  no_template: ({ product, productPath, partner, staff }) => [
    partner('Leave templateVariables out.'),
    staff(
      `Make ${product} from a template, if it should be: set its artworkSource to TEMPLATE, its templateVendor and its templateId.`,
      'changeProduct',
      productPath,
    ),
  ],
  template_value: ({ product, productPath, partner, staff }) => [
    partner('Correct the value that the reason names; GET /v1/products/{productId}/template lists the variables.'),
    staff(`Correct the template of ${product} at its vendor, or name another one.`, 'changeProduct', productPath),
  ],
  artwork_not_fetched: ({ partner }) => [
    partner(
      'Let artworkUrl answer 200 with the file at a public address over https, for some minutes after the order is sent.',
    ),
  ],
  artwork_unusable: ({ product, productPath, partner, staff }) => [
    partner('Send a file of a type that the product takes.'),
    staff(`Let ${product} take this type of file too: add it to artworkTypes.`, 'changeProduct', productPath),
  ],
  state_unknown: ({ partner }) => [partner('Send the state as the code that the reason asks for.')],
  postal_code_unlike_country: ({ partner }) => [partner('Send a postal code of the country and state of the address.')],
  not_deliverable: ({ siteId, partner, staff }) => [
    staff(
      `Enable a delivery service of site ${siteId}, or add one, that the order may use.`,
      'createShippingService',
      `sites/${siteId}/shipping-services`,
    ),
    staff(
      'Give the service a rate for the weight of the parcel in the zone of the address.',
      'replaceShippingRates',
      `sites/${siteId}/shipping-services/{shippingServiceId}/rates`,
    ),
    staff(
      'Put the country or state of the address into a zone of the fulfillment center.',
      'replaceShippingZones',
      'fulfilment-centers/{fulfilmentCenterId}/zones',
    ),
    partner('Send another address, or name another shippingProvider and shippingMethod.'),
  ],
  scenario: ({ partner }) => [partner('Send another jobName: the sandbox rejects this one on purpose.')],
  service_fault: ({ partner }) => [
    partner(
      'Send the order again under another partnerOrderId. The cause is in the log of the service, under the submissionId.',
    ),
  ],
}
