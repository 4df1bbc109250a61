import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { changeOrder } from '../order-changes/change-order.ts'
import { step } from '../order-changes/state-table.ts'
import { lockShipment, openSuccessor } from './lock-shipment.ts'
import { lockLabelsInUse } from './shipment-labels.ts'
import { shipmentSteps } from './shipment-states.ts'

/**
 * Cancels a shipment before it leaves. Its goods are still ordered, so they move to a new open shipment that takes over
 * the cost of delivery. To cancel the goods, cancel their lines. A carrier's
 * label of it is given back first.
 */
export function cancelShipment(tx: Transaction, change: Change, orderNumber: number, shipmentNumber: number) {
  return changeOrder(
    tx,
    change,
    orderNumber,
    'amend',
    async (order) => {
      const shipment = await lockShipment(tx, orderNumber, shipmentNumber)
      if (!shipment) return { refused: 'shipment_not_found' }
      const moved = step(shipmentSteps, shipment.status, 'cancel')
      if ('refused' in moved) return moved
      if ((await lockLabelsInUse(tx, shipmentNumber)).length > 0) return { refused: 'label_in_use' }
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
        events: shipment.rework
          ? []
          : [{ type: 'shipment.cancelled', siteId: order.siteId, orderNumber, shipmentNumber }],
      }
    },
    { shipmentNumber },
  )
}
