import type { OrderStatus, ProductionStatus, ShipmentStatus } from '../../vocabulary/statuses.ts'
import type { OrderGate } from './order-gate.ts'

/** A line the customer bought. Records of production do not count for the order's status. */
export type SoldLine = {
  cancelled: boolean
  shipped: boolean
  shippable: boolean
  productionStatus: ProductionStatus | null
}

/**
 * The one place that derives an order's published status from its gate, its lines and its shipments. Decisions of
 * people about the whole order take precedence over its lines.
 */
export function orderStatus(
  gate: OrderGate,
  lines: readonly SoldLine[],
  shipments: readonly ShipmentStatus[],
): OrderStatus {
  const alive = lines.filter((line) => !line.cancelled)
  if (gate === 'CANCELLED' || (lines.length > 0 && alive.length === 0)) return 'CANCELLED'
  if (gate === 'PENDING_APPROVAL' || gate === 'COMPLETED') return gate
  const unfinished = alive.filter((line) => !line.shipped)
  const allHeld = unfinished.length > 0 && unfinished.every((line) => line.productionStatus === 'ON_HOLD')
  if (gate === 'HELD' || allHeld) return 'ON_HOLD'
  const toShip = alive.filter((line) => line.shippable)
  if (toShip.length > 0 && toShip.every((line) => line.shipped)) return 'SHIPPED'
  if (shipments.includes('SHIPPED')) return 'PARTIALLY_SHIPPED'
  return alive.some(hasEnteredProduction) ? 'IN_PRODUCTION' : 'IN_PROCESS'
}

/** Whether production has begun; prepress is still preparation. */
function hasEnteredProduction({ productionStatus }: SoldLine): boolean {
  return productionStatus !== null && productionStatus !== 'PREPRESS'
}
