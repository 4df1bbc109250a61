import { Type } from 'typebox'
import { described, flag, nullable, oneOf, record, text } from '../../contract/fields.ts'
import { paged, wordFilter, type Parameter } from '../../contract/parameters.ts'
import { isOneLine } from '../../vocabulary/text.ts'
import { staffOperation, staffSubject } from '../operation.ts'

/** What a search can land on, in the order in which equally good matches are shown. */
export const hitKinds = [
  'order',
  'line',
  'shipment',
  'return',
  'invoice',
  'refund',
  'submission',
  'request',
  'mail',
  'user',
  'partner',
  'person',
  'product',
  'site',
  'division',
  'creditAccount',
  'segment',
  'fulfilmentCenter',
  'shippingService',
  'stockCount',
  'webhookEndpoint',
  'webhookDelivery',
  'inspection',
] as const

export type HitKind = (typeof hitKinds)[number]

/** From the best. */
export const matches = ['exact', 'prefix', 'words'] as const

const queryLengthMax = 200

const query: Parameter<string> = {
  schema: Type.String({ minLength: 1, maxLength: queryLengthMax }),
  read: (given) => {
    const asked = given.trim()
    return asked !== '' && given.length <= queryLengthMax && isOneLine(asked) ? asked : undefined
  },
  malformed: 'invalid_request',
  says: 'an id of any kind, as a record shows it or a paper prints it, or the beginnings of words',
  form: `one line of 1 to ${queryLengthMax} characters, one of them visible`,
}

const Hit = record('SearchHit', {
  id: described(text, 'the id of the record, by which its paths name it'),
  title: described(text, 'what people call it'),
  subtitle: nullable(described(text, 'what tells it from others of its kind')),
  match: described(
    oneOf(matches),
    'exact = the whole text; prefix = its beginning; words = the beginnings of some of its words',
  ),
  field: described(text, 'the field that matched, such as orderNumber or trackingNumber'),
  path: described(text, 'of the staff API, where the record can be read'),
})

const HitGroup = record('SearchHitGroup', {
  kind: oneOf(hitKinds),
  hits: Type.Array(Hit, { description: 'the best first; equally good orders newest first' }),
  more: described(flag, 'there are more than `limit`: a longer text tells them apart'),
})

export const search = staffSubject({
  name: 'Search',
  says: 'One search over whatever has an id or a name. Paste any id, or type the beginnings of words.',
  problems: {},
  operations: {
    search: staffOperation({
      id: 'search',
      at: 'GET /staff/v1/{environment}/search',
      permission: null,
      query: {
        q: query,
        kind: wordFilter(hitKinds, 'invalid_request', 'only hits of this kind'),
        limit: { ...paged({ default: 5, max: 50 }).limit, says: 'hits of each kind; default 5, at most 50' },
      },
      answers: {
        200: record('SearchResult', {
          groups: Type.Array(HitGroup, { description: 'by kind; the kind with the best hit first' }),
        }),
      },
      refuses: ['invalid_request'],
      says: 'Finds orders, people, partners, products and other records by an id, a number, a name or another text.',
      agentNote:
        'Each kind is only answered to those who may read it. Texts are compared without regard to case, accents and punctuation of words.',
    }),
  },
})
