import type { Transaction } from '../database/database.ts'
import type { Stores } from '../platform/files/stores.ts'
import { advanceProduction } from '../platform/lines/advance-production.ts'
import { overrideGuards } from '../platform/lines/override-guards.ts'
import type { PrepressGuard } from '../platform/lines/prepress-guards.ts'
import { backorderLine } from '../platform/lines/backorder-line.ts'
import { approveOrder } from '../platform/orders/approve-order.ts'
import { completeOrder } from '../platform/orders/complete-order.ts'
import { declineProof } from '../platform/proofs/decide-proof.ts'
import { readDenialReasons } from '../platform/proofs/denial-reasons.ts'
import { publishProof } from '../platform/proofs/publish-proof.ts'
import { putInProofing } from '../platform/proofs/put-in-proofing.ts'
import { ship } from '../platform/shipments/ship.ts'
import type { Change } from '../vocabulary/change.ts'
import type { Outcome, Refused } from '../vocabulary/outcome.ts'
import type { NextStep } from './plan.ts'
import type { SimulatedOrder } from './simulated-order.ts'

/** A step is refused with the platform's own code. */
export type StepOutcome = Outcome<{}, Refused>

/** Everything that taking a step needs. */
export type StepOf = Stores & { order: SimulatedOrder; change: Change }

/** Takes a planned step by the verb that staff use for it. */
export async function takeStep(
  { database, objectStore }: Stores,
  order: SimulatedOrder,
  next: NextStep,
  change: Change,
): Promise<StepOutcome> {
  const of = { database, objectStore, order, change }
  // The plan says whether a step concerns the order, one line or one shipment.
  const lineNumber = next.lineNumber ?? 0
  const shipmentNumber = next.shipmentNumber ?? 0
  switch (next.step) {
    case 'approve_order':
      return byOrderVerb(of, approveOrder)
    case 'enter_proofing':
      return byLineVerb(of, lineNumber, putInProofing)
    case 'publish_proof':
    case 'reproof':
      return publishProof(of, change, order.orderNumber, lineNumber)
    case 'decline_proof':
      return byLineVerb(of, lineNumber, declineForAnyReason)
    case 'start_prepress':
    case 'queue':
    case 'print':
    case 'finish':
    case 'pack':
    case 'put_aside':
      return byLineVerb(of, lineNumber, advanceLine)
    case 'restock':
      return byLineVerb(of, lineNumber, (tx, ...line) => backorderLine(tx, ...line, 0))
    case 'ship_part':
      return shipPart(of, shipmentNumber)
    case 'ship':
      return shipWhole(of, shipmentNumber)
    case 'complete':
      return byOrderVerb(of, completeOrder)
  }
}

/** Takes a step of the order by one verb of the platform. */
export function byOrderVerb<Result extends StepOutcome>(
  { database, order, change }: StepOf,
  verb: (tx: Transaction, change: Change, orderNumber: number) => Promise<Result>,
) {
  return database.change((tx) => verb(tx, change, order.orderNumber))
}

/** Takes a step of one line by one verb of the platform. */
export function byLineVerb<Result extends StepOutcome>(
  { database, order, change }: StepOf,
  lineNumber: number,
  verb: (tx: Transaction, change: Change, orderNumber: number, lineNumber: number) => Promise<Result>,
) {
  return database.change((tx) => verb(tx, change, order.orderNumber, lineNumber))
}

/** What nobody at the works would wait for in the sandbox: partners try their orders without files too. */
const passedOver: readonly PrepressGuard[] = ['artwork_missing', 'template_variables_missing', 'proof_missing']

/** Moves a line one station on. One that has nothing to print goes on all the same, on the record. */
export async function advanceLine(tx: Transaction, change: Change, orderNumber: number, lineNumber: number) {
  const moved = await advanceProduction(tx, change, orderNumber, lineNumber)
  if (!('refused' in moved) || !(passedOver as readonly string[]).includes(moved.refused)) return moved
  const why = { comment: 'The sandbox needs no artwork to go on.' }
  return overrideGuards(tx, change, orderNumber, lineNumber, why, passedOver)
}

/** Declines with the first reason that the line offers. A proof without reasons cannot be declined. */
export async function declineForAnyReason(
  tx: Transaction,
  change: Change,
  orderNumber: number,
  lineNumber: number,
): Promise<StepOutcome> {
  const [reason] = (await readDenialReasons(tx, orderNumber, lineNumber)) ?? []
  if (!reason) return { refused: 'denial_reason_not_available' }
  const decision = { reason: reason.code, comment: 'As the name of the line asks.' }
  return declineProof(tx, change, orderNumber, lineNumber, decision)
}

/** Ships half of each line that has more than one piece, and leaves the rest for later. */
export function shipPart({ database, order, change }: StepOf, shipmentNumber: number) {
  const shipment = order.openShipments.find((each) => each.shipmentNumber === shipmentNumber)
  const items = (shipment?.items ?? []).flatMap(({ lineNumber, quantity }) =>
    quantity > 1 ? [{ lineNumber, quantity: Math.ceil(quantity / 2) }] : [],
  )
  const departure = { items, packages: [packageOf(shipmentNumber)] }
  return database.change((tx) => ship(tx, change, order.orderNumber, shipmentNumber, departure))
}

export function shipWhole({ database, order, change }: StepOf, shipmentNumber: number) {
  const departure = { packages: [packageOf(shipmentNumber)] }
  return database.change((tx) => ship(tx, change, order.orderNumber, shipmentNumber, departure))
}

/** A tracking number like a carrier's, always the same for the same shipment. */
function packageOf(shipmentNumber: number) {
  return { trackingNumber: `1ZSANDBOX${String(shipmentNumber).padStart(9, '0')}`, weightOunces: null }
}
