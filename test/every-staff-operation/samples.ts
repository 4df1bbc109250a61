import type { Staff } from '../world/staff.ts'
import type { TestService } from '../world/service.ts'
import { accountSamples } from './samples/accounts.ts'
import { afterSaleSamples } from './samples/after-sale.ts'
import { artworkSamples } from './samples/artwork.ts'
import { auditSamples } from './samples/audit.ts'
import { changeSamples } from './samples/changes.ts'
import { brandSamples } from './samples/brands.ts'
import { documentSamples } from './samples/documents.ts'
import { csvFileSamples } from './samples/csv-files.ts'
import { catalogSamples, imageSamples, priceSamples } from './samples/catalog.ts'
import { mailSamples } from './samples/mails.ts'
import { orderSamples } from './samples/orders.ts'
import { privacySamples } from './samples/privacy.ts'
import { partnerSamples } from './samples/partners.ts'
import { productionSamples } from './samples/production.ts'
import { proofSamples } from './samples/proofs.ts'
import { onboardingSamples } from './samples/onboarding.ts'
import { requestSamples } from './samples/requests.ts'
import { sandboxSamples } from './samples/sandbox.ts'
import { searchSamples } from './samples/search.ts'
import { submissionSamples } from './samples/submissions.ts'
import { sessionSamples } from './samples/session.ts'
import { shippingSamples, taxSamples } from './samples/shipping.ts'
import { siteSamples } from './samples/sites.ts'
import { noteSamples } from './samples/notes.ts'
import { reasonSamples } from './samples/reasons.ts'
import { shipmentSamples } from './samples/shipments.ts'
import { stockSamples } from './samples/stock.ts'
import { viewSamples } from './samples/views.ts'
import { webhookSamples } from './samples/webhooks.ts'
import { addressSamples, creditSamples, divisionSamples, segmentSamples, userSamples } from './samples/customers.ts'
import { bulkSamples } from './samples/bulk.ts'
import { workSamples } from './samples/works.ts'
import { peopleSamples, signInClientSamples } from './samples/people.ts'

/**
 * One successful call per staff operation. If the operation can change data, the call does change data. A sample may set
 * up what it needs through the API, as `admin`, or with the platform's verbs. Path parameters it omits take their values
 * from `usualPath`.
 */
export type SampleWorld = { service: TestService; admin: Staff }
export type Sample = {
  path?: Readonly<Record<string, string | number>>
  query?: string
  body?: unknown
  headers?: Readonly<Record<string, string>>
  /** the caller, if not the admin */
  as?: Staff
}
export type Samples = Readonly<Record<string, (world: SampleWorld) => Sample | Promise<Sample>>>

/** Samples by operation id, one line per subject. */
export const staffSamples: Samples = {
  ...sessionSamples,
  ...accountSamples,
  ...viewSamples,
  ...partnerSamples,
  ...sandboxSamples,
  ...webhookSamples,
  ...auditSamples,
  ...changeSamples,
  ...searchSamples,
  ...submissionSamples,
  ...requestSamples,
  ...onboardingSamples,
  ...workSamples,
  ...bulkSamples,
  ...orderSamples,
  ...productionSamples,
  ...artworkSamples,
  ...proofSamples,
  ...shipmentSamples,
  ...documentSamples,
  ...reasonSamples,
  ...noteSamples,
  ...afterSaleSamples,
  ...siteSamples,
  ...brandSamples,
  ...catalogSamples,
  ...stockSamples,
  ...priceSamples,
  ...imageSamples,
  ...csvFileSamples,
  ...shippingSamples,
  ...taxSamples,
  ...userSamples,
  ...addressSamples,
  ...divisionSamples,
  ...segmentSamples,
  ...creditSamples,
  ...peopleSamples,
  ...privacySamples,
  ...signInClientSamples,
  ...mailSamples,
}

export function usualPath({ manifest }: TestService): Record<string, string | number> {
  const { sites, fixtures, partners } = manifest
  return {
    environment: 'production',
    reasonKind: 'hold',
    noteId: 1,
    partnerId: partners.neighbour.partnerId,
    siteId: sites.main,
    orderNumber: fixtures.orders.pendingReview.orderNumber,
    itemNumber: fixtures.orders.pendingReview.itemNumber,
    productId: fixtures.products.stock,
    variantId: fixtures.products.stockVariantId,
    userId: fixtures.users.plain,
    divisionId: fixtures.divisions.root,
    creditAccountId: fixtures.creditAccounts.ofUser,
    addressId: 1,
    segmentRuleId: 1,
    stockCountId: 1,
  }
}
