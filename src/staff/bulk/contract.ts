import { Type } from 'typebox'
import { bodyObject, described, longNumber, nullable, oneOf, textUpTo, uuid } from '../../contract/fields.ts'
import type { BodyFault } from '../../contract/refusal.ts'
import type { JsonObject } from '../../vocabulary/json.ts'
import { linePriorities } from '../../vocabulary/statuses.ts'
import { staffOperation, staffSubject } from '../operation.ts'
import { commentOfDecision, reasonOf } from '../orders/why.ts'
import { checkDates, goal, lineDates } from '../production/contract.ts'
import { weightOunces } from '../shipments/contract.ts'
import { works } from '../works/contract.ts'
import { BulkLine, bulkLines, bulkMax, bulkOrders, checkNamedOnce, LineOutcomes, OrderOutcomes } from './records.ts'

/** Proofs are drawn one after the other, each in a good part of a second. */
const proofsMax = 50

const linesAlone = { schema: bodyObject({ lines: bulkLines }), check: checkNamedOnce }
const ordersAlone = { schema: bodyObject({ orderNumbers: bulkOrders }), check: checkNamedOnce }

function why(kind: 'hold' | 'cancel') {
  return { reason: reasonOf(kind), comment: commentOfDecision }
}

export const bulk = staffSubject({
  name: 'Bulk',
  says: `The verbs of lines and orders for up to ${bulkMax} at once. Each line or order is changed by itself and has its own outcome: the answer is 200 also where all are refused.`,
  problems: {
    assignee_not_found: works.problems.assignee_not_found,
    assignee_disabled: works.problems.assignee_disabled,
    shipments_not_of_lines: [422, 'Some of these shipments are not the open shipment of any of these lines.'],
  },
  operations: {
    advanceLines: staffOperation({
      id: 'advanceLines',
      at: 'POST /staff/v1/{environment}/bulk/advance-lines',
      permission: 'orders:write',
      body: {
        schema: bodyObject({
          lines: bulkLines,
          to: goal,
        }),
        check: checkNamedOnce,
      },
      answers: { 200: LineOutcomes },
      takesTime: true,
      refuses: [],
      says: 'Moves lines to their next station, or to one further on.',
    }),
    holdLines: staffOperation({
      id: 'holdLines',
      at: 'POST /staff/v1/{environment}/bulk/hold-lines',
      permission: 'orders:write',
      body: { schema: bodyObject({ lines: bulkLines, ...why('hold') }), check: checkNamedOnce },
      answers: { 200: LineOutcomes },
      takesTime: true,
      refuses: [],
      says: 'Holds lines at their stations.',
    }),
    overrideLines: staffOperation({
      id: 'overrideLines',
      at: 'POST /staff/v1/{environment}/bulk/override-lines',
      permission: 'orders:override',
      body: {
        schema: bodyObject({
          lines: bulkLines,
          reason: Type.String({ minLength: 1, maxLength: 50, description: 'a code of the list of reasons override' }),
          comment: commentOfDecision,
        }),
        check: checkNamedOnce,
      },
      answers: { 200: LineOutcomes },
      takesTime: true,
      refuses: [],
      says: 'Sends lines out of PREPRESS although something is missing, on the record.',
    }),
    releaseLines: staffOperation({
      id: 'releaseLines',
      at: 'POST /staff/v1/{environment}/bulk/release-lines',
      permission: 'orders:write',
      body: linesAlone,
      answers: { 200: LineOutcomes },
      takesTime: true,
      refuses: [],
      says: 'Releases held lines.',
    }),
    assignLines: staffOperation({
      id: 'assignLines',
      at: 'POST /staff/v1/{environment}/bulk/assign-lines',
      permission: 'orders:write',
      body: {
        schema: bodyObject({
          lines: bulkLines,
          staffId: nullable(described(uuid, 'who sees to the lines; null = nobody')),
        }),
        check: checkNamedOnce,
      },
      answers: { 200: LineOutcomes },
      takesTime: true,
      refuses: ['assignee_not_found', 'assignee_disabled'],
      says: 'Assigns lines to one person, or to nobody.',
    }),
    setPriorities: staffOperation({
      id: 'setPriorities',
      at: 'POST /staff/v1/{environment}/bulk/set-priorities',
      permission: 'orders:write',
      body: {
        schema: bodyObject({
          lines: bulkLines,
          priority: described(oneOf(linePriorities), 'the most urgent first: RUSH, HIGH, NORMAL, LOW'),
        }),
        check: checkNamedOnce,
      },
      answers: { 200: LineOutcomes },
      takesTime: true,
      refuses: [],
      says: 'Sets how urgent lines are among those that are due at the same time.',
    }),
    setDatesOfLines: staffOperation({
      id: 'setDatesOfLines',
      at: 'POST /staff/v1/{environment}/bulk/set-dates',
      permission: 'orders:write',
      body: {
        schema: bodyObject({ lines: bulkLines, ...lineDates }),
        check: ({ estimatedShipBy, shipBy, ...body }: JsonObject): BodyFault[] => [
          ...checkNamedOnce(body),
          ...(estimatedShipBy === undefined && shipBy === undefined ? [noDate] : []),
          ...checkDates({
            ...(estimatedShipBy !== undefined && { estimatedShipBy }),
            ...(shipBy !== undefined && { shipBy }),
          }),
        ],
      },
      answers: { 200: LineOutcomes },
      takesTime: true,
      refuses: [],
      says: 'Sets when lines are expected to ship, and by when they must ship.',
    }),
    reportProblems: staffOperation({
      id: 'reportProblems',
      at: 'POST /staff/v1/{environment}/bulk/report-problem',
      permission: 'orders:write',
      body: {
        schema: bodyObject({
          lines: bulkLines,
          problem: Type.Optional(described(textUpTo(2_000), "for staff only; left out = the reason's label")),
          reason: reasonOf('problem'),
        }),
        check: checkNamedOnce,
      },
      answers: { 200: LineOutcomes },
      takesTime: true,
      refuses: [],
      says: 'Reports the same problem with several lines. Partners see only that there is one.',
    }),
    clearProblems: staffOperation({
      id: 'clearProblems',
      at: 'POST /staff/v1/{environment}/bulk/clear-problems',
      permission: 'orders:write',
      body: linesAlone,
      answers: { 200: LineOutcomes },
      takesTime: true,
      refuses: [],
      says: 'Clears the reported problems of lines.',
    }),
    putLinesInProofing: staffOperation({
      id: 'putLinesInProofing',
      at: 'POST /staff/v1/{environment}/bulk/enter-proofing',
      permission: 'orders:write',
      body: linesAlone,
      answers: { 200: LineOutcomes },
      takesTime: true,
      refuses: [],
      says: 'Puts lines in proofing. The proof of a line whose artwork passed inspection is then published by itself.',
    }),
    publishProofs: staffOperation({
      id: 'publishProofs',
      at: 'POST /staff/v1/{environment}/bulk/publish-proofs',
      permission: 'orders:write',
      body: {
        schema: bodyObject({
          lines: Type.Array(BulkLine, {
            minItems: 1,
            maxItems: proofsMax,
            description: `${proofsMax} at most, since each proof is drawn`,
          }),
        }),
        check: checkNamedOnce,
      },
      answers: { 200: LineOutcomes },
      takesTime: true,
      refuses: [],
      says: "Draws proofs of the lines' artwork and publishes them for review.",
    }),
    shipLines: staffOperation({
      id: 'shipLines',
      at: 'POST /staff/v1/{environment}/bulk/ship-lines',
      permission: 'orders:write',
      body: {
        schema: bodyObject({
          lines: bulkLines,
          shipments: Type.Optional(
            Type.Array(
              bodyObject({
                shipmentNumber: longNumber,
                trackingNumber: nullable(Type.String({ minLength: 1, maxLength: 100 })),
                weightOunces,
              }),
              {
                maxItems: bulkMax,
                description: 'what is known of the package of an open shipment that these lines leave with',
              },
            ),
          ),
        }),
        check: checkNamedOnce,
      },
      answers: { 200: LineOutcomes },
      takesTime: true,
      refuses: ['shipments_not_of_lines'],
      says: 'Ships what is left of the lines, one package for each open shipment. What else a shipment holds moves to a new one. Partners are notified.',
    }),
    approveOrders: staffOperation({
      id: 'approveOrders',
      at: 'POST /staff/v1/{environment}/bulk/approve-orders',
      permission: 'orders:write',
      body: ordersAlone,
      answers: { 200: OrderOutcomes },
      takesTime: true,
      refuses: [],
      says: 'Approves orders that wait for approval.',
    }),
    completeOrders: staffOperation({
      id: 'completeOrders',
      at: 'POST /staff/v1/{environment}/bulk/complete-orders',
      permission: 'orders:write',
      body: ordersAlone,
      answers: { 200: OrderOutcomes },
      takesTime: true,
      refuses: [],
      says: 'Completes orders whose lines have all shipped or are made.',
    }),
    holdOrders: staffOperation({
      id: 'holdOrders',
      at: 'POST /staff/v1/{environment}/bulk/hold-orders',
      permission: 'orders:write',
      body: { schema: bodyObject({ orderNumbers: bulkOrders, ...why('hold') }), check: checkNamedOnce },
      answers: { 200: OrderOutcomes },
      takesTime: true,
      refuses: [],
      says: 'Stops production and shipping of whole orders.',
    }),
    releaseOrders: staffOperation({
      id: 'releaseOrders',
      at: 'POST /staff/v1/{environment}/bulk/release-orders',
      permission: 'orders:write',
      body: ordersAlone,
      answers: { 200: OrderOutcomes },
      takesTime: true,
      refuses: [],
      says: 'Releases held orders.',
    }),
    cancelOrders: staffOperation({
      id: 'cancelOrders',
      at: 'POST /staff/v1/{environment}/bulk/cancel-orders',
      permission: 'orders:write',
      body: { schema: bodyObject({ orderNumbers: bulkOrders, ...why('cancel') }), check: checkNamedOnce },
      answers: { 200: OrderOutcomes },
      takesTime: true,
      refuses: [],
      says: 'Cancels orders of which nothing has shipped.',
    }),
  },
})

const noDate: BodyFault = {
  path: '',
  rule: 'minProperties',
  detail: 'The body must have shipBy, estimatedShipBy or both.',
}
