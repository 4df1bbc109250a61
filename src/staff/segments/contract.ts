import { Type } from 'typebox'
import {
  bodyObject,
  described,
  idInBody,
  int32,
  nullable,
  pageOf,
  record,
  text,
  textUpTo,
} from '../../contract/fields.ts'
import { paged, siteIdFilter } from '../../contract/parameters.ts'
import { Segment } from '../../resources/segments/contract.ts'
import { staffOperation, staffSubject } from '../operation.ts'

const count = Type.Integer({ minimum: 0 })

export const SegmentRule = record('SegmentRule', {
  segmentRuleId: int32,
  emailDomain: nullable(described(text, 'users with an e-mail address of this domain, not of a subdomain')),
  divisionId: nullable(described(int32, 'users of this division, not of those below it')),
})

const { autoAssigns: _, ...segmentFields } = Segment.properties

export const StaffSegment = record('StaffSegment', {
  ...segmentFields,
  rules: Type.Array(SegmentRule, { description: 'a user who matches any of them is put into the segment' }),
})

export const StaffSegmentDetail = record('StaffSegmentDetail', {
  ...StaffSegment.properties,
  usersByHand: described(count, 'put into it by people'),
  usersByRule: described(count, 'put into it by its rules'),
})

const name = textUpTo(400)

export const segments = staffSubject({
  name: 'Segments',
  says:
    'Segments of customers, and the rules that put users into them. A membership belongs to whoever made it first, a ' +
    'person or a rule. When a rule ends, only memberships that rules made can end with it.',
  problems: {
    site_not_found: [404, 'No such site.'],
    segment_not_found: [404, 'No such segment.'],
    segment_rule_not_found: [404, 'No such rule.'],
    in_use: [409, 'Other records name it.'],
    segment_rule_exists: [409, 'The segment already has this rule.'],
    segment_name_not_usable: [422, 'A name has 1 to 100 characters and is not blank.'],
    email_domain_not_usable: [
      422,
      'The field emailDomain must be the domain of an e-mail address, such as example.com.',
    ],
    division_not_on_site: [422, 'The site has no such division.'],
  },
  operations: {
    listSegments: staffOperation({
      id: 'listSegments',
      at: 'GET /staff/v1/{environment}/segments',
      permission: 'customers:read',
      query: { siteId: siteIdFilter, ...paged({ default: 50, max: 200 }) },
      collection: 'segments',
      answers: { 200: pageOf('StaffSegmentPage', 'segments', StaffSegment) },
      refuses: [],
      says: 'Lists segments with their rules, by id.',
    }),
    createSegment: staffOperation({
      id: 'createSegment',
      at: 'POST /staff/v1/{environment}/segments',
      permission: 'customers:write',
      body: { schema: bodyObject({ siteId: idInBody, name }) },
      answers: { 201: StaffSegmentDetail },
      refuses: ['site_not_found', 'segment_name_not_usable'],
      says: 'Creates a segment without rules or users.',
    }),
    readSegment: staffOperation({
      id: 'readSegment',
      at: 'GET /staff/v1/{environment}/segments/{segmentId}',
      permission: 'customers:read',
      answers: { 200: StaffSegmentDetail },
      refuses: ['segment_not_found'],
      says: 'Shows a segment with its rules and how many users are in it.',
    }),
    renameSegment: staffOperation({
      id: 'renameSegment',
      at: 'PUT /staff/v1/{environment}/segments/{segmentId}/name',
      revises: 'readSegment',
      permission: 'customers:write',
      body: { schema: bodyObject({ name }) },
      answers: { 200: StaffSegmentDetail },
      refuses: ['segment_not_found', 'segment_name_not_usable'],
      says: 'Renames a segment.',
    }),
    deleteSegment: staffOperation({
      id: 'deleteSegment',
      at: 'POST /staff/v1/{environment}/segments/{segmentId}/delete',
      permission: 'customers:write',
      answers: { 200: record('DeletedSegment', { segmentId: int32 }) },
      refuses: ['segment_not_found', 'in_use'],
      says: 'Deletes a segment without users, products and rules.',
    }),
    addSegmentRule: staffOperation({
      id: 'addSegmentRule',
      at: 'POST /staff/v1/{environment}/segments/{segmentId}/rules',
      permission: 'customers:write',
      body: {
        schema: bodyObject({ emailDomain: Type.Optional(textUpTo(254)), divisionId: Type.Optional(idInBody) }),
        check: ({ emailDomain, divisionId }) =>
          (emailDomain === undefined) === (divisionId === undefined)
            ? 'Send either emailDomain or divisionId.'
            : undefined,
      },
      takesTime: true,
      answers: {
        201: record('AddedSegmentRule', {
          segmentRuleId: int32,
          usersAdded: described(count, 'how many users the rule put into the segment'),
        }),
      },
      refuses: ['segment_not_found', 'email_domain_not_usable', 'division_not_on_site', 'segment_rule_exists'],
      says: 'Adds a rule to a segment and puts the users who match it into the segment.',
    }),
    removeSegmentRule: staffOperation({
      id: 'removeSegmentRule',
      at: 'POST /staff/v1/{environment}/segment-rules/{segmentRuleId}/remove',
      permission: 'customers:write',
      takesTime: true,
      answers: {
        200: record('RemovedSegmentRule', {
          segmentId: int32,
          usersRemoved: described(count, 'how many users left the segment, because no other rule matches them'),
        }),
      },
      refuses: ['segment_rule_not_found'],
      says: 'Ends a rule. Users that rules put into the segment leave it if no other rule matches them.',
    }),
  },
})
