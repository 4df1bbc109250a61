import { orderGates, type OrderGateEvent } from '../order-changes/order-gate.ts'
import { lineHolds, productionSteps, type HoldEvent, type ProductionEvent } from '../order-changes/production-states.ts'
import { proofSteps, type ProofEvent } from '../proofs/proof-states.ts'
import { shipmentSteps, type ShipmentEvent } from '../shipments/shipment-states.ts'
import { refusalsOf } from '../order-changes/state-table.ts'

/** Why an event is refused, over all states, by each table: for those who tell callers beforehand. */
export const refusals = {
  order: (event: OrderGateEvent) => refusalsOf(orderGates, event),
  hold: (event: HoldEvent) => refusalsOf(lineHolds, event),
  production: (event: ProductionEvent) => refusalsOf(productionSteps, event),
  proof: (event: ProofEvent) => refusalsOf(proofSteps, event),
  shipment: (event: ShipmentEvent) => refusalsOf(shipmentSteps, event),
}
