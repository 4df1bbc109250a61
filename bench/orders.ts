import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startEmbeddedServer } from '../src/database/embedded/server.ts'
import { ensureDatabase } from '../src/database/migrate.ts'
import type { Hosts, Manifest } from '../src/demo/manifest.ts'
import { benchSettings, type DemoService, withDemoService } from './demo-service.ts'
import { readOfOneOrder, startFloor } from './floors.ts'
import { connections, load } from './load.ts'
import { accessToken, databaseUrl, startService } from './process.ts'
import { medianBy, openSection } from './results.ts'
import { startCountingProxy } from './round-trips.ts'
import { type Placed, placeOrders } from './submissions.ts'

/** Orders placed by more and more callers, beside the floor's reads of one order, with what each costs. */
const seconds = Number(process.argv[2] ?? 3)
const rounds = 3
const rated = 16

const section = openSection('orders')
await withDemoService(measure)
await countRoundTrips()
section.write()

async function measure(service: DemoService): Promise<void> {
  const { hosts, dataDir, manifest, token, postmaster } = service
  const floor = await startFloor(dataDir, 'floor.ts', [await readOfOneOrder(service)])
  const client = new pg.Client({ connectionString: databaseUrl(dataDir) })
  await client.connect()
  const place = (callers: number, lasting: number) =>
    placeOrders({ baseUrl: hosts.baseUrl, token, manifest, connections: callers, seconds: lasting })
  const read = (lasting: number) => load({ url: floor.urlOf(0) }, lasting, { node: floor.pid, postgres: postmaster })
  try {
    await read(1)
    await place(rated, 1)
    section.say(
      `Orders of two lines, from POST to completed, fsync on; median of ${rounds} rounds of ${seconds} s, in turns with ` +
        `reads of one order at Fastify over pg by ${connections} callers. WAL is that of an order after a checkpoint, in both databases together.`,
    )
    section.say('')
    section.say('| callers | orders/s | of the floor’s reads of one order | goal | p50 | p99 | goal | WAL, KB |')
    section.say('|---|---|---|---|---|---|---|---|')
    for (const callers of [1, rated, 64, 256]) {
      await client.query('checkpoint')
      const measured: { share: number; orders: Placed; wal: number }[] = []
      for (let round = 0; round < rounds; round++) {
        const floorRate = (await read(seconds)).rate
        const before = await walPosition(client)
        const orders = await place(callers, seconds)
        const wal = ((await walPosition(client)) - before) / orders.count
        measured.push({ share: orders.ordersPerSecond / floorRate, orders, wal })
      }
      const { share, orders, wal } = medianBy(measured, (one) => one.share)
      const percent = `${(share * 100).toFixed(1)} %`
      const isRated = callers === rated
      const p99 = section.judged('p99 in p50s', orders.p99 / orders.p50, `${orders.p99.toFixed(1)} ms`)
      section.say(
        `| ${callers} | ${orders.ordersPerSecond.toFixed(0)} | ` +
          `${isRated ? section.judged('share of 16 callers', share * 100, percent) : percent} | ` +
          `${isRated ? section.goalOf('share of 16 callers') : ''} | ${orders.p50.toFixed(1)} ms | ${p99} | ` +
          `${section.goalOf('p99 in p50s')} | ${(wal / 1_000).toFixed(1)} |`,
      )
    }
  } finally {
    await client.end()
    await floor.stop()
  }
}

/** On a service of its own, whose database is behind a proxy that counts. */
async function countRoundTrips(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'partner-commerce-bench-trips-'))
  const server = await startEmbeddedServer({ folder: join(dataDir, 'postgres'), log: () => undefined })
  const proxy = await startCountingProxy((database) => server.url(database))
  try {
    for (const database of ['production', 'sandbox'] as const) await ensureDatabase(server.url('postgres'), database)
    const service = await startService<Hosts>({
      ...benchSettings(dataDir),
      DEMO: 'cast',
      DATABASE_URL: proxy.url('production'),
      SANDBOX_DATABASE_URL: proxy.url('sandbox'),
    })
    try {
      const { baseUrl } = service.ready
      const manifest = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Manifest
      const token = await accessToken(baseUrl, manifest.partners.primary!)
      const ofCallers = (callers: number, lasting: number) =>
        placeOrders({ baseUrl, token, manifest, connections: callers, seconds: lasting })
      await ofCallers(rated, 1)
      const idleBefore = proxy.trips()
      await pause(seconds * 1_000)
      const idle = (proxy.trips() - idleBefore) / seconds
      section.say('')
      section.say('| callers | round trips to PostgreSQL for each order, with those of workers after it |')
      section.say('|---|---|')
      for (const callers of [1, rated]) {
        const before = proxy.trips()
        const { count } = await ofCallers(callers, seconds)
        section.say(`| ${callers} | ${((proxy.trips() - before - idle * seconds) / count).toFixed(1)} |`)
      }
      section.say('')
      section.say(
        `Statements that are sent together are one round trip. The ${idle.toFixed(0)} a second of a service at rest are left out.`,
      )
    } finally {
      await service.stop()
    }
  } finally {
    proxy.close()
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function walPosition(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ at: number }>(`select (pg_current_wal_lsn() - '0/0')::float8 as at`)
  return rows[0]!.at
}
