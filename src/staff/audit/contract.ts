import { Type } from 'typebox'
import { described, flag, instant, int32, nullable, oneOf, pageOf, record, text, whole } from '../../contract/fields.ts'
import {
  type Parameter,
  instantFilter,
  paged,
  siteIdFilter,
  textFilter,
  wordFilter,
} from '../../contract/parameters.ts'
import { actorKinds } from '../../vocabulary/change.ts'
import { readWholeNumber } from '../../vocabulary/whole-number.ts'
import { staffOperation, staffSubject } from '../operation.ts'

export const AuditRecordView = record('AuditRecord', {
  auditId: whole,
  recordedOn: instant,
  actor: record('Actor', { kind: oneOf(actorKinds), id: described(text, 'partner id, username or trade') }),
  action: described(text, 'verb and noun in the past, such as `partner.tier_set`'),
  subject: record('AuditSubject', { kind: text, id: text }),
  siteId: nullable(int32),
  requestId: nullable(text),
  detail: Type.Record(Type.String(), Type.Unknown(), { description: 'facts of the change' }),
  chainNumber: nullable(described(whole, 'its position in the chain of hashes; null = not linked yet')),
})

export const ChainVerdict = record('AuditChainVerdict', {
  holds: described(flag, 'true = every link that was checked is intact'),
  verifiedTo: described(whole, 'the chain is intact up to this chainNumber'),
  complete: described(flag, 'false = records after verifiedTo were not checked yet'),
  brokenAt: nullable(described(whole, 'the first chainNumber that is missing or has a wrong hash')),
})

const word = (says: string) =>
  textFilter({ lengthMax: 200, pattern: /^[ -~]+$/, form: 'printable ASCII', malformed: 'invalid_request' }, says)

const chainNumber: Parameter<number> = {
  schema: Type.Integer({ minimum: 1 }),
  read: (written) => readWholeNumber(written, { digitsMax: 15 }),
  malformed: 'invalid_request',
  says: 'check from after this chainNumber: `verifiedTo` of the previous answer',
  form: 'a positive whole number of at most 15 digits',
}

export const audit = staffSubject({
  name: 'Audit',
  says: 'Who changed what. Records are never changed or deleted. A hash links each record to the one before it.',
  problems: {},
  operations: {
    listAuditRecords: staffOperation({
      id: 'listAuditRecords',
      at: 'GET /staff/v1/{environment}/audit-records',
      permission: 'audit:read',
      query: {
        actorKind: wordFilter(actorKinds, 'invalid_request', 'only by actors of this kind'),
        actorId: word('only by this actor'),
        action: word('only this action'),
        subjectKind: word('only on subjects of this kind'),
        subjectId: word('only on this subject'),
        siteId: siteIdFilter,
        requestId: word('only changes made by this request'),
        since: instantFilter('only recorded at or after this instant'),
        until: instantFilter('only recorded before this instant'),
        ...paged({ default: 50, max: 200 }),
      },
      collection: 'records',
      answers: { 200: pageOf('AuditRecordPage', 'records', AuditRecordView) },
      refuses: [],
      says: 'Lists audit records, newest first. A page may hold few or none although more follow: go on while there is a `nextCursor`.',
    }),
    checkAuditChain: staffOperation({
      id: 'checkAuditChain',
      at: 'GET /staff/v1/{environment}/audit-chain',
      permission: 'audit:read',
      query: { after: chainNumber },
      answers: { 200: ChainVerdict },
      refuses: [],
      says: 'Recomputes the chain of hashes for a few seconds, from its beginning or after a link, and says how far it is intact.',
    }),
  },
})
