import { described, flag, instant, int32, pageOf, record, text } from '../../contract/fields.ts'
import { operation } from '../../contract/operation.ts'
import { paged, siteIdFilter } from '../../contract/parameters.ts'

export const Segment = record('Segment', {
  segmentId: int32,
  siteId: int32,
  name: text,
  autoAssigns: described(flag, 'a rule of the site assigns users to it'),
  createdOn: instant,
  updatedOn: instant,
})

export const segments = {
  listSegments: operation({
    id: 'listSegments',
    at: 'GET /v1/segments',
    scope: 'products:read',
    query: { siteId: siteIdFilter, ...paged({ default: 50, max: 200 }) },
    collection: 'segments',
    answers: { 200: pageOf('SegmentPage', 'segments', Segment) },
    refuses: [],
    says: 'Lists the segments of your sites.',
  }),
}
