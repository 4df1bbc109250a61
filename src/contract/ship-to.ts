import { Type } from 'typebox'
import {
  bodyObject,
  described,
  filledLineUpTo,
  lineUpTo,
  nullable,
  record,
  sentCountry,
  text,
  textUpTo,
} from './fields.ts'

/** The addresses of delivery and billing, as partners send them and as orders and shipments show them. */

// A blank optional text counts as left out. The specification names no lengths; 255 is our own bound.
const addressTextLengthMax = 255
const optionalText = Type.Optional(lineUpTo(addressTextLengthMax))
const requiredText = filledLineUpTo(addressTextLengthMax)

const sentPlace = {
  name: requiredText,
  company: optionalText,
  address1: requiredText,
  address2: optionalText,
  city: requiredText,
  state: requiredText,
  postalCode: requiredText,
  country: sentCountry,
  phone: optionalText,
}

/** `billTo` of an order, and `shipTo` of a line: no e-mail address is accepted there (SUB-31, SUB-39). */
export const sentPlaceWithoutEmail = bodyObject(sentPlace)

/** `shipTo` of a whole order (SUB-37, SUB-40). */
export const sentShipTo = bodyObject({
  ...sentPlace,
  email: Type.Optional(
    described(textUpTo(addressTextLengthMax), 'an e-mail address; it gets a message when the order ships'),
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
