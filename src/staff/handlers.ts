import { accountHandlers } from './accounts/handlers.ts'
import { auditHandlers } from './audit/handlers.ts'
import type { AnyStaffHandler } from './operation.ts'
import { catalogHandlers } from './catalog/handlers.ts'
import { csvFileHandlers } from './csv-files/handlers.ts'
import { imageHandlers } from './images/handlers.ts'
import { orderHandlers } from './orders/handlers.ts'
import { partnerHandlers } from './partners/handlers.ts'
import { priceHandlers } from './prices/handlers.ts'
import { productionHandlers } from './production/handlers.ts'
import { proofHandlers } from './proofs/handlers.ts'
import { requestHandlers } from './requests/handlers.ts'
import { sessionHandlers } from './session/handlers.ts'
import { shippingHandlers } from './shipping/handlers.ts'
import { taxHandlers } from './tax/handlers.ts'
import { siteHandlers } from './sites/handlers.ts'
import { shipmentHandlers } from './shipments/handlers.ts'
import { webhookHandlers } from './webhooks/handlers.ts'
import { userHandlers } from './users/handlers.ts'
import { addressHandlers } from './addresses/handlers.ts'
import { divisionHandlers } from './divisions/handlers.ts'
import { segmentHandlers } from './segments/handlers.ts'
import { creditHandlers } from './credit/handlers.ts'
import { peopleHandlers } from './people/handlers.ts'
import { signInClientHandlers } from './sign-in-clients/handlers.ts'

/** Operation id → handler, one line per subject. The types proved that each subject answers all its operations. */
export const staffHandlers = {
  ...sessionHandlers,
  ...accountHandlers,
  ...partnerHandlers,
  ...webhookHandlers,
  ...auditHandlers,
  ...requestHandlers,
  ...orderHandlers,
  ...productionHandlers,
  ...proofHandlers,
  ...shipmentHandlers,
  ...siteHandlers,
  ...catalogHandlers,
  ...priceHandlers,
  ...imageHandlers,
  ...csvFileHandlers,
  ...shippingHandlers,
  ...taxHandlers,
  ...userHandlers,
  ...addressHandlers,
  ...divisionHandlers,
  ...segmentHandlers,
  ...creditHandlers,
  ...peopleHandlers,
  ...signInClientHandlers,
} as unknown as Readonly<Record<string, AnyStaffHandler>>
