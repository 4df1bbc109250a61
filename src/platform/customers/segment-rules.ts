import { breaksConstraint, type Transaction } from '../../database/database.ts'
import { insertRows, type Row } from '../../database/rows.ts'
import { sql, sqlText } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Done } from '../../vocabulary/outcome.ts'
import { isEmailForm } from '../../vocabulary/text.ts'
import { recordId } from '../../vocabulary/whole-number.ts'
import { recordAudit } from '../audit/audit.ts'

/**
 * A site's rules put users into segments automatically: by the domain of the e-mail address, without its subdomains, or
 * by the division the user belongs to, without those below it. Adding or removing a rule affects existing users at
 * once.
 *
 * A membership belongs to whoever made it first. A rule's membership is removed once no rule asks for it. A membership
 * made by a person stays that person's even if a rule asks for it too, so that the end of a rule never undoes a
 * person's decision.
 */

export type RuledUser = { userId: number; siteId: number; email: string | null; divisionId: number | null }

/** The changes that rules made to a user's segments, by ascending segment id. */
export type RuledChange = { segmentsAdded: number[]; segmentsRemoved: number[] }

const rulesLock = 7_305_007

/**
 * Locks the rules of a site, or of the users' sites, in shared mode. A change of rules locks them exclusively and then
 * locks users, so call this before locking a user's row.
 */
export async function lockSegmentRules(
  tx: Transaction,
  of: { siteId: number } | { userIds: readonly number[] },
): Promise<void> {
  const siteIds =
    'siteId' in of
      ? sqlText`select ${of.siteId}::int as site_id`
      : sqlText`select distinct site_id from site_user where user_id = any(${of.userIds}::int[]) order by 1`
  await tx.rows(sql`select pg_advisory_xact_lock_shared(${rulesLock}::int, site_id) from (${siteIds}) as site`)
}

/**
 * Updates the memberships that rules made, and answers what changed, by user id. The caller has locked the rules, and
 * has locked the users' rows or inserted them in this transaction.
 */
export async function applySegmentRules(
  tx: Transaction,
  users: readonly RuledUser[],
): Promise<Map<number, RuledChange>> {
  const changes = new Map<number, RuledChange>()
  if (users.length === 0) return changes
  for (const { userId } of users) changes.set(userId, { segmentsAdded: [], segmentsRemoved: [] })
  // Served by segment_rule_by_domain, segment_rule_by_division, segment_rule_by_segment and user_segment's primary key.
  const rows = await tx.rows<{ userId: number; segmentId: number; isAdded: boolean }>(sql`
    with ruled as (
      select * from unnest(${users.map(({ userId }) => userId)}::int[], ${users.map(({ siteId }) => siteId)}::int[],
        ${users.map(({ email }) => emailDomain(email))}::text[], ${users.map(({ divisionId }) => divisionId)}::int[])
        as ruled (user_id, site_id, email_domain, division_id)
    ), removed as (
      delete from user_segment using ruled
      where user_segment.user_id = ruled.user_id and user_segment.site_id = ruled.site_id and auto_assigned
        and not exists (
          select from segment_rule
          where segment_rule.segment_id = user_segment.segment_id
            and (segment_rule.email_domain = ruled.email_domain or segment_rule.division_id = ruled.division_id)
        )
      returning user_segment.user_id, segment_id
    ), added as (
      insert into user_segment (site_id, user_id, segment_id, auto_assigned)
      select site_id, user_id, segment_id, true
      from ruled join segment_rule using (site_id, email_domain)
      union
      select site_id, user_id, segment_id, true
      from ruled join segment_rule using (site_id, division_id)
      on conflict (user_id, segment_id) do nothing
      returning user_id, segment_id
    )
    select user_id, segment_id, true as is_added from added
    union all
    select user_id, segment_id, false from removed
    order by 2`)
  for (const { userId, segmentId, isAdded } of rows) {
    changes.get(userId)![isAdded ? 'segmentsAdded' : 'segmentsRemoved'].push(segmentId)
  }
  return changes
}

/** By the domain of e-mail addresses, in any letter case, or by division. */
export type RuleCondition = { emailDomain: string } | { divisionId: number }

/** Adds a rule to a segment, and puts the matching users into the segment unless they are in it already. */
export async function addSegmentRule(
  tx: Transaction,
  change: Change,
  segmentId: number,
  condition: RuleCondition,
): Promise<
  | Done<{ segmentRuleId: number; usersAdded: number }>
  | { refused: 'segment_not_found' | 'email_domain_not_usable' | 'division_not_on_site' | 'segment_rule_exists' }
> {
  const domain = 'emailDomain' in condition ? condition.emailDomain.toLowerCase() : null
  const divisionId = 'divisionId' in condition ? recordId(condition.divisionId) : null
  if (domain !== null && !isEmailForm(`someone@${domain}`)) return { refused: 'email_domain_not_usable' }
  const siteId = await lockRulesOf(tx, segmentId)
  if (siteId === undefined) return { refused: 'segment_not_found' }
  // Served by segment_rule_by_segment.
  const same = await tx.row(sql`
    select from segment_rule
    where segment_id = ${segmentId} and (email_domain = ${domain} or division_id = ${divisionId})`)
  if (same) return { refused: 'segment_rule_exists' }
  const rule = { siteId, segmentId, emailDomain: domain, divisionId }
  const segmentRuleId = await insertRule(tx, rule)
  if (segmentRuleId === undefined) return { refused: 'division_not_on_site' }
  const usersAdded = await inTurns(async (afterId) => {
    // Served by site_user_on_site.
    const turn = await tx.row<Turn>(sql`
      with asked_for as (
        select site_id, user_id from site_user
        where site_id = ${siteId} and user_id > ${afterId} and (division_id = ${divisionId}
          or right(email_folded, length(${domain}::text) + 1) = '@' || ${domain}::text)
        order by user_id
        limit ${usersInTurn}
        for no key update
      ), added as (
        insert into user_segment (site_id, user_id, segment_id, auto_assigned)
        select site_id, user_id, ${segmentId}, true from asked_for
        on conflict (user_id, segment_id) do nothing
        returning user_id
      )
      select (select max(user_id) from asked_for) as last, (select count(*)::int from added) as changed`)
    return turn!
  })
  const detail = { segmentRuleId, emailDomain: domain, divisionId, usersAdded }
  await auditSegment(tx, change, 'segment.rule_added', { segmentId, siteId }, detail)
  return { done: { segmentRuleId, usersAdded } }
}

/** undefined if the site has no such division */
async function insertRule(tx: Transaction, rule: Row): Promise<number | undefined> {
  try {
    const [inserted] = await insertRows<{ segmentRuleId: number }>(tx, 'segment_rule', [rule], ['segmentRuleId'])
    return inserted!.segmentRuleId
  } catch (error) {
    if (breaksConstraint(error, 'segment_rule_division_on_site')) return undefined
    throw error
  }
}

/** Removes a rule. Users who match no other rule of the segment leave it, unless a person put them there. */
export async function removeSegmentRule(
  tx: Transaction,
  change: Change,
  segmentRuleId: number,
): Promise<Done<{ segmentId: number; usersRemoved: number }> | { refused: 'segment_rule_not_found' }> {
  const rule = await tx.row<{ segmentId: number }>(sql`
    select segment_id from segment_rule where segment_rule_id = ${segmentRuleId}`)
  const siteId = rule && (await lockRulesOf(tx, rule.segmentId))
  const removed = await tx.row<{ emailDomain: string | null; divisionId: number | null }>(sql`
    delete from segment_rule where segment_rule_id = ${segmentRuleId} returning email_domain, division_id`)
  if (!rule || siteId === undefined || !removed) return { refused: 'segment_rule_not_found' }
  const segmentId = rule.segmentId
  const usersRemoved = await inTurns(async (afterId) => {
    // Served by user_segment_by_segment and segment_rule_by_segment.
    const turn = await tx.row<Turn>(sql`
      with ruled as (
        select site_user.user_id, division_id, email_folded from user_segment
        join site_user on site_user.user_id = user_segment.user_id
        where segment_id = ${segmentId} and auto_assigned and user_segment.user_id > ${afterId}
        order by user_segment.user_id
        limit ${usersInTurn}
      ), gone as (
        delete from user_segment using ruled
        where user_segment.user_id = ruled.user_id and segment_id = ${segmentId} and auto_assigned and not exists (
          select from segment_rule
          where segment_rule.segment_id = ${segmentId} and (segment_rule.division_id = ruled.division_id
            or right(ruled.email_folded, length(segment_rule.email_domain) + 1) = '@' || segment_rule.email_domain)
        )
        returning user_segment.user_id
      )
      select (select max(user_id) from ruled) as last, (select count(*)::int from gone) as changed`)
    return turn!
  })
  await auditSegment(
    tx,
    change,
    'segment.rule_removed',
    { segmentId, siteId },
    { segmentRuleId, ...removed, usersRemoved },
  )
  return { done: { segmentId, usersRemoved } }
}

/** Small enough that a statement takes a fraction of its time limit. */
const usersInTurn = 5_000

/** `last`: the highest user id of the batch; null = no user was left */
type Turn = { last: number | null; changed: number }

/** Walks through users by id in batches, and answers how many were changed. */
async function inTurns(take: (afterId: number) => Promise<Turn>): Promise<number> {
  let changed = 0
  for (let afterId: number | null = 0; afterId !== null;) {
    const turn: Turn = await take(afterId)
    changed += turn.changed
    afterId = turn.last
  }
  return changed
}

/** Locks the rules of the segment's site exclusively, and answers the site. */
async function lockRulesOf(tx: Transaction, segmentId: number): Promise<number | undefined> {
  const segment = await tx.row<{ siteId: number }>(sql`
    select site_id, pg_advisory_xact_lock(${rulesLock}::int, site_id) from segment where segment_id = ${segmentId}`)
  return segment?.siteId
}

export function auditSegment(
  tx: Transaction,
  change: Change,
  action: string,
  { segmentId, siteId }: { segmentId: number; siteId: number },
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  const subject = { kind: 'segment', id: segmentId }
  return recordAudit(tx, change, { action, subject, siteId, detail })
}

/** In lower case, as rules store it; null without an address. */
function emailDomain(email: string | null): string | null {
  const at = email?.lastIndexOf('@') ?? -1
  return at === -1 ? null : email!.slice(at + 1).toLowerCase()
}
