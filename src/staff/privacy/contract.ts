import { Type } from 'typebox'
import {
  bodyObject,
  described,
  instant,
  longNumber,
  nullable,
  oneOf,
  pageOf,
  record,
  text,
  textUpTo,
  uuid,
} from '../../contract/fields.ts'
import { paged } from '../../contract/parameters.ts'
import { erasureReasons } from '../../privacy/erase-person.ts'
import { personKinds } from '../../privacy/find-person.ts'
import { staffOperation, staffSubject } from '../operation.ts'
import { users } from '../users/contract.ts'

const kind = described(
  oneOf(personKinds),
  "CUSTOMER = a storefront user, RECIPIENT = who gets orders at an e-mail address, ORDER = the people of one order, PERSON = a partner's person who signs in, STAFF = a member of staff",
)
const id = described(
  textUpTo(254),
  'userId, e-mail address, orderNumber, personId or staffId, as the kind says; a text also where it is a number',
)

const reason = described(
  oneOf(erasureReasons),
  'REQUEST = the person asked for it; CONSENT_WITHDRAWN; RETENTION = it was kept long enough',
)

const PersonExport = record('PersonExport', {
  exportedOn: described(instant, 'when it was taken out'),
  records: Type.Array(
    record('ExportedRecords', {
      table: described(text, 'what kind of record it is, as in docs/privacy.md'),
      rows: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
        description: 'each with all its columns but secrets',
      }),
    }),
    { description: 'by kind of record' },
  ),
  files: Type.Array(
    record('ExportedFile', {
      objectKey: described(text, 'as the records name the file'),
      link: nullable(described(text, 'downloads it for an hour; null = the store cannot be reached now')),
    }),
    { description: 'the files that belong to them' },
  ),
})

export const ErasureView = record('Erasure', {
  erasureId: described(uuid, 'the erasure'),
  kind,
  subject: described(text, 'the id; of a recipient, a fingerprint that names nobody'),
  orderNumbers: described(Type.Array(longNumber), 'orders that name nobody any more'),
  reason,
  erasedOn: described(instant, 'when it was erased last'),
  finishedOn: nullable(described(instant, 'null = files still wait to be removed; that is tried every minute')),
})

export const privacy = staffSubject({
  name: 'Privacy',
  says: 'All that is known of a person, as one answer, and its erasure. Orders, money and the audit log stay whole, and name nobody.',
  problems: {
    nobody_known: [404, 'Nothing is known of such a person.'],
    person_not_usable: [422, 'The id does not have the form that its kind has.'],
    confirmation_not_usable: [422, 'Repeat the id in confirm, to the letter.'],
    orders_open: [409, 'Orders of the person are still open: finish or cancel them first.'],
    has_account: [409, 'A customer has this address: erase the customer instead.'],
    is_ordering_user: users.problems.is_ordering_user,
    staff_enabled: [409, 'The account is enabled: disable it first.'],
    too_many_to_erase: [422, 'The person has more than 20,000 orders, too many to erase at once.'],
  },
  operations: {
    exportPerson: staffOperation({
      id: 'exportPerson',
      at: 'POST /staff/v1/{environment}/person-exports',
      permission: 'people:export',
      body: { schema: bodyObject({ kind, id }) },
      answers: { 200: PersonExport },
      confidential: true,
      refuses: ['nobody_known', 'person_not_usable', 'too_many_to_erase'],
      says: 'Answers all that is known of a person, with links to the files, and notes that it was taken out.',
    }),
    erasePerson: staffOperation({
      id: 'erasePerson',
      at: 'POST /staff/v1/{environment}/erasures',
      permission: 'people:erase',
      body: {
        schema: bodyObject({ kind, id, reason, confirm: described(textUpTo(254), 'the id once more, typed') }),
      },
      answers: { 200: ErasureView },
      refuses: [
        'confirmation_not_usable',
        'nobody_known',
        'person_not_usable',
        'orders_open',
        'has_account',
        'is_ordering_user',
        'staff_enabled',
        'too_many_to_erase',
      ],
      says: 'Erases what is known of a person, for good. Refused while an order of the person is open. Asked again, it erases what came since.',
    }),
    listErasures: staffOperation({
      id: 'listErasures',
      at: 'GET /staff/v1/{environment}/erasures',
      permission: 'people:erase',
      query: paged({ default: 50, max: 200 }),
      collection: 'erasures',
      answers: { 200: pageOf('ErasurePage', 'erasures', ErasureView) },
      refuses: [],
      says: 'Lists erasures, the latest first. They name nobody.',
    }),
  },
})
