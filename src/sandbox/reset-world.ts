import type { Transaction } from '../database/database.ts'
import { forgetSubmissions } from '../intake/forget-submissions.ts'
import { recordAudit } from '../platform/audit/audit.ts'
import { forgetOrders } from '../platform/orders/forget-orders.ts'
import type { Change } from '../vocabulary/change.ts'
import type { Done } from '../vocabulary/outcome.ts'
import { forgetEndpoints } from '../webhooks/forget-endpoints.ts'
import { forgetClock } from './partner-clock.ts'

export type ResetWorld = { orders: number; submissions: number; receivers: number }

/** Removes what a partner has used of its limits. */
export type ForgetUsage = (tx: Transaction, partnerId: string) => Promise<void>

/**
 * Takes a partner's world back to its beginning: what it submitted and everything that hangs on it, its receivers, its
 * clock and what it has used of its limits are gone, its goods are back on the shelves and its credit is given back.
 * What partners share stays as it is, catalog, customers and credit ledger among it, and so do its credentials. The audit
 * log keeps every record, of orders that are no more too; their numbers are never given again.
 */
export async function resetWorld(
  tx: Transaction,
  change: Change,
  partnerId: string,
  forgetUsage: ForgetUsage,
): Promise<Done<ResetWorld>> {
  const { orderNumbers, returnStock } = await forgetOrders(tx, partnerId, change.now)
  const submissions = await forgetSubmissions(tx, partnerId, orderNumbers)
  const receivers = await forgetEndpoints(tx, partnerId)
  await Promise.all([forgetClock(tx, partnerId), forgetUsage(tx, partnerId)])
  const done = { orders: orderNumbers.length, submissions, receivers }
  await recordAudit(tx, change, {
    action: 'sandbox.reset',
    subject: { kind: 'partner', id: partnerId },
    siteId: null,
    detail: done,
  })
  await returnStock()
  return { done }
}
