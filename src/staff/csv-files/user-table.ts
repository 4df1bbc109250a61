import type { Queries, Transaction } from '../../database/database.ts'
import { nothing, sql, sqlText } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { lockSegmentRules } from '../../platform/customers/segment-rules.ts'
import type { NewUser, StaffUserFields, UserFields } from '../../platform/customers/user-rows.ts'
import { createUsers, updateUsers, userTextForm } from '../../platform/customers/users.ts'
import { flag, optional, text, whole } from '../csv/cells.ts'
import { csvTable, type RowOf } from '../csv/csv-table.ts'
import type { Applied } from '../csv/import-csv.ts'
import type { NumberedRow, RowError } from '../csv/read-csv.ts'
import { users } from '../users/contract.ts'

/** Users of a site; a row without userId is a user to be created. An empty cell is null. */
export const userTable = csvTable(
  {
    userId: optional(whole),
    username: optional(text),
    email: optional(text),
    firstName: optional(text),
    lastName: optional(text),
    company: optional(text),
    phone: optional(text),
    divisionId: optional(whole),
    active: flag,
    ordersRequireApproval: flag,
    allSegmentsVisible: flag,
    taxExempt: flag,
  },
  2000,
)

export type UserRow = RowOf<typeof userTable>

/** Users of a site by id: those named, or the next ones. */
export function userRows(
  queries: Queries,
  siteId: number,
  which: { userIds: readonly number[] } | { after: number; limit: number },
): Promise<(UserRow & { userId: number })[]> {
  // Served by site_user_on_site.
  return queries.rows(sql`
    select user_id, username, email, first_name, last_name, company, phone,
      division_id, active, orders_require_approval,
      all_segments_visible, tax_exempt
    from site_user
    where site_id = ${siteId} and ${'userIds' in which ? sqlText`user_id = any(${which.userIds}::int[])` : sqlText`user_id > ${which.after}`}
    order by user_id
    ${'limit' in which ? sqlText`limit ${which.limit}` : nothing}`)
}

const int32Max = 2_147_483_647

/** First existing users, the lowest id first, then new ones. The other rows are tried even if one is refused. */
export async function applyUsers(
  tx: Transaction,
  siteId: number,
  rows: readonly NumberedRow<UserRow>[],
  change: Change,
): Promise<Applied> {
  const applied: Applied = { created: 0, updated: 0, unchanged: 0, errors: [] }
  const fail = (row: number, refused: Omit<RowError, 'row'>): void => void applied.errors.push({ row, ...refused })
  // Locked before any user, even if only new users need the rules.
  await lockSegmentRules(tx, { siteId })

  const edits = await editsOf(tx, siteId, rows, fail)
  const wishes = edits.filter(({ wish }) => Object.keys(wish).length > 0)
  applied.unchanged = edits.length - wishes.length
  for (const [index, outcome] of (await updateUsers(tx, change, [siteId], wishes)).entries()) {
    if ('refused' in outcome) fail(wishes[index]!.row, userRefusal(outcome))
    else applied.updated += 1
  }

  const fresh = newUsersOf(rows)
  const created = await createUsers(
    tx,
    change,
    siteId,
    fresh.map(({ user }) => user),
  )
  const furtherEdits = created.flatMap((outcome, index) => {
    const { row, staffFields } = fresh[index]!
    if ('refused' in outcome) return fail(row, userRefusal(outcome)) ?? []
    applied.created += 1
    return Object.values(staffFields).includes(true) ? [{ userId: outcome.done.userId, wish: staffFields }] : []
  })
  await updateUsers(tx, change, [siteId], furtherEdits)
  return applied
}

type Fail = (row: number, refused: Omit<RowError, 'row'>) => void
type Edit = { row: number; userId: number; wish: Partial<UserFields & StaffUserFields> }

/** The rows that name users of the site, the lowest id first. A repeated user is refused. */
async function editsOf(
  tx: Transaction,
  siteId: number,
  rows: readonly NumberedRow<UserRow>[],
  fail: Fail,
): Promise<Edit[]> {
  const named = rows
    .flatMap(({ row, values: { userId, ...values } }) => (userId === null ? [] : [{ row, userId, values }]))
    .toSorted((a, b) => a.userId - b.userId)
  const userIds = named.map(({ userId }) => userId).filter((userId) => userId <= int32Max)
  const present = new Map((await userRows(tx, siteId, { userIds })).map((user) => [user.userId, user]))
  const seen = new Set<number>()
  return named.flatMap(({ row, userId, values }) => {
    const current = present.get(userId)
    if (seen.has(userId)) {
      return fail(row, { column: 'userId', code: 'row_repeated', detail: 'The user has another row.' }) ?? []
    }
    seen.add(userId)
    if (!current) return fail(row, refusal('user_not_found', 'userId')) ?? []
    if ((values.username ?? '') !== (current.username ?? '')) {
      const detail = "A user's username cannot change."
      return fail(row, { column: 'username', code: 'username_fixed', detail }) ?? []
    }
    const wish = differing(current, values)
    return [{ row, userId, wish }]
  })
}

type Fresh = { row: number; user: Omit<NewUser, 'siteId'>; staffFields: StaffUserFields }

/** The new users, of the rows without userId. */
function newUsersOf(rows: readonly NumberedRow<UserRow>[]): Fresh[] {
  return rows.flatMap(({ row, values: { userId, ...values } }) => {
    if (userId !== null) return []
    const { username, email, firstName, lastName, company, phone, divisionId, active, ...staffFields } = values
    const texts = {
      username: username ?? '',
      email: email ?? '',
      firstName: firstName ?? '',
      lastName: lastName ?? '',
      company,
      phone,
    }
    return [{ row, user: { ...texts, divisionId, active }, staffFields }]
  })
}

/** What a row changes. An empty cell stands for an empty text and for null. */
function differing(current: UserRow, row: Omit<UserRow, 'userId'>): Partial<UserFields & StaffUserFields> {
  const texts = (['email', 'firstName', 'lastName'] as const)
    .filter((field) => (row[field] ?? '') !== (current[field] ?? ''))
    .map((field) => [field, row[field] ?? ''])
  const optionalTexts = (['company', 'phone'] as const)
    .filter((field) => (row[field] ?? '') !== (current[field] ?? ''))
    .map((field) => [field, row[field]])
  const others = (['divisionId', 'active', 'ordersRequireApproval', 'allSegmentsVisible', 'taxExempt'] as const)
    .filter((field) => row[field] !== current[field])
    .map((field) => [field, row[field]])
  return Object.fromEntries([...texts, ...optionalTexts, ...others])
}

function userRefusal(refused: { refused: keyof typeof users.problems | 'not_acceptable'; field?: string }) {
  switch (refused.refused) {
    case 'not_acceptable':
      return refusal('user_not_usable', refused.field!, userTextForm(refused.field!))
    case 'division_not_on_site':
      return refusal('division_not_on_site', 'divisionId')
    case 'email_taken':
      return refusal('email_taken', 'email')
    case 'is_ordering_user':
      return refusal('is_ordering_user', 'active')
    default:
      return refusal(refused.refused, null)
  }
}

function refusal(code: keyof typeof users.problems, column: string | null, detail?: string): Omit<RowError, 'row'> {
  return { column, code, detail: detail ?? users.problems[code][1] }
}
