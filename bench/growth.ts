import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Manifest } from '../src/demo/manifest.ts'
import { type Filled, fill } from './grown-database.ts'
import { keptLines } from './kept-lines.ts'
import { accessToken, anyPorts, databaseUrl, staffToken, startService, type Running } from './process.ts'
import { submitOrders } from './submissions.ts'

const say = keptLines('results-growth.txt')

/**
 * `node bench/growth.ts [orders …]`: how cost grows with the number of orders: of reads, of orders placed, of bytes and WAL,
 * of sealing and starting. It measures at each number that is named, or at 10,000, 100,000 and 1,000,000. Reads have one
 * caller; one that costs half as much again at the last number is marked.
 */
const named = process.argv.slice(2).map(Number)
const sizes = named.length > 0 ? named : [10_000, 100_000, 1_000_000]
const reads = 40
const grownMax = 1.5
/** What one caller sees of a machine's noise. */
const noiseMilliseconds = 2
const writers = 16
const writeSeconds = 10

type Ready = { baseUrl: string; consoleUrl: string }
type Caller = (path: string) => Promise<void>
type Times = { median: number; p95: number }

const dataDir = mkdtempSync(join(tmpdir(), 'partner-commerce-bench-growth-'))
const settings = { DATA_DIR: dataDir, BENCH_LIMITS: 'off', LOG_LEVEL: 'error', ...anyPorts }
let service: Running<Ready> = await startService<Ready>(settings)
try {
  say(
    `Node ${process.version}, ${cpus().length} cores; median and p95 in milliseconds of ${reads} reads, one after another`,
  )
  const measured: Map<string, Times>[] = []
  let former: Filled | undefined
  for (const size of sizes) {
    // Without workers, since this process seals.
    await service.stop()
    service = await startService<Ready>({ ...settings, ROLE: 'api' })
    const client = new pg.Client({ connectionString: databaseUrl(dataDir) })
    await client.connect()
    const filled = await fill(client, size, say)
    if (former) say(`each order more takes ${kilobytes((filled.bytes - former.bytes) / (filled.count - former.count))}`)
    former = filled
    await seal(client)
    await client.end()
    // Plans that were made for fewer rows would be measured otherwise.
    await service.stop()
    const startedAt = performance.now()
    service = await startService<Ready>(settings)
    say(`started on them in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`)
    measured.push(await measure())
    await placeOrders()
  }
  tell(measured)
} finally {
  await service.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

/** Seals all audit records as the service would, which has no worker now. */
async function seal(client: pg.Client): Promise<void> {
  const startedAt = performance.now()
  let records = 0
  for (let linked: number | undefined; linked !== 0;) {
    linked = (await client.query<{ linked: number }>('select seal_audit(500) as linked')).rows[0]!.linked
    records += linked
  }
  const seconds = (performance.now() - startedAt) / 1_000
  say(`${records} audit records sealed, ${(records / seconds).toFixed(0)} a second`)
  await client.query('vacuum (analyze) audit_record')
  await client.query('checkpoint')
}

async function placeOrders(): Promise<void> {
  const manifest = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Manifest
  const { baseUrl } = service.ready
  const token = await accessToken(baseUrl, manifest.partners.primary!)
  const client = new pg.Client({ connectionString: databaseUrl(dataDir) })
  await client.connect()
  const position = async (): Promise<number> =>
    (await client.query<{ at: number }>(`select (pg_current_wal_lsn() - '0/0')::float8 as at`)).rows[0]!.at
  try {
    await client.query('checkpoint')
    const before = await position()
    const placed = await submitOrders({ baseUrl, token, manifest, connections: writers, seconds: writeSeconds })
    if (placed.failures.length > 0) throw new Error(`${placed.failures.length} orders failed: ${placed.failures[0]}`)
    const wal = ((await position()) - before) / (placed.ordersPerSecond * writeSeconds)
    say(
      `${placed.ordersPerSecond.toFixed(0)} orders a second by ${writers} callers, p50 ${placed.p50.toFixed(1)} ms, ` +
        `p99 ${placed.p99.toFixed(1)} ms; ${kilobytes(wal)} of WAL each after a checkpoint, both databases together`,
    )
  } finally {
    await client.end()
  }
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} KB`
}

/** A read by its name: who asks, and the path. */
async function cases(): Promise<[name: string, ask: Caller, path: string][]> {
  const manifest = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Manifest
  const { primary } = manifest.partners
  const { baseUrl, consoleUrl } = service.ready
  const partner = callerOf(baseUrl, await accessToken(baseUrl, primary!))
  const staff = callerOf(consoleUrl, await staffToken(consoleUrl, manifest))
  const { orders, products } = manifest.fixtures
  const { main } = manifest.sites
  const order = orders.approved.orderNumber
  const day = (daysAgo: number): string => new Date(Date.now() - daysAgo * 86_400_000).toISOString()
  const [users, divisionId] = await facts(primary!.siteIds)
  const at = (path: string): string => `/staff/v1/production/${path}`
  return [
    ['one order', partner, `/v1/orders/${order}`],
    ['items of an order', partner, `/v1/orders/${order}/items`],
    ['orders', partner, '/v1/orders?limit=50'],
    ['orders, a common status', partner, '/v1/orders?limit=50&status=SHIPPED'],
    ['orders, a rare status', partner, '/v1/orders?limit=50&status=ON_HOLD'],
    ['orders, two statuses', partner, '/v1/orders?limit=50&status=ON_HOLD,PENDING_APPROVAL'],
    ['orders of the busiest user', partner, `/v1/orders?limit=50&userId=${users.busy}`],
    ['orders of a user with few', partner, `/v1/orders?limit=50&userId=${users.quiet}`],
    ['orders of a user with none', partner, '/v1/orders?limit=50&userId=1'],
    ['orders of a user, a rare status', partner, `/v1/orders?limit=50&userId=${users.busy}&status=ON_HOLD`],
    ['orders of a division', partner, `/v1/orders?limit=50&divisionId=${divisionId}`],
    ['orders of a division without any', partner, '/v1/orders?limit=50&divisionId=1'],
    ['orders placed two years ago', partner, `/v1/orders?limit=50&placedFrom=${day(740)}&placedTo=${day(730)}`],
    [
      'orders of one day, a rare status',
      partner,
      `/v1/orders?limit=50&status=ON_HOLD&placedFrom=${day(740)}&placedTo=${day(739)}`,
    ],
    ['orders that await a proof', partner, '/v1/orders?limit=50&awaitingProof=true'],
    ['submissions', partner, '/v1/orders/submissions?limit=50'],
    ['submissions that failed', partner, '/v1/orders/submissions?limit=50&status=failed'],
    ['submissions that are queued', partner, '/v1/orders/submissions?limit=50&status=queued'],
    ['users', partner, '/v1/users?limit=50'],
    ['users of a division', partner, `/v1/users?limit=50&divisionId=${divisionId}`],
    ['products', partner, '/v1/products?limit=50'],
    ['product search', partner, `/v1/products?siteId=${main}&limit=20&q=business+cards`],
    ['a product', partner, `/v1/products/${products.stock}`],
    ['staff: orders', staff, at('orders?limit=50')],
    ['staff: orders, a rare status', staff, at('orders?limit=50&status=ON_HOLD')],
    ['staff: orders of a partner', staff, at(`orders?limit=50&partnerId=${primary!.partnerId}`)],
    [
      'staff: orders of a partner, a rare status',
      staff,
      at(`orders?limit=50&partnerId=${primary!.partnerId}&status=ON_HOLD`),
    ],
    ['staff: orders of a site, a rare status', staff, at(`orders?limit=50&siteId=${main}&status=ON_HOLD`)],
    ['staff: orders of a user', staff, at(`orders?limit=50&userId=${users.busy}`)],
    ['staff: orders of a day long ago', staff, at(`orders?limit=50&placedFrom=${day(740)}&placedTo=${day(739)}`)],
    ['staff: submissions that failed', staff, at('submissions?limit=50&status=failed')],
    ['staff: audit of a day long ago', staff, at(`audit-records?limit=50&since=${day(740)}&until=${day(739)}`)],
    ['staff: audit, a rare action', staff, at('audit-records?limit=50&action=demo.seeded')],
    ['staff: audit, an action of nothing', staff, at('audit-records?limit=50&action=nothing.happened')],
    ['staff: audit of an actor', staff, at('audit-records?limit=50&actorKind=SYSTEM&actorId=works')],
    ['staff: audit of a kind of subject', staff, at('audit-records?limit=50&subjectKind=demo')],
    ['staff: audit of a site', staff, at(`audit-records?limit=50&siteId=${main}`)],
    ['staff: users by a beginning', staff, at('users?limit=50&email=zzz')],
    ['staff: lines at work', staff, at('lines?limit=50')],
    ['staff: search', staff, at('search?q=grown')],
  ]
}

async function facts(
  siteIds: readonly number[],
): Promise<[users: { busy: number; quiet: number }, divisionId: number]> {
  const client = new pg.Client({ connectionString: databaseUrl(dataDir) })
  await client.connect()
  try {
    const { rows: users } = await client.query<{ user_id: number }>(
      `select user_id from orders where site_id = any($1) and user_id is not null group by 1 order by count(*) desc, 1`,
      [siteIds],
    )
    const { rows: divisions } = await client.query<{ division_id: number }>(
      `select division_id from orders where site_id = any($1) and division_id is not null
       group by 1 order by count(*) desc, 1 limit 1`,
      [siteIds],
    )
    return [{ busy: users[0]!.user_id, quiet: users.at(-1)!.user_id }, divisions[0]!.division_id]
  } finally {
    await client.end()
  }
}

function callerOf(baseUrl: string, token: string): Caller {
  return async (path) => {
    const answer = await fetch(baseUrl + path, { headers: { authorization: `Bearer ${token}` } })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text.slice(0, 300)}`)
  }
}

async function measure(): Promise<Map<string, Times>> {
  const all = new Map<string, Times>()
  for (const [name, ask, path] of await cases()) {
    const times: number[] = []
    for (let read = -3; read < reads; read++) {
      const startedAt = performance.now()
      // A read that outlives its time is as long as that.
      await ask(path).catch((error: Error) => {
        if (!/: 503 /.test(error.message)) throw error
      })
      if (read >= 0) times.push(performance.now() - startedAt)
      // Forty reads of some seconds would tell no more.
      if (read > 5 && times.reduce((sum, time) => sum + time, 0) > 10_000) break
    }
    times.sort((a, b) => a - b)
    all.set(name, { median: times[times.length >> 1]!, p95: times[Math.floor(times.length * 0.95)]! })
  }
  return all
}

function tell(measured: readonly ReadonlyMap<string, Times>[]): void {
  const [first, last] = [measured[0]!, measured.at(-1)!]
  say('')
  say(`| read | ${sizes.map((size) => size.toLocaleString('en')).join(' | ')} | grows |`)
  say(`|---|${'---|'.repeat(sizes.length)}---|`)
  for (const name of first.keys()) {
    const each = measured.map((times) => times.get(name)!)
    const grows = last.get(name)!.median / first.get(name)!.median
    const isMore = grows > grownMax && last.get(name)!.median - first.get(name)!.median > noiseMilliseconds
    const figures = each.map(({ median, p95 }) => `${median.toFixed(1)}, ${p95.toFixed(1)}`)
    say(`| ${name} | ${figures.join(' | ')} | ${isMore ? '**' : ''}${grows.toFixed(1)} ×${isMore ? '**' : ''} |`)
  }
}
