import { availableParallelism } from 'node:os'
import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { ArtworkProfile } from '../../vocabulary/artwork.ts'
import type { Backlog } from '../../vocabulary/backlog.ts'
import type { ArtworkType } from '../../vocabulary/product-kinds.ts'

/** The queue of files to be inspected. A claim is a lease; its number fences off the claims before it. */
export type InspectionClaim = {
  inspectionId: string
  /** null = the file of a check */
  printFileId: number | null
  orderNumber: number | null
  /** the partner whose file it is */
  partnerId: string | null
  turnOf: string
  fileName: string
  objectKey: string
  sizeBytes: number
  profile: ArtworkProfile
  artworkTypes: ArtworkType[]
  profileKey: string
  claims: number
  /** the number of claims, this one included, that did not end orderly so far */
  failures: number
}

export const leaseSeconds = 10

/**
 * The most files of one partner that an inspector has under way. A processor is left to the others, where there are
 * several, so that nobody waits for the slow files of one partner.
 */
export const slotsOfPartner = Math.max(1, availableParallelism() - 1)

/**
 * Claims the files of partners with the fewest under way first, these claims included; then print files before the files
 * of checks, since an order waits for them, and then the oldest.
 * @param underWay this inspector's claims
 */
export function claimInspections(
  statements: Queries,
  most: number,
  underWay: Iterable<Pick<InspectionClaim, 'turnOf'>>,
  mostOfPartner = slotsOfPartner,
): Promise<InspectionClaim[]> {
  const busy = [...Map.groupBy(underWay, ({ turnOf }) => turnOf)]
  // artwork_inspection_open: one probe for each partner with such files, however long its queue. Leases use the
  // database's clock, the one clock that all workers share.
  return statements.rows<InspectionClaim>(sql`
    with recursive waiting (turn_of) as (
      (select turn_of from artwork_inspection where status in ('queued', 'inspecting') order by turn_of limit 1)
      union all
      select (select artwork_inspection.turn_of from artwork_inspection
          where status in ('queued', 'inspecting') and artwork_inspection.turn_of > waiting.turn_of
          order by artwork_inspection.turn_of limit 1)
        from waiting where waiting.turn_of is not null
    ), busy as (
      select * from unnest(${busy.map(([turnOf]) => turnOf)}::uuid[], ${busy.map(([, has]) => has.length)}::int[])
        as busy (turn_of, slots)
    ), next as (
      select oldest.inspection_id
      from waiting
      left join busy using (turn_of)
      cross join lateral (
        select inspection_id, check_id is not null as is_check, queued_on from artwork_inspection
        where artwork_inspection.turn_of = waiting.turn_of and status in ('queued', 'inspecting')
          and (leased_until is null or leased_until < now())
        order by (check_id is not null), queued_on
        limit greatest(0, ${mostOfPartner}::int - coalesce(busy.slots, 0))
        for update skip locked
      ) as oldest
      order by coalesce(busy.slots, 0)
          + row_number() over (partition by waiting.turn_of order by oldest.is_check, oldest.queued_on),
        oldest.is_check, oldest.queued_on
      limit ${most}
    ), claimed as (
      update artwork_inspection
      set status = 'inspecting', leased_until = now() + make_interval(secs => ${leaseSeconds}), claims = claims + 1,
        failures = failures + 1, findings = '[]', pages = '[]'
      from next where artwork_inspection.inspection_id = next.inspection_id
      returning artwork_inspection.*
    )
    select claimed.inspection_id, claimed.print_file_id, claimed.turn_of, file.order_number,
      coalesce(orders.partner_id, checked.partner_id) as partner_id,
      coalesce(file.file_name, checked.file_name) as file_name,
      coalesce(file.object_key, checked.object_key) as object_key,
      coalesce(file.size_bytes, checked.size_bytes) as size_bytes,
      claimed.profile, claimed.artwork_types, claimed.profile_key, claimed.claims, claimed.failures
    from claimed
    left join print_file file using (print_file_id)
    left join orders using (order_number)
    left join artwork_check checked using (check_id)`)
}

/** Skips locked rows: those inspections are about to end. */
export async function renewLeases(statements: Queries, claims: readonly InspectionClaim[]): Promise<void> {
  if (claims.length === 0) return
  await statements.rows(sql`
    with renewed as (
      select inspection_id
      from artwork_inspection
      join unnest(
        ${claims.map(({ inspectionId }) => inspectionId)}::uuid[], ${claims.map((each) => each.claims)}::int[]
      ) as claim (id, number) on inspection_id = claim.id and claims = claim.number
      where status = 'inspecting'
      for no key update of artwork_inspection skip locked
    )
    update artwork_inspection set leased_until = now() + make_interval(secs => ${leaseSeconds})
    from renewed where artwork_inspection.inspection_id = renewed.inspection_id`)
}

/** Puts a file back into the queue. @param isItsFault counts as a failure of the file */
export async function giveBackInspection(
  statements: Queries,
  { inspectionId, claims }: InspectionClaim,
  seconds: number,
  isItsFault: boolean,
): Promise<void> {
  await statements.rows(sql`
    update artwork_inspection
    set status = 'queued', leased_until = now() + make_interval(secs => ${seconds}),
      failures = failures - ${isItsFault ? 0 : 1}::int
    where inspection_id = ${inspectionId} and claims = ${claims} and status = 'inspecting'`)
}

/** The files that wait for their inspection, or are inspected. @throws Outage */
export function inspectionBacklog(reads: Queries): Promise<Backlog[]> {
  // artwork_inspection_open
  return reads.rows<Backlog>(sql`
    select 'artwork_inspections' as queue, count(*) as length,
      coalesce(greatest(extract(epoch from now() - min(queued_on)), 0), 0)::float8 as oldest_seconds
    from artwork_inspection where status in ('queued', 'inspecting')`)
}
