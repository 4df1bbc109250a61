import { Type } from 'typebox'
import {
  bodyObject,
  described,
  filledText,
  flag,
  idInBody,
  instant,
  int32,
  nullable,
  pageOf,
  patchBody,
  record,
  text,
} from '../../contract/fields.ts'
import { operation } from '../../contract/operation.ts'
import {
  activeFilter,
  divisionIdFilter,
  exactFilter,
  flagFilter,
  paged,
  siteIdFilter,
} from '../../contract/parameters.ts'

export const Division = record('Division', {
  divisionId: int32,
  siteId: int32,
  name: text,
  code: described(text, 'a label; another site may use the same code, so it is not a key'),
  parentId: nullable(described(int32, 'null = a root')),
  active: described(flag, 'inactive divisions stay listed'),
  taxExempt: flag,
  auditSalesTaxForTerms: flag,
  createdOn: instant,
  updatedOn: described(instant, 'for information only: not a watermark for polling changes'),
})

export const CreatedDivision = record('CreatedDivision', { divisionId: int32 })

// The specification names no lengths; 100 is our own bound.
const label = filledText(100)
const parentId = Type.Optional(
  nullable(described(idInBody, 'a division of the same site; at most 10 levels deep; null = a root')),
)

export const divisions = {
  listDivisions: operation({
    id: 'listDivisions',
    at: 'GET /v1/divisions',
    scope: 'divisions:read',
    query: {
      siteId: siteIdFilter,
      parentId: { ...divisionIdFilter, says: 'only divisions directly under this one' },
      rootsOnly: flagFilter('invalid_request', 'true = only divisions without a parent; false = as if left out'),
      code: exactFilter(100, 'only divisions with this code, in any letter case'),
      active: activeFilter,
      ...paged({ default: 50, max: 200 }),
    },
    collection: 'divisions',
    answers: { 200: pageOf('DivisionPage', 'divisions', Division) },
    refuses: [],
    says: 'Lists the divisions of your sites as a flat list; each division names its parent.',
  }),
  getDivision: operation({
    id: 'getDivision',
    at: 'GET /v1/divisions/{divisionId}',
    scope: 'divisions:read',
    answers: { 200: Division },
    refuses: ['division_not_found'],
    says: 'Shows one division.',
  }),
  createDivision: operation({
    id: 'createDivision',
    at: 'POST /v1/divisions',
    scope: 'divisions:write',
    body: {
      schema: bodyObject({ siteId: idInBody, name: label, code: label, parentId }),
      malformed: 'invalid_request',
      nulls: 'refused',
      fieldProblems: { siteId: 'invalid_site_id', parentId: 'invalid_division_id' },
      example: { siteId: 101, name: 'Northeast', code: 'NE', parentId: 5001 },
    },
    answers: { 201: CreatedDivision },
    headers: { 201: ['Location'] },
    refuses: [
      'invalid_request',
      'invalid_site_id',
      'division_create_requires_address',
      'parent_not_on_site',
      'division_parent_invalid',
      'division_code_conflict',
      'audit_unavailable',
    ],
    says: 'Creates an active division.',
  }),
  updateDivision: operation({
    id: 'updateDivision',
    at: 'PATCH /v1/divisions/{divisionId}',
    revises: 'getDivision',
    scope: 'divisions:write',
    body: {
      schema: patchBody({
        name: Type.Optional(label),
        code: Type.Optional(label),
        parentId,
        active: Type.Optional(flag),
      }),
      malformed: 'invalid_request',
      nulls: 'refused',
      fieldProblems: { parentId: 'invalid_division_id' },
      example: { name: 'North and East' },
    },
    answers: { 200: Division },
    refuses: [
      'invalid_request',
      'division_not_found',
      'parent_is_self',
      'parent_not_on_site',
      'division_parent_invalid',
      'division_code_conflict',
      'monolith_target_missing',
      'audit_unavailable',
    ],
    says: 'Changes a division; fields that are left out keep their values.',
    agentNote:
      "If the site does not store division addresses (the site's storesDivisionAddresses is false), every call erases " +
      'the postal address that the platform may hold for the division, even a call that changes nothing. The address ' +
      'cannot be read back, and no form of the request avoids this.',
    agents: { idempotent: true, destructive: true },
  }),
}
