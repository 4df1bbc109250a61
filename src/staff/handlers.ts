import { paired } from '../contract/operation.ts'
import { accountHandlers } from './accounts/handlers.ts'
import { afterSaleHandlers } from './after-sale/handlers.ts'
import { artworkHandlers } from './artwork/handlers.ts'
import { auditHandlers } from './audit/handlers.ts'
import { changeHandlers } from './changes/handlers.ts'
import { brandHandlers } from './brands/handlers.ts'
import { documentHandlers } from './documents/handlers.ts'
import { staffSubjects } from './api.ts'
import type { StaffHandlers, StaffSubject } from './operation.ts'
import { mailHandlers } from './mails/handlers.ts'
import { catalogHandlers } from './catalog/handlers.ts'
import { csvFileHandlers } from './csv-files/handlers.ts'
import { imageHandlers } from './images/handlers.ts'
import { onboardingHandlers } from './onboarding/handlers.ts'
import { orderHandlers } from './orders/handlers.ts'
import { partnerHandlers } from './partners/handlers.ts'
import { stockHandlers } from './stock/handlers.ts'
import { priceHandlers } from './prices/handlers.ts'
import { productionHandlers } from './production/handlers.ts'
import { proofHandlers } from './proofs/handlers.ts'
import { requestHandlers } from './requests/handlers.ts'
import { submissionHandlers } from './submissions/handlers.ts'
import { sandboxHandlers } from './sandbox/handlers.ts'
import { searchHandlers } from './search/handlers.ts'
import { sessionHandlers } from './session/handlers.ts'
import { shippingHandlers } from './shipping/handlers.ts'
import { taxHandlers } from './tax/handlers.ts'
import { siteHandlers } from './sites/handlers.ts'
import { shipmentHandlers } from './shipments/handlers.ts'
import { webhookHandlers } from './webhooks/handlers.ts'
import { noteHandlers } from './notes/handlers.ts'
import { reasonHandlers } from './reasons/handlers.ts'
import { bulkHandlers } from './bulk/handlers.ts'
import { viewHandlers } from './views/handlers.ts'
import { workHandlers } from './works/handlers.ts'
import { userHandlers } from './users/handlers.ts'
import { addressHandlers } from './addresses/handlers.ts'
import { divisionHandlers } from './divisions/handlers.ts'
import { segmentHandlers } from './segments/handlers.ts'
import { creditHandlers } from './credit/handlers.ts'
import { peopleHandlers } from './people/handlers.ts'
import { privacyHandlers } from './privacy/handlers.ts'
import { signInClientHandlers } from './sign-in-clients/handlers.ts'

type Subjects = typeof staffSubjects

/** The handlers of every subject, and of no other: one line each. */
const handlers: { [Name in keyof Subjects]: StaffHandlers<Subjects[Name]> } = {
  session: sessionHandlers,
  accounts: accountHandlers,
  views: viewHandlers,
  partners: partnerHandlers,
  sandbox: sandboxHandlers,
  webhooks: webhookHandlers,
  audit: auditHandlers,
  changes: changeHandlers,
  search: searchHandlers,
  submissions: submissionHandlers,
  requests: requestHandlers,
  onboarding: onboardingHandlers,
  works: workHandlers,
  bulk: bulkHandlers,
  orders: orderHandlers,
  linesInProduction: productionHandlers,
  artworkInspections: artworkHandlers,
  proofs: proofHandlers,
  shipments: shipmentHandlers,
  documents: documentHandlers,
  reasons: reasonHandlers,
  notes: noteHandlers,
  afterSale: afterSaleHandlers,
  sites: siteHandlers,
  brands: brandHandlers,
  catalog: catalogHandlers,
  stock: stockHandlers,
  prices: priceHandlers,
  images: imageHandlers,
  csvFiles: csvFileHandlers,
  shipping: shippingHandlers,
  tax: taxHandlers,
  users: userHandlers,
  addresses: addressHandlers,
  divisions: divisionHandlers,
  segments: segmentHandlers,
  credit: creditHandlers,
  people: peopleHandlers,
  privacy: privacyHandlers,
  signInClients: signInClientHandlers,
  mails: mailHandlers,
}

/** Every operation of the staff API with its handler, in the contract's order. */
export const staffOperations = Object.entries<StaffSubject>(staffSubjects).flatMap(([name, { operations }]) =>
  paired<typeof operations, never>(operations, handlers[name as keyof Subjects]),
)
