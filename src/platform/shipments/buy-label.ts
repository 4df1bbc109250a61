import { isDeepStrictEqual } from 'node:util'
import type { Carriers, LabelledParcel } from '../../outside/carriers/carriers.ts'
import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { money } from '../../vocabulary/money.ts'
import type { Done, Refused } from '../../vocabulary/outcome.ts'
import type { ShipmentStatus } from '../../vocabulary/statuses.ts'
import type { Stores } from '../files/stores.ts'
import { gateOf, type GateColumns } from '../order-changes/change-order.ts'
import { orderGates } from '../order-changes/order-gate.ts'
import { step } from '../order-changes/state-table.ts'
import type { OrderAddress } from '../ordering/order-request.ts'
import { carrierServiceOf } from '../shipping/carrier-rates.ts'
import type { CenterAddress } from '../shipping/fulfilment-centers.ts'
import { readBrandFor } from '../sites/brand.ts'
import {
  claimLabel,
  insertLabel,
  lockLabelsInUse,
  recordAnnounced,
  recordBought,
  recordLabelAudit,
  recordOutcome,
  releaseLabel,
  type Claimed,
} from './shipment-labels.ts'
import { shipmentSteps } from './shipment-states.ts'

/** What a label is bought with and recorded in. */
export type LabelStores = Stores & { carriers: Carriers }

export type LabelWish = {
  packageNumber: number
  /** decimal; null = what the goods of the shipment weigh */
  weightOunces: string | null
}

type ShipmentId = { orderNumber: number; shipmentNumber: number }

export type CarrierRefused = Refused<'carrier_refused'> & { detail: string }

/**
 * Buys a carrier's label for a package of an open shipment, by the carrier's service that the shipment's own stands for.
 * Nothing is locked while the carrier is asked. Asked for again, an unfinished label is finished, and a bought one is the
 * answer, so that no package gets two.
 * @returns `bought` false: it was there already
 * @throws Outage when the carrier does not answer; the label is then unfinished
 */
export async function buyLabel(stores: LabelStores, change: Change, of: ShipmentId, wish: LabelWish) {
  const begun = await stores.database.change((tx) => beginLabel(tx, change, of, wish))
  if ('refused' in begun) return begun
  const { label, labelId, siteId } = begun.done
  if (!label) return { done: { labelId, bought: false } }
  const refused = await finishLabel(stores, change, { ...of, siteId }, label)
  return refused ?? { done: { labelId, bought: true } }
}

/**
 * Asks the carrier for a claimed label, from where an earlier call stopped.
 * @returns undefined if it is bought
 * @throws Outage
 */
export async function finishLabel(
  stores: LabelStores,
  change: Change,
  shipment: ShipmentId & { siteId: number },
  label: Claimed,
): Promise<CarrierRefused | Refused<'label_busy'> | undefined> {
  const { carriers, database } = stores
  const end = async (refusal: string): Promise<CarrierRefused | Refused<'label_busy'>> => {
    const ended = await recordOutcome(database, change, shipment, label, 'REFUSED', { action: 'refused', refusal })
    return ended ? { refused: 'carrier_refused', detail: refusal } : { refused: 'label_busy' }
  }
  try {
    let known = knownTo(label)
    if (!known) {
      const announced = await carriers.announce(label.parcel, `${shipment.shipmentNumber}-${label.labelId}`)
      if ('refused' in announced) return await end(announced.refused)
      // A carrier may have two accounts there, at two prices.
      const [offer] = announced.offers
        .filter((each) => carrierServiceOf(each) === label.carrierService)
        .toSorted((one, other) => money(one.price).cmp(other.price))
      if (!offer) return await end(`The carrier does not offer ${label.carrierService} for this parcel.`)
      known = { carrierShipmentId: announced.carrierShipmentId, offerId: offer.offerId }
      if (!(await recordAnnounced(database.statements, label, known))) return { refused: 'label_busy' }
    }
    const bought = await carriers.buy(known.carrierShipmentId, known.offerId)
    if ('refused' in bought) return await end(bought.refused)
    return (await recordBought(stores, change, shipment, label, bought)) ? undefined : { refused: 'label_busy' }
  } catch (error) {
    // If this fails too, the claim lapses.
    await releaseLabel(database.statements, label).catch(() => undefined)
    throw error
  }
}

function knownTo({ carrierShipmentId, offerId }: Claimed) {
  return carrierShipmentId === null || offerId === null ? undefined : { carrierShipmentId, offerId }
}

/** @returns without `label`: the package has this label already */
async function beginLabel(tx: Transaction, change: Change, of: ShipmentId, wish: LabelWish) {
  const { orderNumber, shipmentNumber } = of
  const order = await tx.row<GateColumns & { siteId: number; partnerId: string | null }>(sql`
    select site_id, partner_id, status, held_on, completed_on, cancelled_on from orders
    where order_number = ${orderNumber} for no key update`)
  if (!order) return { refused: 'order_not_found' as const }
  const gate = step(orderGates, gateOf(order), 'work')
  if ('refused' in gate) return gate
  const facts = await readFacts(tx, of)
  if (!facts) return { refused: 'shipment_not_found' as const }
  const moved = step(shipmentSteps, facts.status, 'ship')
  if ('refused' in moved) return moved
  const { carrierService } = facts
  if (carrierService === null) return { refused: 'service_not_by_carrier' as const }
  const [brand, labels] = await Promise.all([readBrandFor(tx, order), lockLabelsInUse(tx, shipmentNumber)])
  const found = parcelOf(facts, brand, wish)
  if ('refused' in found) return found
  const { parcel } = found

  const { siteId } = order
  const { packageNumber } = wish
  const unfinished = labels.find(({ status }) => status === 'UNFINISHED')
  if (unfinished && unfinished.packageNumber !== packageNumber) {
    const detail = `The label of package ${unfinished.packageNumber} is unfinished. Buy it again, or give it back.`
    return { refused: 'label_unfinished' as const, detail }
  }
  const label = labels.find((each) => each.packageNumber === packageNumber)
  if (label?.busy) return { refused: 'label_busy' as const }
  if (!label) {
    const inserted = await insertLabel(tx, change, { shipmentNumber, packageNumber, carrierService, parcel })
    const { labelId } = inserted
    const { weightOunces } = parcel
    await recordLabelAudit(
      tx,
      change,
      'requested',
      { ...of, siteId },
      { labelId, packageNumber, carrierService, weightOunces },
    )
    return begunWith(siteId, labelId, inserted)
  }
  const isSame =
    label.carrierService === carrierService &&
    label.parcel.weightOunces === parcel.weightOunces &&
    isDeepStrictEqual(label.parcel.to, parcel.to)
  const isAnnounced = label.carrierShipmentId !== null
  if (label.status === 'GIVING_BACK' || (isAnnounced && !isSame)) {
    return { refused: 'label_differs' as const }
  }
  if (label.status === 'BOUGHT') return begunWith(siteId, label.labelId)
  const next = isAnnounced ? label : { carrierService, parcel }
  const claimed = await claimLabel(tx, label, { ...next, status: 'UNFINISHED' })
  return begunWith(siteId, label.labelId, claimed)
}

function begunWith(
  siteId: number,
  labelId: number,
  label?: Claimed,
): Done<{ siteId: number; labelId: number; label?: Claimed }> {
  return { done: { siteId, labelId, ...(label && { label }) } }
}

type Facts = {
  status: ShipmentStatus
  carrierService: string | null
  shipTo: OrderAddress | null
  center: {
    name: string
    countryCode: string
    stateCode: string
    postalCode: string
    address: CenterAddress | null
  } | null
  /** null = a product without a weight */
  weightOunces: string | null
}

/** By primary keys. The lock of the order keeps the shipment as it is. */
function readFacts(tx: Transaction, { orderNumber, shipmentNumber }: ShipmentId): Promise<Facts | undefined> {
  return tx.row<Facts>(sql`
    select shipment.status, service.carrier_service, coalesce(shipment.ship_to, orders.ship_to) as ship_to, (
        select json_build_object('name', name, 'countryCode', country_code, 'stateCode', state_code,
          'postalCode', postal_code, 'address', address)
        from fulfilment_center center where center.fulfilment_center_id = shipment.fulfilment_center_id
      ) as center, (
        select case when bool_and(line.unit_weight_ounces is not null)
          then sum(line.unit_weight_ounces * item.quantity)::text end
        from shipment_line item
        join order_line line on line.order_number = item.order_number and line.line_number = item.line_number
        where item.shipment_number = shipment.shipment_number
      ) as weight_ounces
    from shipment
    join orders using (order_number)
    left join shipping_service service on service.shipping_service_id = shipment.shipping_service_id
    where shipment.shipment_number = ${shipmentNumber} and shipment.order_number = ${orderNumber}`)
}

type Missing = Refused<'ship_to_missing' | 'weight_missing'> | (Refused<'sender_address_missing'> & { detail: string })

function parcelOf(
  { center, shipTo, weightOunces: goods }: Facts,
  { name, supportEmail }: { name: string; supportEmail: string | null },
  wish: LabelWish,
): { parcel: LabelledParcel } | Missing {
  if (!center) return { refused: 'sender_address_missing', detail: 'The shipment has no fulfilment center.' }
  if (!center.address) {
    const detail = `The fulfilment center ${center.name} has no address. Set its street, city and telephone number.`
    return { refused: 'sender_address_missing', detail }
  }
  if (!shipTo) return { refused: 'ship_to_missing' }
  const weight = money(wish.weightOunces ?? goods ?? 0)
  if (weight.lte(0)) return { refused: 'weight_missing' }
  const { countryCode, stateCode, postalCode, address } = center
  const from = { name, company: null, ...address, email: supportEmail, countryCode, stateCode, postalCode }
  const { company = null, address2 = null, phone = null, country, state, ...rest } = shipTo
  const to = {
    name: rest.name,
    company,
    address1: rest.address1,
    address2,
    city: rest.city,
    phone,
    email: null,
    countryCode: country,
    stateCode: state,
    postalCode: rest.postalCode,
  }
  return { parcel: { from, to, weightOunces: weight.toFixed() } }
}
