import { paired, type Handlers, type Paired } from '../contract/operation.ts'
import type { Database } from '../database/database.ts'
import type { LaggingReads } from '../database/replica.ts'
import type { ObjectStore } from '../outside/object-store/object-store.ts'
import type { TemplateVendor } from '../outside/template-vendor/template-vendor.ts'
import type { ArtworkSource } from '../platform/ordering/fetch-artwork.ts'
import { imageLinks } from '../platform/catalog/image-links.ts'
import type { ServiceTaxes } from '../platform/pricing/service-taxes.ts'
import type { CarrierRates } from '../platform/shipping/rates.ts'
import { listUserAddresses } from './addresses/list-user-addresses.ts'
import type { Clock } from '../vocabulary/clock.ts'
import { api, toolApi, type Api } from './api.ts'
import { getCreditAccount } from './credit-accounts/get-credit-account.ts'
import { listCreditAccounts } from './credit-accounts/list-credit-accounts.ts'
import { listCreditAdjustments } from './credit-accounts/list-credit-adjustments.ts'
import { listSiteCreditAccounts } from './credit-accounts/list-site-credit-accounts.ts'
import { createDivision } from './divisions/create-division.ts'
import { getDivision } from './divisions/get-division.ts'
import { listDivisions } from './divisions/list-divisions.ts'
import { updateDivision } from './divisions/update-division.ts'
import { attachArtworkFromUrl } from './artwork/attach-artwork-from-url.ts'
import { attachArtwork } from './artwork/attach-artwork.ts'
import { createArtworkCheck } from './artwork/create-artwork-check.ts'
import { getArtwork } from './artwork/get-artwork.ts'
import { getArtworkCheck } from './artwork/get-artwork-check.ts'
import { getArtworkRequirements } from './artwork/get-artwork-requirements.ts'
import { reserveArtworkUpload } from './artwork/reserve-artwork-upload.ts'
import { getMe, type Remaining } from './identity/get-me.ts'
import { ping } from './identity/ping.ts'
import { quoteOrder } from './order-quotes/quote-order.ts'
import { listOrderItems } from './order-items/list-order-items.ts'
import { getSubmission } from './order-submissions/get-submission.ts'
import { listSubmissions } from './order-submissions/list-submissions.ts'
import { submitOrder, type Intake } from './order-submissions/submit-order.ts'
import { getOrder } from './orders/get-order.ts'
import { listOrders } from './orders/list-orders.ts'
import { listProductImages } from './product-images/list-product-images.ts'
import { updateProductImage } from './product-images/update-product-image.ts'
import { quoteProduct } from './product-quotes/quote-product.ts'
import { getProductTemplate } from './product-templates/get-product-template.ts'
import { getProduct } from './products/get-product.ts'
import { listProducts } from './products/list-products.ts'
import { listSiteProducts } from './products/list-site-products.ts'
import { replaceProductSegments } from './products/replace-product-segments.ts'
import { updateProduct } from './products/update-product.ts'
import { updateVariant } from './products/update-variant.ts'
import { listSegments } from './segments/list-segments.ts'
import { approveProof } from './proofs/approve-proof.ts'
import { declineProof } from './proofs/decline-proof.ts'
import { getProof } from './proofs/get-proof.ts'
import { listDenialReasons } from './proofs/list-denial-reasons.ts'
import { listShipments } from './shipments/list-shipments.ts'
import { quoteShipping } from './shipping-quotes/quote-shipping.ts'
import { listSites } from './sites/list-sites.ts'
import { createUser } from './users/create-user.ts'
import { getUser } from './users/get-user.ts'
import { listSiteUsers } from './users/list-site-users.ts'
import { listUsers } from './users/list-users.ts'
import { replaceUserSegments } from './users/replace-user-segments.ts'
import { updateUser } from './users/update-user.ts'

/** Everything that the handlers depend on. */
export type HandlerParts = {
  database: Database
  /** reads of credit balances, which may lag behind (CRD-07) */
  balances: LaggingReads
  intake: Intake
  remaining: Remaining
  carrierRates: CarrierRates
  serviceTaxes: ServiceTaxes
  templateVendor: TemplateVendor
  objectStore: ObjectStore
  artwork: ArtworkSource
  /** real time, by which links expire; a sandbox partner's own clock may be ahead of it */
  realClock: Clock
  searchAvailable: boolean
}

/** Every operation of the partner API with its handler, in the contract's order. */
export function partnerOperations(parts: HandlerParts): Paired[] {
  return paired(api, handlers(parts))
}

/** What only agents are offered, with its handler. */
export function toolOperations({ database, artwork, realClock }: HandlerParts): Paired[] {
  return paired(toolApi, { attachArtworkFromUrl: attachArtworkFromUrl(database, artwork, realClock) })
}

function handlers(parts: HandlerParts): Handlers<Api> {
  const { database, intake } = parts
  const images = imageLinks(parts.objectStore, parts.realClock)
  return {
    ping: ping(),
    getMe: getMe(parts.remaining),
    listSites: listSites(database, parts.searchAvailable),
    submitOrder: submitOrder(intake),
    quoteOrder: quoteOrder(database, parts),
    listSubmissions: listSubmissions(database),
    getSubmission: getSubmission(database),
    listOrders: listOrders(database),
    getOrder: getOrder(database),
    listOrderItems: listOrderItems(database),
    listShipments: listShipments(database),
    getArtwork: getArtwork(database, parts.objectStore, parts.realClock),
    reserveArtworkUpload: reserveArtworkUpload(database, parts.objectStore, parts.realClock),
    attachArtwork: attachArtwork(database, parts.objectStore),
    getProof: getProof(database, parts.objectStore, parts.realClock),
    listDenialReasons: listDenialReasons(database),
    approveProof: approveProof(database),
    declineProof: declineProof(database),
    listProducts: listProducts(database, parts.searchAvailable),
    listSiteProducts: listSiteProducts(database, parts.searchAvailable),
    getProduct: getProduct(database, images),
    updateProduct: updateProduct(database, images),
    updateVariant: updateVariant(database),
    replaceProductSegments: replaceProductSegments(database),
    listProductImages: listProductImages(database, images),
    updateProductImage: updateProductImage(database, images),
    getProductTemplate: getProductTemplate(database, parts.templateVendor),
    getArtworkRequirements: getArtworkRequirements(database, parts.objectStore, parts.realClock),
    createArtworkCheck: createArtworkCheck(database, parts.objectStore, parts.realClock),
    getArtworkCheck: getArtworkCheck(database, parts.objectStore, parts.realClock),
    quoteProduct: quoteProduct(database),
    quoteShipping: quoteShipping(database, parts.carrierRates),
    listSegments: listSegments(database),
    listUsers: listUsers(database),
    listSiteUsers: listSiteUsers(database),
    getUser: getUser(database),
    createUser: createUser(database),
    updateUser: updateUser(database),
    replaceUserSegments: replaceUserSegments(database),
    listUserAddresses: listUserAddresses(database),
    listDivisions: listDivisions(database),
    getDivision: getDivision(database),
    createDivision: createDivision(database),
    updateDivision: updateDivision(database),
    listCreditAccounts: listCreditAccounts(parts.balances.lists),
    listSiteCreditAccounts: listSiteCreditAccounts(parts.balances.lists),
    getCreditAccount: getCreditAccount(parts.balances.reads),
    listCreditAdjustments: listCreditAdjustments(database),
  }
}
