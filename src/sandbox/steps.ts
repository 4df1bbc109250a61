import { cancelLine } from '../platform/orders/cancel-line.ts'
import { clearProblem, reportProblem } from '../platform/lines/report-problem.ts'
import { approveOrder } from '../platform/orders/approve-order.ts'
import { cancelOrder } from '../platform/orders/cancel-order.ts'
import { completeOrder } from '../platform/orders/complete-order.ts'
import { holdOrder, releaseOrder } from '../platform/orders/hold-order.ts'
import { publishFromStart, reproof } from './proof-steps.ts'
import { cancelFirstShipment, shipAll, shipFirstInPart } from './ship-steps.ts'
import type { SimulatedLine } from './simulated-order.ts'
import { advanceLine, byLineVerb, byOrderVerb, type StepOf, type StepOutcome } from './take-step.ts'

/** The steps that a partner can take on an order at any time, by the verbs that staff use. */

type OrderStep = { ofLine: false; says: string; take: (of: StepOf) => Promise<StepOutcome> }
type LineStep = {
  ofLine: true
  /** it draws, which takes seconds while others draw */
  draws?: true
  says: string
  take: (of: StepOf, line: SimulatedLine) => Promise<StepOutcome>
}

export const steps = {
  approve_order: {
    ofLine: false,
    says: 'Approves an order that waits for approval.',
    take: (of) => byOrderVerb(of, approveOrder),
  },
  hold_order: {
    ofLine: false,
    says: 'Holds the order.',
    take: (of) => byOrderVerb(of, holdOrder),
  },
  release_order: {
    ofLine: false,
    says: 'Releases a held order.',
    take: (of) => byOrderVerb(of, releaseOrder),
  },
  publish_proof: {
    ofLine: true,
    draws: true,
    says: 'Publishes a proof of the line for review; a line that is not in proofing enters proofing first.',
    take: publishFromStart,
  },
  reproof: {
    ofLine: true,
    draws: true,
    says: 'Publishes the next revision of the proof; a proof that is pending review is declined first.',
    take: reproof,
  },
  advance: {
    ofLine: true,
    says: 'Moves the line to the next production status.',
    take: (of, { lineNumber }) => byLineVerb(of, lineNumber, advanceLine),
  },
  report_problem: {
    ofLine: true,
    says: 'Reports a problem with the line; the line stops until the problem is cleared.',
    take: (of, { lineNumber }) =>
      byLineVerb(of, lineNumber, (tx, ...line) => reportProblem(tx, ...line, { text: 'Requested in the sandbox.' })),
  },
  clear_problem: {
    ofLine: true,
    says: 'Clears the problem of the line.',
    take: (of, { lineNumber }) => byLineVerb(of, lineNumber, clearProblem),
  },
  ship_part: {
    ofLine: false,
    says: 'Makes and packs the first open shipment, and ships half of each of its lines.',
    take: shipFirstInPart,
  },
  ship_all: {
    ofLine: false,
    says: 'Makes, packs and ships everything that has not shipped.',
    take: shipAll,
  },
  cancel_line: {
    ofLine: true,
    says: 'Cancels the line.',
    take: (of, { lineNumber }) => byLineVerb(of, lineNumber, cancelLine),
  },
  cancel_shipment: {
    ofLine: false,
    says: 'Cancels the first open shipment; a new one takes its goods.',
    take: cancelFirstShipment,
  },
  cancel_order: {
    ofLine: false,
    says: 'Cancels the order.',
    take: (of) => byOrderVerb(of, cancelOrder),
  },
  complete: {
    ofLine: false,
    says: 'Completes an order when everything has shipped.',
    take: (of) => byOrderVerb(of, completeOrder),
  },
} as const satisfies Record<string, OrderStep | LineStep>

export type StepName = keyof typeof steps

export const stepNames = Object.keys(steps) as StepName[]
