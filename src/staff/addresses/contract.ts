import { Type } from 'typebox'
import {
  bodyObject,
  described,
  filledLineUpTo,
  filledText,
  lineUpTo,
  nullable,
  oneOf,
  pageOf,
  record,
  textUpTo,
} from '../../contract/fields.ts'
import { paged } from '../../contract/parameters.ts'
import { addressTypes } from '../../platform/customers/user-addresses.ts'
import { Address } from '../../resources/addresses/contract.ts'
import { staffOperation, staffSubject } from '../operation.ts'

const optionalText = Type.Optional(nullable(lineUpTo(255)))

const body = {
  schema: bodyObject({
    addressType: Type.Optional(nullable(oneOf(addressTypes))),
    company: optionalText,
    firstName: optionalText,
    lastName: optionalText,
    phone: optionalText,
    address1: filledLineUpTo(255),
    address2: optionalText,
    city: filledLineUpTo(255),
    zip: described(filledText(20), "in the country's format"),
    countryCode: described(textUpTo(2), "ISO 3166-1 alpha-2 code, in any letter case; sets the country's name too"),
    stateCode: Type.Optional(
      nullable(described(textUpTo(3), 'ISO 3166-2 code without the country; null where the country has no states')),
    ),
  }),
}

export const addresses = staffSubject({
  name: 'Addresses',
  says: 'The saved addresses of a user. An order keeps its own copy of its address.',
  problems: {
    user_not_found: [404, 'No such user.'],
    address_not_found: [404, 'The user has no such address.'],
    addresses_full: [409, 'The user already has 1,000 addresses, the most allowed.'],
    address_not_usable: [422, 'A field of the address is not usable.'],
    country_not_known: [422, 'The country must be an ISO 3166-1 alpha-2 code.'],
    state_not_known: [422, 'The state is missing or is not an ISO 3166-2 code of the country.'],
    postal_code_not_usable: [422, "The postal code must have the country's format."],
  },
  operations: {
    listUserAddresses: staffOperation({
      id: 'listUserAddresses',
      at: 'GET /staff/v1/{environment}/users/{userId}/addresses',
      permission: 'customers:read',
      query: paged({ default: 50, max: 200 }),
      collection: 'addresses',
      answers: { 200: pageOf('AddressPage', 'addresses', Address) },
      refuses: ['user_not_found'],
      says: "Lists a user's saved addresses by id.",
    }),
    addUserAddress: staffOperation({
      id: 'addUserAddress',
      at: 'POST /staff/v1/{environment}/users/{userId}/addresses',
      permission: 'customers:write',
      body,
      answers: { 201: Address },
      refuses: [
        'user_not_found',
        'address_not_found',
        'addresses_full',
        'address_not_usable',
        'country_not_known',
        'state_not_known',
        'postal_code_not_usable',
      ],
      says: 'Saves an address for a user.',
    }),
    replaceUserAddress: staffOperation({
      id: 'replaceUserAddress',
      at: 'PUT /staff/v1/{environment}/users/{userId}/addresses/{addressId}',
      revises: 'listUserAddresses',
      permission: 'customers:write',
      body,
      answers: { 200: Address },
      refuses: [
        'address_not_found',
        'address_not_usable',
        'country_not_known',
        'state_not_known',
        'postal_code_not_usable',
      ],
      says: 'Replaces a saved address; fields left out become null.',
    }),
    removeUserAddress: staffOperation({
      id: 'removeUserAddress',
      at: 'POST /staff/v1/{environment}/users/{userId}/addresses/{addressId}/remove',
      permission: 'customers:write',
      answers: { 200: record('RemovedAddress', { removed: Type.Literal(true) }) },
      refuses: ['address_not_found'],
      says: 'Removes a saved address.',
    }),
  },
})
