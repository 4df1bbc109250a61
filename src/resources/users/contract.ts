import { Type } from 'typebox'
import {
  anyIdInBody,
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
import { divisionIdFilter, exactFilter, paged, siteIdFilter } from '../../contract/parameters.ts'

export const User = record('User', {
  userId: int32,
  siteId: int32,
  username: nullable(text),
  email: nullable(text),
  firstName: nullable(text),
  lastName: nullable(text),
  company: nullable(text),
  phone: nullable(text),
  active: described(flag, 'false = cannot sign in; stays listed'),
  divisionId: nullable(int32),
  createdOn: instant,
  updatedOn: described(instant, 'for information only: not a watermark for polling changes'),
  lastSigninOn: nullable(described(instant, 'null = never signed in')),
  ordersRequireApproval: flag,
  allSegmentsVisible: described(flag, 'the user sees the products of every segment'),
  taxExempt: flag,
})

export const UserDetail = record('UserDetail', {
  ...User.properties,
  segments: Type.Array(
    record('UserSegment', {
      segmentId: int32,
      name: text,
      autoAssigned: described(flag, 'assigned by a rule of the site'),
    }),
    { description: "segments of the user's own site" },
  ),
})

export const UserPage = pageOf('UserPage', 'users', User)

const userFilters = {
  divisionId: divisionIdFilter,
  username: exactFilter(100, 'only users with this username, in any letter case'),
  email: exactFilter(254, 'only users with this e-mail address, in any letter case'),
  ...paged({ default: 50, max: 200 }),
}

export const users = {
  listUsers: operation({
    id: 'listUsers',
    at: 'GET /v1/users',
    scope: 'users:read',
    query: { siteId: siteIdFilter, ...userFilters },
    collection: 'users',
    answers: { 200: UserPage },
    refuses: [],
    says: 'Lists the storefront users of your sites.',
  }),
  listSiteUsers: operation({
    id: 'listSiteUsers',
    at: 'GET /v1/sites/{siteId}/users',
    scope: 'users:read',
    query: userFilters,
    collection: 'users',
    answers: { 200: UserPage },
    refuses: [],
    says: 'Lists the storefront users of one site.',
    // The list of all sites takes siteId.
    agents: { offered: 'never' },
  }),
  getUser: operation({
    id: 'getUser',
    at: 'GET /v1/users/{userId}',
    scope: 'users:read',
    answers: { 200: UserDetail },
    refuses: ['user_not_found'],
    says: 'Shows one storefront user with its segments.',
  }),
  createUser: operation({
    id: 'createUser',
    at: 'POST /v1/users',
    scope: 'users:write',
    // The platform checks the lengths of names, company and phone, and the form of the e-mail address.
    body: {
      schema: bodyObject({
        siteId: idInBody,
        username: described(filledText(100), 'unique on the site in any letter case; cannot be changed later'),
        email: described(text, 'unique on the site in any letter case'),
        firstName: text,
        lastName: text,
        company: Type.Optional(nullable(text)),
        phone: Type.Optional(nullable(text)),
        divisionId: Type.Optional(nullable(anyIdInBody)),
        active: Type.Optional(described(flag, 'default true')),
      }),
      malformed: 'invalid_request',
      nulls: 'refused',
      fieldProblems: { siteId: 'invalid_site_id' },
      example: {
        siteId: 101,
        username: 'dwhitfield',
        email: 'dana@whitfield.test',
        firstName: 'Dana',
        lastName: 'Whitfield',
        divisionId: 5001,
      },
    },
    answers: { 201: UserDetail },
    headers: { 201: ['Location'] },
    refuses: [
      'invalid_site_id',
      'monolith_rejected',
      'user_already_exists',
      'division_not_on_site',
      'audit_unavailable',
    ],
    says: 'Creates a storefront user without a password.',
  }),
  updateUser: operation({
    id: 'updateUser',
    at: 'PATCH /v1/users/{userId}',
    revises: 'getUser',
    scope: 'users:write',
    body: {
      schema: patchBody({
        active: Type.Optional(flag),
        email: Type.Optional(text),
        firstName: Type.Optional(text),
        lastName: Type.Optional(text),
        company: Type.Optional(nullable(text)),
        phone: Type.Optional(nullable(text)),
        divisionId: Type.Optional(nullable(described(anyIdInBody, "a division of the user's site"))),
      }),
      malformed: 'invalid_request',
      nulls: 'refused',
      example: { phone: null, active: false },
    },
    answers: { 200: UserDetail },
    refuses: [
      'user_not_found',
      'monolith_rejected',
      'user_already_exists',
      'division_not_on_site',
      'monolith_target_missing',
      'audit_unavailable',
    ],
    says: 'Changes a storefront user; fields that are left out keep their values.',
    agents: { idempotent: true, destructive: true },
  }),
  replaceUserSegments: operation({
    id: 'replaceUserSegments',
    at: 'PUT /v1/users/{userId}/segments',
    revises: 'getUser',
    scope: 'users:write',
    body: {
      schema: bodyObject({
        segmentIds: Type.Array(anyIdInBody, {
          maxItems: 200,
          description: "segments of the user's site; a repeated id counts once; [] = none",
        }),
        acknowledgeAllSegmentsVisibleReset: Type.Optional(
          described(flag, 'must be true when the user sees all segments now, because the call changes that'),
        ),
      }),
      malformed: 'invalid_request',
      example: { segmentIds: [301], acknowledgeAllSegmentsVisibleReset: true },
    },
    answers: { 200: UserDetail },
    refuses: [
      'user_not_found',
      'all_segments_visible_reset_not_acknowledged',
      'segment_not_on_site',
      'auto_assigned_segments_present',
      'monolith_target_missing',
      'audit_unavailable',
    ],
    says: 'Replaces all segments of a user and sets allSegmentsVisible to false.',
    agents: { idempotent: true, destructive: true },
  }),
}
