import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { changeOrder, type OrderRefusal, type Outcome, type Refused } from '../order-changes/change-order.ts'
import { lockShipment, openSuccessor } from './lock-shipment.ts'
import { shipmentSteps, type ShipmentRefusal } from './shipment-states.ts'
import { step } from '../order-changes/state-table.ts'

export type ShipmentCancellationRefusal = OrderRefusal | Refused<'shipment_not_found' | ShipmentRefusal>

/**
 * Cancels a shipment before it leaves. Its goods are still ordered, so they go on in a new open shipment, and what the
 * delivery costs with them; whoever does not want the goods cancels their lines.
 */
export function cancelShipment(
  database: Database,
  orderNumber: number,
  shipmentNumber: number,
  change: Change,
): Promise<Outcome<{ successorNumber: number }, ShipmentCancellationRefusal>> {
  return changeOrder<{ successorNumber: number }, ShipmentCancellationRefusal>(
    database,
    orderNumber,
    'amend',
    change,
    async (tx, order) => {
      const shipment = await lockShipment(tx, orderNumber, shipmentNumber)
      if (!shipment) return { refused: 'shipment_not_found' }
      const moved = step(shipmentSteps, shipment.status, 'cancel')
      if ('refused' in moved) return moved
      const successorNumber = await openSuccessor(tx, shipment, shipment.items, null, change.now)
      await tx.rows(sql`
        update shipment set status = ${moved.to}, cancelled_on = ${change.now}, updated_on = ${change.now}
        where shipment_number = ${shipmentNumber}`)
      return {
        done: { successorNumber },
        audit: {
          action: 'shipment.cancelled',
          subject: { kind: 'shipment', id: shipmentNumber },
          detail: { orderNumber, successorNumber },
        },
        events: [{ type: 'shipment.cancelled', siteId: order.siteId, orderNumber, shipmentNumber }],
      }
    },
  )
}
