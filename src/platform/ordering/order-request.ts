import type { RejectionReason } from './rejection-reasons.ts'

/** A requested order of valid form: what is ordered, where it goes, and how it is sent. */
export type OrderRequest = {
  siteId: number
  shipTo?: OrderAddress & { email?: string }
  billTo?: OrderAddress
  divisionId?: number
  shippingProvider?: string
  shippingMethod?: string
  shippingNotes?: string
  lines: OrderRequestLine[]
}

export type OrderRequestLine = {
  productId: string
  partnerLineId: string
  quantity: number
  variantId?: number
  sku?: string
  jobName?: string
  artworkUrl?: string
  templateVariables?: Record<string, string>
  shipTo?: OrderAddress
}

export type OrderAddress = {
  name: string
  company?: string
  address1: string
  address2?: string
  city: string
  state: string
  postalCode: string
  country: string
  phone?: string
}

/** One reason why an order cannot be placed, in words for the caller. */
export type OrderProblem = {
  /** for staff; partners get the sentence */
  reason: RejectionReason
  detail: string
  /** the request field concerned, in dotted form: `lines[2].variantId` */
  field?: string
  /** present when one line is concerned */
  partnerLineId?: string
}
