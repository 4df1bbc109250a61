import type { AnswerOf, QueryOf } from '../api/api.ts'
import { queryFrom, type UrlState } from '../kit/filters.tsx'

/** The queues of the proof desk. Each is a filter of the list of lines, and the page keeps that filter in its URL. */

type Today = AnswerOf<'readToday'>

export type Queue = { name: string; filter: readonly [name: string, value: string]; count: (today: Today) => number }

const waiting: Queue = {
  name: 'Waiting',
  filter: ['proofStatus', 'PENDING_REVIEW'],
  count: ({ proofsWaiting }) => proofsWaiting.count,
}

export const queues: readonly Queue[] = [
  { name: 'To enter', filter: ['proofMissing', 'true'], count: ({ proofsToEnter }) => proofsToEnter.count },
  { name: 'To draw', filter: ['proofStatus', 'NOT_CREATED'], count: ({ proofsToDraw }) => proofsToDraw.count },
  waiting,
  { name: 'Declined', filter: ['proofStatus', 'DECLINED'], count: ({ proofsDeclined }) => proofsDeclined.count },
  { name: 'Faulty artwork', filter: ['artworkFaulty', 'true'], count: ({ artworkFaulty }) => artworkFaulty.count },
  { name: 'No artwork', filter: ['artworkMissing', 'true'], count: ({ artworkMissing }) => artworkMissing.count },
]

const ofQueues = [
  'proofMissing',
  'proofStatus',
  'artworkFaulty',
  'artworkMissing',
  'proofWaitingSince',
  'proofPublishedFrom',
]

/** What narrows a queue, by the names that the list of lines has for it. */
export const narrowing = [
  'partnerId',
  'productId',
  'fulfilmentCenterId',
  'orderNumber',
  'assignee',
  'priority',
  'problem',
  'held',
  'due',
  'dueBefore',
] as const

/** The queue that the URL names; those that wait for a decision if it names none. */
export function queueOf(state: UrlState): Queue | undefined {
  if (!ofQueues.some((name) => state[name])) return waiting
  return queues.find(({ filter: [name, value] }) => state[name] === value)
}

/** What the list of lines is asked for. */
export function lineQueryOf(state: UrlState, siteId: number | undefined): QueryOf<'listLines'> {
  const named = queryFrom(state, ofQueues)
  const [name, value] = waiting.filter
  const queue = Object.keys(named).length > 0 ? named : { [name]: value }
  return { ...queue, ...queryFrom(state, narrowing), siteId } as QueryOf<'listLines'>
}

/** The search of a page of the desk: another queue keeps what narrows it. */
export function searchOf(state: UrlState, queue: Queue): string {
  return String(new URLSearchParams({ [queue.filter[0]]: queue.filter[1], ...queryFrom(state, narrowing) }))
}

/** The search that stays when somebody goes from line to line. */
export function searchKept(state: UrlState): string {
  return String(new URLSearchParams(queryFrom(state, [...ofQueues, ...narrowing, 'mode'])))
}
