import type { Queries } from '../database/database.ts'
import { sql, sqlText } from '../database/sql.ts'
import type { OrderRequest } from '../platform/ordering/order-request.ts'

/**
 * Takes submissions that wait, oldest first, under a lease. Those whose artwork must be fetched wait on hosts that
 * partners chose, so they have a lane of their own, in which no partner holds more than a part of the places: however
 * slow such hosts are, other orders do not wait for them.
 */
export type Lane = 'plain' | 'artwork'

export const lanes = ['plain', 'artwork'] as const satisfies readonly Lane[]

export function laneOf(request: OrderRequest): Lane {
  return request.lines.some((line) => line.artworkUrl !== undefined) ? 'artwork' : 'plain'
}

/** Submissions a worker has under way at once. */
export const placesOf: Readonly<Record<Lane, number>> = { plain: 48, artwork: 32 }

/** Of the places for orders with artwork. */
export const artworkPlacesOfPartner = 4

/** Lapses this soon after a worker died: a restarted service ends what it found within 5 s. */
export const leaseSeconds = 3

export type Claim = {
  submissionId: string
  partnerId: string
  partnerOrderId: string
  orderingUserId: number
  body: OrderRequest
  /** that brought it; null on those from before this was kept */
  requestId: string | null
  claims: number
  failures: number
}

// Leases run on the database's clock: it is the one clock all workers share.
const isWaiting = sqlText`status in ('queued', 'processing') and (leased_until is null or leased_until < now())`

function leased(now: Date) {
  return sqlText`
    update submission
    set status = 'processing', leased_until = now() + make_interval(secs => ${leaseSeconds}), claims = claims + 1,
      updated_on = greatest(updated_on, ${now}::timestamptz)
    from next where submission.submission_id = next.submission_id
    returning submission.submission_id, partner_id, partner_order_id, ordering_user_id, body,
      request_id, claims, failures`
}

/** @param underWay what this worker has of the lane */
export function claimSubmissions(
  statements: Queries,
  lane: Lane,
  underWay: readonly Pick<Claim, 'partnerId'>[],
  now: Date,
): Promise<Claim[]> {
  const room = placesOf[lane] - underWay.length
  return lane === 'plain' ? claimPlain(statements, room, now) : claimWithArtwork(statements, room, underWay, now)
}

async function claimPlain(statements: Queries, room: number, now: Date): Promise<Claim[]> {
  // submission_open_plain
  return statements.rows<Claim>(sql`
    with next as (
      select submission_id from submission
      where not with_artwork and ${isWaiting}
      order by created_on
      limit ${room}
      for update skip locked
    )
    ${leased(now)}`)
}

async function claimWithArtwork(
  statements: Queries,
  room: number,
  underWay: readonly Pick<Claim, 'partnerId'>[],
  now: Date,
): Promise<Claim[]> {
  const busy = [...Map.groupBy(underWay, (each) => each.partnerId)]
  // submission_open_artwork: a probe for each partner that has any, however long its queue
  return statements.rows<Claim>(sql`
    with recursive waiting (partner_id) as (
      (select partner_id from submission
        where with_artwork and status in ('queued', 'processing') order by partner_id limit 1)
      union all
      select (select submission.partner_id from submission
          where with_artwork and status in ('queued', 'processing') and submission.partner_id > waiting.partner_id
          order by submission.partner_id limit 1)
        from waiting where waiting.partner_id is not null
    ), busy as (
      select * from unnest(${busy.map(([partnerId]) => partnerId)}::uuid[], ${busy.map(([, has]) => has.length)}::int[])
        as busy (partner_id, places)
    ), next as (
      select oldest.submission_id
      from waiting
      left join busy using (partner_id)
      cross join lateral (
        select submission_id, created_on from submission
        where submission.partner_id = waiting.partner_id and with_artwork and ${isWaiting}
        order by created_on
        limit greatest(0, ${artworkPlacesOfPartner}::int - coalesce(busy.places, 0))
        for update skip locked
      ) as oldest
      order by coalesce(busy.places, 0), oldest.created_on
      limit ${room}
    )
    ${leased(now)}`)
}
