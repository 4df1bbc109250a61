/** Why orders are rejected, in words for programs; each problem has a sentence for people too. */
export const rejectionReasons = [
  'product_unknown',
  'product_inactive',
  'product_not_offered',
  'variant_required',
  'variant_not_accepted',
  'variant_unknown',
  'variant_inactive',
  'sku_of_another',
  'quantity_below_minimum',
  'quantity_above_maximum',
  'not_priced',
  'out_of_stock',
  'backorder_too_large',
  'no_template',
  'template_value',
  'artwork_not_fetched',
  'artwork_unusable',
  'state_unknown',
  'postal_code_unlike_country',
  'not_deliverable',
  'scenario',
  'service_fault',
] as const

export type RejectionReason = (typeof rejectionReasons)[number]
