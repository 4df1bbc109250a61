import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { fill } from '../../bench/grown-database.ts'
import { pathOf, type AnyOperation } from '../../src/contract/operation.ts'
import type { Parameter } from '../../src/contract/parameters.ts'
import type { Queries } from '../../src/database/database.ts'
import type { Sql } from '../../src/database/sql.ts'
import { api } from '../../src/resources/api.ts'
import { staffApi } from '../../src/staff/api.ts'
import { ownIds } from '../every-operation/sample-calls.ts'
import { freshDatabase } from '../world/database.ts'
import { partner } from '../world/partner.ts'
import { startTestService } from '../world/service.ts'
import { staff } from '../world/staff.ts'

/**
 * How much of the database each list reads, counted in buffers of 8 KB, where it holds tens of thousands of orders. A list
 * reads about as much as its page needs, whatever it is filtered by: what it would read of larger tables is then known, too.
 */
const orders = 30_000
const beside = 100_000

/**
 * Partners wait for their lists, and a page of fifty lies on fifty pages of the table at worst. Staff's lists may look at a
 * thousand rows for what has no index.
 */
const buffersMax = { partners: 400, staff: 2_000 }

const [production, sandbox] = await Promise.all([
  freshDatabase('template_production'),
  freshDatabase('template_sandbox'),
])
const client = new pg.Client({ connectionString: production.url })
await client.connect()
await fill(client, orders, () => undefined)
await fillBeside()
const service = await startTestService({
  databases: { production: production.url, sandbox: sandbox.url },
  // Workers read beside the lists.
  variables: { ROLE: 'api' },
})
after(async () => {
  await service.close()
  await client.end()
  await Promise.all([production.drop(), sandbox.drop()])
})
const primary = await partner(service, 'primary')
const admin = await staff(service)
await client.query('set plan_cache_mode = force_generic_plan')
await client.query(`set timezone = 'UTC'`)

/** Past of other kinds, which the demo's cast has little of. */
async function fillBeside(): Promise<void> {
  const partnerId = `(select partner_id from partner order by partner_id limit 1)`
  await client.query('set session_replication_role = replica')
  for (const statement of [
    `insert into webhook_endpoint (endpoint_id, partner_id, url, secret_sealed, created_on, updated_on)
     values (gen_random_uuid(), ${partnerId}, 'https://receiver.example/', '\\x00', now(), now())`,
    `insert into webhook_delivery (endpoint_id, event_id, type, site_id, order_number, body, outcome, created_on,
       attempted_on)
     select endpoint_id, n::text, 'order.created', 101, n, '{}',
       case when n % 5000 = 0 then 'SKIPPED' when n % 50 = 0 then 'FAILED' else 'DELIVERED' end,
       now() - make_interval(mins => n), now() - make_interval(mins => n)
     from webhook_endpoint cross join generate_series(1, ${beside}) as n`,
    `insert into mail (mail_id, kind, recipient, order_number, status, gives_up_on, created_on)
     select gen_random_uuid(), 'shipment_shipped', 'u' || n || '@grown.example', n,
       case when n % 5000 = 0 then 'FAILED' else 'SENT' end, now(), now() - make_interval(mins => n)
     from generate_series(1, ${beside}) as n`,
    `insert into print_file (site_id, order_number, line_number, file_name, object_key, size_bytes, md5, source, attached_on)
     select 101, n, 1, 'card.pdf', 'grown/' || n, 1, md5(n::text), 'UPLOAD', now() - make_interval(mins => n)
     from generate_series(1, ${beside}) as n`,
    `insert into artwork_inspection (print_file_id, site_id, profile, artwork_types, profile_key, status, queued_on,
       findings, inspected_on)
     select print_file_id, 101, '{}', '{}', '', case when order_number % 5000 = 0 then 'unreadable' else 'passed' end,
       attached_on, '[]', attached_on
     from print_file where object_key like 'grown/%'`,
    `insert into stock_movement (variant_id, kind, pieces, stock_after, actor_kind, actor_id, moved_on)
     select (select min(variant_id) from stock_movement), case when n % 5000 = 0 then 'COUNTED' else 'CORRECTED' end, 1, 1, 'SYSTEM', 'works',
       now() - make_interval(mins => n)
     from generate_series(1, ${beside}) as n`,
    `insert into credit_adjustment (site_id, credit_account_id, type, amount, created_on)
     select 101, (select min(credit_account_id) from credit_account), case when n % 5000 = 0 then 'ALLOTMENT' else 'PRODUCT_DEBIT' end, 1,
       now() - make_interval(mins => n)
     from generate_series(1, ${beside}) as n`,
    `insert into submission (submission_id, partner_id, partner_order_id, site_id, ordering_user_id, body_hash, body, status,
       outcome, reasons, created_on, updated_on)
     select gen_random_uuid(), partner_id, 'grown-' || n, case when n % 5000 = 1 then 105 else 101 end, 1, '\\x00', '{}',
       case when n % 50 = 0 then 'failed' else 'completed' end, '{"errors": []}',
       case when n % 5000 = 0 then '{no_template}'::text[] when n % 50 = 0 then '{out_of_stock}'::text[] end,
       now() - make_interval(mins => n), now() - make_interval(mins => n)
     from (select partner_id from partner_site where site_id = 101 order by partner_id limit 1) as one
     cross join generate_series(1, ${beside}) as n`,
    `insert into invoice (site_id, invoice_number, order_number, kind, currency, total, statement, charges_to, refunds_to, issued_on)
     select 101, n, (select min(order_number) from orders where site_id = 101) + n % 1000, 'INVOICE', 'USD', 1, '{}', 0, 0,
       now() - make_interval(mins => n)
     from generate_series(1, ${beside}) as n`,
    `insert into goods_return (order_number, status, reference, asked, announced_on)
     select order_number, case when row_number() over (order by order_number) % 5000 = 0 then 'ANNOUNCED' else 'CLOSED' end,
       'grown', '{}', now()
     from orders`,
    `insert into goods_return_line (return_number, order_number, line_number, announced)
     select return_number, order_number, 1, 1 from goods_return`,
    `insert into bounced_address (address, reason, noted_on)
     select 'u' || n || '@grown.example', 'unknown', now() - make_interval(mins => n) from generate_series(1, ${beside}) as n`,
    `insert into user_address (site_id, user_id) select site_id, user_id from site_user`,
    `insert into erasure (erasure_id, ledger_number, kind, subject, address_fingerprints, order_numbers, reason, object_keys,
       mail_ids, erased_on, finished_on)
     select gen_random_uuid(), n, 'CUSTOMER', n::text, '{}', '{}', 'REQUEST', '{}', '{}', now() - make_interval(mins => n), now()
     from generate_series(1, ${beside}) as n`,
    `insert into stock_count (site_id, begun_by, begun_on, closed_by, closed_on)
     select case when n % 5000 = 0 then 105 else 101 end, 'x', now() - make_interval(mins => n), 'x', now()
     from generate_series(1, ${beside}) as n`,
    `insert into shipment_label (shipment_number, package_number, status, carrier_service, parcel, claimed_until, requested_on)
     select shipment_number, 1, 'UNFINISHED', 'USPS:Priority', '{"weightOunces": "10"}', now(), now() from shipment`,
    `insert into staff_view (view_id, staff_id, page, name, query, shared, created_on, updated_on)
     select gen_random_uuid(), staff_id, 'orders', 'mine ' || n, '?n=' || n, false, now(), now()
     from staff_account cross join generate_series(1, 50) as n`,
    `select make_request_log_day(current_date)`,
    `insert into request_log (recorded_on, request_id, operation, tool_call, method, path, status, milliseconds, source_address)
     select current_date + make_interval(secs => n * 0.8), gen_random_uuid(), 'getOrder', false, 'GET', '/v1/orders/' || n,
       case when n % 5000 = 0 then 404 else 200 end, 5, '192.0.2.1'
     from generate_series(1, ${beside}) as n`,
  ])
    await client.query(statement)
  await client.query('set session_replication_role = origin')
  await client.query('vacuum (analyze)')
}

const planned = new Map<string, Promise<unknown>>()

/** What a statement reads when it is run once more, by a plan for all values, as the service's reads have it. */
async function buffersOf({ text, name, values }: Sql): Promise<number> {
  const statement = pg.escapeIdentifier(name)
  if (!planned.has(name)) planned.set(name, client.query(`prepare ${statement} as ${text}`))
  await planned.get(name)
  const literals = values.map(literal).join()
  const { rows } = await client.query(
    `explain (analyze, buffers, timing off, format json) execute ${statement}${literals && `(${literals})`}`,
  )
  const { Plan: plan } = rows[0]['QUERY PLAN'][0]
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (!Array.isArray(value)) return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value))
  return pg.escapeLiteral(`{${value.map((each) => JSON.stringify(String(each))).join()}}`)
}

/** What the call under way has read. */
let buffersRead = 0

function watch(queries: Queries): void {
  const { rows } = queries
  queries.rows = async <Row>(query: Sql) => {
    const found = await rows<Row>(query)
    buffersRead += await buffersOf(query)
    return found
  }
  queries.row = async <Row>(query: Sql) => (await queries.rows<Row>(query))[0]
}
const { database } = service.production
for (const queries of [database.lists, database.longReads]) watch(queries)

const one = async (text: string): Promise<string[]> =>
  (await client.query<{ value: string }>(text)).rows.map(({ value }) => String(value))

const { sites, partners, fixtures } = service.manifest
const siteIds = partners.primary.siteIds
const users = await one(
  `select user_id as value from orders where site_id in (${siteIds.join()}) and user_id is not null group by 1 order by count(*) desc, 1`,
)
const divisions = await one(
  `select division_id as value from orders where site_id in (${siteIds.join()}) and division_id is not null group by 1 order by count(*) desc, 1`,
)
const [requestId] = await one('select request_id as value from audit_record where request_id is not null limit 1')
const day = (daysAgo: number): string => new Date(Date.now() - daysAgo * 86_400_000).toISOString()
const [busiest] = await one('select order_number as value from shipment order by shipment_number limit 1')
const path: Readonly<Record<string, string>> = {
  ...ownIds(service.manifest),
  environment: 'production',
  partnerId: partners.primary.partnerId,
  productId: fixtures.products.stock,
  orderNumber: busiest!,
  shipmentNumber: (await one('select min(shipment_number) as value from shipment'))[0]!,
  endpointId: (
    await one('select endpoint_id as value from webhook_delivery group by 1 order by count(*) desc limit 1')
  )[0]!,
}

/** What a filter cannot be asked for without. */
const needs: Readonly<Record<string, Readonly<Record<string, [string, string]>>>> = {
  listProducts: { q: ['siteId', String(sites.main)] },
  listLines: { open: ['orderNumber', String(fixtures.orders.approved.orderNumber)] },
}

/** Values of filters: what many records have, what few have, and what none has. A filter of words has all of them. */
const values: Readonly<Record<string, readonly string[]>> = {
  siteId: [sites.main, ...siteIds.slice(-1)].map(String),
  userId: [users[0]!, users.at(-1)!, '1'],
  divisionId: [divisions[0]!, '1'],
  parentId: [String(fixtures.divisions.root), '1'],
  partnerId: [partners.primary.partnerId, '00000000-0000-4000-8000-000000000000'],
  orderNumber: [String(fixtures.orders.approved.orderNumber), '987654321012345'],
  productId: [fixtures.products.stock, 'SLO_987654321012345'],
  fulfilmentCenterId: ['1', '987654'],
  partnerOrderId: ['grown-none'],
  actorId: ['works', 'nobody'],
  action: ['order.placed', 'demo.seeded', 'nothing.happened'],
  subjectKind: ['order', 'demo', 'nothing'],
  subjectId: [String(fixtures.orders.approved.orderNumber), 'nothing'],
  requestId: [requestId!, '00000000-0000-7000-8000-000000000000'],
  operation: ['getOrder', 'nothing'],
  credential: ['nobody'],
  assignee: ['nobody'],
  email: ['u', 'zzz'],
  username: ['u', 'zzz'],
  q: ['grown', 'business cards', 'zzzz'],
  type: ['PRODUCT_DEBIT', 'ALLOTMENT', 'SHIPPING_DEBIT'],
}

function valuesOf(name: string, { schema }: Parameter<unknown>): readonly string[] {
  const {
    type,
    enum: words,
    format,
    items,
    minimum = 1,
  } = schema as {
    type: string
    enum?: string[]
    format?: string
    items?: { enum?: string[] }
    minimum?: number
  }
  const known = words ?? items?.enum
  if (known) return known
  if (type === 'boolean') return ['true', 'false']
  if (format === 'date-time') return [day(740), day(2)]
  if (format === 'date') return [day(740).slice(0, 10)]
  return values[name] ?? (type === 'integer' ? [String(minimum), '599'] : ['zzz'])
}

type Caller = { get: (path: string) => Promise<{ status: number; body: unknown }> }

/** Each value of each filter alone, and of each pair of filters two pairs of values. */
function* asked(entry: AnyOperation): Generator<[string, string][]> {
  const filters = Object.entries(entry.query!).filter(([name]) => name !== 'cursor' && name !== 'limit')
  yield []
  for (const [at, [name, parameter]] of filters.entries()) {
    const each = valuesOf(name, parameter)
    for (const value of each) yield [[name, value]]
    for (const [otherName, otherParameter] of filters.slice(at + 1)) {
      const others = valuesOf(otherName, otherParameter)
      yield [
        [name, each[0]!],
        [otherName, others.at(-1)!],
      ]
      yield [
        [name, each.at(-1)!],
        [otherName, others[0]!],
      ]
    }
  }
}

/** A record may have nothing in its list. */
const isBelowRecord = (entry: AnyOperation): boolean => /\{(?!environment)/.test(pathOf(entry))

/** The calls of a list that read more than so many buffers. */
async function callsAbove(bound: number, by: Caller, entry: AnyOperation): Promise<string[]> {
  const at = pathOf(entry).replaceAll(/\{(\w+)\}/g, (_, name: string) => path[name]!)
  const found: string[] = []
  for (const wish of asked(entry)) {
    const needed = wish.flatMap(([name]) => needs[entry.id]?.[name] ?? [])
    const query = new Map([...(needed.length > 0 ? [needed as [string, string]] : []), ...wish])
    buffersRead = 0
    const answer = await by.get(`${at}?${new URLSearchParams([...query, ['limit', '50']])}`)
    // Some filters exclude each other.
    if (answer.status === 400 && wish.length > 1) continue
    assert.equal(answer.status, 200, `${entry.id} ${wish.join(' ')}: ${JSON.stringify(answer.body)}`)
    if (buffersRead === 0 && wish.length === 0 && !isBelowRecord(entry))
      found.push(`${entry.id}: nothing was read, or on other connections`)
    if (buffersRead > bound) found.push(`${entry.id} ${wish.join(' ')}: ${buffersRead}`)
  }
  return found
}

const lists = (operations: Readonly<Record<string, AnyOperation>>) =>
  Object.values(operations).filter(
    ({ collection, query, refuses }) => collection && query?.cursor && !refuses.includes('only_in_sandbox'),
  )

for (const [whose, by, operations] of [
  ['partners', primary, api],
  ['staff', admin, staffApi],
] as const) {
  test(`no list of ${whose} reads more than its page needs, by any filter and any pair of them`, async () => {
    const found: string[] = []
    for (const entry of lists(operations)) found.push(...(await callsAbove(buffersMax[whose], by, entry)))
    assert.deepEqual(found, [])
  })
}

test('every table that grows with the orders is vacuumed and analyzed after a hundredth of it has changed', async () => {
  const found = await one(`
    select relname as value from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and not relispartition and reltuples > 10000
      and not coalesce(reloptions, '{}') @> array[
        'autovacuum_vacuum_scale_factor=0.01', 'autovacuum_vacuum_insert_scale_factor=0.01',
        'autovacuum_analyze_scale_factor=0.01']`)
  assert.deepEqual(found, [])
})
