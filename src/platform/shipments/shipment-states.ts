import type { ShipmentStatus } from '../../vocabulary/statuses.ts'
import { no, to, type StateTable } from '../order-changes/state-table.ts'

/** A shipment leaves once, or is cancelled before it does. `change`: it goes elsewhere, or by another service. */
export type ShipmentEvent = 'ship' | 'cancel' | 'change'

const shipped = no('shipment_shipped')
const cancelled = no('shipment_cancelled')
const unknown = no('shipment_status_unknown')

export const shipmentSteps = {
  OPEN: { ship: to('SHIPPED'), cancel: to('CANCELLED'), change: to('OPEN') },
  SHIPPED: { ship: shipped, cancel: shipped, change: shipped },
  CANCELLED: { ship: cancelled, cancel: cancelled, change: cancelled },
  UNKNOWN: { ship: unknown, cancel: unknown, change: unknown },
} satisfies StateTable<ShipmentStatus, ShipmentEvent>
