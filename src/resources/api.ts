import type { Chapter } from '../contract/operation.ts'
import { addresses } from './addresses/contract.ts'
import { artwork } from './artwork/contract.ts'
import { creditAccounts } from './credit-accounts/contract.ts'
import { divisions } from './divisions/contract.ts'
import { identity } from './identity/contract.ts'
import { orderItems } from './order-items/contract.ts'
import { orderSubmissions } from './order-submissions/contract.ts'
import { orders } from './orders/contract.ts'
import { productImages } from './product-images/contract.ts'
import { productQuotes } from './product-quotes/contract.ts'
import { productTemplates } from './product-templates/contract.ts'
import { products } from './products/contract.ts'
import { proofs } from './proofs/contract.ts'
import { segments } from './segments/contract.ts'
import { shipments } from './shipments/contract.ts'
import { shippingQuotes } from './shipping-quotes/contract.ts'
import { sites } from './sites/contract.ts'
import { users } from './users/contract.ts'

/** Every operation of the partner API under its id, in the order in which it is published. */
export const api = {
  ...identity,
  ...orderSubmissions,
  ...orders,
  ...orderItems,
  ...shipments,
  ...proofs,
  ...artwork,
  ...products,
  ...productImages,
  ...productTemplates,
  ...productQuotes,
  ...shippingQuotes,
  ...segments,
  ...users,
  ...addresses,
  ...divisions,
  ...creditAccounts,
  ...sites,
} as const

export type Api = typeof api
export type OperationId = keyof Api

/** The table of contents, for readers. */
export const chapters: readonly Chapter[] = [
  { name: 'Identity', says: 'Who you are and whether the service is up.', operations: identity },
  {
    name: 'Order submissions',
    says:
      'Orders are submitted, worked on, and then either `completed` or `failed` for good. A submission answers within ' +
      '20 seconds: with the outcome if there is one by then, else with `Retry-After` and a `Location` to poll. The same body ' +
      'sent again under its `partnerOrderId` answers 200 with the first submission; another body under it, 409.',
    operations: orderSubmissions,
  },
  {
    name: 'Orders',
    says: 'Every order on your sites, those of the storefront included. Poll the list to reconcile what webhooks told you.',
    operations: orders,
  },
  {
    name: 'Order items',
    says:
      'The lines of an order. A line is named by `(orderNumber, itemNumber)`. Its amounts are exact and stand for the whole ' +
      'line. `estimatedShipBy` is an estimate and promises nothing. Lines kept from the customer are left out, so an order ' +
      'may show no line at all.',
    operations: orderItems,
  },
  { name: 'Shipments', says: 'What left, or will leave, for an order.', operations: shipments },
  {
    name: 'Proofs',
    says:
      'A line that is proofed moves from `NOT_CREATED` to `PENDING_REVIEW`, and from there by a decision to `APPROVED` or ' +
      '`DECLINED`; a new revision brings a declined line back to `PENDING_REVIEW`. While a line is `PENDING_REVIEW` or ' +
      '`DECLINED`, its order waits for someone: for you to decide, or for a new proof. A repeated decision answers 409 ' +
      '`proof_not_pending_review`; if it is the one you already made, it succeeded.',
    operations: proofs,
  },
  {
    name: 'Artwork',
    says:
      'Print files of a line: reserve an upload, `PUT` the bytes to the URL received within a minute, attach it by its ' +
      'reservation name. Storage answers a stale URL with 403: reserve again. Files add up and never replace each other.',
    operations: artwork,
  },
  { name: 'Products', says: 'The catalog of your sites. It holds no prices: ask for a quote.', operations: products },
  { name: 'Product images', says: 'The images of a product.', operations: productImages },
  { name: 'Product templates', says: 'What a templated product asks its buyer for.', operations: productTemplates },
  { name: 'Product quotes', says: 'What goods cost.', operations: productQuotes },
  { name: 'Shipping quotes', says: 'What delivery costs.', operations: shippingQuotes },
  { name: 'Segments', says: 'Groups of users that decide which products they see.', operations: segments },
  { name: 'Users', says: 'Storefront users and the segments they are in.', operations: users },
  { name: 'Addresses', says: 'Addresses users have saved.', operations: addresses },
  {
    name: 'Divisions',
    says: 'Parts of a customer organisation, as a flat list with links to their parents. Their postal addresses are not shown.',
    operations: divisions,
  },
  {
    name: 'Credit accounts',
    says: 'Credit held by users and divisions, and what moved it.',
    operations: creditAccounts,
  },
  { name: 'Sites', says: 'The storefronts granted to you.', operations: sites },
]
