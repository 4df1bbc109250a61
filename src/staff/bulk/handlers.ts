import { advanceProduction } from '../../platform/lines/advance-production.ts'
import { assignLine } from '../../platform/lines/assign-line.ts'
import { holdLine, releaseLine } from '../../platform/lines/hold-line.ts'
import { overrideGuards } from '../../platform/lines/override-guards.ts'
import { clearProblem, reportProblem } from '../../platform/lines/report-problem.ts'
import { setDates } from '../../platform/lines/set-dates.ts'
import { setPriority } from '../../platform/lines/set-priority.ts'
import { approveOrder } from '../../platform/orders/approve-order.ts'
import { cancelOrder } from '../../platform/orders/cancel-order.ts'
import { completeOrder } from '../../platform/orders/complete-order.ts'
import { holdOrder, releaseOrder } from '../../platform/orders/hold-order.ts'
import { publishProof } from '../../platform/proofs/publish-proof.ts'
import { putInProofing } from '../../platform/proofs/put-in-proofing.ts'
import type { StaffHandlers } from '../operation.ts'
import { datesOf, problemOf } from '../production/handlers.ts'
import { findAssignee } from '../works/handlers.ts'
import type { bulk } from './contract.ts'
import { eachLine, eachLineOf, eachOrder, expected } from './each-line.ts'
import { findWaiting, shipLines } from './ship-lines.ts'

/** As many proofs as the service draws at once by itself. */
const proofsAtOnce = 2

export const bulkHandlers: StaffHandlers<typeof bulk> = {
  advanceLines: (call) => eachLine(call, call.body.lines, (...line) => advanceProduction(...line, call.body.to)),
  holdLines: (call) => {
    const { lines, ...why } = call.body
    return eachLine(call, lines, (...line) => holdLine(...line, why))
  },
  overrideLines: (call) => {
    const { lines, ...why } = call.body
    return eachLine(call, lines, (...line) => overrideGuards(...line, why))
  },
  releaseLines: (call) => eachLine(call, call.body.lines, releaseLine),
  assignLines: async (call) => {
    const { environment, body, refuse } = call
    const assignee = await findAssignee(environment, body.staffId, refuse)
    return eachLine(call, body.lines, (...line) => assignLine(...line, assignee))
  },
  setPriorities: (call) => eachLine(call, call.body.lines, (...line) => setPriority(...line, call.body.priority)),
  setDatesOfLines: (call) => {
    const { lines, ...dates } = call.body
    return eachLine(call, lines, (...line) => setDates(...line, datesOf(dates)))
  },
  reportProblems: (call) => {
    const { lines, ...problem } = call.body
    return eachLine(call, lines, (...line) => reportProblem(...line, problemOf(problem)))
  },
  clearProblems: (call) => eachLine(call, call.body.lines, clearProblem),
  putLinesInProofing: (call) => eachLine(call, call.body.lines, putInProofing),
  publishProofs: (call) => {
    const { environment, body } = call
    return eachLineOf(call, body.lines, proofsAtOnce, async (change, line) => {
      const moved = await environment.database.transaction((tx) => expected(tx, line))
      return moved ?? publishProof(environment, change, line.orderNumber, line.lineNumber)
    })
  },
  shipLines: async (call) => {
    const { lines, shipments = [] } = call.body
    const waiting = await findWaiting(call.environment.database.statements, lines)
    const theirs = new Set(waiting.flatMap((line) => line.waiting?.shipmentNumber ?? []))
    const others = shipments.map((each) => each.shipmentNumber).filter((number) => !theirs.has(number))
    if (others.length > 0) {
      throw call.refuse(
        'shipments_not_of_lines',
        `The shipments ${others.join(', ')} are not the open shipment of any of these lines.`,
      )
    }
    return shipLines(call, waiting, shipments)
  },
  approveOrders: (call) => eachOrder(call, call.body.orderNumbers, approveOrder),
  completeOrders: (call) => eachOrder(call, call.body.orderNumbers, completeOrder),
  holdOrders: (call) => {
    const { orderNumbers, ...why } = call.body
    return eachOrder(call, orderNumbers, (...order) => holdOrder(...order, why))
  },
  releaseOrders: (call) => eachOrder(call, call.body.orderNumbers, releaseOrder),
  cancelOrders: (call) => {
    const { orderNumbers, ...why } = call.body
    return eachOrder(call, orderNumbers, (...order) => cancelOrder(...order, why))
  },
}
