import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import type { Manifest } from '../src/demo/manifest.ts'
import { medusa } from './peers/medusa.ts'
import {
  type Call,
  callersMax,
  databaseUrlOf,
  dropDatabase,
  freshDatabase,
  onServer,
  type Peer,
  type Reads,
  type Serving,
} from './peers/peer.ts'
import { vendure } from './peers/vendure.ts'
import { benchSettings } from './demo-service.ts'
import { accessToken, processorSeconds, type Running, startService, statOf } from './process.ts'
import { medianBy, openSection } from './results.ts'
import { placeOrders as placeOurs } from './submissions.ts'

/**
 * The service beside Medusa and Vendure, with the same catalog on the same PostgreSQL, in turns. First `node bench/peers/medusa.ts`
 * and `node bench/peers/vendure.ts` install them into the folder PEERS, or one for temporary files; they need a PostgreSQL
 * (PEERS_POSTGRES) and Medusa a Redis (PEERS_REDIS). A peer that is not installed is left out.
 */
const seconds = Number(process.argv[2] ?? 3)
const connections = callersMax
const rounds = 5

const ourDatabases = { DATABASE_URL: 'peer_ours_production', SANDBOX_DATABASE_URL: 'peer_ours_sandbox' }
/** `microseconds`: processor time for each request or order, of node and of PostgreSQL */
type Loaded = { rate: number; microseconds: { node: number; postgres: number } }
type Side = { pids: readonly number[]; postmaster: number; reads: Reads; placeOrders: () => Promise<number> }

const section = openSection('peers')
const peers = [medusa, vendure]
for (const { name } of peers.filter((peer) => !peer.isInstalled()))
  section.say(`${name} is not installed here, so it was not measured: \`bench/peers.ts\` says how it is.`)
if (peers.some((peer) => peer.isInstalled())) await measureAll()
section.write()

async function measureAll(): Promise<void> {
  const postmaster = await onServer(async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    return statOf(rows[0]!.pid)!.parent
  })
  const dataDir = mkdtempSync(join(tmpdir(), 'partner-commerce-bench-peers-'))
  for (const database of Object.values(ourDatabases)) await freshDatabase(database)
  const service = await startService<{ baseUrl: string }>({
    ...benchSettings(dataDir),
    DEMO: 'on',
    ...Object.fromEntries(Object.entries(ourDatabases).map(([name, database]) => [name, databaseUrlOf(database)])),
  })
  try {
    const ours = await ourSide(service, dataDir, postmaster)
    section.say(
      `${connections} connections, median of ${rounds} rounds of ${seconds} s each, in turns; PostgreSQL ${await serverVersion()} for all. ` +
        'CPU is that of a request in milliseconds, of node and of PostgreSQL.',
    )
    for (const peer of peers.filter(({ isInstalled }) => isInstalled())) await measure(ours, peer, postmaster)
  } finally {
    await service.stop()
    for (const database of Object.values(ourDatabases)) await dropDatabase(database)
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function ourSide(
  { ready: { baseUrl }, pid }: Running<{ baseUrl: string }>,
  dataDir: string,
  postmaster: number,
): Promise<Side> {
  const manifest = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Manifest
  const token = await accessToken(baseUrl, manifest.partners.primary!)
  const get = (path: string): Call => ({ url: baseUrl + path, headers: { authorization: `Bearer ${token}` } })
  return {
    pids: [pid],
    postmaster,
    reads: {
      'product page of 50': get('/v1/products?limit=50'),
      'one product': get(`/v1/products/${manifest.fixtures.products.stock}`),
      'order list of 50': get('/v1/orders?limit=50'),
      'one order': get(`/v1/orders/${manifest.fixtures.orders.approved.orderNumber}`),
    },
    placeOrders: async () => {
      const { ordersPerSecond } = await placeOurs({ baseUrl, token, manifest, connections, seconds })
      return ordersPerSecond
    },
  }
}

async function measure(ours: Side, peer: Peer, postmaster: number): Promise<void> {
  const serving = await peer.start()
  try {
    const theirs: Side = { ...serving, postmaster, placeOrders: () => placeOrders(serving) }
    section.say('')
    section.say(`| ${peer.name} | its rate/s | ours | ratio | goal | its least and most | its CPU | ours |`)
    section.say('|---|---|---|---|---|---|---|---|')
    for (const name of Object.keys(ours.reads) as (keyof Reads)[])
      await compare(peer, name, (side) => load(side, side.reads[name]), ours, theirs)
    await compare(peer, 'orders of two lines placed', (side) => timed(side, side.placeOrders), ours, theirs)
  } finally {
    await serving.stop()
  }
}

async function compare(
  { name: peer }: Peer,
  name: string,
  loaded: (side: Side) => Promise<Loaded>,
  ours: Side,
  theirs: Side,
): Promise<void> {
  const measured: { ratio: number; our: Loaded; their: Loaded }[] = []
  // The first round warms up, and does not count.
  for (let round = 0; round <= rounds; round++) {
    const our = await loaded(ours)
    const their = await loaded(theirs)
    if (round > 0) measured.push({ ratio: our.rate / their.rate, our, their })
  }
  const { ratio, our, their } = medianBy(measured, (one) => one.ratio)
  const ratios = measured.map((one) => one.ratio)
  const figure = `${peer.split(' ')[0]}: ${name}`
  section.say(
    `| ${name} | ${their.rate.toFixed(1)} | ${our.rate.toFixed(1)} | ${section.judged(figure, ratio, `${ratio.toFixed(1)} ×`)} | ${section.goalOf(figure)} | ` +
      `${Math.min(...ratios).toFixed(1)} to ${Math.max(...ratios).toFixed(1)} | ${cpu(their)} | ${cpu(our)} |`,
  )
}

function cpu({ microseconds: { node, postgres } }: Loaded): string {
  return `${(node / 1_000).toFixed(2)} + ${(postgres / 1_000).toFixed(2)}`
}

function load(side: Side, { url, headers, body }: Call): Promise<Loaded> {
  return timed(side, async () => {
    const sent = body === undefined ? {} : { method: 'POST' as const, body }
    const result = await autocannon({ url, headers, connections, duration: seconds, ...sent })
    if (result.non2xx > 0 || result.errors > 0)
      throw new Error(`${url}: ${result.non2xx} answers were not 2xx, ${result.errors} errors`)
    if (result.requests.total === 0) throw new Error(`${url}: no answer came within a round; longer ones are needed`)
    return result.requests.total / result.duration
  })
}

/** @param run resolves with a rate per second */
async function timed({ pids, postmaster }: Side, run: () => Promise<number>): Promise<Loaded> {
  const used = () => ({
    node: pids.reduce((sum, pid) => sum + processorSeconds(pid), 0),
    postgres: processorSeconds(postmaster),
  })
  const before = used()
  const startedAt = performance.now()
  const rate = await run()
  const each = 1e6 / (rate * ((performance.now() - startedAt) / 1_000))
  const after = used()
  return {
    rate,
    microseconds: { node: (after.node - before.node) * each, postgres: (after.postgres - before.postgres) * each },
  }
}

/** Orders a second of that many callers, each of whom places one after the other. */
async function placeOrders({ placeOrder }: Serving): Promise<number> {
  const startedAt = performance.now()
  const until = startedAt + seconds * 1_000
  let placed = 0
  await Promise.all(
    Array.from({ length: connections }, async (_, caller) => {
      for (; performance.now() < until; placed++) await placeOrder(caller)
    }),
  )
  return placed / ((performance.now() - startedAt) / 1_000)
}

async function serverVersion(): Promise<string> {
  return onServer(
    async (client) => (await client.query<{ server_version: string }>('show server_version')).rows[0]!.server_version,
  )
}
