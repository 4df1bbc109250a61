import { Type } from 'typebox'
import { bodyObject, filledText, nullable, record, text, textUpTo } from './fields.ts'

/** The addresses of delivery and billing, as partners send them and as orders and shipments show them. */

// The specification names no lengths; 255 is our own bound.
const addressTextLengthMax = 255
const optionalText = Type.Optional(textUpTo(addressTextLengthMax))
const requiredText = filledText(addressTextLengthMax)

const sentPlace = {
  name: requiredText,
  company: optionalText,
  address1: requiredText,
  address2: optionalText,
  city: requiredText,
  state: requiredText,
  postalCode: requiredText,
  country: Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2 code' }),
  phone: optionalText,
}

/** `billTo` of an order, and `shipTo` of a line: no e-mail address is accepted there (SUB-31, SUB-39). */
export const sentPlaceWithoutEmail = bodyObject(sentPlace)

/** `shipTo` of a whole order (SUB-37, SUB-40). */
export const sentShipTo = bodyObject({
  ...sentPlace,
  email: Type.Optional(
    Type.String({ maxLength: addressTextLengthMax, description: 'gets a message when the order ships' }),
  ),
})

const shownPlace = {
  name: nullable(text),
  company: nullable(text),
  address1: nullable(text),
  address2: nullable(text),
  city: nullable(text),
  state: nullable(text),
  postalCode: nullable(text),
  country: nullable(text),
  phone: nullable(text),
}

export const Place = record('Place', shownPlace)

export const ShipTo = record('ShipTo', { ...shownPlace, email: nullable(text) })
