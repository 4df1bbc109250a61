import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
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
import { keptLines } from './kept-lines.ts'

const say = keptLines('results-webhooks.txt')

/**
 * `node bench/webhooks.ts [events per second] [seconds]`: events recorded in small transactions at a steady rate,
 * signed and delivered to a receiver that answers, while a hundred endpoints with events of their own never answer;
 * then a backlog, delivered as fast as possible. fsync is on. Each figure comes with its CPU time. On a busy machine,
 * read the CPU time.
 */
const [rate, seconds] = [Number(process.argv[2] ?? 1_500), Number(process.argv[3] ?? 15)]
const deadEndpoints = 100
const deadEvents = 50
const backlog = 15_000
const orders = 1_000
const sites = { healthy: 1, dead: 2 }

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
  say(
    `Node ${process.version}, ${cpus().length} cores; ${deadEndpoints} endpoints never answer ${deadEvents} events each`,
  )
  await steady()
  await drained()
} finally {
  const stoppedAt = performance.now()
  await trades.stop()
  say(`stopped, with attempts under way, in ${((performance.now() - stoppedAt) / 1_000).toFixed(1)} s`)
  await receivers.stop()
  await database.close()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}

/** Records events of the healthy site, a few per transaction, as orders do. */
async function steady(): Promise<void> {
  await record(sites.dead, deadEvents)
  await wait(1_000)
  const before = cpuSeconds()
  const startedAt = performance.now()
  let recorded = 0
  for (let elapsed = 0; elapsed < seconds * 1_000; elapsed = performance.now() - startedAt) {
    const due = Math.floor((elapsed / 1_000) * rate) - recorded
    const sizes = Array.from({ length: Math.ceil(due / 5) }, (_, index) => Math.min(5, due - index * 5))
    await Promise.all(sizes.map((size) => record(sites.healthy, size)))
    recorded += due
    await wait(5)
  }
  const offeredPerSecond = (recorded / (performance.now() - startedAt)) * 1_000
  const arrivals = await arrived(recorded)
  const recordedAt = await recordingTimes()
  const delays = arrivals.map(([eventId, at]) => at - recordedAt.get(eventId)!).toSorted((a, b) => a - b)
  const delay = (share: number): string => `${delays[Math.floor((delays.length - 1) * share)]!.toFixed(0)} ms`
  const lasted = lastOf(arrivals) - performance.timeOrigin - startedAt
  say(`steady: ${offeredPerSecond.toFixed(0)} events/s recorded, ${perSecond(arrivals.length, lasted)} delivered`)
  say(`  from recording to arrival p50 ${delay(0.5)}, p99 ${delay(0.99)}, longest ${delay(1)}`)
  sayCpu(before, arrivals.length)
}

async function drained(): Promise<void> {
  for (let written = 0; written < backlog; written += 500) await record(sites.healthy, 500, 'silently')
  const before = cpuSeconds()
  const startedAt = performance.timeOrigin + performance.now()
  database.hint(eventChannel, '')
  const arrivals = await arrived(backlog)
  say(`backlog of ${backlog}: ${perSecond(arrivals.length, lastOf(arrivals) - startedAt)} published and delivered`)
  sayCpu(before, arrivals.length)
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

function sayCpu(before: CpuSeconds, deliveries: number): void {
  const after = cpuSeconds()
  const each = (name: keyof CpuSeconds): string =>
    `${name} ${(((after[name] - before[name]) / deliveries) * 1e6).toFixed(0)}`
  say(
    `  processor microseconds for each delivery: ${(Object.keys(after) as (keyof CpuSeconds)[]).map(each).join(', ')}`,
  )
}

function perSecond(count: number, milliseconds: number): string {
  return `${((count / milliseconds) * 1_000).toFixed(0)}/s`
}

function lastOf(arrivals: readonly Arrival[]): number {
  return arrivals.reduce((last, [, at]) => Math.max(last, at), 0)
}
