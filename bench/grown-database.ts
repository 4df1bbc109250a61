import type pg from 'pg'

/**
 * Makes a database as old as one with so many orders: finished orders of the demo data are copied with all that hangs on
 * them, at other times of the last three years, the oldest first, each with its audit records; and customers, one for two orders. Work at hand stays
 * as it is, since it does not grow with the past.
 */

/** Columns that a copy does not share with its template; `made` is the row of the copy, `t` the template. */
type Instead = Readonly<Record<string, string>>

/** Tables whose rows belong to an order, in the order in which they are filled. */
const ofOrder: Readonly<Record<string, Instead>> = {
  orders: {
    order_number: 'made.order_number',
    project_id: 'made.order_number',
    submission_id: 'case when t.submission_id is not null then made.submission_id end',
    partner_order_id: `case when t.partner_order_id is not null then 'grown-' || made.order_number end`,
  },
  order_line: {
    order_number: 'made.order_number',
    item_number: `case when t.item_number is not null then nextval('item_number_sequence') end`,
  },
  submission: {
    order_number: 'made.order_number',
    submission_id: 'made.submission_id',
    partner_order_id: `'grown-' || made.order_number`,
  },
  proof_file: { order_number: 'made.order_number' },
  proof_log_entry: { order_number: 'made.order_number' },
  order_search_word: { order_number: 'made.order_number' },
  webhook_delivery: { order_number: 'made.order_number', event_id: 'gen_random_uuid()::text' },
}

/** Tables whose rows belong to a shipment. */
const ofShipment: Readonly<Record<string, Instead>> = {
  shipment: { shipment_number: 'made.shipment_number', order_number: 'made.order_number' },
  shipment_line: { shipment_number: 'made.shipment_number', order_number: 'made.order_number' },
  shipment_package: { shipment_number: 'made.shipment_number' },
}

const requestDay = `(now() at time zone 'UTC')::date - 20`

/** Tables of what is kept for a time: which of their rows are done with, what a copy does not share with them, and how there are some. */
const ofOutdated = {
  event: { done: 'fanned_out_on is not null', instead: { event_id: 'gen_random_uuid()' } },
  webhook_delivery: {
    done: 'outcome is not null',
    instead: { event_id: 'gen_random_uuid()::text' },
    // The demo data has no endpoint, so nothing was delivered.
    plant: `
      insert into webhook_delivery (endpoint_id, event_id, type, site_id, order_number, body, outcome, created_on)
      select gen_random_uuid(), event_id::text, type, site_id, order_number,
        json_build_object('eventId', event_id, 'type', type, 'occurredAt', recorded_on, 'siteId', site_id,
          'orderNumber', order_number)::text, 'DELIVERED', recorded_on
      from event where fanned_out_on is not null limit 1000`,
  },
  // The log has no day that is older.
  request_log: {
    done: 'true',
    instead: {
      entry_id: `nextval('request_log_entry')`,
      request_id: 'gen_random_uuid()',
      recorded_on: `${requestDay} + interval '12 hours'`,
    },
  },
} as const satisfies Record<string, { done: string; instead: Instead; plant?: string }>

export type OutdatedTable = keyof typeof ofOutdated

const batchMax = 50_000
/** Orders of hundreds of lines are there to be looked at; they are no model for many. */
const linesMax = 20

/** How many orders there are, and the size of the database. */
export type Filled = { count: number; bytes: number }

/** Fills up to so many orders. @param client a superuser's, who may leave out triggers and foreign keys */
export async function fill(client: pg.Client, orderCount: number, tell: (line: string) => void): Promise<Filled> {
  const startedAt = performance.now()
  const one = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row> =>
    (await client.query<Row & pg.QueryResultRow>(text, values)).rows[0]!
  await client.query('set session_replication_role = replica')
  const { count: had } = await one<{ count: number }>('select count(*)::int from orders')
  const wanted = orderCount - had
  for (let filled = 0; filled < wanted; filled += batchMax) {
    await client.query('begin')
    await client.query(
      `create temp table made on commit drop as
       with template as (
         select array_agg(order_number order by order_number) as numbers
         from orders
         -- Copies are no templates.
         where status in ('SHIPPED', 'COMPLETED', 'CANCELLED') and project_id <> order_number
           and (
             select count(*) <= ${linesMax} and bool_and(cancelled_on is not null or shipped_on is not null)
             from order_line where order_line.order_number = orders.order_number
           )
       )
       select numbers[1 + copy % cardinality(numbers)] as template, nextval('order_number_sequence') as order_number,
         gen_random_uuid() as submission_id, interval '3 years' * (1 - ($2 + copy)::float8 / $3) as shift
       from generate_series(0, $1::int - 1) as copy cross join template`,
      [Math.min(wanted - filled, batchMax), filled, wanted],
    )
    await client.query(
      `create temp table made_shipment on commit drop as
       select t.shipment_number as template, made.order_number, made.shift,
         nextval('shipment_number_sequence') as shipment_number
       from made join shipment t on t.order_number = made.template`,
    )
    for (const [table, instead] of Object.entries(ofOrder))
      await copyRows(client, table, instead, 'made', 't.order_number = made.template')
    for (const [table, instead] of Object.entries(ofShipment))
      await copyRows(client, table, instead, 'made_shipment made', 't.shipment_number = made.template')
    await addAuditRecords(client)
    await addCustomers(client)
    await client.query('commit')
  }
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  for (const { name } of rows) await client.query(`vacuum (analyze) ${name}`)
  await client.query('set session_replication_role = origin')
  await client.query('checkpoint')
  const filled = await filledSoFar(client)
  tell(`${filled.count} orders: filled in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`)
  return filled
}

export async function filledSoFar(client: pg.Client): Promise<Filled> {
  const { rows } = await client.query<Filled>(
    `select (select count(*)::int from orders) as count, pg_database_size(current_database())::float as bytes`,
  )
  return rows[0]!
}

/**
 * Leaves only outdated rows in the table: copies of those that are done with, two months before them. No young ones are among
 * them, since deliveries are removed in the order in which they were made.
 */
export async function fillOutdated(client: pg.Client, table: OutdatedTable, count: number): Promise<void> {
  const { done, instead, plant }: { done: string; instead: Instead; plant?: string } = ofOutdated[table]
  await client.query('begin')
  await client.query('set local session_replication_role = replica')
  if (plant !== undefined) await client.query(plant)
  await client.query(
    `create temp table template on commit drop as
     select *, row_number() over () - 1 as template from ${table} where ${done} limit 1000`,
  )
  await client.query(
    `create temp table made on commit drop as
     select copy % (select count(*) from template) as template, interval '61 days' as shift
     from generate_series(0, $1::int - 1) as copy`,
    [count],
  )
  await client.query(`truncate ${table} cascade`)
  if (table === 'request_log') await client.query(`select make_request_log_day(${requestDay})`)
  await copyRows(client, table, instead, 'made', 't.template = made.template', 'template')
  await client.query('commit')
  await client.query(`vacuum (analyze) ${table}`)
}

/** Copies the rows of a table that belong to the templates. Times move with what is made. */
async function copyRows(
  client: pg.Client,
  table: string,
  instead: Instead,
  made: string,
  on: string,
  templates = table,
): Promise<void> {
  const { rows: columns } = await client.query<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, null) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attidentity = '' and attgenerated = ''`,
    [table],
  )
  const names = columns.map(({ name }) => name)
  const values = columns.map(
    ({ name, type }) => instead[name] ?? (type.startsWith('timestamp') ? `t.${name} - made.shift` : `t.${name}`),
  )
  await client.query(
    `insert into ${table} (${names.join()}) select ${values.join()} from ${made} join ${templates} t on ${on}`,
  )
}

/** Four for each order, as a partner's order gets them. */
async function addAuditRecords(client: pg.Client): Promise<void> {
  await client.query(
    `insert into audit_record (recorded_on, actor_kind, actor_id, action, subject_kind, subject_id, site_id, request_id,
       detail)
     select orders.updated_on, case when step < 2 then 'PARTNER' else 'SYSTEM' end,
       case when step < 2 then coalesce(orders.partner_id::text, 'storefront') else 'works' end, action, 'order',
       orders.order_number::text, orders.site_id, case when step < 2 then time || '-7' || substr(gen_random_uuid()::text, 16) end,
       jsonb_build_object('status', orders.status)
     from made join orders on orders.order_number = made.order_number
     cross join lateral (
       select overlay(lpad(to_hex((extract(epoch from orders.updated_on) * 1000)::bigint), 12, '0') placing '-' from 9 for 0) as time
     ) as id
     cross join unnest(array['order.placed', 'submission.completed', 'order_line.produced', 'order.shipped'])
       with ordinality as each (action, step)
     order by orders.updated_on, step`,
  )
}

async function addCustomers(client: pg.Client): Promise<void> {
  await client.query(
    `insert into site_user (site_id, username, email, username_folded, email_folded, first_name, last_name,
       created_on, updated_on)
     select orders.site_id, name, name || '@grown.example', name, name || '@grown.example', 'Grown', name,
       orders.placed_on, orders.placed_on
     from made join orders on orders.order_number = made.order_number
     cross join lateral (select 'u' || made.order_number as name) as named
     where made.order_number % 2 = 0`,
  )
}
