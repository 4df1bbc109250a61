import { described, int32, nullable, pageOf, record, text } from '../../contract/fields.ts'
import { operation } from '../../contract/operation.ts'
import { paged } from '../../contract/parameters.ts'

export const Address = record('Address', {
  id: int32,
  siteId: int32,
  addressType: nullable(described(text, 'the use of the address, such as ship-to or blind-from')),
  company: nullable(text),
  firstName: nullable(text),
  lastName: nullable(text),
  phone: nullable(text),
  address1: nullable(text),
  address2: nullable(text),
  city: nullable(text),
  zip: nullable(text),
  country: nullable(described(text, 'name')),
  countryCode: nullable(described(text, 'ISO 3166-1 alpha-2 code')),
  state: nullable(described(text, 'name')),
  stateCode: nullable(text),
})

export const addresses = {
  listUserAddresses: operation({
    id: 'listUserAddresses',
    at: 'GET /v1/users/{userId}/addresses',
    scope: 'users:read',
    query: paged({ default: 50, max: 200 }),
    collection: 'addresses',
    answers: { 200: pageOf('AddressPage', 'addresses', Address) },
    refuses: [],
    says: 'Lists the saved addresses of a user; an unknown user has none.',
  }),
}
