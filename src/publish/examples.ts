import type { Json } from './schemas.ts'

/** One body per operation that takes one, as a partner might send it. */
export const bodyExamples: Readonly<Record<string, Json>> = {
  submitOrder: {
    siteId: 101,
    partnerOrderId: 'PO-2031-000417',
    shipTo: {
      name: 'Dana Whitfield',
      company: 'Whitfield Dental',
      address1: '1200 Market St',
      city: 'Philadelphia',
      state: 'PA',
      postalCode: '19107',
      country: 'US',
      email: 'dana@whitfield.test',
    },
    lines: [
      { productId: 'SLO_100001', partnerLineId: '1', quantity: 250, variantId: 60001 },
      {
        productId: 'SLO_100002',
        partnerLineId: '2',
        quantity: 500,
        jobName: 'Reminder cards',
        templateVariables: { headline: 'See you soon' },
      },
    ],
  },
  approveProof: { comment: 'Looks right.' },
  declineProof: { reason: 'COLOR', comment: 'The blue is too dark.' },
  reserveArtworkUpload: { fileName: 'reminder-cards.pdf', contentType: 'application/pdf' },
  attachArtwork: { reservationName: 'res_7Yt2mQk4' },
  updateProduct: { visibility: 'SEGMENTS', minQuantity: 25 },
  updateVariant: { location: 'A-14-3', weight: '2.5' },
  replaceProductSegments: { segmentIds: [301, 304] },
  updateProductImage: { imageAlt: 'Front of the card', primary: true },
  quoteProduct: { quantity: 250, variantId: 60001 },
  quoteShipping: {
    siteId: 101,
    productId: 'SLO_100001',
    shipTo: { country: 'US', state: 'PA', postalCode: '19107' },
    weightOunces: 96.5,
  },
  createUser: {
    siteId: 101,
    username: 'dwhitfield',
    email: 'dana@whitfield.test',
    firstName: 'Dana',
    lastName: 'Whitfield',
    divisionId: 5001,
  },
  updateUser: { phone: null, active: false },
  replaceUserSegments: { segmentIds: [301], acknowledgeAllSegmentsVisibleReset: true },
  createDivision: { siteId: 101, name: 'Northeast', code: 'NE', parentId: 5001 },
  updateDivision: { name: 'North and East' },
}
