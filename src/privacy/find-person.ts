import type { Queries } from '../database/database.ts'
import { nothing, sql, type SqlPart, sqlText } from '../database/sql.ts'
import type { Refused } from '../vocabulary/outcome.ts'
import { foldForUniqueness, isEmailForm } from '../vocabulary/text.ts'
import type { Found } from './personal-fields.ts'

export const personKinds = ['CUSTOMER', 'RECIPIENT', 'ORDER', 'PERSON', 'STAFF'] as const

/** A customer, a partner's person or a member of staff by id; a recipient by e-mail address, or by an order's number. */
export type PersonNamed = { kind: (typeof personKinds)[number]; id: string }

export type NotFound = Refused<'nobody_known'> | Refused<'person_not_usable'>

const number = /^[1-9]\d{0,14}$/
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** More would keep others waiting for their locks. */
export const ordersMax = 20_000

export const nobody: Found = {
  orders: [],
  submissions: [],
  users: [],
  emails: [],
  persons: [],
  staff: [],
  usernames: [],
}

/** The rows of a person. Every look-up goes by an index, however many orders there are. */
export async function findPerson(queries: Queries, { kind, id }: PersonNamed): Promise<{ found: Found } | NotFound> {
  const isUsable = { CUSTOMER: number, ORDER: number, PERSON: uuid, STAFF: uuid, RECIPIENT: /./ }[kind].test(id)
  if (!isUsable || (kind === 'RECIPIENT' && !isEmailForm(id))) return { refused: 'person_not_usable' }
  const found = await finders[kind](queries, id)
  return found ? { found } : { refused: 'nobody_known' }
}

const finders: Record<PersonNamed['kind'], (queries: Queries, id: string) => Promise<Found | undefined>> = {
  CUSTOMER: async (queries, id) => {
    if (id.length > 9) return undefined
    const user = await queries.row<{ email: string | null }>(sql`
      select lower(email) as email from site_user where user_id = ${id}::int`)
    if (!user) return undefined
    // orders_by_user_and_status, asked for each site; what partners order for a user is for their own customers
    const own = await queries.rows<{ orderNumber: number }>(sql`
      select orders.order_number
      from site join orders using (site_id)
      where orders.user_id = ${id}::int and orders.partner_id is null`)
    const emails = user.email === null ? [] : [user.email]
    const others = await ordersTo(queries, emails)
    return withSubmissions(queries, {
      ...nobody,
      users: [Number(id)],
      emails,
      orders: [...own.map(({ orderNumber }) => orderNumber), ...others],
    })
  },
  RECIPIENT: async (queries, id) => {
    const emails = [id.trim().toLowerCase()]
    const found = await withSubmissions(queries, { ...nobody, emails, orders: await ordersTo(queries, emails) })
    // mail_by_recipient, bounced_address_once, submission_open_plain and submission_open_artwork
    const told = await queries.row(sql`
      select where exists (select from mail where lower(recipient collate "C") = any(${emails}::text[]))
        or exists (select from bounced_address where address = any(${emails}::text[]))
        or exists (${openSubmission(emails)})`)
    return found.orders.length + found.submissions.length > 0 || told ? found : undefined
  },
  ORDER: async (queries, id) => {
    const order = await queries.row(sql`select from orders where order_number = ${id}::bigint`)
    return order === undefined ? undefined : withSubmissions(queries, { ...nobody, orders: [Number(id)] })
  },
  PERSON: async (queries, id) => {
    const person = await queries.row<{ username: string; email: string | null }>(sql`
      select username, lower(email) as email from partner_person where person_id = ${id}::uuid`)
    if (!person) return undefined
    const emails = [person.email, person.username].filter((each) => each !== null && isEmailForm(each)) as string[]
    return { ...nobody, persons: [id.toLowerCase()], emails: [...new Set(emails)] }
  },
  STAFF: async (queries, id) => {
    const account = await queries.row<{ username: string }>(sql`
      select username from staff_account where staff_id = ${id}::uuid`)
    return account && { ...nobody, staff: [id.toLowerCase()], usernames: [account.username] }
  },
}

/** Found by the words of the search, which hold the beginning of each address. */
async function ordersTo(queries: Queries, emails: readonly string[]): Promise<number[]> {
  const rows = await queries.rows<{ orderNumber: number }>(sql`
    select order_number from order_search_word join orders using (order_number)
    where word = any(${emails.map((email) => email.slice(0, 60))}::text[]) and found_in = 'e'
      and lower(ship_notification_email) = any(${emails}::text[])`)
  return rows.map(({ orderNumber }) => orderNumber)
}

/** An order to one of the addresses that is just being placed. */
export function openSubmission(emails: readonly string[], columns = nothing): SqlPart {
  return sqlText`select ${columns} from submission where status in ('queued', 'processing')
    and lower(body #>> '{shipTo,email}') collate "C" = any(${emails}::text[])`
}

export async function withSubmissions(queries: Queries, found: Found): Promise<Found> {
  const orders = [...new Set(found.orders)].toSorted((one, other) => one - other)
  // orders_pkey, submission_failed_by_email
  const rows = await queries.rows<{ submissionId: string }>(sql`
    select submission_id from orders where order_number = any(${orders}::bigint[]) and submission_id is not null
    union
    select submission_id from submission
    where status = 'failed' and body #>> '{shipTo,email}' is not null
      and lower(body #>> '{shipTo,email}') collate "C" = any(${found.emails}::text[])`)
  return { ...found, orders, submissions: rows.map(({ submissionId }) => submissionId) }
}

/** The same, with what is just being placed: only an older backup has that of somebody who was erased. */
export async function withAllSubmissions(queries: Queries, found: Found): Promise<Found> {
  const { submissions, ...ended } = await withSubmissions(queries, found)
  const open = await queries.rows<{ submissionId: string }>(
    sql`${openSubmission(found.emails, sqlText`submission_id`)}`,
  )
  return { ...ended, submissions: [...submissions, ...open.map(({ submissionId }) => submissionId)] }
}

/** Whose accounts have the address: they are erased as customers, not as recipients. */
export async function accountsWith(queries: Queries, email: string): Promise<number[]> {
  const rows = await queries.rows<{ userId: number }>(sql`
    select user_id from site_user where email_folded collate "C" = ${foldForUniqueness(email.trim())} order by user_id`)
  return rows.map(({ userId }) => userId)
}
