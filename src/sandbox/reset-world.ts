import { setTimeout as pause } from 'node:timers/promises'
import type { Database, Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { recordAudit } from '../platform/audit/audit.ts'
import type { Change } from '../vocabulary/change.ts'
import { drawnCredit, giveCreditBack } from '../platform/credit/give-back.ts'
import { noteStrays } from '../platform/files/stray-objects.ts'
import { returnToShelves } from '../platform/orders/production.ts'
import { currencyScale, zero } from '../vocabulary/money.ts'

/**
 * Takes a partner's world back to its beginning: what it submitted and everything that hangs on it, its receivers, its
 * clock and what it has used of its limits are gone, its goods are back on the shelves and its credit is given back.
 * What partners share stays as it is, catalog, customers and credit ledger among it, and so do its credentials. The audit
 * log keeps every record, of orders that are no more too; their numbers are never given again.
 */
export type ResetWorld = { orders: number; submissions: number; receivers: number }

export async function resetWorld(database: Database, partnerId: string, change: Change): Promise<ResetWorld> {
  return database.transaction(async (tx) => {
    const orders = await lockOrders(tx, partnerId)
    const orderNumbers = orders.map((order) => order.orderNumber)
    const lines = await lockLines(tx, orderNumbers)
    // Files that no record names any more are removed in their time.
    await noteStrays(tx, await filesOf(tx, orderNumbers))
    for (const order of orders) await returnCredit(tx, order, change.now)
    await removeOrders(tx, orderNumbers)
    const submissions = await removeSubmissions(tx, partnerId, orderNumbers)
    const receivers = await removeReceivers(tx, partnerId)
    await Promise.all([
      tx.rows(sql`delete from sandbox_clock where partner_id = ${partnerId}`),
      tx.rows(sql`delete from partner_quota where partner_id = ${partnerId}`),
    ])
    const counts = { orders: orders.length, submissions, receivers }
    await recordAudit(tx, change, {
      action: 'sandbox.reset',
      subject: { kind: 'partner', id: partnerId },
      siteId: null,
      detail: counts,
    })
    const taken = lines.map((line) => ({ stockVariantId: line.stockVariantId, stockTaken: line.stockTaken }))
    await returnToShelves(tx, taken, change.now)
    return counts
  })
}

type OrderRow = { orderNumber: number; siteId: number; userId: number | null; currency: string }

/** Served by orders_of_partner. */
function lockOrders(tx: Transaction, partnerId: string): Promise<OrderRow[]> {
  return tx.rows<OrderRow>(sql`
    select order_number, site_id, user_id, currency from orders where partner_id = ${partnerId}
    order by order_number
    for update`)
}

/** Uploads are reserved under a line alone: whoever is about to is waited for, and whoever comes later finds no line. */
function lockLines(tx: Transaction, orderNumbers: readonly number[]) {
  return tx.rows<{ stockVariantId: number | null; stockTaken: number }>(sql`
    select stock_variant_id, stock_taken from order_line where order_number = any(${orderNumbers}::bigint[])
    order by order_number, line_number
    for update`)
}

async function returnCredit(tx: Transaction, order: OrderRow, now: Date): Promise<void> {
  const onCredit = {
    orderNumber: order.orderNumber,
    siteId: order.siteId,
    userId: order.userId,
    scale: currencyScale(order.currency),
  }
  const drawn = await drawnCredit(tx, order.orderNumber)
  await giveCreditBack(tx, onCredit, drawn, { product: zero, shipping: zero, handling: zero, tax: zero }, now)
}

async function filesOf(tx: Transaction, orderNumbers: readonly number[]): Promise<string[]> {
  const rows = await tx.rows<{ key: string }>(sql`
    select object_key as key from print_file where order_number = any(${orderNumbers}::bigint[])
    union all
    select object_key from artwork_reservation where order_number = any(${orderNumbers}::bigint[])
    union all
    select unnest(array[object_key, rendition_key]) from proof_file where order_number = any(${orderNumbers}::bigint[])`)
  return rows.map((row) => row.key)
}

/** What names another row goes before it. One after the other: each is sent when the one before is, and run in that order. */
async function removeOrders(tx: Transaction, orderNumbers: readonly number[]): Promise<void> {
  await Promise.all([
    tx.rows(sql`delete from event where order_number = any(${orderNumbers}::bigint[])`),
    tx.rows(sql`delete from print_file where order_number = any(${orderNumbers}::bigint[])`),
    tx.rows(sql`delete from artwork_reservation where order_number = any(${orderNumbers}::bigint[])`),
    tx.rows(sql`delete from proof_file where order_number = any(${orderNumbers}::bigint[])`),
    tx.rows(sql`delete from proof_log_entry where order_number = any(${orderNumbers}::bigint[])`),
    tx.rows(sql`
      delete from shipment_package using shipment
      where shipment_package.shipment_number = shipment.shipment_number
        and shipment.order_number = any(${orderNumbers}::bigint[])`),
    tx.rows(sql`delete from shipment_line where order_number = any(${orderNumbers}::bigint[])`),
    tx.rows(sql`delete from shipment where order_number = any(${orderNumbers}::bigint[])`),
    tx.rows(sql`delete from order_line where order_number = any(${orderNumbers}::bigint[])`),
    tx.rows(sql`delete from orders where order_number = any(${orderNumbers}::bigint[])`),
  ])
}

/** A claim or a lease that is just being renewed holds a submission for the length of one write. */
const looksMax = 10
const lookMilliseconds = 20

/**
 * Those of the orders that are removed, and those without an order. One that stays locked is just being ended and is left,
 * and so is one whose order was written after the orders were locked: what comes of them belongs to the new world. None is
 * waited for by its lock: whoever ends it may wait for what is locked here.
 */
async function removeSubmissions(tx: Transaction, partnerId: string, orderNumbers: readonly number[]): Promise<number> {
  const found = await tx.rows<{ submissionId: string }>(sql`
    select submission_id from submission
    where partner_id = ${partnerId} and (order_number is null or order_number = any(${orderNumbers}::bigint[]))`)
  let left = found.map((submission) => submission.submissionId)
  for (let look = 1; left.length > 0; look++) {
    const gone = await tx.rows<{ submissionId: string }>(sql`
      delete from submission using (
        select submission_id from submission
        where submission_id = any(${left}::uuid[])
          and (order_number is null or order_number = any(${orderNumbers}::bigint[]))
        for update skip locked
      ) as removed
      where submission.submission_id = removed.submission_id
      returning submission.submission_id`)
    const removed = new Set(gone.map((submission) => submission.submissionId))
    left = left.filter((submissionId) => !removed.has(submissionId))
    if (look === looksMax) break
    if (left.length > 0) await pause(lookMilliseconds)
  }
  return found.length - left.length
}

/** What is still being queued for a receiver is waited for, and whoever queues later finds none. One that is new stays. */
async function removeReceivers(tx: Transaction, partnerId: string): Promise<number> {
  const receivers = await tx.rows<{ endpointId: string }>(sql`
    select endpoint_id from webhook_endpoint where partner_id = ${partnerId} order by endpoint_id for update`)
  const endpointIds = receivers.map((receiver) => receiver.endpointId)
  await Promise.all([
    tx.rows(sql`delete from webhook_delivery where endpoint_id = any(${endpointIds}::uuid[])`),
    tx.rows(sql`delete from webhook_endpoint where endpoint_id = any(${endpointIds}::uuid[])`),
  ])
  return endpointIds.length
}
