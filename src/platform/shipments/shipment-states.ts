import type { ShipmentStatus } from '../../vocabulary/statuses.ts'
import { no, to, type StateTable } from '../order-changes/state-table.ts'

/** A shipment leaves once, or is cancelled before it does. */
export type ShipmentEvent = 'ship' | 'cancel'

export type ShipmentRefusal = 'shipment_shipped' | 'shipment_cancelled' | 'shipment_status_unknown'

const shipped = no('shipment_shipped')
const cancelled = no('shipment_cancelled')
const unknown = no('shipment_status_unknown')

export const shipmentSteps: StateTable<ShipmentStatus, ShipmentEvent, ShipmentRefusal> = {
  OPEN: { ship: to('SHIPPED'), cancel: to('CANCELLED') },
  SHIPPED: { ship: shipped, cancel: shipped },
  CANCELLED: { ship: cancelled, cancel: cancelled },
  UNKNOWN: { ship: unknown, cancel: unknown },
}
