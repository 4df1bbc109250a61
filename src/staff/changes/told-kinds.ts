import type { Permission } from '../../vocabulary/staff-roles.ts'

/**
 * The kinds of records of whose changes staff are told, in the words of the audit record, and the permission that reads
 * such a record. What is not listed is not told.
 */
export const toldKinds = {
  order: 'orders:read',
  order_line: 'orders:read',
  shipment: 'orders:read',
  return: 'orders:read',
  refund: 'orders:read',
  submission: 'orders:read',
  // the result of a print file
  inspection: 'orders:read',
  reasons: 'orders:read',
  invoice: 'orders:money',
  mail: 'mail:read',
  bounced_address: 'mail:read',
  partner: 'partners:read',
  person: 'partners:read',
  sign_in_client: 'partners:read',
  webhook_endpoint: 'webhooks:read',
  site: 'sites:read',
  product: 'catalog:read',
  product_image: 'catalog:read',
  variant: 'catalog:read',
  stock_count: 'stock:read',
  fulfilment_center: 'shipping:read',
  shipping_service: 'shipping:read',
  user: 'customers:read',
  division: 'customers:read',
  segment: 'customers:read',
  credit_account: 'credit:read',
  staff_account: 'staff:read',
} as const satisfies Record<string, Permission>

export type ToldKind = keyof typeof toldKinds

/** A record that has changed. The id is that of its kind in the audit record: of a line `1010033/2`. */
export type ToldSubject = { kind: ToldKind; id: string }

export function isToldKind(kind: string): kind is ToldKind {
  return Object.hasOwn(toldKinds, kind)
}
