import type { Transaction } from '../database/database.ts'
import { forgetSubmissions } from '../intake/forget-submissions.ts'
import { forgetArtworkChecksOf } from '../platform/artwork/forget-checks.ts'
import { recordAudit } from '../platform/audit/audit.ts'
import { forgetOrders } from '../platform/orders/forget-orders.ts'
import type { Change } from '../vocabulary/change.ts'
import type { Done } from '../vocabulary/outcome.ts'
import { forgetEndpoints } from '../webhooks/forget-endpoints.ts'
import { keepEarned } from './go-live/go-live.ts'
import { forgetClock } from './partner-clock.ts'

export type ResetWorld = { orders: number; submissions: number; receivers: number }

/** Removes what a partner has used of its limits. */
export type ForgetUsage = (tx: Transaction, partnerId: string) => Promise<void>

/**
 * Resets a partner's sandbox: removes its submissions, their orders and everything that belongs to them, its receivers,
 * its artwork checks, its clock and its use of limits. Its goods return to stock and its credit is given back. Data that partners share
 * stays, such as catalog, customers and credit ledger, and so do its credentials and what it has earned for going live. The audit log keeps all records, also
 * of removed orders, whose numbers are never used again.
 */
export async function resetPartner(
  tx: Transaction,
  change: Change,
  partnerId: string,
  forgetUsage: ForgetUsage,
): Promise<Done<ResetWorld>> {
  await keepEarned(tx, partnerId)
  const { orderNumbers, returnStock } = await forgetOrders(tx, partnerId, change)
  const submissions = await forgetSubmissions(tx, partnerId, orderNumbers)
  const receivers = await forgetEndpoints(tx, partnerId)
  await Promise.all([forgetArtworkChecksOf(tx, partnerId), forgetClock(tx, partnerId), forgetUsage(tx, partnerId)])
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
