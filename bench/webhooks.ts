import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { openDatabase } from '../src/database/database.ts'
import { startEmbeddedServer } from '../src/database/embedded/server.ts'
import { ensureDatabase, migrate } from '../src/database/migrate.ts'
import { sql } from '../src/database/sql.ts'
import { createPartner, setGrantedSites } from '../src/partners/partners.ts'
import { eventChannel, recordEvents, type OrderEvent } from '../src/platform/events/events.ts'
import { registerEndpoint } from '../src/webhooks/endpoints.ts'
import { postmasterOf, processorSeconds, startProcess, statOf } from './process.ts'
import { openSection } from './results.ts'

/**
 * Events recorded in small transactions at a steady rate, signed and delivered to a receiver that answers, while a hundred
 * endpoints with events of their own never answer; then a backlog, delivered as fast as possible. fsync is on. Each figure
 * comes with its CPU time.
 */
const seconds = 5 * Number(process.argv[2] ?? 3)
/** A tenth more than the goal. */
const rate = 1_650
const deadEndpoints = 100
const deadEvents = 50
const backlog = 15_000
const transactionsAtOnce = 8
const orders = 1_000
const sites = { healthy: 1, dead: 2 }

const section = openSection('webhooks')

type Receivers = { receiverPort: number; blackHolePort: number }
type Arrival = [eventId: string, arrivedAt: number]

const folder = await mkdtemp(join(tmpdir(), 'partner-commerce-bench-'))
const server = await startEmbeddedServer({ folder: join(folder, 'postgres'), log: () => undefined })
const postmaster = postmasterOf(folder)
await ensureDatabase(server.url('postgres'), 'production')
await migrate(server.url('production'))
const database = openDatabase(server.url('production'), { log: pino({ level: 'warn' }) })
const storedSecretKeys = [Buffer.alloc(32, 'bench')] as const
const receivers = await startProcess<Receivers>('bench/webhook-receivers.ts', [], {})
await furnish(receivers.ready)
const tradesArguments = [server.url('production'), storedSecretKeys[0].toString('hex')]
const trades = await startProcess('bench/webhook-trades.ts', tradesArguments, {})
try {
  section.say(
    `${deadEndpoints} endpoints never answer ${deadEvents} events each, while for ${seconds} s ${rate} events a second are recorded for one that does; ` +
      `then it gets a backlog of ${backlog.toLocaleString('en')}. Publisher, courier, PostgreSQL, receivers and this bench share the machine.`,
  )
  section.say('')
  section.say('| | measured | goal |')
  section.say('|---|---|---|')
  const cpu = [await steady(), await drained()]
  section.say('')
  section.say('| CPU of a delivery, µs | publisher and courier | PostgreSQL | receivers | bench |')
  section.say('|---|---|---|---|---|')
  for (const line of cpu) section.say(line)
} finally {
  await trades.stop()
  await receivers.stop()
  await database.close()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}
section.write()

/** Records events of the healthy site, a few per transaction, as orders do. @returns the row of its CPU time */
async function steady(): Promise<string> {
  await record(sites.dead, deadEvents)
  await wait(1_000)
  const before = cpuSeconds()
  const startedAt = performance.now()
  let recorded = 0
  for (let elapsed = 0; elapsed < seconds * 1_000; elapsed = performance.now() - startedAt) {
    const due = Math.floor((elapsed / 1_000) * rate) - recorded
    // Whoever is late catches up with no more transactions at once: others need connections too.
    const now = Math.min(due, 5 * transactionsAtOnce)
    const sizes = Array.from({ length: Math.ceil(now / 5) }, (_, index) => Math.min(5, now - index * 5))
    await Promise.all(sizes.map((size) => record(sites.healthy, size)))
    recorded += now
    await wait(5)
  }
  const offeredFor = performance.now() - startedAt
  const arrivals = await arrived(recorded)
  const recordedAt = await recordingTimes()
  const delays = arrivals.map(([eventId, at]) => at - recordedAt.get(eventId)!).toSorted((a, b) => a - b)
  const delay = (share: number): number => delays[Math.floor((delays.length - 1) * share)]!
  const delivered = perSecond(arrivals.length, lastOf(arrivals) - performance.timeOrigin - startedAt)
  const row = (what: string, measured: string, goal = ''): void => section.say(`| ${what} | ${measured} | ${goal} |`)
  row('recorded', `${perSecond(recorded, offeredFor).toFixed(0)}/s`)
  const figures = { rate: 'delivered a second', p99: 'recording to arrival, p99' }
  row('delivered', section.judged(figures.rate, delivered, `${delivered.toFixed(0)}/s`), section.goalOf(figures.rate))
  row('from recording to arrival, p50', `${delay(0.5).toFixed(0)} ms`)
  row(
    figures.p99,
    section.judged(figures.p99, delay(0.99), `${delay(0.99).toFixed(0)} ms`),
    section.goalOf(figures.p99),
  )
  row('longest', `${delay(1).toFixed(0)} ms`)
  return cpuRow('at a steady rate', before, arrivals.length)
}

/** @returns the row of its CPU time */
async function drained(): Promise<string> {
  for (let written = 0; written < backlog; written += 500) await record(sites.healthy, 500, 'silently')
  const before = cpuSeconds()
  const startedAt = performance.timeOrigin + performance.now()
  database.hint(eventChannel, '')
  const arrivals = await arrived(backlog)
  const delivered = perSecond(arrivals.length, lastOf(arrivals) - startedAt)
  section.say(`| backlog, published and delivered | ${delivered.toFixed(0)}/s | |`)
  return cpuRow('of the backlog', before, arrivals.length)
}

/** Waits for the expected number of arrivals at the receiver and returns them. */
async function arrived(expected: number): Promise<Arrival[]> {
  const arrivals: Arrival[] = []
  for (let tries = 0; arrivals.length < expected && tries < 120; tries++) {
    if (tries > 0) await wait(500)
    const answer = await fetch(`http://127.0.0.1:${receivers.ready.receiverPort}/`)
    arrivals.push(...((await answer.json()) as Arrival[]))
  }
  const distinct = new Set(arrivals.map(([eventId]) => eventId)).size
  if (arrivals.length !== expected || distinct !== expected)
    throw new Error(`${arrivals.length} deliveries of ${distinct} events arrived, not ${expected}`)
  return arrivals
}

async function recordingTimes(): Promise<Map<string, number>> {
  const rows = await database.reads.rows<{ eventId: string; recordedOn: string }>(
    sql`select event_id, recorded_on from event where site_id = ${sites.healthy}`,
  )
  return new Map(rows.map((row) => [row.eventId, Date.parse(row.recordedOn)]))
}

/** Makes a site, partner and receiver that answers; and a site, partner and many endpoints that do not. */
async function furnish({ receiverPort, blackHolePort }: Receivers): Promise<void> {
  const now = new Date()
  const change = { actor: { kind: 'SYSTEM', id: 'bench' }, now, requestId: null } as const
  await database.statements.rows(sql`
    insert into site (site_id, name, url, currency, country_code, time_zone, supplier_code, created_on, updated_on)
    select site_id, 'Site', 'https://site.example', 'USD', 'US', 'UTC', 'S', ${now}, ${now}
    from unnest(${Object.values(sites)}::int[]) as wanted (site_id)`)
  await database.statements.rows(sql`
    insert into orders (order_number, site_id, status, currency, placed_on, updated_on)
    select number, ${sites.healthy}, 'IN_PROCESS', 'USD', ${now}, ${now} from generate_series(1, ${orders}) as number`)
  const endpoints = {
    healthy: [`http://127.0.0.1:${receiverPort}/`],
    dead: Array.from({ length: deadEndpoints }, (_, index) => `http://127.0.1.${index + 1}:${blackHolePort}/`),
  }
  await database.transaction(async (tx) => {
    for (const name of ['healthy', 'dead'] as const) {
      const created = await createPartner(tx, change, { name, machineMethod: 'BEARER' })
      if ('refused' in created) throw new Error(created.refused)
      const { partnerId } = created.done
      await setGrantedSites(tx, change, partnerId, [sites[name]])
      for (const url of endpoints[name])
        await registerEndpoint(tx, change, storedSecretKeys, { partnerId, url, allowHost: true, signed: true })
    }
  })
}

async function record(siteId: number, count: number, silently?: 'silently'): Promise<void> {
  const events = Array.from({ length: count }, (): OrderEvent => {
    const orderNumber = 1 + Math.floor(Math.random() * orders)
    return { type: 'order.status_changed', siteId, orderNumber }
  })
  await database.transaction((tx) =>
    recordEvents(tx, { actor: { kind: 'SYSTEM', id: 'bench' }, now: new Date(), requestId: null }, events),
  )
  if (!silently) database.hint(eventChannel, '')
}

type CpuSeconds = Record<'trades' | 'postgres' | 'receivers' | 'bench', number>

/** CPU time so far. */
function cpuSeconds(): CpuSeconds {
  return {
    trades: processorSeconds(trades.pid),
    postgres: processorSeconds(postmaster),
    receivers: processorSeconds(receivers.pid),
    bench: statOf(process.pid)!.seconds,
  }
}

function cpuRow(what: string, before: CpuSeconds, deliveries: number): string {
  const after = cpuSeconds()
  const each = Object.keys(after) as (keyof CpuSeconds)[]
  const microseconds = each.map((name) => (((after[name] - before[name]) / deliveries) * 1e6).toFixed(0))
  return `| ${what} | ${microseconds.join(' | ')} |`
}

function perSecond(count: number, milliseconds: number): number {
  return (count / milliseconds) * 1_000
}

function lastOf(arrivals: readonly Arrival[]): number {
  return arrivals.reduce((last, [, at]) => Math.max(last, at), 0)
}
