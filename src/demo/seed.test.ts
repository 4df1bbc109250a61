import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { iso31662 } from 'iso-3166/2.js'
import { Client } from 'pg'
import pino from 'pino'
import { freshDatabase, type FreshDatabase } from '../../test/world/database.ts'
import { openDatabase } from '../database/database.ts'
import { isClientSecret } from '../partners/client-secret.ts'
import { keyRing } from '../vocabulary/keys.ts'
import { money } from '../vocabulary/money.ts'
import { tableRates } from '../platform/shipping/rates.ts'
import { quoteServices, siteShipping } from '../platform/shipping/services.ts'
import type { Environment } from '../vocabulary/environment.ts'
import { demoCast, type CastManifest } from './cast/cast.ts'
import { orderingUsers } from './cast/customers.ts'
import { centers } from './cast/sites.ts'
import { seedDemo, type Seeded, type SeedOptions } from './seed.ts'

const now = new Date('2026-11-20T15:30:00.000Z')
const masterKeys = [Buffer.alloc(32, 'demo-seed-tests')] as const

const options = (changes: Partial<SeedOptions> = {}): SeedOptions => ({
  environment: 'PRODUCTION',
  masterKeys,
  now,
  crowd: false,
  ...changes,
})

let database: FreshDatabase
let client: Client
let seeded: Seeded
let cast: CastManifest

before(async () => {
  database = await freshDatabase('template_empty')
  client = await connected(database)
  seeded = await seedDemo(database.url, options())
  cast = seeded.manifest
})
after(async () => {
  await client.end()
  await database.drop()
})

async function connected({ url }: FreshDatabase): Promise<Client> {
  const connection = new Client({ connectionString: url })
  await connection.connect()
  return connection
}

/** Runs a test with an empty database of its own. */
async function withEmptyDatabase(work: (database: FreshDatabase, client: Client) => Promise<void>): Promise<void> {
  const empty = await freshDatabase('template_empty')
  const connection = await connected(empty)
  try {
    await work(empty, connection)
  } finally {
    await connection.end()
    await empty.drop()
  }
}

/** By table: a digest of all its rows. What is sealed is sealed differently each time. */
async function digests(connection: Client): Promise<Record<string, string>> {
  const { rows: tables } = await connection.query<{ name: string }>(
    `select relname as name from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'migration' order by relname`,
  )
  const result: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows } = await connection.query<{ digest: string }>(
      `select count(*) || ' ' || md5(coalesce(string_agg(row, chr(10) order by row), '')) as digest
       from (select (to_jsonb(t) - array['secret_hash', 'key_sealed'])::text as row from ${name} t) as unsealed`,
    )
    result[name] = rows[0]!.digest
  }
  return result
}

function rowCounts(all: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(all).map(([table, digest]) => [table, digest.split(' ')[0]!]))
}

async function row(query: string, ...values: unknown[]): Promise<Record<string, unknown>> {
  const { rows } = await client.query<Record<string, unknown>>(query, values)
  assert.equal(rows.length, 1, `${query} finds one row`)
  return rows[0]!
}

test('the same instant and key make the same rows in two databases', async () => {
  await withEmptyDatabase(async (other, connection) => {
    await seedDemo(other.url, options())
    assert.deepEqual(await digests(connection), await digests(client))
  })
})

test('a second start changes no row and yields the same manifest', async () => {
  const earlier = await digests(client)
  const again = await seedDemo(database.url, options({ now: new Date('2027-03-01T00:00:00Z') }))
  assert.deepEqual(again.manifest, JSON.parse(JSON.stringify(cast)))
  assert.deepEqual(again.demoKey, seeded.demoKey)
  assert.deepEqual(await digests(client), earlier)
})

test('a database seeded by an earlier version keeps the ids it was seeded with', async () => {
  await withEmptyDatabase(async (other, connection) => {
    await seedDemo(other.url, options())
    await connection.query('alter table audit_record disable trigger user')
    await connection.query(`update audit_record set detail = jsonb_set(detail, '{fixtures,users,plain}', '4711')`)
    const again = await seedDemo(other.url, options())
    assert.equal(again.manifest.fixtures.users.plain, 4711)
  })
})

test('a database with any other content is refused with one sentence and not changed', async () => {
  await withEmptyDatabase(async (other, connection) => {
    await connection.query(
      `insert into partner (partner_id, name, machine_method, created_on, updated_on)
       values (gen_random_uuid(), 'A real partner', 'BEARER', now(), now())`,
    )
    const earlier = await digests(connection)
    await assert.rejects(seedDemo(other.url, options()), /^DemoRefused: The production database holds data .* DEMO=off/)
    assert.deepEqual(await digests(connection), earlier)
  })
})

test('a seeding that breaks off leaves nothing, and the next one starts from the beginning', async () => {
  await withEmptyDatabase(async (other, connection) => {
    const nothing = await digests(connection)
    await connection.query(`alter table audit_record add constraint breaks_off check (action <> 'demo.seeded')`)
    await assert.rejects(seedDemo(other.url, options()), /breaks_off/)
    assert.deepEqual(await digests(connection), nothing)
    await connection.query('alter table audit_record drop constraint breaks_off')
    await seedDemo(other.url, options())
    // The audit record is the last thing written. Sequences do not roll back, so ids without a fixed value may be
    // higher; the row counts are equal.
    assert.deepEqual(rowCounts(await digests(connection)), rowCounts(await digests(client)))
  })
})

test('two instances that start concurrently seed once', async () => {
  await withEmptyDatabase(async (other, connection) => {
    const [one, two] = await Promise.all([seedDemo(other.url, options()), seedDemo(other.url, options())])
    assert.deepEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(two)))
    assert.deepEqual(await digests(connection), await digests(client))
  })
})

function credentials(environment: Environment, key: Buffer): string[] {
  return Object.values(demoCast({ environment, masterKeys: [key], demoKey: key, now }).manifest.partners).flatMap(
    (partner) => (partner.clients ?? []).flatMap(({ clientId, clientSecret }) => [clientId, clientSecret]),
  )
}

test('app clients follow from the key of the demo, differ between installations and environments, and are stored as sealed hashes', async () => {
  const [key] = masterKeys
  const here = credentials('PRODUCTION', key)
  assert.deepEqual(credentials('PRODUCTION', key), here)
  const all = [...here, ...credentials('PRODUCTION', Buffer.alloc(32, 'another')), ...credentials('SANDBOX', key)]
  assert.equal(new Set(all).size, all.length)

  const text = JSON.stringify((await client.query('select * from app_client')).rows)
  const secretKeys = keyRing(masterKeys, 'PRODUCTION', 'client-secret')
  for (const partner of Object.values(cast.partners)) {
    for (const { clientId, clientSecret } of partner.clients ?? []) {
      const stored = await row('select partner_id, secret_hash from app_client where client_id = $1', clientId)
      assert.equal(stored.partner_id, partner.partnerId)
      assert.ok(isClientSecret(secretKeys, clientId, clientSecret, stored.secret_hash as Buffer))
      assert.ok(!text.includes(clientSecret))
    }
  }
})

test('records created next get new ids', async () => {
  const { rows: identities } = await client.query<{ table: string; column: string; sequence: string }>(
    `select relname as table, attname as column, pg_get_serial_sequence(relname, attname) as sequence
     from pg_attribute join pg_class on pg_class.oid = attrelid
     where attidentity <> '' and relnamespace = 'public'::regnamespace`,
  )
  const numbers = [
    { table: 'orders', column: 'order_number', sequence: 'order_number_sequence' },
    { table: 'order_line', column: 'item_number', sequence: 'item_number_sequence' },
    { table: 'orders', column: 'project_id', sequence: 'project_id_sequence' },
    { table: 'shipment', column: 'shipment_number', sequence: 'shipment_number_sequence' },
  ]
  assert.ok(identities.length >= 15)
  for (const { table, column, sequence } of [...identities, ...numbers]) {
    const found = await row(`select nextval($1) > coalesce(max(${column}), 0) as is_free from ${table}`, sequence)
    assert.equal(found.is_free, true, `${table}.${column}`)
  }
})

test('each partner key has the properties its name says', async () => {
  const { primary, neighbour, outsider, readonly, trial, disabled, siteless, scopeless, certificate } = cast.partners
  const { main, second, noOrdering, divisionAddresses, foreign } = cast.sites
  assert.deepEqual(primary!.siteIds, [main, second, noOrdering, divisionAddresses])
  assert.equal(primary!.tier, 'ENTERPRISE')
  assert.equal(primary!.scopes.length, 10)
  assert.equal(primary!.clients!.length, 2)
  assert.deepEqual(neighbour!.siteIds, primary!.siteIds)
  assert.deepEqual(outsider!.siteIds, [foreign])
  assert.ok(readonly!.scopes.length === 6 && readonly!.scopes.every((scope) => scope.endsWith(':read')))
  assert.equal(trial!.tier, 'TRIAL')
  assert.deepEqual(siteless!.siteIds, [])
  assert.deepEqual(scopeless!.scopes, [])
  assert.equal(certificate!.authMethod, 'MTLS')
  assert.equal(certificate!.clients, undefined)
  for (const partner of Object.values(cast.partners)) {
    const stored = await row(
      `select name, tier, machine_method, disabled_on, capabilities,
         array(select site_id from partner_site where partner_site.partner_id = partner.partner_id order by 1) as sites
       from partner where partner_id = $1`,
      partner.partnerId,
    )
    assert.deepEqual(stored, {
      name: partner.name,
      tier: partner.tier,
      machine_method: partner.authMethod === 'MTLS' ? 'MTLS' : 'BEARER',
      disabled_on: partner === disabled ? stored.disabled_on : null,
      capabilities: partner.scopes.map((scope) => scope.replace('partner-api/', '')),
      sites: partner.siteIds,
    })
    assert.equal(stored.disabled_on !== null, partner === disabled)
  }
})

test('the sites are as named: one without an ordering user, one that stores division addresses', async () => {
  for (const [key, siteId] of Object.entries(cast.sites)) {
    const site = await row('select ordering_user_id, stores_division_addresses from site where site_id = $1', siteId)
    assert.equal(site.ordering_user_id, orderingUsers.get(siteId) ?? null)
    assert.equal(site.ordering_user_id === null, key === 'noOrdering')
    assert.equal(site.stores_division_addresses, key === 'divisionAddresses')
  }
})

function product(id: string): Promise<Record<string, unknown>> {
  return row(
    `select product.*, master.site_id as master_site,
       (select count(*)::int from price_break where product_number in (product.product_number, product.master_number)) as prices,
       array(select image_id from product_image i where i.product_number = product.product_number order by 1) as images
     from product left join product master on master.product_number = product.master_number
     where product.kind || '_' || product.product_number = $1`,
    id,
  )
}

test('the named products have the properties they are named for', async () => {
  const { products } = cast.fixtures
  const stock = await product(products.stock)
  assert.equal(stock.service_type, 'STOCK')
  const variants = await client.query<{ variant_id: number; stock_quantity: number | null; backorderable: boolean }>(
    'select variant_id, stock_quantity, backorderable from variant where product_number = $1 and active order by variant_id',
    [stock.product_number],
  )
  const named = variants.rows.find((variant) => variant.variant_id === products.stockVariantId)!
  assert.ok(named.stock_quantity! > 1_000_000)
  assert.equal(
    variants.rows.filter(({ stock_quantity: left, backorderable }) => left !== null && left < 10 && !backorderable)
      .length,
    1,
  )
  assert.equal(variants.rows.filter(({ backorderable }) => backorderable).length, 1)

  assert.equal((await product(products.pod)).service_type, 'POD')
  const template = await product(products.template)
  const legacy = await product(products.templateLegacy)
  const unconfigured = await product(products.templateUnconfigured)
  for (const templated of [template, legacy, unconfigured]) assert.equal(templated.artwork_source, 'TEMPLATE')
  assert.ok(template.template_vendor && template.template_id)
  assert.ok(legacy.template_vendor !== template.template_vendor && legacy.template_id)
  assert.equal(unconfigured.template_vendor, template.template_vendor)
  assert.equal(unconfigured.template_id, null)
  const shared = await product(products.shared)
  assert.match(products.shared, /^SLS_/)
  assert.deepEqual([shared.site_id, shared.master_site], [cast.sites.main, cast.sites.second])
  assert.ok((shared.prices as number) > 0)
  assert.equal((await product(products.unpriceable)).prices, 0)
  const withImages = await product(products.withImages)
  assert.deepEqual(withImages.images, products.imageIds)
  assert.ok(products.imageIds.length >= 3)
  assert.ok((await product(products.maxQuantity)).max_quantity)
})

type OrderFixture = { orderNumber: number; itemNumber?: number }

const factsOfOrder = `
  select orders.status, orders.site_id, orders.item_count, orders.awaiting_proof,
    line.proof_status, line.production_status, line.record_kind, line.hidden, line.sku, line.site_id as line_site,
    line.cancelled_on is not null as is_cancelled,
    exists (select from visible_order_line v where v.order_number = line.order_number and v.item_number = line.item_number) as is_visible,
    (select count(*)::int from shipment where shipment.order_number = orders.order_number) as shipments,
    array(select distinct shipment.status from shipment where shipment.order_number = orders.order_number order by 1) as shipment_statuses
  from orders left join order_line line on line.order_number = orders.order_number and line.item_number = $2
  where orders.order_number = $1`

async function expect({ orderNumber, itemNumber }: OrderFixture, expected: Record<string, unknown>): Promise<void> {
  const found = await row(factsOfOrder, orderNumber, itemNumber ?? null)
  for (const [name, value] of Object.entries(expected)) assert.deepEqual(found[name], value, name)
}

test('the named orders are in the states they are named for', async () => {
  const { orders } = cast.fixtures
  const onMain = { site_id: cast.sites.main }
  await expect(orders.pendingReview, {
    ...onMain,
    proof_status: 'PENDING_REVIEW',
    is_cancelled: false,
    awaiting_proof: true,
    is_visible: true,
  })
  await expect(orders.approved, { ...onMain, proof_status: 'APPROVED', status: 'IN_PRODUCTION', awaiting_proof: false })
  await expect(orders.declined, { ...onMain, proof_status: 'DECLINED', awaiting_proof: true })
  await expect(orders.notCreated, { ...onMain, proof_status: 'NOT_CREATED', awaiting_proof: false })
  await expect(orders.noProofing, { ...onMain, proof_status: null, production_status: null, is_visible: true })
  await expect(orders.cancelledLine, {
    ...onMain,
    proof_status: 'PENDING_REVIEW',
    is_cancelled: true,
    is_visible: true,
    awaiting_proof: false,
  })
  await expect(orders.manyProofFiles, { ...onMain, proof_status: 'PENDING_REVIEW' })
  await expect(orders.nullLink, { ...onMain, proof_status: 'PENDING_REVIEW' })
  await expect(orders.empty, { ...onMain, item_count: 0 })
  await expect(orders.hiddenLine, { ...onMain, hidden: true, is_visible: false, item_count: 1, awaiting_proof: false })
  await expect(orders.internalLine, { ...onMain, record_kind: 'REWORK', sku: null, is_visible: false, item_count: 1 })
  await expect(orders.siteMismatch, { ...onMain, line_site: cast.sites.second, is_visible: false, item_count: 1 })
  await expect(orders.split, { ...onMain, status: 'PARTIALLY_SHIPPED', shipment_statuses: ['OPEN', 'SHIPPED'] })
  await expect(orders.cancelledShipment, { ...onMain, shipment_statuses: ['CANCELLED', 'OPEN'] })
  const many = await row(factsOfOrder, orders.manyLines.orderNumber, null)
  // More than one page even at the largest page size (LIM-12, LIM-14).
  assert.ok((many.item_count as number) > 200 && (many.shipments as number) > 50)
})

test('the named users, divisions, credit accounts and segments are what they are named for', async () => {
  const { users, divisions, creditAccounts, segments } = cast.fixtures
  const user = (userId: number) =>
    row(
      `select *, (select count(*)::int from user_address a where a.user_id = u.user_id) as addresses,
         array(select auto_assigned from user_segment s where s.user_id = u.user_id order by 1) as segments
       from site_user u where user_id = $1`,
      userId,
    )
  const plain = await user(users.plain)
  assert.deepEqual(
    [plain.site_id, plain.active, plain.all_segments_visible, plain.segments],
    [cast.sites.main, true, false, []],
  )
  assert.equal((await user(users.allSegmentsVisible)).all_segments_visible, true)
  assert.deepEqual((await user(users.autoAssigned)).segments, [false, true])
  assert.equal((await user(users.inactive)).active, false)
  assert.ok(((await user(users.withAddresses)).addresses as number) > 200)

  const division = (id: number) => row('select * from division where division_id = $1', id)
  assert.equal((await division(divisions.root)).parent_id, null)
  assert.equal((await division(divisions.child)).parent_id, divisions.root)
  assert.equal((await division(divisions.inactive)).active, false)
  const deep = await row(
    `with recursive up(division_id, parent_id, level) as (
       select division_id, parent_id, 1 from division where division_id = $1
       union all
       select d.division_id, d.parent_id, level + 1 from division d join up on d.division_id = up.parent_id
     ) select max(level) as level from up`,
    divisions.deep,
  )
  assert.equal(deep.level, 10)

  const account = (id: number) => row('select * from credit_account where credit_account_id = $1', id)
  const ofUser = await account(creditAccounts.ofUser)
  assert.deepEqual([ofUser.user_id, ofUser.division_id, ofUser.active], [users.plain, null, true])
  const ofDivision = await account(creditAccounts.ofDivision)
  assert.deepEqual([ofDivision.user_id, ofDivision.division_id], [null, divisions.child])
  assert.equal((await account(creditAccounts.inactive)).active, false)
  assert.ok(((await account(creditAccounts.expired)).stops_on as Date) < now)

  for (const [key, ids] of Object.entries(segments)) {
    for (const id of ids) {
      const segment = await row('select site_id from segment where segment_id = $1', id)
      assert.equal(segment.site_id, cast.sites[key as 'main' | 'second'])
    }
  }
})

test('every state of the US, Canada and Britain gets a delivery quote, but not from the center without carriers', async () => {
  const reader = openDatabase(database.url, { log: pino({ level: 'silent' }) })
  try {
    const quotesFor = async (country: string, state: string, postalCode: string): Promise<number> => {
      const parcel = {
        fulfilmentCenterId: centers.east,
        countryCode: country,
        stateCode: state,
        postalCode,
        weightOunces: money(40),
      }
      const shipping = await siteShipping(reader.reads, cast.sites.main, [parcel])
      const { quotes, warnings } = await quoteServices(tableRates, shipping, parcel, 2, {
        calendar: { timeZone: 'America/New_York', countryCode: 'US', stateCode: 'OH', cutOffHour: 14 },
        shippedOn: new Date(),
      })
      assert.deepEqual(warnings, [], `${country}-${state}`)
      return quotes.length
    }
    const states = iso31662.filter(({ code }) => code.startsWith('US-')).map(({ code }) => code.slice(3))
    assert.ok(states.length >= 51)
    for (const state of states) assert.equal(await quotesFor('US', state, '00501'), 9, state)
    assert.equal(await quotesFor('CA', 'ON', 'M5H 2N2'), 9)
    assert.equal(await quotesFor('GB', 'ENG', 'M1 1AE'), 9)
  } finally {
    await reader.close()
  }
  const offer = await row(
    `select priceable from product join fulfilment_center using (fulfilment_center_id) where code = 'AWARD-ENG'`,
  )
  assert.equal(offer.priceable, false)
})

test('every twin is on the foreign site, which only the outsider sees', async () => {
  const twins = cast.fixtures.foreign
  const places = await row(
    `select
       (select site_id from orders join order_line using (order_number, site_id) where order_number = $1 and item_number = $2) as order_site,
       (select p.site_id from product p join product_image i using (product_number) join variant v using (product_number)
         where 'SLO_' || p.product_number = $3 and image_id = $4 and variant_id = $5) as product_site,
       (select site_id from site_user where user_id = $6) as user_site,
       (select site_id from division where division_id = $7) as division_site,
       (select site_id from credit_account where credit_account_id = $8) as credit_site,
       (select site_id from segment where segment_id = $9) as segment_site,
       (select site_id from submission where submission_id = $10) as submission_site`,
    twins.orderNumber,
    twins.itemNumber,
    twins.productId,
    twins.imageId,
    twins.variantId,
    twins.userId,
    twins.divisionId,
    twins.creditAccountId,
    twins.segmentId,
    twins.submissionId,
  )
  assert.deepEqual([...new Set(Object.values(places))], [cast.sites.foreign])
  const granted = Object.entries(cast.partners).filter(([, partner]) => partner.siteIds.includes(cast.sites.foreign))
  assert.deepEqual(
    granted.map(([key]) => key),
    ['outsider'],
  )
})

test('one submission of the primary partner is completed, one failed', async () => {
  const submission = (id: string) => row('select * from submission where submission_id = $1', id)
  const completed = await submission(cast.fixtures.submissions.completed)
  assert.deepEqual([completed.status, completed.partner_id], ['completed', cast.partners.primary!.partnerId])
  const order = await row('select * from orders where order_number = $1', completed.order_number)
  assert.deepEqual([order.partner_order_id, order.submission_id], [completed.partner_order_id, completed.submission_id])
  const failed = await submission(cast.fixtures.submissions.failed)
  assert.deepEqual(
    [failed.status, failed.partner_id, failed.order_number],
    ['failed', cast.partners.primary!.partnerId, null],
  )
})

test('the sandbox has the same sites, customers and products, and a partner of its own', async () => {
  await withEmptyDatabase(async (other, connection) => {
    const { manifest: sandbox } = await seedDemo(other.url, options({ environment: 'SANDBOX' }))
    assert.deepEqual(Object.keys(sandbox.partners), ['sandbox'])
    assert.equal(sandbox.partners.sandbox!.environment, 'SANDBOX')
    assert.equal(sandbox.partners.sandbox!.scopes.length, 10)
    assert.deepEqual(
      { ...sandbox.fixtures, submissions: null, foreign: null },
      { ...cast.fixtures, submissions: null, foreign: null },
    )
    const [there, here] = [await digests(connection), await digests(client)]
    for (const table of [
      'site',
      'product',
      'variant',
      'price_break',
      'site_user',
      'division',
      'shipping_rate',
      'shipment',
    ])
      assert.equal(there[table], here[table], table)
    const { rows } = await connection.query<{ status: string; own: boolean }>(
      `select status, partner_id = $1 as own from submission where submission_id = any($2) order by status`,
      [sandbox.partners.sandbox!.partnerId, Object.values(sandbox.fixtures.submissions)],
    )
    assert.deepEqual(rows, [
      { status: 'completed', own: true },
      { status: 'failed', own: true },
    ])
  })
})
