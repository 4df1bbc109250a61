import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Done, Refused } from '../../vocabulary/outcome.ts'
import { finishLabel, type CarrierRefused, type LabelStores } from './buy-label.ts'
import {
  claimLabel,
  lockLabel,
  recordOutcome,
  releaseLabel,
  type Claimed,
  type LabelStatus,
} from './shipment-labels.ts'

type LabelId = { orderNumber: number; shipmentNumber: number; labelId: number }

/**
 * Asks the carrier to take back a label that was not used. Of an unfinished one nobody knows whether it was bought: it is
 * bought first, which costs nothing then. Asked for again, it is done only once.
 * @throws Outage when the carrier does not answer
 */
export async function giveLabelBack(
  stores: LabelStores,
  change: Change,
  of: LabelId,
): Promise<
  | Done
  | Refused<'order_not_found' | 'label_not_found' | 'label_not_bought' | 'label_used' | 'label_busy'>
  | CarrierRefused
> {
  const { database, carriers } = stores
  const begun = await database.change((tx) => beginReturn(tx, of, 'any'))
  if ('refused' in begun) return begun
  let { claimed, former } = begun.done
  if (!claimed) return { done: {} }
  const shipment = { ...of, siteId: begun.done.siteId }
  if (former === 'UNFINISHED') {
    if (claimed.carrierShipmentId === null) return ended(stores, change, shipment, claimed)
    const refused = await finishLabel(stores, change, shipment, claimed)
    // What the carrier does not sell needs no return.
    if (refused) return refused.refused === 'carrier_refused' ? { done: {} } : refused
    const bought = await database.change((tx) => beginReturn(tx, of, 'BOUGHT'))
    if ('refused' in bought) return bought
    ;({ claimed, former } = bought.done)
    if (!claimed) return { done: {} }
  }
  try {
    const answer = await carriers.giveBack(claimed.carrierShipmentId!)
    if (!('refused' in answer)) return await ended(stores, change, shipment, claimed)
    const refusal = answer.refused
    await recordOutcome(database, change, shipment, claimed, former, { action: 'not_taken_back', refusal })
    return { refused: 'carrier_refused', detail: refusal }
  } catch (error) {
    // If this fails too, the claim lapses.
    await releaseLabel(database.statements, claimed).catch(() => undefined)
    throw error
  }
}

async function ended(
  { database }: LabelStores,
  change: Change,
  shipment: LabelId & { siteId: number },
  claimed: Claimed,
): Promise<Done | Refused<'label_busy'>> {
  const outcome = { action: 'given_back', refusal: null } as const
  const recorded = await recordOutcome(database, change, shipment, claimed, 'GIVEN_BACK', outcome)
  return recorded ? { done: {} } : { refused: 'label_busy' }
}

/** @returns without `claimed`: it is given back already */
async function beginReturn(
  tx: Transaction,
  { orderNumber, shipmentNumber, labelId }: LabelId,
  expected: 'any' | 'BOUGHT',
): Promise<
  | Done<{ siteId: number; former: LabelStatus; claimed?: Claimed }>
  | Refused<'order_not_found' | 'label_not_found' | 'label_not_bought' | 'label_used' | 'label_busy'>
> {
  const order = await tx.row<{ siteId: number }>(sql`
    select site_id from orders where order_number = ${orderNumber} for no key update`)
  if (!order) return { refused: 'order_not_found' }
  const ours = await tx.row(sql`
    select from shipment where shipment_number = ${shipmentNumber} and order_number = ${orderNumber}`)
  const label = ours ? await lockLabel(tx, shipmentNumber, labelId) : undefined
  if (!label) return { refused: 'label_not_found' }
  const { siteId } = order
  const { status } = label
  if (status === 'GIVEN_BACK') return { done: { siteId, former: status } }
  if (status === 'REFUSED') return { refused: 'label_not_bought' }
  if (label.busy || (expected === 'BOUGHT' && status !== 'BOUGHT')) return { refused: 'label_busy' }
  const used = await tx.row(sql`
    select from shipment_package
    where shipment_number = ${shipmentNumber} and tracking_number = ${label.trackingNumber} limit 1`)
  if (used) return { refused: 'label_used' }
  const next = status === 'UNFINISHED' ? status : 'GIVING_BACK'
  return { done: { siteId, former: status, claimed: await claimLabel(tx, label, { ...label, status: next }) } }
}
