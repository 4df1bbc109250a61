import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedServer } from '../src/database/embedded/server.ts'
import type { Hosts, Manifest } from '../src/demo/manifest.ts'
import { benchSettings } from './demo-service.ts'
import { load } from './load.ts'
import { accessToken, postmasterOf, residentMegabytes, startService } from './process.ts'
import { medianBy, openSection } from './results.ts'
import { placeOrders } from './submissions.ts'

/** How long a start takes beside that of a bare PostgreSQL and node, and the memory of a service that has worked. */
const seconds = Number(process.argv[2] ?? 3)
const starts = 5

const section = openSection('start')
const dataDir = mkdtempSync(join(tmpdir(), 'partner-commerce-bench-start-'))
try {
  const first = await timedStart()
  const measured: { start: number; bare: number }[] = []
  for (let turn = 0; turn < starts; turn++) measured.push({ bare: await bareStart(), start: await timedStart() })
  const { start, bare } = medianBy(measured, (one) => one.start / one.bare)
  const resident = await residentAfterLoad()
  const row = (what: string, milliseconds: number, figure: string): void => {
    const ratio = milliseconds / bare
    section.say(
      `| ${what} | ${told(milliseconds)} | ${section.judged(figure, ratio, `${ratio.toFixed(1)} ×`)} | ${section.goalOf(figure)} |`,
    )
  }
  section.say(
    `A bare start is that of PostgreSQL on the same data and of a node that does nothing, one after the other: ${told(bare)}. ` +
      `Starts on existing data are in turns with it, median of ${starts}; memory is that after ${seconds} s of each load of reads, calls of agents and orders.`,
  )
  section.say('')
  section.say('| | measured | of a bare start | goal |')
  section.say('|---|---|---|---|')
  row('start on existing data, until the ready line', start, 'start on existing data')
  row('first start, with its demo data', first, 'first start')
  section.say(
    `| resident memory of the service after load | ${section.judged('memory after load', resident, `${resident.toFixed(0)} MB`)} | | ${section.goalOf('memory after load')} |`,
  )
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}
section.write()

function told(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(2)} s`
}

/** Milliseconds until the ready line. */
async function timedStart(): Promise<number> {
  const startedAt = performance.now()
  const service = await startService(benchSettings(dataDir))
  const milliseconds = performance.now() - startedAt
  await service.stop()
  return milliseconds
}

/** Milliseconds in which PostgreSQL starts on the data and node runs nothing, one after the other. */
async function bareStart(): Promise<number> {
  const startedAt = performance.now()
  const server = await startEmbeddedServer({ folder: join(dataDir, 'postgres'), log: () => undefined })
  execFileSync(process.execPath, ['-e', '0'])
  const milliseconds = performance.now() - startedAt
  await server.stop()
  return milliseconds
}

/** Megabytes. */
async function residentAfterLoad(): Promise<number> {
  const service = await startService<Hosts>(benchSettings(dataDir))
  try {
    const { baseUrl } = service.ready
    const manifest = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Manifest
    const token = await accessToken(baseUrl, manifest.partners.primary!)
    const { orders, products } = manifest.fixtures
    const { orderNumber } = orders.approved
    const calls: { path: string; body?: object }[] = [
      { path: '/v1/products?limit=50' },
      { path: '/v1/orders?limit=50' },
      { path: '/v1/users?limit=50' },
      { path: `/v1/orders/${orderNumber}` },
      { path: `/v1/products/${products.pod}/quote`, body: { quantity: 250 } },
      {
        path: '/v1/mcp',
        body: {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'get_order', arguments: { orderNumber } },
        },
      },
    ]
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' }
    const pids = { node: service.pid, postgres: postmasterOf(dataDir) }
    for (const { path, body } of calls) await load({ url: baseUrl + path, headers, body }, seconds, pids)
    for (const connections of [16, 64, 256]) await placeOrders({ baseUrl, token, manifest, connections, seconds })
    return residentMegabytes(service.pid)!
  } finally {
    await service.stop()
  }
}
