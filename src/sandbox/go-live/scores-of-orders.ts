import type { Queries } from '../../database/database.ts'
import { sql, sqlText, type SqlPart } from '../../database/sql.ts'
import type { EventType } from '../../platform/events/events.ts'
import { seen, type Scores } from './items.ts'
import { ofIntegration } from './scores-of-calls.ts'

/** What a partner's newest orders show, and the audit records of what it did itself. */
const ordersLookedAt = 500
const recordsLookedAt = 5_000
/** of those, the orders of which something happened that the partner may have read */
const happeningsLookedAt = 100

/** A reading of an order after something happened to it. */
type Reading = { orderNumber: number; happenedOn: string; requestId: string | null; readOn: string | null }

export async function scoresOfOrders(reads: Queries, partnerId: string): Promise<Scores> {
  const [completed, split, cancelled, proof, artwork] = await Promise.all([
    newestCompleted(reads, partnerId),
    readAfter(reads, partnerId, 'shipment.shipped'),
    readAfter(reads, partnerId, 'order_line.cancelled'),
    declinedProof(reads, partnerId),
    mendedArtwork(reads, partnerId),
  ])
  const scores: Scores = {}
  if (completed) {
    const { orderNumber, recordedOn } = completed
    scores.order_completed = { state: 'done', evidence: seen('An order was completed.', recordedOn, { orderNumber }) }
  }
  if (split) scores.split_shipment_read = scoreOfReading(split, 'A part of the order had left')
  if (cancelled) scores.cancellation_read = scoreOfReading(cancelled, 'A line of the order was cancelled')
  if (proof) {
    const { orderNumber, declinedOn, approvedOn, requestId } = proof
    const evidence = approvedOn
      ? seen('A proof was declined, another file attached, and the next proof approved.', approvedOn, {
          orderNumber,
          requestId,
        })
      : seen('A proof was declined; no new file and approval have followed yet.', declinedOn, { orderNumber })
    scores.declined_proof_handled = { state: approvedOn ? 'done' : 'not_yet', evidence }
  }
  if (artwork) {
    const { orderNumber, faultyOn, mendedOn } = artwork
    const evidence = mendedOn
      ? seen('A file needed changes, and one that came after it passed.', mendedOn, { orderNumber })
      : seen('A file needs changes; none that passes has come after it yet.', faultyOn, { orderNumber })
    scores.artwork_mended = { state: mendedOn ? 'done' : 'not_yet', evidence }
  }
  return scores
}

function scoreOfReading({ orderNumber, happenedOn, requestId, readOn }: Reading, what: string) {
  if (readOn === null) {
    return {
      state: 'not_yet' as const,
      evidence: seen(`${what}; it has not been read since.`, happenedOn, { orderNumber }),
    }
  }
  return {
    state: 'done' as const,
    evidence: seen(`${what}, and then it was read.`, readOn, { orderNumber, requestId }),
  }
}

/** The newest orders that the partner submitted. By submission_newest. */
function newestOrders(partnerId: string): SqlPart {
  return sqlText`
    select order_number from submission
    where partner_id = ${partnerId} and order_number is not null
    order by created_on desc, submission_id desc limit ${ordersLookedAt}`
}

function newestCompleted(reads: Queries, partnerId: string) {
  // audit_by_subject_and_time; the demo's own orders have no record of their completion
  return reads.row<{ orderNumber: number; recordedOn: string }>(sql`
    with own as (${newestOrders(partnerId)})
    select own.order_number, record.recorded_on
    from own join audit_record record on record.subject_kind = 'order' and record.subject_id = own.order_number::text
    where record.action = 'order.completed'
    order by record.audit_id desc
    limit 1`)
}

/** The newest reading of an order after it had its first event of a type. */
function readAfter(reads: Queries, partnerId: string, type: EventType): Promise<Reading | undefined> {
  // event_by_order, request_log_by_order
  return reads.row<Reading>(sql`
    with own as (${newestOrders(partnerId)}), happened as (
      select own.order_number, min(event.fanned_out_on) as happened_on
      from own join event using (order_number) join orders using (order_number)
      where event.type = ${type} and event.fanned_out_on is not null
      group by own.order_number, orders.status
      having ${type} <> 'shipment.shipped' or count(*) > 1 or orders.status = 'PARTIALLY_SHIPPED'
      order by happened_on desc
      limit ${happeningsLookedAt}
    )
    select happened.order_number, happened.happened_on, reading.request_id, reading.recorded_on as read_on
    from happened left join lateral (
      select request_id, recorded_on from request_log
      where substring(path from '^/v1/orders/([0-9]+)(?:/|$)') = happened.order_number::text
        and recorded_on > happened.happened_on and partner_id = ${partnerId}::uuid and status in (200, 304)
        and operation in ('getOrder', 'listOrderItems', 'listShipments') and ${ofIntegration}
      order by recorded_on, entry_id limit 1
    ) as reading on true
    order by reading.recorded_on desc nulls last, happened.happened_on desc
    limit 1`)
}

type DeclinedProof = { orderNumber: number; declinedOn: string; approvedOn: string | null; requestId: string | null }

/** From the audit log, which a reset leaves as it is. */
function declinedProof(reads: Queries, partnerId: string): Promise<DeclinedProof | undefined> {
  // audit_by_actor_and_time
  return reads.row<DeclinedProof>(sql`
    with record as materialized (
      select audit_id, action, subject_id, recorded_on, request_id from audit_record
      where actor_kind = 'PARTNER' and actor_id = ${partnerId}
      order by recorded_on desc, audit_id desc limit ${recordsLookedAt}
    ), declined as (
      select * from record where action = 'proof.declined' order by audit_id desc limit ${happeningsLookedAt}
    )
    select split_part(declined.subject_id, '/', 1)::bigint as order_number, declined.recorded_on as declined_on,
      approved.recorded_on as approved_on, approved.request_id
    from declined left join lateral (
      select approved.recorded_on, approved.request_id from record attached
      join record approved on approved.subject_id = attached.subject_id and approved.action = 'proof.approved'
        and approved.audit_id > attached.audit_id
      where attached.subject_id = declined.subject_id and attached.action = 'line.artwork_attached'
        and attached.audit_id > declined.audit_id
      order by approved.audit_id limit 1
    ) as approved on true
    order by approved.recorded_on is null, declined.audit_id desc
    limit 1`)
}

type MendedArtwork = { orderNumber: number; faultyOn: string; mendedOn: string | null }

function mendedArtwork(reads: Queries, partnerId: string): Promise<MendedArtwork | undefined> {
  // print_file_by_line
  return reads.row<MendedArtwork>(sql`
    with own as (${newestOrders(partnerId)}), faulty as (
      select file.order_number, file.line_number, file.print_file_id, inspection.inspected_on
      from own join print_file file using (order_number) join artwork_inspection inspection using (print_file_id)
      where inspection.status in ('needs_changes', 'unreadable')
      order by inspection.inspected_on desc limit ${happeningsLookedAt}
    )
    select faulty.order_number, faulty.inspected_on as faulty_on, mended.inspected_on as mended_on
    from faulty left join lateral (
      select inspection.inspected_on
      from print_file file join artwork_inspection inspection using (print_file_id)
      where file.order_number = faulty.order_number and file.line_number = faulty.line_number
        and file.print_file_id > faulty.print_file_id and inspection.status in ('passed', 'passed_with_warnings')
      order by file.print_file_id limit 1
    ) as mended on true
    order by mended.inspected_on is null, faulty.inspected_on desc
    limit 1`)
}
