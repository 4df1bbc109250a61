import type { Queries } from '../database/database.ts'
import { sql, sqlText } from '../database/sql.ts'
import type { OrderRequest } from '../platform/ordering/order-request.ts'
import type { TraceContext } from '../vocabulary/trace-context.ts'

/**
 * Claims waiting submissions under a lease, oldest first. Submissions with artwork to fetch or to draw depend on hosts
 * that partners chose, or on the template vendor. They have a lane of their own, in which one partner takes only some of
 * the slots, so that no other order waits for a slow host. An order does not say that a product has a template: one
 * without values for it is plain.
 */
export type Lane = 'plain' | 'artwork'

export const lanes = ['plain', 'artwork'] as const satisfies readonly Lane[]

export function laneOf(request: OrderRequest): Lane {
  const hasFileToMake = request.lines.some(
    ({ artworkUrl, templateVariables = {} }) => artworkUrl !== undefined || Object.keys(templateVariables).length > 0,
  )
  return hasFileToMake ? 'artwork' : 'plain'
}

/** The number of submissions that a worker has under way at once. */
export const slotsOf: Readonly<Record<Lane, number>> = { plain: 48, artwork: 32 }

/** The most slots for orders with artwork that one partner takes. */
export const artworkSlotsOfPartner = 4

/** The time until a dead worker's lease lapses: a restarted service ends the submissions it finds within 5 s. */
export const leaseSeconds = 3

export type Claim = {
  submissionId: string
  partnerId: string
  partnerOrderId: string
  orderingUserId: number
  body: OrderRequest
  /** of the request that submitted it; null on submissions older than this column */
  requestId: string | null
  /** of the same request; null = it belongs to no trace */
  traceContext: TraceContext | null
  claims: number
  failures: number
}

// Leases use the database's clock, the one clock that all workers share.
const isWaiting = sqlText`status in ('queued', 'processing') and (leased_until is null or leased_until < now())`

function leased(now: Date) {
  return sqlText`
    update submission
    set status = 'processing', leased_until = now() + make_interval(secs => ${leaseSeconds}), claims = claims + 1,
      updated_on = greatest(updated_on, ${now}::timestamptz)
    from next where submission.submission_id = next.submission_id
    returning submission.submission_id, partner_id, partner_order_id, ordering_user_id, body,
      request_id, trace_context, claims, failures`
}

/** Claims as many as there are free slots. @param underWay this worker's claims in the lane */
export function claimSubmissions(
  statements: Queries,
  lane: Lane,
  free: number,
  underWay: Iterable<Claim>,
  now: Date,
): Promise<Claim[]> {
  return lane === 'plain' ? claimPlain(statements, free, now) : claimWithArtwork(statements, free, underWay, now)
}

function claimPlain(statements: Queries, free: number, now: Date): Promise<Claim[]> {
  // submission_open_plain
  return statements.rows<Claim>(sql`
    with next as (
      select submission_id from submission
      where not with_artwork and ${isWaiting}
      order by created_on
      limit ${free}
      for update skip locked
    )
    ${leased(now)}`)
}

function claimWithArtwork(statements: Queries, free: number, underWay: Iterable<Claim>, now: Date): Promise<Claim[]> {
  const busy = [...Map.groupBy(underWay, (each) => each.partnerId)]
  // submission_open_artwork: one probe for each partner with such submissions, however long its queue
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
        as busy (partner_id, slots)
    ), next as (
      select oldest.submission_id
      from waiting
      left join busy using (partner_id)
      cross join lateral (
        select submission_id, created_on from submission
        where submission.partner_id = waiting.partner_id and with_artwork and ${isWaiting}
        order by created_on
        limit greatest(0, ${artworkSlotsOfPartner}::int - coalesce(busy.slots, 0))
        for update skip locked
      ) as oldest
      order by coalesce(busy.slots, 0), oldest.created_on
      limit ${free}
    )
    ${leased(now)}`)
}
