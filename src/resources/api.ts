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

/** The table of contents: every operation of the partner API under its id, in the order in which it is published. */
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
