import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { openDatabase } from '../src/database/database.ts'
import { startEmbeddedServer } from '../src/database/embedded/server.ts'
import { sql } from '../src/database/sql.ts'
import type { Manifest } from '../src/demo/manifest.ts'
import { keptForATime } from '../src/kept-for-a-time.ts'
import { readSettings } from '../src/settings.ts'
import { benchSettings } from './demo-service.ts'
import { startFloor } from './floors.ts'
import { type Filled, fill, fillOutdated, filledSoFar } from './grown-database.ts'
import {
  accessToken,
  databaseUrl,
  postmasterOf,
  processorSeconds,
  staffToken,
  startService,
  type Running,
} from './process.ts'
import { openSection, quantile } from './results.ts'
import { placeOrders } from './submissions.ts'

/**
 * How cost grows with the number of orders: of reads, of orders placed, of bytes and WAL, of sealing, starting and removing what is
 * outdated. It measures at each number of GROWTH_ORDERS, or at 10,000, 100,000 and 1,000,000. Reads have one caller. A machine may
 * be slower when the last size is measured than it was at the first, so each read is held against a floor, in turns with it.
 */
const sizes = (process.env.GROWTH_ORDERS ?? '10000,100000,1000000').split(',').map(Number)
const seconds = 3 * Number(process.argv[2] ?? 3)
/** Reads of each kind in a turn, and turns: what disturbs a second of the machine meets one turn of a kind at most. */
const [readsInTurn, turns] = [20, 5]
const floorReadsInTurn = 10
/** What the floor answers with: as long as a page, and the same whatever the data. */
const sameAtAnySize = sql`select n, md5(n::text) from generate_series(1, 500) as n`
/** A growth by less is what one caller sees of a machine's noise. */
const noiseMilliseconds = 0.5
const writers = 16
/** Removed at once at the end of a month in which a thirty-sixth of the orders was placed: an order has four events. */
const outdatedOf = (orders: number): number => Math.max(10_000, Math.round(orders / 9))

type Ready = { baseUrl: string; consoleUrl: string }
type Caller = (path: string) => Promise<void>
/** `floor`: the median of the floor's answers in turns with the read's */
type Times = { median: number; p95: number; floor: number }

/** A figure at one size: what it is called, as text, and, where it has a goal, its value and its name among the goals. */
type Figure = { what: string; text: string; goal?: string; value?: number }

/** Kinds of what is kept for a time, with the table of each. */
const outdatedTables = { deliveries: 'webhook_delivery', events: 'event', requests: 'request_log' } as const

const section = openSection('growth')
const dataDir = mkdtempSync(join(tmpdir(), 'partner-commerce-bench-growth-'))
const settings = { ...benchSettings(dataDir), LOG_LEVEL: 'error' }
/** It runs between two measurements only where a step needs it. */
let service: Running<Ready> | undefined
try {
  // The demo data.
  await (await startService<Ready>(settings)).stop()
  const figures: Figure[][] = []
  const times: Map<string, Times>[] = []
  let former: Filled | undefined
  for (const size of sizes) {
    const of: Figure[] = []
    // Without workers, since this process seals.
    service = await startService<Ready>({ ...settings, ROLE: 'api' })
    const client = await connected()
    former ??= await filledSoFar(client)
    if (!(size > former.count)) {
      await client.end()
      throw new Error(`GROWTH_ORDERS are rising numbers above ${former.count}, which are there already; ${size} is not`)
    }
    const filled = await fill(client, size, told)
    const each = (filled.bytes - former.bytes) / (filled.count - former.count)
    of.push({ what: 'size of the database', text: `${(filled.bytes / 1e9).toFixed(2)} GB` })
    of.push({ what: 'disk of each order more', text: kilobytes(each), goal: 'disk of an order', value: each / 1_000 })
    former = filled
    of.push(await seal(client))
    await client.end()
    // Plans that were made for fewer rows would be measured otherwise.
    await service.stop()
    const startedAt = performance.now()
    service = await startService<Ready>(settings)
    of.push({ what: 'start on it', text: `${((performance.now() - startedAt) / 1_000).toFixed(1)} s` })
    times.push(await measure())
    of.push(...(await place()))
    await service.stop()
    for (const { what, text } of of) told(`${size} orders, ${what}: ${text}`)
    figures.push(of)
  }
  const removals = await forget(outdatedOf(sizes.at(-1)!))
  tellFigures(figures)
  tellRemovals(removals)
  tellTimes(times)
} finally {
  await service?.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
section.write()

/** Tells how far it is; what is kept comes at the end. */
function told(line: string): void {
  process.stdout.write(`${line}\n`)
}

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl(dataDir) })
  await client.connect()
  return client
}

/** Seals all audit records as the service would, which has no worker now. */
async function seal(client: pg.Client): Promise<Figure> {
  const startedAt = performance.now()
  let records = 0
  for (let linked: number | undefined; linked !== 0;) {
    linked = (await client.query<{ linked: number }>('select seal_audit(500) as linked')).rows[0]!.linked
    records += linked
  }
  const lasted = (performance.now() - startedAt) / 1_000
  await client.query('vacuum (analyze) audit_record')
  await client.query('checkpoint')
  const rate = records / lasted
  return { what: 'audit records sealed', text: `${rate.toFixed(0)}/s`, goal: 'audit records sealed', value: rate }
}

async function place(): Promise<Figure[]> {
  const manifest = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Manifest
  const { baseUrl } = service!.ready
  const token = await accessToken(baseUrl, manifest.partners.primary!)
  const client = await connected()
  try {
    await client.query('checkpoint')
    const before = await walPosition(client)
    const placed = await placeOrders({ baseUrl, token, manifest, connections: writers, seconds })
    const wal = ((await walPosition(client)) - before) / placed.count
    return [
      { what: `orders placed by ${writers} callers`, text: `${placed.ordersPerSecond.toFixed(0)}/s` },
      { what: 'their p50, p99', text: `${placed.p50.toFixed(1)} ms, ${placed.p99.toFixed(1)} ms` },
      { what: 'WAL of each after a checkpoint', text: kilobytes(wal), goal: 'WAL of an order', value: wal / 1_000 },
    ]
  } finally {
    await client.end()
  }
}

/** What the removal of so many outdated records took: milliseconds, processor seconds of PostgreSQL, and bytes of WAL. */
type Removal = { what: string; removed: number; milliseconds: number; cpuSeconds: number; wal: number }

/** Removes a month of what is kept for a time, as the daily round does, and does nothing else at the same time. */
async function forget(count: number): Promise<Removal[]> {
  const server = await startEmbeddedServer({ folder: join(dataDir, 'postgres'), log: () => undefined })
  const client = await connected()
  const postmaster = postmasterOf(dataDir)
  const database = openDatabase(databaseUrl(dataDir), { log: pino({ level: 'warn' }) })
  try {
    const unused = { remove: async () => undefined, forget: async () => undefined }
    const kinds = keptForATime(database, unused, unused, readSettings({}).keepDays)
    const removals: Removal[] = []
    for (const [what, table] of Object.entries(outdatedTables)) {
      await fillOutdated(client, table, count)
      await client.query('checkpoint')
      const { hours, forget: remove } = kinds.find((kind) => kind.what === what)!
      const left = async (): Promise<number> =>
        (await client.query<{ count: number }>(`select count(*)::int as count from ${table}`)).rows[0]!.count
      const before = { rows: await left(), wal: await walPosition(client), cpu: processorSeconds(postmaster) }
      const startedAt = performance.now()
      await remove(new Date(Date.now() - hours * 3_600_000))
      const milliseconds = performance.now() - startedAt
      const cpuSeconds = processorSeconds(postmaster) - before.cpu
      const wal = (await walPosition(client)) - before.wal
      const removed = before.rows - (await left())
      if (removed < count) throw new Error(`${removed} ${what} were removed, not ${count}`)
      removals.push({ what, removed, milliseconds, cpuSeconds, wal })
    }
    return removals
  } finally {
    await database.close()
    await client.end()
    await server.stop()
  }
}

function tellRemovals(removals: readonly Removal[]): void {
  section.say('')
  section.say(
    '| what a day’s round removes after a month, on the last size | records | time | of each, µs | CPU of PostgreSQL, µs | WAL, bytes |',
  )
  section.say('|---|---|---|---|---|---|')
  for (const { what, removed, milliseconds, cpuSeconds, wal } of removals) {
    const each = (of: number): string => (of / removed).toFixed(1)
    section.say(
      `| ${what} | ${removed.toLocaleString('en')} | ${(milliseconds / 1_000).toFixed(2)} s | ${each(milliseconds * 1_000)} | ${each(cpuSeconds * 1e6)} | ${each(wal)} |`,
    )
  }
}

async function walPosition(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ at: number }>(`select (pg_current_wal_lsn() - '0/0')::float8 as at`)
  return rows[0]!.at
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} KB`
}

/** A read by its name: who asks, and the path. */
async function cases(): Promise<[name: string, ask: Caller, path: string][]> {
  const manifest = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Manifest
  const { primary } = manifest.partners
  const { baseUrl, consoleUrl } = service!.ready
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
  const floor = await startFloor(dataDir, 'plain-floor.ts', [{ name: 'floor', path: '/', rounds: [[sameAtAnySize]] }])
  const askFloor = callerOf('', '')
  try {
    const all = await cases()
    const times = new Map<string, [found: number[], ofFloor: number[]]>(all.map(([name]) => [name, [[], []]]))
    for (let turn = 0; turn < turns; turn++) {
      for (const [name, ask, path] of all) {
        const [found, ofFloor] = times.get(name)!
        found.push(...(await inTurn(readsInTurn, () => ask(path))))
        ofFloor.push(...(await inTurn(floorReadsInTurn, () => askFloor(floor.urlOf(0)))))
      }
    }
    return new Map(
      [...times].map(([name, [found, ofFloor]]) => [
        name,
        { median: quantile(found, 0.5), p95: quantile(found, 0.95), floor: quantile(ofFloor, 0.5) },
      ]),
    )
  } finally {
    await floor.stop()
  }
}

/** Milliseconds of each. The first of a turn finds nothing where it was, and does not count. */
async function inTurn(count: number, ask: () => Promise<void>): Promise<number[]> {
  const found: number[] = []
  for (let read = -3; read < count; read++) {
    const startedAt = performance.now()
    // A read that outlives its time is as long as that.
    await ask().catch((error: Error) => {
      if (!/: 503 /.test(error.message)) throw error
    })
    if (read >= 0) found.push(performance.now() - startedAt)
    // Reads of some seconds would tell no more.
    if (read > 1 && found.reduce((sum, time) => sum + time, 0) > 2_000) break
  }
  return found
}

function tellFigures(figures: readonly Figure[][]): void {
  section.say(
    `Copies of the demo data’s finished orders, spread over three years, each with its audit records and half a customer. ` +
      `Goals are for the last size. Orders are placed for ${seconds} s.`,
  )
  section.say('')
  section.say(`| orders | ${sizes.map((size) => size.toLocaleString('en')).join(' | ')} | goal |`)
  section.say(`|---|${'---|'.repeat(sizes.length)}---|`)
  for (const [index, { what, goal }] of figures[0]!.entries()) {
    const texts = figures.map((of, at) => {
      const { text, value } = of[index]!
      return goal !== undefined && at === figures.length - 1 ? section.judged(goal, value!, text) : text
    })
    section.say(`| ${what} | ${texts.join(' | ')} | ${goal === undefined ? '' : section.goalOf(goal)} |`)
  }
}

function tellTimes(measured: readonly ReadonlyMap<string, Times>[]): void {
  const [first, last] = [measured[0]!, measured.at(-1)!]
  section.say('')
  section.say(
    `Median and p95 in milliseconds of ${readsInTurn * turns} reads by one caller. The floor does the same at any size, in turns with each read, and growth is told beside it: where both take 1.3 × as long, the read grows 1.0 ×. Goal: the median grows ${section.goalOf('a read')}, or by at most ${noiseMilliseconds} ms.`,
  )
  section.say('')
  section.say(`| read | ${sizes.map((size) => size.toLocaleString('en')).join(' | ')} | grows |`)
  section.say(`|---|${'---|'.repeat(sizes.length)}---|`)
  const floors = measured.map((times) =>
    quantile(
      Array.from(times.values(), ({ floor }) => floor),
      0.5,
    ),
  )
  section.say(
    `| the floor | ${floors.map((floor) => floor.toFixed(1)).join(' | ')} | ${(floors.at(-1)! / floors[0]!).toFixed(1)} × |`,
  )
  for (const name of first.keys()) {
    const each = measured.map((times) => times.get(name)!)
    const [atFirst, atLast] = [first.get(name)!, last.get(name)!]
    const expected = (atFirst.median * atLast.floor) / atFirst.floor
    const grows = atLast.median / expected
    const isNoise = atLast.median - expected <= noiseMilliseconds
    const texts = each.map(({ median, p95 }) => `${median.toFixed(1)}, ${p95.toFixed(1)}`)
    const text = `${grows.toFixed(1)} ×`
    section.say(`| ${name} | ${texts.join(' | ')} | ${isNoise ? text : section.judged('a read', grows, text)} |`)
  }
}
