import { lineHolds, productionSteps, type HoldEvent, type ProductionEvent } from '../lines/production-states.ts'
import { orderGates, type OrderGateEvent } from '../order-changes/order-gate.ts'
import { refusalsOf } from '../order-changes/state-table.ts'
import { proofSteps, type ProofEvent } from '../proofs/proof-states.ts'
import { shipmentSteps, type ShipmentEvent } from '../shipments/shipment-states.ts'

/** The reasons for which each state table refuses an event, over all states. Contracts list them. */
export const refusals = {
  order: <Event extends OrderGateEvent>(event: Event) => refusalsOf(orderGates, event),
  hold: <Event extends HoldEvent>(event: Event) => refusalsOf(lineHolds, event),
  production: <Event extends ProductionEvent>(event: Event) => refusalsOf(productionSteps, event),
  proof: <Event extends ProofEvent>(event: Event) => refusalsOf(proofSteps, event),
  shipment: <Event extends ShipmentEvent>(event: Event) => refusalsOf(shipmentSteps, event),
}
