import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/**
 * A site's rules that put users into segments by themselves: by the domain of the e-mail address, the whole domain and
 * no other below it, or by the division the user belongs to, that one and not those under it.
 *
 * A membership belongs to whoever made it first. What a rule made is taken away once no rule asks for it; what a hand
 * made stays as it is, though a rule may ask for it too, so that a rule that ends never undoes what somebody decided.
 */

export type RuledUser = { userId: number; siteId: number; email: string | null; divisionId: number | null }

/** What the rules did, by segment id, ascending. */
export type RuledChange = { segmentsAdded: number[]; segmentsRemoved: number[] }

/** Brings the memberships the rules made up to date. The user's row must be locked, or new in this transaction. */
export async function applySegmentRules(tx: Transaction, user: RuledUser): Promise<RuledChange> {
  const { userId, siteId, divisionId } = user
  // Served by segment_rule_by_domain, segment_rule_by_division and user_segment's primary key.
  const change = await tx.row<{ added: number[]; removed: number[] }>(sql`
    with asked_for as (
      select segment_id from segment_rule
      where site_id = ${siteId} and email_domain = ${emailDomain(user.email)}
      union
      select segment_id from segment_rule
      where site_id = ${siteId} and division_id = ${divisionId}
    ), removed as (
      delete from user_segment
      where user_id = ${userId} and site_id = ${siteId} and auto_assigned
        and segment_id not in (select segment_id from asked_for)
      returning segment_id
    ), added as (
      insert into user_segment (site_id, user_id, segment_id, auto_assigned)
      select ${siteId}, ${userId}, segment_id, true from asked_for
      on conflict (user_id, segment_id) do nothing
      returning segment_id
    )
    select array(select segment_id from added order by segment_id) as added,
      array(select segment_id from removed order by segment_id) as removed`)
  return { segmentsAdded: change!.added, segmentsRemoved: change!.removed }
}

/** In lower case, as rules keep it; null where there is none. */
function emailDomain(email: string | null): string | null {
  const at = email?.lastIndexOf('@') ?? -1
  return at === -1 ? null : email!.slice(at + 1).toLowerCase()
}
