/** Everything a delivery may contain: which fact changed and where to read it (EVT-07). */
export type Notification = {
  eventId: string
  type: string
  occurredAt: Date
  siteId: number
  orderNumber: number
  /** null = the receiving partner did not submit this order */
  partnerOrderId: string | null
  shipmentNumber: number | null
}

/** The body of a delivery (EVT-08). Absent values have no key (EVT-11, EVT-12). */
export function payloadOf(notification: Notification): string {
  const { eventId, type, occurredAt, siteId, orderNumber, partnerOrderId, shipmentNumber } = notification
  return JSON.stringify({
    eventId,
    type,
    occurredAt: occurredAt.toISOString(),
    siteId,
    orderNumber,
    partnerOrderId: partnerOrderId ?? undefined,
    shipmentNumber: type.startsWith('shipment.') ? (shipmentNumber ?? undefined) : undefined,
  })
}
