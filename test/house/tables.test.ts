import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { grants, sandboxGrants } from '../../src/database/grants.ts'
import { forgetQuotasOf } from '../../src/gateway/throttle/forget-quotas.ts'
import { personalTables } from '../../src/privacy/personal-fields.ts'
import { resetPartner } from '../../src/sandbox/reset-partner.ts'
import { openFreshDatabase } from '../world/database.ts'
import { staffChange } from '../world/partner-builder.ts'

/** Lists who writes each table, and what a reset of a partner's sandbox does with its rows. Add every new table here. */

/** What a reset does with a table's rows. All but the first keep them, for the stated reason. */
type Reset = (typeof resets)[keyof typeof resets]
const resets = {
  removed: 'is removed',
  shared: 'is shared by partners',
  identity: 'is the partner itself, or what it signs in with',
  forEver: 'is kept for ever',
  lasting: 'outlives what it names, and is removed in time',
  earned: 'tells what the partner has shown, which stays true',
  service: 'belongs to no partner',
} as const
const { removed, shared, identity, forEver, lasting, earned, service } = resets

/** By table: the only folder of `src/` that writes it (`.` is `src/` itself), and what a reset does. */
const tables: Readonly<Record<string, readonly [owner: string, reset: Reset]>> = {
  migration: ['database', service],
  service_key: ['.', service],
  sandbox_database: ['sandbox', service],

  site: ['platform/sites', shared],
  partner: ['partners', identity],
  partner_site: ['partners', identity],
  app_client: ['partners', identity],
  partner_certificate: ['partners', identity],
  revoked_token: ['auth/bearer', identity],
  partner_quota: ['gateway/throttle', removed],

  division: ['platform/customers', shared],
  site_user: ['platform/customers', shared],
  user_address: ['platform/customers', shared],
  user_segment: ['platform/customers', shared],
  segment: ['platform/customers', shared],
  segment_rule: ['platform/customers', shared],

  credit_account: ['platform/credit', shared],
  credit_adjustment: ['platform/credit', forEver],

  person_key: ['platform/paperwork', removed],
  // what stays of a person who was erased: ids
  erasure: ['privacy', forEver],

  product: ['platform/catalog', shared],
  product_segment: ['platform/catalog', shared],
  product_image: ['platform/catalog', shared],
  product_discount: ['platform/catalog', shared],
  variant: ['platform/catalog', shared],
  price_break: ['platform/catalog', shared],
  stock_movement: ['platform/catalog', forEver],
  stock_shelf: ['platform/catalog', shared],
  stock_count: ['platform/catalog', shared],
  stock_count_row: ['platform/catalog', shared],
  // by triggers
  order_search_word: ['database', removed],
  product_search: ['database', shared],
  search_word: ['database', shared],

  fulfilment_center: ['platform/shipping', shared],
  shipping_zone: ['platform/shipping', shared],
  shipping_service: ['platform/shipping', shared],
  shipping_rate: ['platform/shipping', shared],
  tax_rate: ['platform/pricing', shared],

  reason: ['platform/reasons', shared],
  orders: ['platform/order-changes', removed],
  order_decision: ['platform/order-changes', removed],
  order_note: ['platform/order-desk', removed],
  order_line: ['platform/lines', removed],
  order_movement: ['platform/order-money', removed],
  refund: ['platform/after-sale', removed],
  refund_part: ['platform/order-money', removed],
  invoice: ['platform/paperwork', removed],
  goods_return: ['platform/after-sale', removed],
  reprint: ['platform/after-sale', removed],
  goods_return_line: ['platform/after-sale', removed],
  goods_return_receipt: ['platform/after-sale', removed],
  shipment: ['platform/shipments', removed],
  shipment_line: ['platform/shipments', removed],
  shipment_package: ['platform/shipments', removed],
  shipment_label: ['platform/shipments', removed],
  proof_file: ['platform/proofs', removed],
  proof_log_entry: ['platform/proofs', removed],
  proof_comment: ['platform/proofs', removed],
  artwork_reservation: ['platform/print-files', removed],
  print_file: ['platform/print-files', removed],
  artwork_check: ['platform/artwork', removed],
  artwork_inspection: ['platform/artwork', removed],
  artwork_picture: ['platform/artwork', removed],
  artwork_waiver: ['platform/artwork', removed],
  stray_object: ['platform/files', lasting],

  submission: ['intake', removed],
  event: ['platform/events', removed],
  audit_record: ['platform/audit', forEver],
  audit_seal: ['platform/audit', forEver],
  audit_unsealed: ['platform/audit', forEver],
  webhook_endpoint: ['webhooks', removed],
  webhook_delivery: ['webhooks', removed],
  request_log: ['gateway/request-log', lasting],

  mail: ['platform/mail', lasting],
  bounced_address: ['platform/mail', service],

  partner_person: ['partners', identity],
  password_reset_link: ['partners', identity],
  sign_in_client: ['partners', service],
  sign_in_record: ['auth/sign-in', identity],
  allowed_application: ['partners', identity],
  sign_in_attempts: ['auth/sign-in', service],
  staff_account: ['staff/accounts', service],
  staff_session: ['staff/session', service],
  staff_sign_in_failure: ['staff/session', service],
  staff_view: ['staff/views', service],

  sandbox_clock: ['sandbox', removed],
  sandbox_order: ['sandbox', removed],
  sandbox_misbehaviour: ['sandbox', removed],
  sandbox_earned: ['sandbox/go-live', earned],
}

/** Tables the service only reads. */
const unwritten: Readonly<Record<string, Reset>> = {
  denial_reason_switched_off: shared,
  // by the demo
  demo_key: service,
}

/** What erasure writes, by the list of personal columns. */
const erasedTables = Object.entries(personalTables).flatMap(([table, { found, instead, rowsGo }]): Write[] =>
  found === null || (instead !== undefined && !rowsGo) ? [] : [{ table, right: rowsGo ? 'delete' : 'update' }],
)

/** Folders that write a table they do not own, and why. */
const otherWriters: Readonly<Record<string, readonly string[]>> = {
  // writes all rows of many new orders in few statements, and takes their stock in the last one; the owners make all
  // later changes
  'platform/ordering': ['orders', 'order_line', 'shipment', 'shipment_line', 'print_file', 'variant', 'stock_movement'],
  // ends the sign-ins of a person or an application in the transaction that stops it; the owner is in a higher layer
  partners: ['sign_in_record'],
  // erases people, wherever they are named: one list of columns decides it, and not thirty folders
  privacy: erasedTables.map(({ table }) => table).concat('invoice', 'stray_object'),
}

const src = new URL('../../src/', import.meta.url)
const migrations = new URL('database/migrations/', src)
const schema = readdirSync(migrations)
  .toSorted()
  .map((file) => readFileSync(new URL(file, migrations), 'utf8'))
  .join('\n')

/** A table, or the expression that yields its name, and what it takes to write it so. */
type Write = { table: string; right: 'insert' | 'update' | 'delete' | 'truncate'; byOwner?: true }

/** What SQL, or a program with embedded SQL, writes. */
function written(text: string): Write[] {
  const name = String.raw`(?:only\s+)?(\w+|\$\{[^}]*\})`
  const statements = [
    ['insert', String.raw`\binsert\s+into\s+${name}`],
    ['update', String.raw`\binsert\s+into\s+${name}[^\x60;]*\bdo\s+update\b`],
    ['delete', String.raw`\bdelete\s+from\s+${name}`],
    ['update', String.raw`\bupdate\s+${name}(?:\s+as)?(?:\s+(?!set\b)\w+)?\s+set\b`],
    ['update', String.raw`\bmerge\s+into\s+${name}`],
    ['truncate', String.raw`\btruncate\s+(?:table\s+)?${name}`],
    ['insert', String.raw`\bcopy\s+${name}\s*(?:\(|from\b)`],
  ] as const
  return statements.flatMap(([right, statement]) =>
    [...text.matchAll(new RegExp(statement, 'g'))].map((match) => ({ table: match[1]!, right })),
  )
}

/** What a program writes with the functions of `database/rows.ts`, which take the table as an argument. */
function writtenByRows(program: string): Write[] {
  const calls = program.matchAll(/\b(?:insertRows|updateRows|insertTables|insertion)(?:<[^()]*>)?\(/g)
  return [...calls].flatMap((call) => {
    const args = argumentsAt(program, call.index + call[0].length)
    const named = args.matchAll(call[0].startsWith('insertTables') ? /\[\s*'(\w+)',/g : /^(?:[^,']*,)?\s*'(\w+)'/g)
    const right = call[0].startsWith('updateRows') ? 'update' : 'insert'
    const found = [...named].map(([, table]): Write => ({ table: table!, right }))
    return found.length > 0 ? found : [{ table: `the table of ${call[0]}${args})`, right }]
  })
}

/** The text from `start` to the closing parenthesis. */
function argumentsAt(program: string, start: number): string {
  for (let at = start, open = 1; at < program.length; at++) {
    if (program[at] === '(') open++
    if (program[at] === ')' && --open === 0) return program.slice(start, at)
  }
  return program.slice(start)
}

function withoutComments(program: string): string {
  return program.replaceAll(/\/\*[\s\S]*?\*\/|^\s*(?:\/\/|--).*$/gm, '')
}

/** What each function of the schema writes, directly or through other functions. */
function writtenByFunctions(): Map<string, Write[]> {
  const bodies = new Map(
    schema
      .split(/^create function /m)
      .slice(1)
      .map((text) => [/^\w+/.exec(text)![0], text.split(/^create /m)[0]!]),
  )
  const writtenBy = (name: string): Write[] => {
    const body = bodies.get(name)!
    const called = [...bodies.keys()].filter((other) => other !== name && body.includes(`${other}(`))
    const writes = [...written(body), ...called.flatMap(writtenBy)]
    return body.includes('security definer') ? writes.map((write) => ({ ...write, byOwner: true })) : writes
  }
  return new Map([...bodies.keys()].map((name) => [name, writtenBy(name)]))
}

/**
 * By table, the folders of `src/` that write it, and the rights they need for that. The demo is exempt: it creates all its data at once, before anybody uses
 * it.
 */
function writers(): Map<string, { rooms: Set<string>; rights: Set<string> }> {
  const functions = writtenByFunctions()
  const found = new Map<string, { rooms: Set<string>; rights: Set<string> }>()
  const note = (room: string, writes: readonly Write[]): void => {
    for (const { table, right, byOwner } of writes) {
      const { rooms, rights } = found.getOrInsertComputed(table, () => ({ rooms: new Set(), rights: new Set() }))
      rooms.add(room)
      if (!byOwner) rights.add(right)
    }
  }
  for (const [, name] of schema.matchAll(/execute function (\w+)/g)) note('database', functions.get(name!)!)
  for (const file of readdirSync(src, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts') || file.startsWith('demo/')) continue
    const program = withoutComments(readFileSync(new URL(file, src), 'utf8'))
    // `database/rows.ts` writes any table, so it is skipped.
    // Erasure takes its tables from the list.
    if (file === 'privacy/erase-person.ts') {
      const own = written(program).filter((write) => !write.table.startsWith('$'))
      note('privacy', [...erasedTables, ...own])
    } else if (file !== 'database/rows.ts') note(dirname(file), [...written(program), ...writtenByRows(program)])
    // It only lists functions.
    if (file === 'database/grants.ts') continue
    for (const [name, names] of functions) if (program.includes(`${name}(`)) note(dirname(file), names)
  }
  return found
}

test('only its owner writes each table', () => {
  const found = [...writers()].map(([table, { rooms }]) => [table, [...rooms].toSorted()])
  const others = Object.entries(otherWriters)
  const expected = Object.entries(tables).map(([table, [owner]]) => {
    const besides = others.filter(([, ofOthers]) => ofOthers.includes(table)).map(([room]) => room)
    return [table, [owner, ...besides].toSorted()]
  })
  assert.deepEqual(Object.fromEntries(found), Object.fromEntries(expected))
})

test('the service has the rights its statements need, and no others', () => {
  const needed = Object.fromEntries([...writers()].map(([table, { rights }]) => [table, rights]))
  // Locking a row takes the right to update it.
  needed.stray_object!.add('update')
  // The owner writes it, with the migrations.
  needed.migration = new Set()
  const views = [...schema.matchAll(/^create view (\w+)/gm)].map(([, view]) => view!)
  for (const name of [...Object.keys(unwritten), ...views]) needed[name] = new Set()
  const granted: typeof needed = {}
  for (const [table, rights] of [...Object.entries(grants), ...Object.entries(sandboxGrants)]) {
    for (const right of rights.replaceAll(/ \([^)]*\)/g, '').split(', ')) (granted[table] ??= new Set()).add(right)
  }
  for (const rights of Object.values(needed)) rights.add('select')
  assert.deepEqual(new Set(Object.keys(granted)), new Set(Object.keys(needed)))
  for (const [table, rights] of Object.entries(granted)) assert.deepEqual(rights, needed[table], table)
})

test('the list has every table of the schema', () => {
  const created = [...schema.matchAll(/^create table (\w+)/gm)].map(([, table]) => table!)
  assert.deepEqual([...created, 'migration'].toSorted(), [...Object.keys(tables), ...Object.keys(unwritten)].toSorted())
})

/** Columns that refer to a partner or its records, with the query for their values. */
const names = {
  partner_id: 'values ($1::uuid)',
  order_number: 'select order_number from orders where partner_id = $1',
  shipment_number: 'select shipment_number from shipment join orders using (order_number) where partner_id = $1',
  endpoint_id: 'select endpoint_id from webhook_endpoint where partner_id = $1',
  return_number: 'select return_number from goods_return join orders using (order_number) where partner_id = $1',
  print_file_id: 'select print_file_id from print_file join orders using (order_number) where partner_id = $1',
  check_id: 'select check_id from artwork_check where partner_id = $1',
  inspection_id: `select inspection_id from artwork_inspection
    left join print_file using (print_file_id) left join orders using (order_number)
    left join artwork_check using (check_id)
    where $1 in (orders.partner_id, artwork_check.partner_id)`,
}

type Named = Record<string, string[]>

async function namedBy(client: pg.Client, partnerId: string): Promise<Named> {
  const named: Named = {}
  for (const [column, query] of Object.entries(names)) {
    const { rows } = await client.query({ text: query, values: [partnerId], rowMode: 'array' })
    named[column] = rows.map(([id]) => String(id))
  }
  return named
}

/** By table, the rows that contain one of these ids. */
async function rowsNaming(client: pg.Client, named: Named): Promise<Record<string, string[]>> {
  const { rows: columns } = await client.query<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns
     where table_schema = 'public' and column_name = any($1)`,
    [Object.keys(named)],
  )
  const found: Record<string, string[]> = {}
  for (const [table, own] of Map.groupBy(columns, (column) => column.table)) {
    if (!(table in tables)) continue
    const conditions = own.map(({ column }, index) => `each.${column}::text = any($${index + 1})`)
    const { rows } = await client.query<{ row: string }>(
      `select each::text as row from ${table} each where ${conditions.join(' or ')}`,
      own.map(({ column }) => named[column]),
    )
    found[table] = rows.map(({ row }) => row)
  }
  return found
}

/** Rows that the demo partner lacks, in the order their references need. */
const rowsToAdd = [
  `insert into sandbox_database default values on conflict do nothing`,
  `insert into partner_quota (partner_id, day, taken) values ($1, '2026-01-01', 1)`,
  `insert into sandbox_clock (partner_id, ahead_milliseconds) values ($1, 1)`,
  `insert into sandbox_order (order_number, partner_id) select order_number, partner_id from orders where partner_id = $1`,
  `insert into shipment_package (shipment_number, package_number)
   select shipment_number, 9 from shipment join orders using (order_number) where partner_id = $1`,
  `insert into shipment_label (shipment_number, package_number, status, carrier_service, parcel, claimed_until, requested_on)
   select shipment_number, 1, 'UNFINISHED', 'USPS:Priority', '{}', now(), now()
   from shipment join orders using (order_number) where partner_id = $1`,
  `insert into reprint (order_number, line_number, of_line_number, named_line_number, proof, reference, ordered_on)
   select order_number, min(line_number), min(line_number), min(line_number), 'NONE', 'one', now()
   from order_line join orders using (order_number) where partner_id = $1 group by order_number`,
  `with announced as (
     insert into goods_return (order_number, status, reference, asked, announced_on)
     select order_number, 'RECEIVED', 'one', '{}', now() from orders where partner_id = $1
     returning *
   ), line as (
     insert into goods_return_line (return_number, order_number, line_number, announced)
     select return_number, order_number, line_number, 1 from announced join order_line using (order_number)
     returning *
   )
   insert into goods_return_receipt (return_number, line_number, position, condition, pieces, restocked)
   select return_number, line_number, line_number, 'DAMAGED', 1, false from line`,
  `with movement as (
     insert into order_movement (order_number, kind, cause, items, discount, handling, shipping, tax, credit, recorded_on)
     select order_number, 'REFUNDED', 'order.refunded', -1, 0, 0, 0, 0, 0, now() from orders where partner_id = $1
     returning *
   ), part as (
     insert into refund_part (order_number, movement_id, charge, number, amount, charged)
     select order_number, movement_id, 'ITEMS', 1, 1, 1 from movement
   )
   insert into refund (order_number, movement_id, reference, asked, items, handling, shipping, tax, to_credit,
     paid_outside, refunded_on)
   select order_number, movement_id, 'one', '{}', 1, 0, 0, 0, 0, 1, now() from movement`,
  `insert into proof_log_entry (order_number, line_number, site_id, recorded_on, actor_kind, actor_id, entry)
   select order_number, line_number, order_line.site_id, now(), 'STAFF', 'tester', 'Approved.'
   from order_line join orders using (order_number) where partner_id = $1`,
  `insert into proof_comment (proof_log_entry_id, order_number, comment)
   select proof_log_entry_id, order_number, 'Larger.' from proof_log_entry join orders using (order_number)
   where partner_id = $1`,
  `insert into person_key (order_number, key_sealed) select order_number, '' from orders where partner_id = $1`,
  `insert into order_decision (order_number, line_number, kind, decided_on, actor_kind, actor_id)
   select order_number, line_number, 'hold', now(), 'STAFF', 'tester'
   from order_line join orders using (order_number) where partner_id = $1`,
  `insert into order_note (order_number, line_number, audience, text, written_on, actor_kind, actor_id)
   select order_number, line_number, 'STAFF', 'Call back.', now(), 'STAFF', 'tester'
   from order_line join orders using (order_number) where partner_id = $1`,
  `insert into proof_file (order_number, line_number, revision, site_id, name, object_key, rendition_key, active, created_on)
   select order_number, line_number, 9, order_line.site_id, 'proof', gen_random_uuid(), gen_random_uuid(), false, now()
   from order_line join orders using (order_number) where partner_id = $1`,
  `with reserved as (
     insert into artwork_reservation
       (reservation_name, site_id, order_number, line_number, file_name, object_key, reserved_on, attached_on)
     select gen_random_uuid(), order_line.site_id, order_number, line_number, 'a.pdf', gen_random_uuid(), now(), now()
     from order_line join orders using (order_number) where partner_id = $1
     returning *
   )
   insert into print_file
     (site_id, order_number, line_number, file_name, object_key, size_bytes, md5, source, reservation_name, attached_on)
   select site_id, order_number, line_number, file_name, gen_random_uuid(), 1, md5(''), 'UPLOAD', reservation_name, attached_on
   from reserved`,
  `insert into artwork_check (check_id, partner_id, site_id, product_number, file_name, upload_key, begun_on)
   select gen_random_uuid(), $1, site_id, product_number, 'a.pdf', 'a.pdf', now() from product limit 1`,
  `insert into artwork_inspection (print_file_id, site_id, profile, artwork_types, profile_key)
   select print_file_id, print_file.site_id, '{}', '{}', '' from print_file join orders using (order_number)
   where partner_id = $1`,
  `insert into artwork_inspection (check_id, site_id, profile, artwork_types, profile_key)
   select check_id, site_id, '{}', '{}', '' from artwork_check where partner_id = $1`,
  `insert into artwork_picture (inspection_id, page, kind, object_key, width, height)
   select inspection_id, 1, 'small', gen_random_uuid(), 1, 1 from artwork_inspection
   where print_file_id in (select print_file_id from print_file join orders using (order_number) where partner_id = $1)
     or check_id in (select check_id from artwork_check where partner_id = $1)`,
  `insert into artwork_waiver (print_file_id, code, reason, actor_id, waived_on)
   select print_file_id, 'hairline', 'As wished.', 'tester', now() from print_file join orders using (order_number)
   where partner_id = $1`,
  `insert into invoice
     (site_id, invoice_number, order_number, kind, currency, total, statement, charges_to, refunds_to, issued_on)
   select site_id, row_number() over (), order_number, 'INVOICE', currency, 1, '{}', 0, 0, now()
   from orders where partner_id = $1`,
  `insert into submission (submission_id, partner_id, partner_order_id, site_id, ordering_user_id, body_hash, body, created_on, updated_on)
   select gen_random_uuid(), partner_id, 'one', site_id, 0, '', '{}', now(), now() from orders where partner_id = $1 limit 1`,
  `insert into event (event_id, type, site_id, order_number, recorded_on)
   select gen_random_uuid(), 'order.status_changed', site_id, order_number, now() from orders where partner_id = $1`,
  `with endpoint as (
     insert into webhook_endpoint (endpoint_id, partner_id, url, created_on, updated_on)
     values (gen_random_uuid(), $1, 'https://example.com/', now(), now())
     returning *
   ), misbehaviour as (
     insert into sandbox_misbehaviour (endpoint_id, misbehaviour) select endpoint_id, 'drop' from endpoint
   )
   insert into webhook_delivery (endpoint_id, event_id, type, site_id, order_number, body, created_on)
   select endpoint_id, 'one', 'order.status_changed', site_id, order_number, '{}', now()
   from endpoint join orders using (partner_id)`,
]

test('a reset removes a partner’s rows from every table marked removed, and from no other table', async (t) => {
  const { database, url, close } = await openFreshDatabase('template_sandbox')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  t.after(async () => {
    await client.end()
    await close()
  })
  const { rows } = await client.query<{ partner_id: string }>(
    `select partner_id from orders join shipment using (order_number) where partner_id is not null limit 1`,
  )
  const partnerId = rows[0]!.partner_id
  for (const statement of rowsToAdd) await client.query(statement, statement.includes('$1') ? [partnerId] : [])
  const named = await namedBy(client, partnerId)
  const before = await rowsNaming(client, named)

  await database.change((tx) => resetPartner(tx, staffChange(new Date()), partnerId, forgetQuotasOf))
  const after = await rowsNaming(client, named)
  for (const [table, [, reset]] of Object.entries(tables)) {
    if (reset === removed) {
      assert.ok(before[table] && before[table].length > 0, `a row of ${table} names the partner or its things`)
      assert.deepEqual(after[table], [], table)
    } else {
      const gone = (before[table] ?? []).filter((row) => !after[table]!.includes(row))
      assert.deepEqual(gone, [], `${table} ${reset}`)
    }
  }
})
