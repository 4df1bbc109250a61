import type { ShipmentStatus } from '../../vocabulary/statuses.ts'
import { no, to, type StateTable } from '../order-changes/state-table.ts'

/** A shipment leaves once, or is cancelled before it does. */
export type ShipmentEvent = 'ship' | 'cancel'

const shipped = no('shipment_shipped')
const cancelled = no('shipment_cancelled')
const unknown = no('shipment_status_unknown')

export const shipmentSteps = {
  OPEN: { ship: to('SHIPPED'), cancel: to('CANCELLED') },
  SHIPPED: { ship: shipped, cancel: shipped },
  CANCELLED: { ship: cancelled, cancel: cancelled },
  UNKNOWN: { ship: unknown, cancel: unknown },
} satisfies StateTable<ShipmentStatus, ShipmentEvent>
