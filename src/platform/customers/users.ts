import { breaksConstraint, type Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { foldForUniqueness, isEmailForm } from '../../vocabulary/text.ts'
import { recordAudit, type Change } from '../audit/audit.ts'
import { applySegmentRules } from './segment-rules.ts'

/**
 * The storefront users of a site: how one comes to be and how its own fields change. Which user names and e-mail
 * addresses are free, and which divisions a site has, the database's constraints decide, so that no race can. Which
 * segments a user is in is up to `user-segments.ts` and `segment-rules.ts`.
 *
 * Audit records name the fields that changed and never the values that tell of a person.
 */

const nameLengthMax = 100
const companyLengthMax = 100
const phoneLengthMax = 40

/** What may be changed later. */
export type UserFields = {
  active: boolean
  email: string
  firstName: string
  lastName: string
  company: string | null
  phone: string | null
  divisionId: number | null
}

export type NewUser = UserFields & { siteId: number; username: string }

/** Creates a user without a password, in the segments the site's rules ask for. */
export async function createUser(
  database: Database,
  user: NewUser,
  change: Change,
): Promise<{ userId: number } | { refused: 'not_acceptable' | 'user_already_exists' | 'division_not_on_site' }> {
  if (!isAcceptable(user)) return { refused: 'not_acceptable' }
  const { siteId, username, email, divisionId, active } = user
  try {
    return await database.transaction(async (tx) => {
      const created = await tx.row<{ user_id: number }>(sql`
        insert into site_user (site_id, username, username_folded, email, email_folded, first_name, last_name, company,
          phone, division_id, active, created_on, updated_on)
        values (${siteId}, ${username}, ${foldForUniqueness(username)}, ${email}, ${foldForUniqueness(email)},
          ${user.firstName}, ${user.lastName}, ${user.company}, ${user.phone}, ${divisionId}, ${active}, ${change.now},
          ${change.now})
        returning user_id`)
      const userId = created!.user_id
      const ruled = await applySegmentRules(tx, { userId, siteId, email, divisionId })
      await recordAudit(tx, change.now, {
        actor: change.actor,
        requestId: change.requestId,
        action: 'user.created',
        subject: { kind: 'user', id: userId },
        siteId,
        detail: { active, divisionId, ...ruled },
      })
      return { userId }
    })
  } catch (error) {
    if (breaksConstraint(error, 'site_user_username_unique_on_site')) return { refused: 'user_already_exists' }
    if (breaksConstraint(error, 'site_user_email_unique_on_site')) return { refused: 'user_already_exists' }
    if (breaksConstraint(error, 'site_user_division_on_site')) return { refused: 'division_not_on_site' }
    throw error
  }
}

type StoredUser = { site_id: number; email_folded: string | null } & {
  [Field in keyof UserFields]: UserFields[Field] | null
}

/** Changes the given fields of a user on one of the sites and leaves the others as they are. */
export async function updateUser(
  database: Database,
  siteIds: readonly number[],
  userId: number,
  wish: Partial<UserFields>,
  change: Change,
): Promise<
  { userId: number } | { refused: 'user_not_found' | 'not_acceptable' | 'email_taken' | 'division_not_on_site' }
> {
  try {
    return await database.transaction(async (tx) => {
      const user = await tx.row<StoredUser>(sql`
        select site_id, active, email, email_folded, first_name as "firstName", last_name as "lastName", company, phone,
          division_id as "divisionId"
        from site_user
        where user_id = ${userId} and site_id = any(${siteIds}::int[])
        for no key update`)
      if (!user) return { refused: 'user_not_found' }
      if (!isAcceptable(wish)) return { refused: 'not_acceptable' }

      const next = { ...user, ...wish }
      const emailFolded = wish.email === undefined ? user.email_folded : foldForUniqueness(wish.email)
      // Two users who take each other's address at once would wait for each other at the unique index; whoever looks
      // first does not get there.
      const updated = await tx.row(sql`
        update site_user
        set active = ${next.active}, email = ${next.email}, email_folded = ${emailFolded},
          first_name = ${next.firstName}, last_name = ${next.lastName}, company = ${next.company},
          phone = ${next.phone}, division_id = ${next.divisionId}, updated_on = ${change.now}
        where user_id = ${userId} and site_id = ${user.site_id} and not exists (
          select from site_user other
          where other.site_id = ${user.site_id} and other.email_folded = ${emailFolded} and other.user_id <> ${userId}
        )
        returning user_id`)
      if (!updated) return { refused: 'email_taken' }

      const changed = (Object.keys(wish) as (keyof UserFields)[]).filter((field) => next[field] !== user[field])
      const ruled =
        changed.includes('email') || changed.includes('divisionId')
          ? await applySegmentRules(tx, {
              userId,
              siteId: user.site_id,
              email: next.email,
              divisionId: next.divisionId,
            })
          : {}
      await recordAudit(tx, change.now, {
        actor: change.actor,
        requestId: change.requestId,
        action: 'user.updated',
        subject: { kind: 'user', id: userId },
        siteId: user.site_id,
        detail: { changed, active: next.active, divisionId: next.divisionId, ...ruled },
      })
      return { userId }
    })
  } catch (error) {
    if (breaksConstraint(error, 'site_user_email_unique_on_site')) return { refused: 'email_taken' }
    if (breaksConstraint(error, 'site_user_division_on_site')) return { refused: 'division_not_on_site' }
    throw error
  }
}

/** The platform's own judgement of the texts a user is known by, beyond what a caller is told of their form. */
function isAcceptable(user: Partial<UserFields>): boolean {
  return (
    (user.email === undefined || isEmailForm(user.email)) &&
    fits(user.firstName, nameLengthMax) &&
    fits(user.lastName, nameLengthMax) &&
    fits(user.company, companyLengthMax) &&
    fits(user.phone, phoneLengthMax)
  )
}

/** Counts characters, as people do, and not UTF-16 units. */
function fits(text: string | null | undefined, lengthMax: number): boolean {
  return text === null || text === undefined || Array.from(text).length <= lengthMax
}
