/**
 * Records of the demo data, which every sandbox has, so that what a page shows can be tried as it stands. Records that only
 * a partner's own traffic makes, such as receivers, keep the example of the contract.
 */

type Ids = Readonly<Record<string, number | string>>

const ids: Ids = {
  orderNumber: 1010001,
  itemNumber: 5100001,
  productId: 'SLO_100008',
  imageId: 40021,
  variantId: 60001,
  userId: 20002,
  divisionId: 5001,
  creditAccountId: 9001,
}

/** Where the operation needs a record of another kind. */
const ofOperation: Readonly<Record<string, Ids>> = {
  declineProof: { orderNumber: 1010007, itemNumber: 5100009 },
  reserveArtworkUpload: { orderNumber: 1010004, itemNumber: 5100005 },
  attachArtwork: { orderNumber: 1010004, itemNumber: 5100005 },
  takeOrderStep: { orderNumber: 1010004 },
  getProductTemplate: { productId: 'SLO_100003' },
  updateVariant: { productId: 'SLO_100001' },
  quoteProduct: { productId: 'SLO_100001' },
  replaceUserSegments: { userId: 20003 },
}

/** The value with which a path is shown; undefined = the example of the contract. */
export function demoId(operationId: string, parameter: string): number | string | undefined {
  return ofOperation[operationId]?.[parameter] ?? ids[parameter]
}
