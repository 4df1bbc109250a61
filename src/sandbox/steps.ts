import { advanceProduction } from '../platform/lines/advance-production.ts'
import { cancelLine } from '../platform/lines/cancel-line.ts'
import { clearProblem, reportProblem } from '../platform/lines/report-problem.ts'
import { approveOrder } from '../platform/orders/approve-order.ts'
import { cancelOrder } from '../platform/orders/cancel-order.ts'
import { completeOrder } from '../platform/orders/complete-order.ts'
import { holdOrder, releaseOrder } from '../platform/orders/hold-order.ts'
import { publishFromStart, reproof } from './proof-steps.ts'
import { cancelFirstShipment, shipAll, shipFirstInPart } from './ship-steps.ts'
import type { SimulatedLine } from './simulated-order.ts'
import { byLineVerb, byOrderVerb, type StepOf, type StepOutcome } from './take-step.ts'

/** The steps that a partner can have taken at once with an order, by the verbs that staff would use. */

type OrderStep = { ofLine: false; says: string; take: (of: StepOf) => Promise<StepOutcome> }
type LineStep = { ofLine: true; says: string; take: (of: StepOf, line: SimulatedLine) => Promise<StepOutcome> }

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
    says: 'Lets a held order go on.',
    take: (of) => byOrderVerb(of, releaseOrder),
  },
  publish_proof: {
    ofLine: true,
    says: 'Gives out a proof of the line for review; a line that is not in proofing enters it first.',
    take: publishFromStart,
  },
  reproof: {
    ofLine: true,
    says: 'Gives out the next revision of the proof; one that still waits for review is declined first.',
    take: reproof,
  },
  advance: {
    ofLine: true,
    says: 'Moves the line one station on.',
    take: (of, { lineNumber }) => byLineVerb(of, lineNumber, advanceProduction),
  },
  report_problem: {
    ofLine: true,
    says: 'Reports a problem with the line, which does not go on by itself until the problem is cleared.',
    take: (of, { lineNumber }) =>
      byLineVerb(of, lineNumber, (tx, ...line) => reportProblem(tx, ...line, 'As the sandbox was asked.')),
  },
  clear_problem: {
    ofLine: true,
    says: 'Clears the problem of the line.',
    take: (of, { lineNumber }) => byLineVerb(of, lineNumber, clearProblem),
  },
  ship_part: {
    ofLine: false,
    says: 'Makes and packs what is in the first open shipment, and ships half of each of its lines.',
    take: shipFirstInPart,
  },
  ship_all: {
    ofLine: false,
    says: 'Makes, packs and ships everything that has not left yet.',
    take: shipAll,
  },
  cancel_line: {
    ofLine: true,
    says: 'Cancels the line.',
    take: (of, { lineNumber }) => byLineVerb(of, lineNumber, cancelLine),
  },
  cancel_shipment: {
    ofLine: false,
    says: 'Cancels the first open shipment; its goods go on in a new one.',
    take: cancelFirstShipment,
  },
  cancel_order: {
    ofLine: false,
    says: 'Cancels the order.',
    take: (of) => byOrderVerb(of, cancelOrder),
  },
  complete: {
    ofLine: false,
    says: 'Closes an order of which everything has shipped.',
    take: (of) => byOrderVerb(of, completeOrder),
  },
} as const satisfies Record<string, OrderStep | LineStep>

export type StepName = keyof typeof steps

export const stepNames = Object.keys(steps) as StepName[]
