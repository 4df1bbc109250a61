import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/** What an order shows of its delivery as a whole; what is left out stays. */
export type OrderDelivery = {
  /** the e-mail address that the order is announced to stays */
  shipTo?: object
  service?: { shippingServiceId: number; provider: string; serviceName: string }
}

/** Lets the order's own row follow a shipment that goes elsewhere, or by another service. */
export async function redirectOrder(
  tx: Transaction,
  orderNumber: number,
  { shipTo, service }: OrderDelivery,
): Promise<void> {
  if (shipTo) {
    await tx.rows(sql`
      update orders
      set ship_to = ${JSON.stringify(shipTo)}::jsonb
        || case when ship_to ? 'email' then jsonb_build_object('email', ship_to -> 'email') else '{}' end
      where order_number = ${orderNumber}`)
  }
  if (service) {
    await tx.rows(sql`
      update orders set shipping_service_id = ${service.shippingServiceId}, shipping_provider = ${service.provider},
        shipping_method = ${service.serviceName}
      where order_number = ${orderNumber}`)
  }
}
