/** An order as someone asks for it, its form already checked: what is wanted, where it goes, how it travels. */
export type OrderRequest = {
  siteId: number
  shipTo?: OrderPlace & { email?: string }
  billTo?: OrderPlace
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
  shipTo?: OrderPlace
}

export type OrderPlace = {
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

/** One thing that stands against an order, in words for the one who asked. */
export type OrderProblem = {
  detail: string
  /** the request field concerned, in dotted form: `lines[2].variantId` */
  field?: string
  /** present when one line is concerned */
  partnerLineId?: string
}
