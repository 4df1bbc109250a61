import { Type } from 'typebox'
import { described, instant, int32, longNumber, nullable, oneOf, pageOf, record, text } from '../../contract/fields.ts'
import { wordsFilter } from '../../contract/parameters.ts'
import { shownWith } from '../shown-with.ts'

/** By rising rank: of entries of the same instant, what comes first here happened first. */
export const historyKinds = ['request', 'change', 'proof', 'event', 'delivery', 'mail'] as const

export type HistoryKind = (typeof historyKinds)[number]

export const historyKindFilter = wordsFilter(historyKinds, 'invalid_request', 'only entries of these kinds')

const facts = Type.Record(Type.String(), Type.Unknown())

export const HistoryEntry = record('HistoryEntry', {
  at: instant,
  kind: described(
    oneOf(historyKinds),
    'request = a call of the partner that made or changed it; change = an audit record; proof = an entry of the proof log; event = what receivers of webhooks are told of; delivery = an event for one receiver; mail = a mail about it',
  ),
  id: described(
    text,
    'by which it is opened: the requestId, auditId, eventId, deliveryId or mailId; of the proof log a number of its own',
  ),
  lineNumber: nullable(described(int32, 'null = not about one line')),
  shipmentNumber: nullable(described(longNumber, 'null = not about one shipment')),
  actor: nullable(record('HistoryActor', { kind: text, id: text }, 'who did it; null = the service, in its course')),
  what: described(
    text,
    'the operation of a request, the action of a change, the type of an event or delivery, the kind of a mail; `proof` for the proof log',
  ),
  says: nullable(described(text, 'the sentence of the proof log; null for the rest')),
  outcome: nullable(
    described(
      text,
      'of a request the status of its answer; of a delivery DELIVERED, FAILED or SKIPPED; of a mail QUEUED, SENT, KEPT or FAILED; null = none, or none yet',
    ),
  ),
  to: nullable(described(text, 'of a delivery the URL of the receiver, of a mail the address; null for the rest')),
  requestId: nullable(
    described(text, 'the request in answer to which it happened; null = it is not known, or there was none'),
  ),
  facts: described(facts, 'of a change: facts of its audit record that tell no money'),
  moneyFacts: shownWith(
    'orders:money',
    nullable(described(facts, 'of a change: the other facts of its audit record; null = none')),
  ),
})

export const HistoryPage = pageOf('OrderHistoryPage', 'entries', HistoryEntry)
