import type { Chapter } from '../contract/operation.ts'
import type { Toolset } from '../contract/toolsets.ts'
import { addresses } from './addresses/contract.ts'
import { artworkChecks } from './artwork/checks-contract.ts'
import { artwork, artworkTools } from './artwork/contract.ts'
import { creditAccounts } from './credit-accounts/contract.ts'
import { divisions } from './divisions/contract.ts'
import { identity } from './identity/contract.ts'
import { orderQuotes } from './order-quotes/contract.ts'
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
  ...orderQuotes,
  ...orders,
  ...orderItems,
  ...shipments,
  ...proofs,
  ...artwork,
  ...products,
  ...productImages,
  ...productTemplates,
  ...artworkChecks,
  ...productQuotes,
  ...shippingQuotes,
  ...segments,
  ...users,
  ...addresses,
  ...divisions,
  ...creditAccounts,
  ...sites,
} as const

/** What agents can do besides the operations; no path leads there. */
export const toolApi = artworkTools

export type Api = typeof api
export type OperationId = keyof Api

/** The table of contents, for readers, and the toolset of the MCP endpoint that each chapter is in; null = every one. */
export const chapters: readonly (Chapter & { toolset: Toolset | null })[] = [
  { name: 'Identity', toolset: null, says: 'Your identity, and whether the service is up.', operations: identity },
  {
    name: 'Order submissions',
    toolset: 'orders',
    says:
      'A submission is processed and ends as `completed` or `failed`; both are final. The call answers within 20 seconds: ' +
      'with the outcome, or with `Retry-After` and a `Location` to poll. The same body sent again with its ' +
      '`partnerOrderId` answers 200 with the first submission; a different body with that id answers 409.',
    operations: orderSubmissions,
  },
  {
    name: 'Order quotes',
    toolset: 'quotes',
    says:
      'What an order would cost, when it would ship and arrive, and every problem it has, before it is placed. The same ' +
      'order placed now costs the same, to the cent. Nothing is stored, reserved or fetched.',
    operations: orderQuotes,
  },
  {
    name: 'Orders',
    toolset: 'orders',
    says: 'All orders on your sites, including storefront orders. Poll the list to reconcile it with the webhooks you received.',
    operations: orders,
  },
  {
    name: 'Order items',
    toolset: 'orders',
    says:
      'The lines of an order. `(orderNumber, itemNumber)` identifies a line. Its amounts are exact and cover the whole line. ' +
      '`estimatedShipBy` is an estimate, not a commitment. Lines that are hidden from the customer are left out, so an ' +
      'order may have no visible lines.',
    operations: orderItems,
  },
  { name: 'Shipments', toolset: 'orders', says: 'Shipments of an order, shipped or planned.', operations: shipments },
  {
    name: 'Proofs',
    toolset: 'proofs',
    says:
      'A line with a proof moves from `NOT_CREATED` to `PENDING_REVIEW`. Your decision moves it to `APPROVED` or `DECLINED`, ' +
      'and a new revision moves a declined line back to `PENDING_REVIEW`. While a line is `PENDING_REVIEW` or ' +
      '`DECLINED`, its order waits for someone: for your decision, or for a new proof. A repeated decision answers 409 ' +
      '`proof_not_pending_review`; if you made the same decision before, it succeeded.',
    operations: proofs,
  },
  {
    name: 'Artwork',
    toolset: 'artwork',
    says:
      'Print files of a line. Reserve an upload, `PUT` the bytes to the URL within a minute, then attach the file by its ' +
      'reservation name. Storage answers 403 to an expired URL: reserve again. A new file never replaces another. Every ' +
      'file is inspected: read its status, findings and pictures of its pages.',
    operations: artwork,
  },
  {
    name: 'Products',
    toolset: 'catalog',
    says: 'The catalog of your sites. It has no prices: request a quote.',
    operations: products,
  },
  { name: 'Product images', toolset: 'catalog', says: 'The images of a product.', operations: productImages },
  {
    name: 'Product templates',
    toolset: 'catalog',
    says: 'The variables of a product that is made from a template.',
    operations: productTemplates,
  },
  {
    name: 'Artwork checks',
    toolset: 'artwork',
    says:
      'What a product wants of its print files, and whether a file is fit for it, before there is an order. `PUT` the file ' +
      'to the URL of a check within a minute, then read the check until its status is neither `queued` nor `inspecting`. A ' +
      'check is visible to whoever began it, and forgotten after a day.',
    operations: artworkChecks,
  },
  { name: 'Product quotes', toolset: 'quotes', says: 'Prices of goods.', operations: productQuotes },
  { name: 'Shipping quotes', toolset: 'quotes', says: 'Prices of delivery.', operations: shippingQuotes },
  {
    name: 'Segments',
    toolset: 'users',
    says: 'Groups of users; a segment determines which products its users see.',
    operations: segments,
  },
  { name: 'Users', toolset: 'users', says: 'Storefront users and their segments.', operations: users },
  { name: 'Addresses', toolset: 'users', says: 'Saved addresses of users.', operations: addresses },
  {
    name: 'Divisions',
    toolset: 'divisions',
    says: 'Parts of a customer organisation, as a flat list with links to their parents. Postal addresses are not shown.',
    operations: divisions,
  },
  {
    name: 'Credit accounts',
    toolset: 'credit',
    says: 'Credit of users and divisions, and its movements.',
    operations: creditAccounts,
  },
  { name: 'Sites', toolset: 'sites', says: 'The storefronts granted to you.', operations: sites },
]

const toolsetById = new Map(
  chapters.flatMap(({ toolset, operations }) =>
    Object.keys(operations).map((id): [string, Toolset | null] => [id, toolset]),
  ),
)
for (const id of Object.keys(toolApi)) toolsetById.set(id, 'artwork')

/** The toolset of an operation that is offered to agents; null = it is in every one. */
export function toolsetOf(id: string): Toolset | null {
  return toolsetById.get(id) ?? null
}
