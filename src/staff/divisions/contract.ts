import { Type } from 'typebox'
import {
  bodyObject,
  described,
  filledLineUpTo,
  filledText,
  flag,
  idInBody,
  int32,
  nullable,
  pageOf,
  patchBody,
  record,
  text,
  lineUpTo,
  textUpTo,
} from '../../contract/fields.ts'
import { activeFilter, divisionIdFilter, paged, siteIdFilter } from '../../contract/parameters.ts'
import { Division } from '../../resources/divisions/contract.ts'
import { staffOperation, staffSubject } from '../operation.ts'

const counts = {
  divisionsBelow: described(Type.Integer({ minimum: 0 }), 'directly under it'),
  usersInIt: Type.Integer({ minimum: 0 }),
}

export const StaffDivision = record('StaffDivision', { ...Division.properties, ...counts })

export const StaffDivisionDetail = record('StaffDivisionDetail', {
  ...StaffDivision.properties,
  above: Type.Array(record('DivisionAbove', { divisionId: int32, name: text, code: text }), {
    description: 'the divisions above it, root first',
  }),
  address: nullable(
    described(
      record('DivisionAddress', {
        company: nullable(text),
        firstName: nullable(text),
        lastName: nullable(text),
        street: nullable(text),
        street2: nullable(text),
        city: nullable(text),
        zip: nullable(text),
        country: nullable(text),
        state: nullable(text),
      }),
      'null = the platform stores none; never shown to partners',
    ),
  ),
})

const label = filledText(100)
const parentId = Type.Optional(
  nullable(described(idInBody, 'a division of the same site; at most 10 levels deep; null = a root')),
)
const optionalText = Type.Optional(nullable(lineUpTo(255)))

const address = bodyObject({
  company: optionalText,
  firstName: optionalText,
  lastName: optionalText,
  street: filledLineUpTo(255),
  street2: optionalText,
  city: filledLineUpTo(255),
  zip: described(filledText(20), "in the country's format"),
  country: described(textUpTo(2), 'ISO 3166-1 alpha-2 code, in any letter case'),
  state: Type.Optional(
    nullable(described(textUpTo(3), 'ISO 3166-2 code without the country; null where the country has no states')),
  ),
})

export const divisions = staffSubject({
  name: 'Divisions',
  says: 'The divisions of a site: trees of at most ten levels.',
  problems: {
    site_not_found: [404, 'No such site.'],
    division_not_found: [404, 'No such division.'],
    division_code_conflict: [409, 'The code is already used on this site.'],
    division_not_usable: [422, 'A field of the division is not usable.'],
    site_stores_addresses: [422, 'The site stores the addresses of its divisions: a new one needs an address.'],
    site_stores_no_addresses: [422, 'The site does not store the addresses of its divisions.'],
    parent_is_self: [422, 'A division cannot be its own parent.'],
    parent_not_on_site: [422, 'The site has no such parent division.'],
    division_parent_invalid: [422, 'The parent would make a cycle, or a tree of more than 10 levels.'],
    address_not_usable: [422, 'A field of the address is not usable.'],
    country_not_known: [422, 'The country must be an ISO 3166-1 alpha-2 code.'],
    state_not_known: [422, 'The state is missing or is not an ISO 3166-2 code of the country.'],
    postal_code_not_usable: [422, "The postal code must have the country's format."],
  },
  operations: {
    listDivisions: staffOperation({
      id: 'listDivisions',
      at: 'GET /staff/v1/{environment}/divisions',
      permission: 'customers:read',
      query: {
        siteId: siteIdFilter,
        parentId: { ...divisionIdFilter, says: 'only divisions directly under this one' },
        root: { ...activeFilter, says: 'true = only roots; false = only divisions with a parent' },
        active: activeFilter,
        ...paged({ default: 50, max: 200 }),
      },
      collection: 'divisions',
      answers: { 200: pageOf('StaffDivisionPage', 'divisions', StaffDivision) },
      refuses: [],
      says: 'Lists divisions by id: all, the roots, or those directly under one.',
    }),
    createDivision: staffOperation({
      id: 'createDivision',
      at: 'POST /staff/v1/{environment}/divisions',
      permission: 'customers:write',
      body: {
        schema: bodyObject({ siteId: idInBody, name: label, code: label, parentId, address: Type.Optional(address) }),
      },
      answers: { 201: StaffDivisionDetail },
      refuses: [
        'site_not_found',
        'site_stores_addresses',
        'site_stores_no_addresses',
        'parent_not_on_site',
        'division_parent_invalid',
        'division_code_conflict',
        'division_not_usable',
        'address_not_usable',
        'country_not_known',
        'state_not_known',
        'postal_code_not_usable',
      ],
      says: 'Creates an active division, with an address if the site stores addresses.',
    }),
    readDivision: staffOperation({
      id: 'readDivision',
      at: 'GET /staff/v1/{environment}/divisions/{divisionId}',
      permission: 'customers:read',
      answers: { 200: StaffDivisionDetail },
      refuses: ['division_not_found'],
      says: 'Shows a division, the divisions above it, and its address.',
    }),
    updateDivision: staffOperation({
      id: 'updateDivision',
      at: 'PATCH /staff/v1/{environment}/divisions/{divisionId}',
      revises: 'readDivision',
      permission: 'customers:write',
      body: {
        schema: patchBody({
          name: Type.Optional(label),
          code: Type.Optional(label),
          parentId,
          active: Type.Optional(flag),
          taxExempt: Type.Optional(flag),
          auditSalesTaxForTerms: Type.Optional(flag),
        }),
      },
      answers: { 200: StaffDivisionDetail },
      refuses: [
        'division_not_found',
        'parent_is_self',
        'parent_not_on_site',
        'division_parent_invalid',
        'division_code_conflict',
        'division_not_usable',
      ],
      says: 'Changes some fields of a division. On a site that stores no addresses, this clears an address that it still had.',
    }),
    setDivisionAddress: staffOperation({
      id: 'setDivisionAddress',
      at: 'PUT /staff/v1/{environment}/divisions/{divisionId}/address',
      revises: 'readDivision',
      permission: 'customers:write',
      body: { schema: address },
      answers: { 200: StaffDivisionDetail },
      refuses: [
        'division_not_found',
        'site_stores_no_addresses',
        'address_not_usable',
        'country_not_known',
        'state_not_known',
        'postal_code_not_usable',
      ],
      says: 'Replaces the address of a division.',
    }),
  },
})
