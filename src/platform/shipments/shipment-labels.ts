import { randomUUID } from 'node:crypto'
import type { BoughtLabel, LabelledParcel } from '../../outside/carriers/carriers.ts'
import type { Database, Queries, Transaction } from '../../database/database.ts'
import { sql, sqlText } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Done } from '../../vocabulary/outcome.ts'
import { recordAudit } from '../audit/audit.ts'
import { claimStrays, noteStrays } from '../files/stray-objects.ts'
import type { Stores } from '../files/stores.ts'

/**
 * Labels that a carrier sold, or shall sell, for packages of a shipment. A call that asks the carrier claims the label
 * first; its answers count only as long as no later call has claimed it.
 */

export const labelStatuses = ['UNFINISHED', 'BOUGHT', 'REFUSED', 'GIVING_BACK', 'GIVEN_BACK'] as const
export type LabelStatus = (typeof labelStatuses)[number]

export type ShipmentLabel = {
  labelId: number
  packageNumber: number
  status: LabelStatus
  carrierService: string
  /** decimal */
  weightOunces: string
  trackingNumber: string | null
  trackingUrl: string | null
  price: string | null
  currency: string | null
  refusal: string | null
  requestedOn: string
  boughtOn: string | null
  givenBackOn: string | null
}

const columns = sqlText`label_id, package_number, status, carrier_service, parcel ->> 'weightOunces' as weight_ounces,
  tracking_number, tracking_url, price, currency, refusal, requested_on, bought_on, given_back_on`

type ShipmentId = { orderNumber: number; shipmentNumber: number }

/** The labels of a shipment, oldest first, those after `after`. */
export function listShipmentLabels(
  queries: Queries,
  { orderNumber, shipmentNumber }: ShipmentId,
  after: number,
  limit: number,
): Promise<ShipmentLabel[]> {
  // shipment_label_by_shipment
  return queries.rows<ShipmentLabel>(sql`
    select ${columns} from shipment_label
    where shipment_number = (
        select shipment_number from shipment where shipment_number = ${shipmentNumber} and order_number = ${orderNumber})
      and label_id > ${after}::bigint
    order by label_id limit ${limit}::int`)
}

export function readShipmentLabel(
  queries: Queries,
  labelId: number,
): Promise<(ShipmentLabel & { objectKey: string | null }) | undefined> {
  return queries.row(sql`select ${columns}, object_key from shipment_label where label_id = ${labelId}`)
}

/** A label as its claims see it. */
export type HeldLabel = {
  labelId: number
  packageNumber: number
  status: LabelStatus
  carrierService: string
  parcel: LabelledParcel
  claim: number
  /** a call is asking the carrier right now */
  busy: boolean
  carrierShipmentId: string | null
  offerId: string | null
  trackingNumber: string | null
  trackingUrl: string | null
}

/** Labels of a shipment that are neither refused nor given back; whoever asks has locked the order. */
export function lockLabelsInUse(tx: Transaction, shipmentNumber: number): Promise<HeldLabel[]> {
  // shipment_label_by_shipment
  return tx.rows<HeldLabel>(sql`
    select ${held} from shipment_label
    where shipment_number = ${shipmentNumber} and status in ('UNFINISHED', 'BOUGHT', 'GIVING_BACK')
    order by label_id for no key update`)
}

export function lockLabel(tx: Transaction, shipmentNumber: number, labelId: number): Promise<HeldLabel | undefined> {
  return tx.row<HeldLabel>(sql`
    select ${held} from shipment_label where label_id = ${labelId} and shipment_number = ${shipmentNumber}
    for no key update`)
}

const held = sqlText`label_id, package_number, status, carrier_service, parcel, claim, claimed_until > now() as busy,
  carrier_shipment_id, offer_id, tracking_number, tracking_url`

/** Longer than the calls of one purchase may take. */
const claimSeconds = 120
const claimedUntil = sqlText`now() + make_interval(secs => ${claimSeconds}::int)`

export type Claimed = Pick<HeldLabel, 'labelId' | 'claim' | 'carrierService' | 'parcel'> & {
  carrierShipmentId: string | null
  offerId: string | null
}

export async function insertLabel(
  tx: Transaction,
  change: Change,
  label: { shipmentNumber: number; packageNumber: number; carrierService: string; parcel: LabelledParcel },
): Promise<Claimed> {
  const { shipmentNumber, packageNumber, carrierService, parcel } = label
  const row = await tx.row<{ labelId: number; claim: number }>(sql`
    insert into shipment_label (shipment_number, package_number, status, carrier_service, parcel, claimed_until,
      requested_on)
    values (${shipmentNumber}, ${packageNumber}, 'UNFINISHED', ${carrierService}, ${JSON.stringify(parcel)}::jsonb,
      ${claimedUntil}, ${change.now})
    returning label_id, claim`)
  return { ...row!, carrierService, parcel, carrierShipmentId: null, offerId: null }
}

/** Claims a label that is not busy. @param next what it is from now on */
export async function claimLabel(
  tx: Transaction,
  label: HeldLabel,
  next: { status: LabelStatus; carrierService: string; parcel: LabelledParcel },
): Promise<Claimed> {
  const { labelId, carrierShipmentId, offerId } = label
  const { status, carrierService, parcel } = next
  const row = await tx.row<{ claim: number }>(sql`
    update shipment_label set status = ${status}, carrier_service = ${carrierService},
      parcel = ${JSON.stringify(parcel)}::jsonb, claim = claim + 1, claimed_until = ${claimedUntil}
    where label_id = ${labelId} returning claim`)
  return { labelId, claim: row!.claim, carrierService, parcel, carrierShipmentId, offerId }
}

/** Lets another call claim the label at once. */
export async function releaseLabel(queries: Queries, { labelId, claim }: Claimed): Promise<void> {
  await queries.rows(sql`
    update shipment_label set claimed_until = now() where label_id = ${labelId} and claim = ${claim}`)
}

/** Notes what the carrier knows the parcel by. @returns false if another call has claimed the label since */
export async function recordAnnounced(
  queries: Queries,
  { labelId, claim }: Claimed,
  { carrierShipmentId, offerId }: { carrierShipmentId: string; offerId: string },
): Promise<boolean> {
  const noted = await queries.rows(sql`
    update shipment_label set carrier_shipment_id = ${carrierShipmentId}, offer_id = ${offerId}
    where label_id = ${labelId} and claim = ${claim} and carrier_shipment_id is null
    returning label_id`)
  return noted.length > 0
}

/** Stores the carrier's PDF and records the label as bought, unless another call has done so since. */
export async function recordBought(
  { database, objectStore }: Stores,
  change: Change,
  shipment: ShipmentId & { siteId: number },
  { labelId, claim }: Claimed,
  { trackingNumber, trackingUrl, price, currency, pdf }: BoughtLabel,
): Promise<boolean> {
  const objectKey = `labels/${shipment.shipmentNumber}/${randomUUID()}.pdf`
  await noteStrays(database.statements, [objectKey])
  await objectStore.write(objectKey, pdf)
  const recorded = await database.change(async (tx): Promise<Done<boolean>> => {
    const rows = await tx.rows(sql`
      update shipment_label set status = 'BOUGHT', tracking_number = ${trackingNumber}, tracking_url = ${trackingUrl},
        price = ${price}, currency = ${currency}, object_key = ${objectKey}, bought_on = ${change.now},
        claimed_until = now(), refusal = null
      where label_id = ${labelId} and claim = ${claim} and status = 'UNFINISHED' returning label_id`)
    if (rows.length === 0) return { done: false }
    await claimStrays(tx, [objectKey])
    await recordLabelAudit(tx, change, 'bought', shipment, { labelId, trackingNumber, price, currency })
    return { done: true }
  })
  return recorded.done
}

/** Ends a claim with another status of the label. @returns false if another call has claimed it since */
export async function recordOutcome(
  database: Database,
  change: Change,
  shipment: ShipmentId & { siteId: number },
  { labelId, claim }: Pick<Claimed, 'labelId' | 'claim'>,
  status: LabelStatus,
  { action, refusal }: { action: LabelAction; refusal: string | null },
): Promise<boolean> {
  const recorded = await database.change(async (tx): Promise<Done<boolean>> => {
    const rows = await tx.rows(sql`
      update shipment_label set status = ${status}, refusal = ${refusal}, claimed_until = now(),
        given_back_on = case when ${status}::text = 'GIVEN_BACK' then ${change.now}::timestamptz end
      where label_id = ${labelId} and claim = ${claim} returning label_id`)
    if (rows.length === 0) return { done: false }
    await recordLabelAudit(tx, change, action, shipment, { labelId })
    return { done: true }
  })
  return recorded.done
}

type LabelAction = 'requested' | 'bought' | 'refused' | 'given_back' | 'not_taken_back'

export function recordLabelAudit(
  tx: Transaction,
  change: Change,
  action: LabelAction,
  { orderNumber, shipmentNumber, siteId }: ShipmentId & { siteId: number },
  detail: { labelId: number } & Record<string, unknown>,
): Promise<void> {
  return recordAudit(tx, change, {
    action: `shipment.label_${action}`,
    subject: { kind: 'shipment', id: shipmentNumber },
    siteId,
    detail: { orderNumber, ...detail },
  })
}

/** Removes labels, which only a reset of the sandbox does. @returns the object keys that no record refers to any more */
export async function forgetShipmentLabels(tx: Transaction, orderNumbers: readonly number[]): Promise<string[]> {
  const gone = await tx.rows<{ objectKey: string | null }>(sql`
    delete from shipment_label using shipment
    where shipment_label.shipment_number = shipment.shipment_number
      and shipment.order_number = any(${orderNumbers}::bigint[])
    returning shipment_label.object_key`)
  return gone.flatMap(({ objectKey }) => objectKey ?? [])
}
