import { Type } from 'typebox'
import { pathParameters, uuidParameter, type Parameter } from '../contract/parameters.ts'
import { reasonKinds, type ReasonKind } from '../platform/reasons/reasons.ts'
import type { Environment } from '../vocabulary/environment.ts'

/**
 * The path parameters of the staff API. A name has one meaning in all paths. Parameters that partners use too take
 * their form from the partner API. Every malformed value is `invalid_request`.
 */

const environments: Readonly<Record<string, Environment>> = { production: 'PRODUCTION', sandbox: 'SANDBOX' }

const environment: Parameter<Environment> = {
  schema: Type.String({ enum: Object.keys(environments) }),
  read: (text) => (Object.hasOwn(environments, text) ? environments[text] : undefined),
  malformed: 'invalid_request',
  says: 'the environment to work on',
  form: `one of ${Object.keys(environments).join(', ')}`,
}

function uuidOf(says: string): Parameter<string> {
  return uuidParameter('invalid_request', says)
}

/** A name of up to 200 visible ASCII characters. */
function nameParameter(says: string): Parameter<string> {
  return {
    schema: Type.String({ minLength: 1, maxLength: 200 }),
    read: (text) => (/^[!-~]{1,200}$/.test(text) ? text : undefined),
    malformed: 'invalid_request',
    says,
    form: '1 to 200 visible ASCII characters',
  }
}

/** A filter by partner, for queries. */
export const partnerFilter = uuidOf('only records of this partner')

const { siteId, orderNumber, itemNumber, productId, variantId, imageId, submissionId, userId, divisionId } =
  pathParameters

const reasonKind: Parameter<ReasonKind> = {
  schema: Type.String({ enum: [...reasonKinds] }),
  read: (text) => reasonKinds.find((kind) => kind === text),
  malformed: 'invalid_request',
  says: 'the kind of decision',
  form: `one of ${reasonKinds.join(', ')}`,
}

export const staffPathParameters = {
  environment,
  staffId: uuidOf('the staff account'),
  viewId: uuidOf('the saved view'),
  partnerId: uuidOf('the partner'),
  clientId: nameParameter('the app client'),
  signInClientId: nameParameter('the application people sign in with'),
  personId: uuidOf("the partner's person"),
  certificateId: uuidOf('the certificate'),
  endpointId: uuidOf('the webhook endpoint'),
  deliveryId: { ...orderNumber, says: 'the delivery' },
  requestId: uuidOf('the request'),
  reasonKind,
  siteId,
  orderNumber,
  itemNumber,
  /** the platform names lines by their position in the order */
  lineNumber: { ...userId, says: "the line's position in its order, from 1" },
  invoiceNumber: { ...userId, says: 'the number of the invoice in the series of its site' },
  inspectionId: uuidOf('the inspection of a print file'),
  noteId: { ...orderNumber, says: 'the note' },
  returnNumber: { ...orderNumber, says: 'the return' },
  shipmentNumber: { ...orderNumber, says: 'the shipment' },
  labelId: { ...orderNumber, says: "the carrier's label" },
  productId,
  variantId,
  imageId,
  submissionId,
  userId,
  divisionId,
  addressId: { ...userId, says: "the user's saved address" },
  segmentId: { ...userId, says: 'the segment' },
  segmentRuleId: { ...userId, says: 'the rule of a segment' },
  creditAccountId: pathParameters.creditAccountId,
  fulfilmentCenterId: { ...userId, says: 'the fulfilment center' },
  stockCountId: { ...userId, says: 'the count sheet' },
  mailId: uuidOf('the mail'),
  bouncedAddressId: { ...userId, says: 'the address that refused mail' },
  shippingServiceId: { ...userId, says: 'the delivery service' },
} satisfies Record<string, Parameter<unknown>>

export type StaffPathParameterName = keyof typeof staffPathParameters
