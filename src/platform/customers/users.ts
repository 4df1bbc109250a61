import { breaksConstraint, type Transaction } from '../../database/database.ts'
import { withSavepoint } from '../../database/savepoint.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Done } from '../../vocabulary/outcome.ts'
import { foldForUniqueness, isEmailForm, isName, isUsername } from '../../vocabulary/text.ts'
import { recordId } from '../../vocabulary/whole-number.ts'
import { recordAudits } from '../audit/audit.ts'
import { applySegmentRules, lockSegmentRules } from './segment-rules.ts'
import {
  insertUsers,
  lockUsers,
  type NewUser,
  rewriteUsers,
  type StaffUserFields,
  type StoredUser,
  type UserFields,
} from './user-rows.ts'

/**
 * Creates the storefront users of a site and changes their own fields. Database constraints decide which user names and
 * e-mail addresses are free and which divisions a site has, so that races are safe. `user-segments.ts` and
 * `segment-rules.ts` own the segments.
 *
 * Audit records name the changed fields, but never contain personal values.
 */

const lengthsMax = [
  ['firstName', 100],
  ['lastName', 100],
  ['company', 100],
  ['phone', 40],
] as const

/** `field`: the first one that is not valid. */
type NotAcceptable = { refused: 'not_acceptable'; field: keyof UserFields | 'username' }

/** What a text of a user must be, as a sentence. */
export function userTextForm(field: string): string {
  if (field === 'email') return 'The field email must be an e-mail address such as dana@example.com.'
  if (field === 'username') {
    return 'The field username must be one line of 1 to 100 characters of one alphabet, and all must be visible.'
  }
  const lengthMax = lengthsMax.find(([each]) => each === field)![1]
  return `The field ${field} must be one line of 1 to ${lengthMax} characters, and at least one must be visible.`
}

type Created = Done<{ userId: number }> | NotAcceptable | { refused: 'user_already_exists' | 'division_not_on_site' }

/** Creates a user without a password, in the segments that the site's rules assign. */
export async function createUser(tx: Transaction, change: Change, user: NewUser): Promise<Created> {
  const [created] = await createUsers(tx, change, user.siteId, [user])
  return created!
}

/**
 * The same for many of a site: a refused user does not prevent the others, and of two conflicting users the first wins.
 */
export async function createUsers(
  tx: Transaction,
  change: Change,
  siteId: number,
  asked: readonly Omit<NewUser, 'siteId'>[],
): Promise<Created[]> {
  const users = asked.map(withoutEmpty)
  const fit = users.filter((user) => !unacceptableField(user))
  const inserted = fit.length > 0 ? await insertRuled(tx, change, siteId, fit) : []
  const outcomeOf = new Map(fit.map((user, index) => [user, inserted[index]!]))
  return users.map((user) => {
    const outcome = outcomeOf.get(user)
    if (!outcome) return { refused: 'not_acceptable', field: unacceptableField(user)! }
    const { userId, isTaken } = outcome
    if (userId === null) return { refused: isTaken ? 'user_already_exists' : 'division_not_on_site' }
    return { done: { userId } }
  })
}

async function insertRuled(
  tx: Transaction,
  change: Change,
  siteId: number,
  users: readonly Omit<NewUser, 'siteId'>[],
): ReturnType<typeof insertUsers> {
  const [, inserted] = await Promise.all([lockSegmentRules(tx, { siteId }), insertUsers(tx, siteId, users, change.now)])
  const created = users.flatMap((user, index) => {
    const { userId } = inserted[index]!
    return userId === null ? [] : [{ ...user, userId, siteId }]
  })
  if (created.length === 0) return inserted
  const ruled = await applySegmentRules(tx, created)
  await recordAudits(
    tx,
    created.map(({ userId, active, divisionId }) => ({
      change,
      action: 'user.created',
      subject: { kind: 'user', id: userId },
      siteId,
      detail: { active, divisionId, ...ruled.get(userId) },
    })),
  )
  return inserted
}

type UserEdit = { userId: number; wish: Partial<UserFields & StaffUserFields> }
type UpdateRefused =
  | NotAcceptable
  | { refused: 'user_not_found' | 'email_taken' | 'division_not_on_site' | 'is_ordering_user' }
type Updated = Done | UpdateRefused

/**
 * Changes the given fields of a user on one of the sites and leaves the others as they are. A site's ordering user stays
 * active, and only staff move it to another division, because its division's credit pays for partners' orders.
 */
export async function updateUser(
  tx: Transaction,
  change: Change,
  siteIds: readonly number[],
  userId: number,
  wish: UserEdit['wish'],
): Promise<Updated> {
  try {
    const [updated] = await judgeAndWrite(tx, change, siteIds, [{ userId, wish }])
    return updated!
  } catch (error) {
    if (tookAddress(error)) return { refused: 'email_taken' }
    throw error
  }
}

/**
 * The same for many, each named once: a refused change does not prevent the others. The changes apply in their order,
 * so that an address that one of them gives up is free for those after it.
 */
export async function updateUsers(
  tx: Transaction,
  change: Change,
  siteIds: readonly number[],
  edits: readonly UserEdit[],
): Promise<Updated[]> {
  try {
    return await withSavepoint(tx, () => judgeAndWrite(tx, change, siteIds, edits))
  } catch (error) {
    // The next try sees that the address is taken, and refuses only the edit that wants it.
    if (tookAddress(error)) return updateUsers(tx, change, siteIds, edits)
    throw error
  }
}

/** Another transaction took an address after it was found free. */
function tookAddress(error: unknown): boolean {
  return breaksConstraint(error, 'site_user_email_unique_on_site')
}

async function judgeAndWrite(
  tx: Transaction,
  change: Change,
  siteIds: readonly number[],
  edits: readonly UserEdit[],
): Promise<Updated[]> {
  const mayMoveOrderingUser = change.actor.kind === 'STAFF'
  const judged = judgeEdits(edits, await lockForEdits(tx, siteIds, edits), mayMoveOrderingUser)
  const granted = judged.filter((each) => 'next' in each).filter(({ changed }) => changed.length > 0)
  if (granted.length > 0) await writeEdits(tx, change, granted)
  return judged.map((each) => ('refused' in each ? each : { done: {} }))
}

type Known = {
  users: Map<number, StoredUser>
  /** the users who have the wanted addresses */
  bearers: { userId: number; siteId: number; emailFolded: string }[]
  /** the wanted divisions, and their sites */
  siteOfDivision: Map<number, number>
  /** the users for whom partners order */
  orderingUserIds: ReadonlySet<number>
}

/** Locks the users and reads the other records that their changes involve, in one round trip. */
async function lockForEdits(tx: Transaction, siteIds: readonly number[], edits: readonly UserEdit[]): Promise<Known> {
  const emails = edits.flatMap(({ wish }) => (wish.email === undefined ? [] : [foldForUniqueness(wish.email)]))
  const divisionIds = edits.flatMap(({ wish }) => (wish.divisionId ? recordId(wish.divisionId) : []))
  const ruled = edits.filter(({ wish }) => wish.email !== undefined || wish.divisionId !== undefined)
  const rulesLocked = ruled.length > 0 && lockSegmentRules(tx, { userIds: ruled.map(({ userId }) => userId) })
  const userIds = edits.map(({ userId }) => userId)
  const [users, orderingUsers, bearers, divisions] = await Promise.all([
    lockUsers(tx, siteIds, userIds),
    // Read once the users are locked, which whoever names an ordering user does too. Served by site's primary key.
    tx.rows<{ userId: number }>(sql`
      select ordering_user_id as user_id from site
      where site_id = any(${siteIds}::int[]) and ordering_user_id = any(${userIds}::int[])`),
    // Two concurrent changes that swap addresses would deadlock at the unique index. This check refuses them before
    // that.
    emails.length > 0
      ? tx.rows<Known['bearers'][number]>(sql`
          select user_id, site_id, email_folded
          from site_user
          where site_id = any(${siteIds}::int[]) and email_folded = any(${emails}::text[])`)
      : [],
    divisionIds.length > 0
      ? tx.rows<{ divisionId: number; siteId: number }>(sql`
          select division_id, site_id from division
          where site_id = any(${siteIds}::int[]) and division_id = any(${divisionIds}::int[])`)
      : [],
    rulesLocked,
  ])
  const siteOfDivision = new Map(divisions.map((each) => [each.divisionId, each.siteId]))
  return { users, bearers, siteOfDivision, orderingUserIds: new Set(orderingUsers.map((each) => each.userId)) }
}

type Granted = {
  next: StoredUser
  changed: (keyof UserEdit['wish'])[]
  /** the user who gave up the address that this user takes */
  takenFrom: number | undefined
}

/** Judges one change after the other, as if each were written before the next is judged. */
function judgeEdits(
  edits: readonly UserEdit[],
  { users, bearers, siteOfDivision, orderingUserIds }: Known,
  mayMoveOrderingUser: boolean,
): (Granted | UpdateRefused)[] {
  const stored = new Map(bearers.map((each) => [addressOf(each), each.userId]))
  const bearerOf = new Map(stored)
  return edits.map(({ userId, wish: asked }) => {
    const wish = withoutEmpty(asked)
    const user = users.get(userId)
    if (!user) return { refused: 'user_not_found' }
    const unfit = unacceptableField(wish)
    if (unfit) return { refused: 'not_acceptable', field: unfit }
    const { email, divisionId = null } = wish
    const next = { ...user, ...wish }
    if (email !== undefined) next.emailFolded = foldForUniqueness(email)
    const address = addressOf(next)
    const isOthers = (bearer: number | undefined) => email !== undefined && bearer !== undefined && bearer !== userId
    if (isOthers(bearerOf.get(address))) return { refused: 'email_taken' }
    if (divisionId !== null && siteOfDivision.get(divisionId) !== user.siteId)
      return { refused: 'division_not_on_site' }
    const isMoved = next.divisionId !== user.divisionId && !mayMoveOrderingUser
    if (orderingUserIds.has(userId) && ((user.active && !next.active) || isMoved))
      return { refused: 'is_ordering_user' }
    if (email !== undefined) {
      bearerOf.delete(addressOf(user))
      bearerOf.set(address, userId)
    }
    const changed = (Object.keys(wish) as (keyof UserEdit['wish'])[]).filter((field) => next[field] !== user[field])
    return { next, changed, takenFrom: isOthers(stored.get(address)) ? stored.get(address) : undefined }
  })
}

function addressOf({ siteId, emailFolded }: { siteId: number; emailFolded: string | null }): string {
  return `${siteId}/${emailFolded}`
}

async function writeEdits(tx: Transaction, change: Change, granted: readonly Granted[]): Promise<void> {
  const ruled = granted.filter(({ changed }) => changed.includes('email') || changed.includes('divisionId'))
  const [changes] = await Promise.all([
    applySegmentRules(
      tx,
      ruled.map(({ next }) => next),
    ),
    rewriteUsers(
      tx,
      granted.map(({ next }) => next),
      granted.flatMap(({ takenFrom }) => takenFrom ?? []),
      change.now,
    ),
  ])
  await recordAudits(
    tx,
    granted.map(({ next, changed }) => ({
      change,
      action: 'user.updated',
      subject: { kind: 'user', id: next.userId },
      siteId: next.siteId,
      detail: { changed, active: next.active, divisionId: next.divisionId, ...changes.get(next.userId) },
    })),
  )
}

/** The same, with none for an empty text that may be none. */
function withoutEmpty<Wish extends Partial<UserFields>>(wish: Wish): Wish {
  const empty = (['company', 'phone'] as const).filter((field) => wish[field] === '')
  return { ...wish, ...Object.fromEntries(empty.map((field) => [field, null])) }
}

/** The platform's own rules for a user's texts, beyond the form in the contract. */
function unacceptableField(user: Partial<UserFields & { username: string }>): NotAcceptable['field'] | undefined {
  if (user.username !== undefined && !isUsername(user.username)) return 'username'
  if (user.email !== undefined && !isEmailForm(user.email)) return 'email'
  return lengthsMax.find(([field, lengthMax]) => {
    const text = user[field] ?? null
    return text !== null && !isName(text, lengthMax)
  })?.[0]
}
