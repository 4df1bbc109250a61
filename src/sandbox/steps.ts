import * as production from '../platform/orders/production.ts'
import type { SimulatedLine } from './simulated-order.ts'
import { publishProof, reproof } from './proof-steps.ts'
import { cancelFirstShipment, shipAll, shipFirstInPart } from './ship-steps.ts'
import type { StepOf, StepOutcome } from './take-step.ts'

/** The steps a partner can have taken with an order at once, each by the verbs that staff would use. */

type OrderStep = { ofLine: false; says: string; take: (of: StepOf) => Promise<StepOutcome> }
type LineStep = { ofLine: true; says: string; take: (of: StepOf, line: SimulatedLine) => Promise<StepOutcome> }

export const steps = {
  approve_order: {
    ofLine: false,
    says: 'Approves an order that waits for approval.',
    take: ({ database, order, change }) => production.approveOrder(database, order.orderNumber, change),
  },
  hold_order: {
    ofLine: false,
    says: 'Holds the order.',
    take: ({ database, order, change }) => production.holdOrder(database, order.orderNumber, change),
  },
  release_order: {
    ofLine: false,
    says: 'Lets a held order go on.',
    take: ({ database, order, change }) => production.releaseOrder(database, order.orderNumber, change),
  },
  publish_proof: {
    ofLine: true,
    says: 'Gives out a proof of the line for review; a line that is not in proofing enters it first.',
    take: publishProof,
  },
  reproof: {
    ofLine: true,
    says: 'Gives out the next revision of the proof; one that still waits for review is declined first.',
    take: reproof,
  },
  advance: {
    ofLine: true,
    says: 'Moves the line one station on.',
    take: ({ database, order, change }, { lineNumber }) =>
      production.advanceProduction(database, order.orderNumber, lineNumber, change),
  },
  report_problem: {
    ofLine: true,
    says: 'Reports a problem with the line, which does not go on by itself until the problem is cleared.',
    take: ({ database, order, change }, { lineNumber }) =>
      production.reportProblem(database, order.orderNumber, lineNumber, 'As the sandbox was asked.', change),
  },
  clear_problem: {
    ofLine: true,
    says: 'Clears the problem of the line.',
    take: ({ database, order, change }, { lineNumber }) =>
      production.clearProblem(database, order.orderNumber, lineNumber, change),
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
    take: ({ database, order, change }, { lineNumber }) =>
      production.cancelLine(database, order.orderNumber, lineNumber, change),
  },
  cancel_shipment: {
    ofLine: false,
    says: 'Cancels the first open shipment; its goods go on in a new one.',
    take: cancelFirstShipment,
  },
  cancel_order: {
    ofLine: false,
    says: 'Cancels the order.',
    take: ({ database, order, change }) => production.cancelOrder(database, order.orderNumber, change),
  },
  complete: {
    ofLine: false,
    says: 'Closes an order of which everything has shipped.',
    take: ({ database, order, change }) => production.completeOrder(database, order.orderNumber, change),
  },
} as const satisfies Record<string, OrderStep | LineStep>

export type StepName = keyof typeof steps

export const stepNames = Object.keys(steps) as StepName[]
