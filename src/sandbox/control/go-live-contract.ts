import { Type } from 'typebox'
import {
  described,
  flag,
  instant,
  longNumber,
  nullable,
  oneOf,
  record,
  text,
  uuid,
  whole,
} from '../../contract/fields.ts'
import { operation } from '../../contract/operation.ts'
import { goLiveItems, goLiveStates } from '../go-live/items.ts'

/** What an integration has shown in the sandbox, and what is still to be seen before it goes live. */

const Evidence = record('GoLiveEvidence', {
  says: described(text, 'what was seen, as a sentence'),
  on: described(instant, 'when, as the record dates it: orders and proofs carry your clock'),
  requestId: nullable(described(uuid, 'the call in which it was seen')),
  deliveryId: nullable(described(whole, 'the delivery in which it was seen')),
  orderNumber: nullable(described(longNumber, 'the order with which it was seen')),
})

const item = record('GoLiveItem', {
  key: described(oneOf(goLiveItems.map(({ key }) => key)), 'names the item, for programs'),
  title: described(text, 'what the integration should do, as a sentence'),
  state: described(oneOf(goLiveStates), 'failed: the latest that was seen is a fault'),
  evidence: described(nullable(Evidence), 'null = nothing was seen yet'),
  toDo: described(text, 'how to make it happen'),
  guide: described(text, 'the page of the developer site that explains it, as a path'),
})

export const GoLive = record('GoLive', {
  ready: described(flag, 'every item is done'),
  items: Type.Array(item),
})

export const goLive = {
  getGoLive: operation({
    id: 'getGoLive',
    at: 'GET /sandbox/go-live',
    scope: null,
    ownApplications: true,
    answers: { 200: GoLive },
    refuses: [],
    says: 'Shows what your integration has shown in the sandbox, and what is still to be seen before it goes live.',
    agentNote: [
      'It is scored from your traffic of the last 14 days, your newest orders and the deliveries to your receivers. What is done',
      'stays done, also after a reset, until the opposite is seen; only `calls_well_formed` is about the last day alone.',
    ].join('\n'),
  }),
}
