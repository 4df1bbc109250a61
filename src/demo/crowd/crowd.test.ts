import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { Client } from 'pg'
import pino from 'pino'
import { freshDatabase, type FreshDatabase } from '../../../test/world/database.ts'
import { openDatabase, type Database } from '../../database/database.ts'
import { noTemplateVendor } from '../../outside/template-vendor/template-vendor.ts'
import { noServiceTaxes } from '../../platform/pricing/service-taxes.ts'
import type { OrderRequest } from '../../platform/ordering/order-request.ts'
import { planOrder } from '../../platform/ordering/plan-order.ts'
import { tableRates } from '../../platform/shipping/rates.ts'
import { templateStock } from '../template-documents.ts'
import { demoCast } from '../cast/cast.ts'
import { demoCrowd } from './crowd.ts'
import { seedDemo } from '../seed.ts'

const now = new Date('2026-11-20T15:30:00.000Z')
const world = { environment: 'PRODUCTION', masterKeys: [Buffer.alloc(32, 'demo-crowd-tests')], now } as const

const suppliers = {
  carrierRates: tableRates,
  serviceTaxes: noServiceTaxes,
  templateVendor: { ...noTemplateVendor, document: async (id: string) => templateStock.documents.get(id) },
}

let fresh: FreshDatabase
let client: Client
let database: Database
let seedMilliseconds: number

before(async () => {
  fresh = await freshDatabase('template_empty')
  const startedAt = performance.now()
  await seedDemo(fresh.url, { ...world, crowd: true })
  seedMilliseconds = Math.round(performance.now() - startedAt)
  client = new Client({ connectionString: fresh.url })
  await client.connect()
  database = openDatabase(fresh.url, { log: pino({ level: 'silent' }) })
})
after(async () => {
  await database.close()
  await client.end()
  await fresh.drop()
})

async function rows<Row>(query: string, ...values: unknown[]): Promise<Row[]> {
  return (await client.query(query, values)).rows as Row[]
}

/** Asserts that a query for counterexamples finds none, and shows the first. */
async function none(query: string, ...values: unknown[]): Promise<void> {
  const found = await rows(query, ...values)
  assert.equal(found.length, 0, `${found.length} found, such as ${JSON.stringify(found[0])}`)
}

function crowdDigests(): string[] {
  return demoCrowd(now, demoCast({ ...world, demoKey: world.masterKeys[0] })).map(
    ([table, made]) => `${table} ${createHash('sha256').update(JSON.stringify(made)).digest('hex')}`,
  )
}

test('the same instant makes the same crowd', () => {
  assert.deepEqual(crowdDigests(), crowdDigests())
})

test('there are thousands of rows to page through', async (t) => {
  const wanted = {
    product: 2_500,
    variant: 3_000,
    orders: 4_000,
    order_line: 8_000,
    shipment: 4_000,
    site_user: 2_000,
    user_address: 2_000,
    division: 250,
    credit_account: 300,
    credit_adjustment: 800,
    segment: 50,
    product_image: 3_000,
    product_discount: 100,
    submission: 500,
  }
  const counts = new Map<string, number>()
  for (const [table, least] of Object.entries(wanted)) {
    const [found] = await rows<{ count: number }>(`select count(*)::int as count from ${table}`)
    counts.set(table, found!.count)
    assert.ok(found!.count >= least, `${table}: ${found!.count}`)
  }
  t.diagnostic(
    `seeded in ${seedMilliseconds} ms: ${[...counts].map(([table, count]) => `${count} ${table}`).join(', ')}`,
  )
})

test('every site has products, users and orders, the main one most', async () => {
  const sites = await rows<{ orders: number; products: number; users: number }>(
    `select (select count(*)::int from orders o where o.site_id = s.site_id) as orders,
       (select count(*)::int from product p where p.site_id = s.site_id) as products,
       (select count(*)::int from site_user u where u.site_id = s.site_id) as users
     from site s order by site_id`,
  )
  for (const site of sites)
    assert.ok(site.orders >= 20 && site.products >= 50 && site.users >= 20, JSON.stringify(site))
  assert.ok(sites[0]!.orders > sites[1]!.orders && sites[1]!.orders > sites[2]!.orders)
})

test('orders go back eighteen months, none is in the future, and their numbers follow the calendar', async () => {
  const [span] = await rows<{ oldest: Date; newest: Date }>(
    'select min(placed_on) as oldest, max(placed_on) as newest from orders',
  )
  const days = (now.getTime() - span!.oldest.getTime()) / 86_400_000
  assert.ok(days > 520 && days < 560, `${days} days`)
  assert.ok(now.getTime() - span!.newest.getTime() < 2 * 86_400_000)
  await none(
    `select order_number, placed_on, updated_on, cancelled_on, completed_on from orders
     where placed_on > $1 or updated_on > $1 or cancelled_on > $1 or completed_on > $1 or updated_on < placed_on`,
    now,
  )
  await none('select * from order_line where shipped_on > $1 or cancelled_on > $1 or updated_on > $1', now)
  await none('select * from shipment where shipped_on > $1 or cancelled_on > $1 or updated_on > $1', now)
  await none('select * from credit_adjustment where created_on > $1', now)
  await none(
    `select * from (
       select order_number, placed_on < lag(placed_on) over (order by order_number) as is_earlier
       from orders where order_number < 1010001
     ) ordered where is_earlier`,
  )
})

test('the counts and the proof flag of every order are those of its visible lines', async () => {
  await none(`
    select o.order_number, o.item_count, lines.* from orders o
    cross join lateral (
      select count(*) as visible, count(shipped_on) as shipped, count(cancelled_on) as cancelled,
        coalesce(bool_or(cancelled_on is null and proof_status in ('PENDING_REVIEW', 'DECLINED')), false) as awaiting
      from visible_order_line v where v.order_number = o.order_number
    ) lines
    where (o.item_count, o.shipped_item_count, o.cancelled_item_count, o.awaiting_proof)
      is distinct from (visible::int, shipped::int, cancelled::int, awaiting)`)
})

test('the totals of every order add up, from its lines and its shipments', async () => {
  await none(`
    select o.order_number, o.total_price, sums.* from orders o
    cross join lateral (
      select coalesce(sum(greatest(line_list_total - line_total_before_adjustments, 0)), 0) as discount,
        coalesce(sum(line_total), 0) as final,
        coalesce(sum(handling_total), 0) as handling,
        coalesce(sum(line_total * tax_percent + handling_total * handling_tax_percent), 0) as tax,
        bool_and(line_total is not null) as is_priced
      from order_line l where l.order_number = o.order_number and record_kind = 'SALE' and cancelled_on is null
    ) sums
    cross join lateral (
      select coalesce(sum(shipping_total), 0) as shipping, coalesce(sum(shipping_total * tax_percent), 0) as shipping_tax
      from shipment s where s.order_number = o.order_number and status <> 'CANCELLED'
    ) sent
    where is_priced is not false and (
      (o.item_total, o.discount_total, o.handling_total, o.shipping_total, o.tax_total)
        is distinct from (final + discount, discount, handling, shipping, round((tax + shipping_tax) / 100, 2))
      or o.total_price is distinct from final + handling + shipping + o.tax_total
    )`)
  await none(
    'select order_number from orders where total_price < 0 or credit_applied < 0 or credit_applied > total_price',
  )
})

test('the status of every order follows from its lines and shipments', async () => {
  await none(`
    select o.order_number, o.status, o.completed_on, o.cancelled_on, facts.* from orders o
    cross join lateral (
      select bool_and(cancelled_on is not null) as all_cancelled,
        bool_and(shipped_on is not null) filter (where shippable and cancelled_on is null) as all_shipped
      from order_line l where l.order_number = o.order_number and record_kind = 'SALE'
    ) facts
    cross join lateral (
      select coalesce(bool_or(status = 'SHIPPED'), false) as some_shipped
      from shipment s where s.order_number = o.order_number
    ) sent
    where not case o.status
      when 'CANCELLED' then all_cancelled and o.cancelled_on is not null and not some_shipped
      when 'COMPLETED' then all_shipped is not false and o.completed_on is not null and not all_cancelled
      when 'SHIPPED' then all_shipped and o.completed_on is null
      when 'PARTIALLY_SHIPPED' then some_shipped and not all_shipped
      else not some_shipped and not all_cancelled
    end`)
  const statuses = await rows<{ status: string; count: number }>(
    'select status, count(*)::int as count from orders group by 1',
  )
  assert.equal(statuses.length, 8)
  for (const { status, count } of statuses) assert.ok(count >= 5, `${status}: ${count}`)
})

test('a line has shipped when a shipment took all of it, and no shipment takes more than there is', async () => {
  await none(`
    select l.order_number, l.line_number, l.quantity, l.shipped_on, taken.* from order_line l
    cross join lateral (
      select coalesce(sum(i.quantity) filter (where s.status = 'SHIPPED'), 0) as shipped,
        coalesce(sum(i.quantity) filter (where s.status <> 'CANCELLED'), 0) as planned
      from shipment_line i join shipment s using (shipment_number)
      where i.order_number = l.order_number and i.line_number = l.line_number
    ) taken
    where (l.shipped_on is not null) <> (shipped = l.quantity and l.record_kind = 'SALE')
      or planned > l.quantity
      or (l.cancelled_on is null and l.record_kind = 'SALE' and l.shippable and planned < l.quantity)
      or (l.cancelled_on is not null and planned > 0)`)
  await none(`
    select shipment_number, status from shipment s
    where (status = 'SHIPPED') <> (shipped_on is not null) or (status = 'CANCELLED') <> (cancelled_on is not null)
      or (status = 'SHIPPED') <> exists (select from shipment_package p where p.shipment_number = s.shipment_number)
      or not exists (select from shipment_line i where i.shipment_number = s.shipment_number)`)
})

test('the proof, production and shipping states of every line agree', async () => {
  await none(`
    select order_number, line_number, production_status, proof_status from order_line
    where record_kind = 'SALE' and (
      (production_status in ('QUEUED', 'PRINTING', 'FINISHING', 'PACKING', 'COMPLETE')
        and proof_status in ('NOT_CREATED', 'PENDING_REVIEW', 'DECLINED'))
      or (shipped_on is not null and production_status is distinct from 'COMPLETE')
      or (shipped_on is not null and cancelled_on is not null)
    )`)
})

test('every credit balance is the sum of its adjustments, at each step, and orders show what they drew', async () => {
  await none(`
    select a.credit_account_id, a.current_balance, sum(d.amount) from credit_account a
    left join credit_adjustment d using (credit_account_id)
    group by 1, 2 having a.current_balance is distinct from coalesce(sum(d.amount), 0) or a.current_balance < 0`)
  await none(`
    select * from (
      select adjustment_id, balance_after,
        sum(amount) over (partition by credit_account_id order by created_on, adjustment_id) as running
      from credit_adjustment
    ) steps where balance_after <> running`)
  await none(`
    select order_number, credit_applied, drawn from orders
    left join (select order_number, -sum(amount) as drawn from credit_adjustment where order_number is not null group by 1) d
      using (order_number)
    where total_price is not null and credit_applied is distinct from coalesce(drawn, 0)`)
  const [drawn] = await rows<{ count: number }>('select count(*)::int as count from orders where credit_applied > 0')
  assert.ok(drawn!.count > 50, `${drawn!.count} orders drew on credit`)
})

test('divisions nest ten levels at most, and no deeper than to a root', async () => {
  const [found] = await rows<{ deepest: number; reached: number; all: number }>(`
    with recursive tree as (
      select division_id, 1 as level from division where parent_id is null
      union all
      select d.division_id, level + 1 from division d join tree on tree.division_id = d.parent_id
    )
    select max(level) as deepest, count(*)::int as reached, (select count(*)::int from division) as all from tree`)
  assert.equal(found!.deepest, 10)
  assert.equal(found!.reached, found!.all)
})

test('site rules have put exactly the users they match into their segments', async () => {
  await none(`
    with matched as (
      select distinct u.user_id, r.segment_id from segment_rule r
      join site_user u on u.site_id = r.site_id
        and (u.division_id = r.division_id or u.email_folded like '%@' || r.email_domain)
    )
    select * from matched
    full join (select user_id, segment_id from user_segment where auto_assigned) assigned using (user_id, segment_id)
    where matched is null or assigned is null`)
})

test('a share is priced, visible and stocked through its master', async () => {
  await none(`
    select share.product_number from product share join product master on master.product_number = share.master_number
    where share.name <> master.name or share.code <> master.code or share.site_id = master.site_id
      or not exists (select from price_break b where b.product_number = master.product_number)`)
  await none(`
    select v.variant_id from variant v join product p using (product_number)
    left join variant counted on counted.variant_id = v.master_variant_id
    where (p.kind = 'SLS') <> (v.master_variant_id is not null)
      or (p.kind = 'SLS' and counted.product_number is distinct from p.master_number)`)
})

test('orders of partners cost the same to the cent when placed again on the same day', async () => {
  const submitted = await rows<{
    partner_order_id: string
    ordering_user_id: number
    body: OrderRequest
    placed_on: Date
    total: string
    goods: string
    delivery: string
  }>(`
    select partner_order_id, ordering_user_id, body, created_on as placed_on,
      outcome -> 'order' ->> 'totalPrice' as total
    from submission where status = 'completed' order by md5(partner_order_id) limit 150`)
  let replanned = 0
  for (const { partner_order_id, ordering_user_id, body, placed_on, total } of submitted) {
    const planned = await planOrder(database.reads, suppliers, ordering_user_id, body, placed_on)
    // Some of the goods have run out of stock since.
    if ('problems' in planned) {
      assert.ok(
        planned.problems.every((problem) => /stock|left|available/i.test(problem.detail)),
        JSON.stringify(planned.problems),
      )
      continue
    }
    assert.equal(planned.plan.totals.totalPrice.toNumber(), Number(total), partner_order_id)
    assert.equal(planned.plan.requiresApproval, false)
    replanned++
  }
  assert.ok(replanned > 120, `${replanned} of ${submitted.length} could be planned again`)
})
