import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Manifest } from '../src/demo/manifest.ts'
import { anyPorts, databaseUrl, staffToken, startProcess } from './process.ts'
import { keptLines } from './kept-lines.ts'

const say = keptLines('results-staff-search.txt')

/**
 * `node bench/staff-search.ts [orders] [searches]`: the one search of staff over HTTP, one after another, on a million orders
 * with lines, shipments and tracking numbers. Target: p95 below 50 ms. Then what the triggers of the search add to
 * writing an order.
 */
const orderCount = Number(process.argv[2] ?? 1_000_000)
const searches = Number(process.argv[3] ?? 200)

const dataDir = mkdtempSync(join(tmpdir(), 'partner-commerce-bench-staff-search-'))
const service = await startProcess<{ consoleUrl: string }>('src/main.ts', [], {
  DATA_DIR: dataDir,
  DEMO: 'cast',
  BENCH_LIMITS: 'off',
  LOG_LEVEL: 'warn',
  ...anyPorts,
})
try {
  const manifest = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Manifest
  const client = new pg.Client({ connectionString: databaseUrl(dataDir) })
  await client.connect()
  say(`Node ${process.version}, ${cpus().length} cores; ${orderCount} orders`)
  await fill(client, manifest)
  await search(manifest)
  await cost(client, manifest)
  await client.end()
} finally {
  await service.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

/** Orders of people whose names follow the usual uneven distribution: the commonest is one in twenty. */
async function fill(client: pg.Client, { sites, partners, fixtures }: Manifest): Promise<void> {
  const startedAt = performance.now()
  await client.query(`create function bench_name(n bigint, share float) returns text language sql immutable as $$
    select initcap((array['ma','jo','an','el','ka','ri','so','be','lu','ti','no','va'])[1 + which % 12]
      || (array['ria','hn','na','len','rin','chard','phie','nat','cas','mo','rah','lter'])[1 + which / 12 % 12]
      || (array['','s','son','sen','ez','ov','ic','ski','ner','mann'])[1 + which / 144 % 10])
    from (select floor(exp(ln(1440) * abs(hashint8(n)::float / 2147483648) ^ share) - 1)::int as which) each $$`)
  const batch = 50_000
  for (let from = 0; from < orderCount; from += batch) {
    await client.query('begin')
    await client.query(
      `insert into orders (order_number, site_id, partner_id, partner_order_id, submission_id, status, placed_on, updated_on,
         currency, ship_to, ship_notification_email)
       select 2000000 + n, $3, $4, 'PO-' || n, gen_random_uuid(), 'COMPLETED', now() - interval '3 years' + n * interval '90 s', now(), 'USD',
         jsonb_build_object('name', bench_name(n, 0.6) || ' ' || bench_name(n + 7777777, 0.5),
           'company', case when n % 3 = 0 then bench_name(n + 9999999, 0.3) || ' ' || (array['Ltd','GmbH','Works','Foods'])[1 + n % 4] end,
           'address1', '1 Main St', 'city', 'Albany', 'state', 'NY', 'postalCode', '12207', 'country', 'US'),
         case when n % 2 = 0 then 'person' || n || '@mail' || n % 997 || '.example' end
       from generate_series($1::bigint, $2::bigint) as n`,
      [from, Math.min(from + batch, orderCount) - 1, sites.main, partners.primary.partnerId],
    )
    await client.query(
      `insert into order_line (order_number, line_number, site_id, item_number, product_number, product_id, product_name,
         product_code, quantity, shippable, digital_delivery, artwork_source, updated_on, job_name)
       select 2000000 + n, 1, $3, 20000000 + n, $4, $5, 'Business Card', 'BC', 100, true, false, 'NONE', now(),
         case when n % 2 = 0 then (array['Spring','Autumn','Launch','Reprint'])[1 + n / 2 % 4] || ' cards ' || n % 5000 end
       from generate_series($1::bigint, $2::bigint) as n`,
      [
        from,
        Math.min(from + batch, orderCount) - 1,
        sites.main,
        Number(fixtures.products.pod.slice(4)),
        fixtures.products.pod,
      ],
    )
    await client.query(
      `with sent as (
         insert into shipment (shipment_number, order_number, site_id, status, ship_to, created_on, updated_on)
         select 30000000 + n, 2000000 + n, $3, 'SHIPPED', '{"name": "as the order"}', now(), now()
         from generate_series($1::bigint, $2::bigint) as n
         returning shipment_number
       )
       insert into shipment_package (shipment_number, package_number, tracking_number)
       select shipment_number, 1, '1Z' || upper(substr(md5(shipment_number::text), 1, 16)) from sent`,
      [from, Math.min(from + batch, orderCount) - 1, sites.main],
    )
    await client.query('commit')
  }
  await client.query(
    `insert into site_user (site_id, username, email, username_folded, email_folded, first_name, last_name, company, created_on, updated_on)
     select $1, 'user' || n, 'user' || n || '@example.com', 'user' || n, 'user' || n || '@example.com',
       bench_name(n, 0.6), bench_name(n + 5555555, 0.5), null, now(), now()
     from generate_series(1, $2::bigint) as n`,
    [sites.main, Math.ceil(orderCount / 10)],
  )
  for (const table of ['orders', 'order_line', 'shipment', 'shipment_package', 'site_user', 'order_search_word']) {
    await client.query(`vacuum analyze ${table}`)
  }
  const { rows } = await client.query<Record<string, string>>(
    `select pg_size_pretty(pg_total_relation_size('order_search_word')) as words,
       pg_size_pretty(pg_total_relation_size('orders')) as orders,
       pg_size_pretty(pg_relation_size('orders_by_partner_order_id')) as ids,
       (select count(*) from order_search_word) as count,
       (select max(orders) from (select count(*) as orders from order_search_word group by word) each) as commonest`,
  )
  const { words, orders, ids, count, commonest } = rows[0]!
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0)
  say(`filled in ${seconds} s; ${count} words take ${words}, partners' order ids ${ids}, orders ${orders} on disk`)
  say(`the commonest word is in ${commonest} orders`)
}

async function search(manifest: Manifest): Promise<void> {
  const { consoleUrl } = service.ready
  const token = await staffToken(consoleUrl, manifest)
  const some = (index: number) => (index * 7919) % orderCount
  const kinds: Readonly<Record<string, (index: number) => string>> = {
    'an order number': (index) => String(2_000_000 + some(index)),
    'the beginning of an order number': (index) => String(2_000_000 + some(index)).slice(0, 4),
    "a partner's order id": (index) => `PO-${some(index)}`,
    "the beginning of a partner's order id": (index) => `po-${some(index)}`.slice(0, 5),
    'a UUID of nothing': () => crypto.randomUUID(),
    'a tracking number': (index) => `1Z${index % 10}${index % 7}`,
    'the commonest first name': () => 'maria',
    'a first and a last name, both common': () => 'maria johns',
    'four common words': () => 'maria maria spring cards',
    'the beginning of a name': (index) => ['jo', 'mar', 'son', 'kar', 'ri'][index % 5]!,
    'an e-mail address': (index) => `person${some(index) & ~1}@mail`,
    'a job': (index) => `launch cards ${some(index) % 5000}`,
    'one letter': (index) => 'abcdefgh'[index % 8]!,
    'a long text': () => 'ab cd ef gh ij kl mn '.repeat(9),
    'no match at all': () => 'zzzzqq xxyyzz',
  }
  const all: number[] = []
  for (const [kind, textOf] of Object.entries(kinds)) {
    const times: number[] = []
    for (let index = -10; index < searches; index++) {
      const url = `${consoleUrl}/staff/v1/production/search?q=${encodeURIComponent(textOf(index + 10))}`
      const before = performance.now()
      const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
      await answer.text()
      if (answer.status !== 200) throw new Error(`${kind}: ${answer.status}`)
      // The first ones plan the statement.
      if (index >= 0) times.push(performance.now() - before)
    }
    all.push(...times)
    say(`${kind.padEnd(40)} ${figures(times)}`)
  }
  say(`${'all'.padEnd(40)} ${figures(all)}`)
}

function figures(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => `${sorted[Math.floor(sorted.length * share)]!.toFixed(1).padStart(6)} ms`
  return `p50 ${at(0.5)}   p95 ${at(0.95)}   longest ${at(0.9999)}`
}

/** Writes orders as placing does, ten to a transaction, with and without what the search needs of them. */
async function cost(client: pg.Client, { sites, partners, fixtures }: Manifest): Promise<void> {
  const rounds = 200
  const perRound = 10
  let number = 9_000_000
  const write = async (): Promise<number> => {
    const startedAt = performance.now()
    for (let round = 0; round < rounds; round++) {
      const [from, to] = [number, number + perRound - 1]
      number += perRound
      await client.query('begin')
      await client.query({
        name: 'orders',
        text: `insert into orders (order_number, site_id, partner_id, partner_order_id, status, placed_on, updated_on, currency, ship_to)
          select n, $3, $4, 'PO-' || n, 'IN_PROCESS', now(), now(), 'USD',
            jsonb_build_object('name', bench_name(n, 0.6) || ' ' || bench_name(n + 7, 0.5), 'company', bench_name(n + 9, 0.3) || ' Ltd')
          from generate_series($1::bigint, $2::bigint) as n`,
        values: [from, to, sites.main, partners.primary.partnerId],
      })
      await client.query({
        name: 'lines',
        text: `insert into order_line (order_number, line_number, site_id, item_number, product_number, product_id, product_name,
            product_code, quantity, shippable, digital_delivery, artwork_source, updated_on, job_name)
          select n, line, $3, 100000000 + n * 2 + line, $4, $5, 'Business Card', 'BC', 100, true, false, 'NONE', now(),
            'Spring cards'
          from generate_series($1::bigint, $2::bigint) as n, generate_series(0, 1) as line`,
        values: [from, to, sites.main, Number(fixtures.products.pod.slice(4)), fixtures.products.pod],
      })
      await client.query({
        name: 'shipments',
        text: `insert into shipment (order_number, site_id, ship_to, created_on, updated_on)
          select n, $3, '{"name": "as the order"}', now(), now() from generate_series($1::bigint, $2::bigint) as n`,
        values: [from, to, sites.main],
      })
      await client.query('rollback')
    }
    return ((performance.now() - startedAt) * 1_000) / (rounds * perRound)
  }
  const triggers = async (state: 'enable' | 'disable') => {
    for (const table of ['orders', 'order_line', 'shipment'])
      await client.query(`alter table ${table} ${state} trigger user`)
  }
  const [bare, searched]: [number[], number[]] = [[], []]
  await write()
  for (let turn = 0; turn < 5; turn++) {
    searched.push(await write())
    await triggers('disable')
    bare.push(await write())
    await triggers('enable')
  }
  const middle = (times: readonly number[]) => times.toSorted((a, b) => a - b)[2]!.toFixed(0)
  say(`rows of an order: ${middle(searched)} µs with the words of the search, ${middle(bare)} µs without`)
}
