import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { reassignSubmissions } from '../../intake/reassign-submissions.ts'
import { audit, renamePartner, setCapabilities } from '../../partners/partners.ts'
import { markMerged, takeOver, type Gain } from '../../partners/take-over.ts'
import { reassignChecks } from '../../platform/artwork/reassign-checks.ts'
import { reassignOrders } from '../../platform/order-changes/reassign-orders.ts'
import { reassignSimulatedOrders } from '../../sandbox/reassign-simulated-orders.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Done, Refused } from '../../vocabulary/outcome.ts'
import { reassignEndpoints } from '../../webhooks/reassign-endpoints.ts'

/**
 * Merges a partner into another of its environment. Grants, capabilities, credentials, people, endpoints, orders and
 * submissions go over, so that its programs go on working and a repeated order is still recognised. The former partner stays,
 * disabled and with nothing, for its history: audit records and the log of its calls keep its id.
 */
export type Merged = {
  moved: { what: string; count: number }[]
  /** each thing that the other partner has from now on and had not before, but orders and what belongs to them */
  gains: ({ what: string } & Gain)[]
}

type NotMerged = Refused<
  | 'partner_not_found'
  | 'partners_same'
  | 'partner_merged'
  | 'partner_enabled'
  | 'target_disabled'
  | 'methods_differ'
  | 'two_clients_live'
  | 'two_certificates_live'
  | 'submissions_open'
  | 'too_many_orders'
  | 'partner_order_ids_collide'
> & { detail?: string }

/** More would keep others waiting for their locks. */
const ordersMax = 20_000
const collisionsTold = 20

export async function mergePartners(
  tx: Transaction,
  change: Change,
  { from, into, isSandbox }: { from: string; into: string; isSandbox: boolean },
): Promise<Done<Merged> | NotMerged> {
  if (from === into) return { refused: 'partners_same' }
  const locked = await tx.rows<{
    partnerId: string
    name: string
    machineMethod: string
    disabledOn: string | null
    mergedInto: string | null
  }>(sql`
    select partner_id, name, machine_method, disabled_on, merged_into from partner
    where partner_id = any(${[from, into]}::uuid[]) order by partner_id for no key update`)
  const [former, other] = [from, into].map((id) => locked.find(({ partnerId }) => partnerId === id))
  if (!former || !other) return { refused: 'partner_not_found' }
  if (former.mergedInto !== null) return { refused: 'partner_merged' }
  if (former.disabledOn === null) return { refused: 'partner_enabled' }
  // Also one that was merged away itself.
  if (other.disabledOn !== null) return { refused: 'target_disabled' }
  if (former.machineMethod !== other.machineMethod) return { refused: 'methods_differ' }
  const counted = await tx.row<Record<'clients' | 'certificates' | 'open' | 'orders', number>>(sql`
    select
      (select count(*)::int from app_client where partner_id in (${from}, ${into}) and not made_by_partner) as clients,
      (select count(*)::int from partner_certificate
        where partner_id in (${from}, ${into}) and revoked_on is null and not_after > ${change.now}) as certificates,
      (select count(*)::int from submission
        where partner_id = ${from} and status in ('queued', 'processing')) as open,
      (select count(*)::int from (select from submission where partner_id = ${from} limit ${ordersMax + 1}::int) as sent)
        as orders`)
  if (counted!.clients > 2) return { refused: 'two_clients_live' }
  if (counted!.certificates > 2) return { refused: 'two_certificates_live' }
  if (counted!.open > 0) return { refused: 'submissions_open' }
  if (counted!.orders > ordersMax) return { refused: 'too_many_orders' }
  const collisions = await tx.rows<{ partnerOrderId: string }>(sql`
    with used as (
      select partner_id, partner_order_id from submission where partner_id in (${from}, ${into})
      union select partner_id, partner_order_id from orders
      where partner_id in (${from}, ${into}) and partner_order_id is not null
    )
    select partner_order_id from used group by partner_order_id having count(distinct partner_id) > 1
    order by partner_order_id limit ${collisionsTold}::int`)
  if (collisions.length > 0) {
    const ids = collisions.map(({ partnerOrderId }) => partnerOrderId).join(', ')
    return { refused: 'partner_order_ids_collide', detail: `Both partners used: ${ids}.` }
  }
  const taken = await takeOver(tx, change, from, into)
  const endpoints = await reassignEndpoints(tx, from, into)
  const gained = { ...taken, endpoints: endpoints.map(({ endpointId, url }): Gain => ({ id: endpointId, name: url })) }
  const gains = Object.entries(gained).flatMap(([what, things]) =>
    things.toSorted(byName).map((thing) => ({ what, ...thing })),
  )
  const counts: Record<string, number> = {
    ...Object.fromEntries(Object.entries(gained).map(([what, things]) => [what, things.length])),
    orders: await reassignOrders(tx, from, into),
    submissions: await reassignSubmissions(tx, from, into),
    artworkChecks: await reassignChecks(tx, from, into),
  }
  if (isSandbox) counts.simulatedOrders = await reassignSimulatedOrders(tx, from, into)
  await setCapabilities(tx, change, from, [])
  await renamePartner(tx, change, from, `${former.name.slice(0, 80)} (merged into ${other.name.slice(0, 80)})`)
  await markMerged(tx, from, into)
  const kept = gains.flatMap(withoutPeople)
  await audit(tx, change, from, 'partner.merged_into', { into, ...counts, gains: kept })
  await audit(tx, change, into, 'partner.took_over', { from, name: former.name, ...counts, gains: kept })
  return { done: { moved: Object.entries(counts).map(([what, count]) => ({ what, count })), gains } }
}

/** As the audit log keeps it, for ever: people by their ids, and no addresses of theirs. */
function withoutPeople(gain: Merged['gains'][number]): { what: string; id: string; name: string | null }[] {
  if (gain.what === 'alertEmails') return []
  return [gain.what === 'people' ? { ...gain, name: null } : gain]
}

function byName(one: Gain, other: Gain): number {
  return (one.name ?? one.id) < (other.name ?? other.id) ? -1 : 1
}
