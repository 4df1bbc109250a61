import { bodyObject, described, nullable, oneOf, pageOf, uuid } from '../../contract/fields.ts'
import {
  flagFilter,
  instantFilter,
  paged,
  pathParameters,
  siteIdFilter,
  wordFilter,
  wordsFilter,
  type Parameter,
} from '../../contract/parameters.ts'
import { readInstant } from '../../vocabulary/instant.ts'
import { isUuid } from '../../vocabulary/text.ts'
import { linePriorities, orderStatuses, proofStatuses } from '../../vocabulary/statuses.ts'
import { staffOperation, staffSubject } from '../operation.ts'
import { OrderDetail } from '../orders/order-records.ts'
import { lineProblems, lineRefuses, orderRefuses } from '../orders/refusals.ts'
import { partnerFilter, staffPathParameters } from '../parameters.ts'
import { LineInWork, stationWords, Today } from './records.ts'
import { Type } from 'typebox'

const malformed = 'invalid_request'

const assigneeFilter: Parameter<string> = {
  schema: Type.String(),
  read: (value) => (value === 'me' || value === 'nobody' ? value : isUuid(value) ? value.toLowerCase() : undefined),
  malformed,
  says: 'only lines of this person, a staffId; me = yours; nobody = lines without one',
  form: 'a staffId, me or nobody',
}

const sort: Parameter<'due' | 'newest'> & { fallback: 'due' } = {
  ...wordFilter(
    ['due', 'newest'],
    malformed,
    'due (the default) = what is due first, the more urgent of the same date before others; newest = by falling order number',
  ),
  fallback: 'due',
}

const open: Parameter<boolean> & { fallback: boolean } = {
  ...flagFilter(
    malformed,
    'true (the default) = only lines still to be made or to ship; false needs an orderNumber or a shippedDay',
  ),
  fallback: true,
}

/** A filter for a queue of lines; `false` lists the other lines. */
function only(says: string): Parameter<boolean> {
  return flagFilter(malformed, `true = only lines ${says}; false = only the others`)
}

const shippedDay: Parameter<string> = {
  schema: Type.String({ format: 'date' }),
  read: (value) => (/^\d{4}-\d{2}-\d{2}$/.test(value) && readInstant(value) !== undefined ? value : undefined),
  malformed,
  says: 'only lines that shipped on this date, in the time zone of plant or site; needs open=false',
  form: 'a date such as 2026-01-31',
}

const priority = described(oneOf(linePriorities), 'the most urgent first: RUSH, HIGH, NORMAL, LOW')

export const works = staffSubject({
  name: 'Works',
  says: 'The work of the day: lines across orders, who sees to them, and how urgent they are.',
  problems: {
    ...lineProblems,
    line_shipped: [409, 'The line or a part of it has already shipped.'],
    assignee_not_found: [422, 'No staff account has this staffId.'],
    assignee_disabled: [409, 'The staff account is disabled.'],
  },
  operations: {
    listLines: staffOperation({
      id: 'listLines',
      at: 'GET /staff/v1/{environment}/lines',
      permission: 'orders:read',
      query: {
        siteId: siteIdFilter,
        fulfilmentCenterId: { ...staffPathParameters.fulfilmentCenterId, says: 'only lines made in this plant' },
        partnerId: partnerFilter,
        orderNumber: { ...pathParameters.orderNumber, says: 'only lines of this order' },
        productId: { ...pathParameters.productId, says: 'only lines of this product' },
        productionStatus: wordsFilter(
          stationWords,
          malformed,
          'only lines with one of these production statuses; NOT_STARTED = not in production, ON_HOLD = the line itself is held',
        ),
        proofStatus: wordsFilter(proofStatuses, malformed, 'only lines with one of these proof statuses'),
        orderStatus: wordsFilter(orderStatuses, malformed, 'only lines of orders with one of these statuses'),
        priority: wordsFilter(linePriorities, malformed, 'only lines with one of these priorities'),
        assignee: assigneeFilter,
        problem: only('with a reported problem'),
        held: only('that are on hold, or whose order is'),
        workable: only('that may be worked on now: not on hold, and of an approved order'),
        artworkMissing: only(
          'up to prepress that are printed from an upload or a template, and have no print file that passed inspection',
        ),
        artworkFaulty: only('up to prepress whose newest print file has errors that nobody waived'),
        proofMissing: only('up to prepress whose product needs a proof, and that are not in proofing'),
        proofWaitingSince: instantFilter('only lines whose proof was published before this and waits for a decision'),
        proofPublishedFrom: instantFilter(
          'only lines whose proof was published at this instant or later and waits for a decision',
        ),
        shippedDay,
        shippedLate: flagFilter(
          malformed,
          'true = only lines that shipped after they were due; false = only those that shipped in time',
        ),
        dueBefore: instantFilter('only lines due before this instant'),
        due: wordFilter(
          ['late', 'today'],
          malformed,
          'late = only lines that were due by now; today = due later today, in the time zone of plant or site',
        ),
        open,
        sort,
        ...paged({ default: 50, max: 200 }),
      },
      queryRules: [
        {
          code: malformed,
          broken: (query: { open: boolean; orderNumber?: number; shippedDay?: string }) =>
            !query.open && query.orderNumber === undefined && query.shippedDay === undefined,
          detail: 'With open=false, the query parameter orderNumber must name one order, or shippedDay one day.',
        },
      ],
      collection: 'lines',
      answers: { 200: pageOf('LinePage', 'lines', LineInWork) },
      refuses: [],
      says: 'Lists lines across orders that are still to be made or to ship, what is due first.',
    }),
    readToday: staffOperation({
      id: 'readToday',
      at: 'GET /staff/v1/{environment}/today',
      permission: 'orders:read',
      query: {
        siteId: siteIdFilter,
        fulfilmentCenterId: {
          ...staffPathParameters.fulfilmentCenterId,
          says: 'queues of lines count only lines made in this plant',
        },
      },
      answers: { 200: Today },
      refuses: [],
      says: 'Counts what waits for whom: every queue with its oldest and the list that shows it, and what shipped in the last 14 days.',
    }),
    assignLine: staffOperation({
      id: 'assignLine',
      at: 'PUT /staff/v1/{environment}/orders/{orderNumber}/lines/{lineNumber}/assignee',
      revises: 'readOrder',
      permission: 'orders:write',
      body: { schema: bodyObject({ staffId: nullable(described(uuid, 'who sees to the line; null = nobody')) }) },
      answers: { 200: OrderDetail },
      refuses: [...lineRefuses('amend'), 'line_shipped', 'assignee_not_found', 'assignee_disabled'],
      says: 'Assigns a line to one person, in place of whoever had it, or to nobody.',
    }),
    setPriority: staffOperation({
      id: 'setPriority',
      at: 'PUT /staff/v1/{environment}/orders/{orderNumber}/lines/{lineNumber}/priority',
      revises: 'readOrder',
      permission: 'orders:write',
      body: { schema: bodyObject({ priority }) },
      answers: { 200: OrderDetail },
      refuses: [...lineRefuses('amend'), 'line_shipped'],
      says: 'Sets how urgent a line is among those that are due at the same time.',
    }),
    setOrderPriority: staffOperation({
      id: 'setOrderPriority',
      at: 'PUT /staff/v1/{environment}/orders/{orderNumber}/priority',
      revises: 'readOrder',
      permission: 'orders:write',
      body: { schema: bodyObject({ priority }) },
      answers: { 200: OrderDetail },
      refuses: orderRefuses('amend'),
      says: 'Sets the priority of all lines of an order that have not shipped.',
    }),
  },
})
