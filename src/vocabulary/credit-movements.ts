/** The kinds of credit movement. The list is open: any other well-formed word is a kind without records (CRD-10). */
export const creditMovements = [
  'ALLOTMENT',
  'PRODUCT_DEBIT',
  'SHIPPING_DEBIT',
  'HANDLING_DEBIT',
  'TAX_DEBIT',
  'PRODUCT_CREDIT',
  'SHIPPING_CREDIT',
  'HANDLING_CREDIT',
  'TAX_CREDIT',
  'MANUAL_CREDIT',
  'MANUAL_DEBIT',
  'EXPIRATION',
] as const

export type CreditMovement = (typeof creditMovements)[number]
