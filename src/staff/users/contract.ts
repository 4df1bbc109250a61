import { Type } from 'typebox'
import {
  anyIdInBody,
  bodyObject,
  decimal,
  described,
  filledText,
  flag,
  idInBody,
  nullable,
  pageOf,
  patchBody,
  record,
  text,
  textUpTo,
} from '../../contract/fields.ts'
import { activeFilter, divisionIdFilter, paged, siteIdFilter, textFilter } from '../../contract/parameters.ts'
import { User, UserDetail } from '../../resources/users/contract.ts'
import { staffOperation, staffSubject } from '../operation.ts'

const discount = nullable(
  described(
    record('UserDiscount', { name: text, percent: decimal }),
    "taken off every line after the product's discount",
  ),
)

const added = {
  discount,
  isOrderingUser: described(flag, 'partners order on the site for this user'),
}

export const StaffUser = record('StaffUser', { ...User.properties, ...added })
export const StaffUserDetail = record('StaffUserDetail', { ...UserDetail.properties, ...added })

const beginning = (what: string) =>
  textFilter(
    { lengthMax: 254, malformed: 'invalid_request' },
    `only users whose ${what} begins with this, in any letter case`,
  )

export const users = staffSubject({
  name: 'Users',
  says: 'Storefront users. They sign in at the storefront; nothing here sets or shows a password.',
  problems: {
    site_not_found: [404, 'No such site.'],
    user_not_found: [404, 'No such user.'],
    user_already_exists: [409, 'The username or e-mail address is already used on this site.'],
    email_taken: [409, 'The e-mail address is already used on this site.'],
    is_ordering_user: [409, 'Partners order on the site for this user. Name another ordering user first.'],
    all_segments_visible_reset_not_acknowledged: [
      409,
      'The user sees all segments. Send acknowledgeAllSegmentsVisibleReset: true to change that.',
    ],
    auto_assigned_segments_present: [409, 'A segment that a rule of the site assigned cannot be removed.'],
    user_not_usable: [422, 'A field of the user is not usable.'],
    division_not_on_site: [422, 'The site has no such division.'],
    segment_not_on_site: [422, 'Every segment must be on the site.'],
    discount_not_usable: [
      422,
      'A discount has a name of 1 to 100 characters and a percentage above 0 and at most 100, with at most 4 decimals.',
    ],
  },
  operations: {
    listUsers: staffOperation({
      id: 'listUsers',
      at: 'GET /staff/v1/{environment}/users',
      permission: 'customers:read',
      query: {
        siteId: siteIdFilter,
        divisionId: divisionIdFilter,
        active: activeFilter,
        username: beginning('username'),
        email: beginning('e-mail address'),
        ...paged({ default: 50, max: 200 }),
      },
      collection: 'users',
      answers: { 200: pageOf('StaffUserPage', 'users', StaffUser) },
      refuses: [],
      says: 'Lists the users of all sites by id, or those that match the filters.',
    }),
    createUser: staffOperation({
      id: 'createUser',
      at: 'POST /staff/v1/{environment}/users',
      permission: 'customers:write',
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
      },
      answers: { 201: StaffUserDetail },
      refuses: ['site_not_found', 'user_not_usable', 'user_already_exists', 'division_not_on_site'],
      says: "Creates a user without a password, in the segments that the site's rules assign.",
    }),
    readUser: staffOperation({
      id: 'readUser',
      at: 'GET /staff/v1/{environment}/users/{userId}',
      permission: 'customers:read',
      answers: { 200: StaffUserDetail },
      refuses: ['user_not_found'],
      says: 'Shows a user with its segments.',
    }),
    updateUser: staffOperation({
      id: 'updateUser',
      at: 'PATCH /staff/v1/{environment}/users/{userId}',
      revises: 'readUser',
      permission: 'customers:write',
      body: {
        schema: patchBody({
          active: Type.Optional(
            described(
              flag,
              "false = cannot sign in at the storefront; stays listed; refused for a site's ordering user",
            ),
          ),
          email: Type.Optional(text),
          firstName: Type.Optional(text),
          lastName: Type.Optional(text),
          company: Type.Optional(nullable(text)),
          phone: Type.Optional(nullable(text)),
          divisionId: Type.Optional(nullable(described(anyIdInBody, "a division of the user's site"))),
          ordersRequireApproval: Type.Optional(flag),
          allSegmentsVisible: Type.Optional(described(flag, 'sees the products of every segment')),
          taxExempt: Type.Optional(flag),
        }),
      },
      answers: { 200: StaffUserDetail },
      refuses: ['user_not_found', 'user_not_usable', 'email_taken', 'division_not_on_site', 'is_ordering_user'],
      says: 'Changes some fields of a user; fields left out stay as they are.',
    }),
    replaceUserSegments: staffOperation({
      id: 'replaceUserSegments',
      at: 'PUT /staff/v1/{environment}/users/{userId}/segments',
      revises: 'readUser',
      permission: 'customers:write',
      body: {
        schema: bodyObject({
          segmentIds: Type.Array(anyIdInBody, { maxItems: 1_000 }),
          acknowledgeAllSegmentsVisibleReset: Type.Optional(flag),
        }),
      },
      answers: { 200: StaffUserDetail },
      refuses: [
        'user_not_found',
        'all_segments_visible_reset_not_acknowledged',
        'segment_not_on_site',
        'auto_assigned_segments_present',
      ],
      says: 'Replaces the segments of a user and sets allSegmentsVisible to false.',
    }),
    setUserDiscount: staffOperation({
      id: 'setUserDiscount',
      at: 'PUT /staff/v1/{environment}/users/{userId}/discount',
      revises: 'readUser',
      permission: 'customers:write',
      body: {
        schema: bodyObject({ discount: nullable(bodyObject({ name: textUpTo(400), percent: textUpTo(20) })) }),
      },
      answers: { 200: StaffUserDetail },
      refuses: ['user_not_found', 'discount_not_usable'],
      says: "Sets a user's own discount, or ends it with null. It applies to quotes and orders from then on.",
    }),
  },
})
