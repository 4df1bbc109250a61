import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import type { Database } from '../src/database/database.ts'
import { startEmbeddedServer } from '../src/database/embedded/server.ts'
import type { Manifest } from '../src/demo/manifest.ts'
import { tiers } from '../src/partners/tiers.ts'
import { tableRates } from '../src/platform/shipping/rates.ts'
import { getOrder } from '../src/resources/orders/get-order.ts'
import { listOrders } from '../src/resources/orders/list-orders.ts'
import { quoteProduct } from '../src/resources/product-quotes/quote-product.ts'
import { getProduct } from '../src/resources/products/get-product.ts'
import { listProducts } from '../src/resources/products/list-products.ts'
import { quoteShipping } from '../src/resources/shipping-quotes/quote-shipping.ts'
import { listUsers } from '../src/resources/users/list-users.ts'
import { readProductId } from '../src/vocabulary/product-id.ts'
import { capturedStatements, type Rounds } from './captured-statements.ts'
import {
  accessToken,
  anyPorts,
  databaseUrl,
  postmasterOf,
  processorSeconds,
  residentMegabytes,
  startProcess,
  startService,
  type Running,
} from './process.ts'
import { submitOrders } from './submissions.ts'

/**
 * `npm run bench [seconds]`: measures the service against its floor, in one run on one machine, on demo data. Read the
 * ratios; absolute figures depend on the machine. Writes bench/results.md.
 */
const seconds = Number(process.argv[2] ?? 6)
const connections = 16
const rounds = 3

const dataDir = mkdtempSync(join(tmpdir(), 'partner-commerce-bench-'))
const settings = {
  DATA_DIR: dataDir,
  BENCH_LIMITS: 'off',
  LOG_LEVEL: 'warn',
  ...anyPorts,
}
type Ready = { baseUrl: string; databasePort?: number }
/** A case with a body is a POST. */
type Case = { name: string; path: string; body?: object; goal: number; rounds: Rounds }

// The first start makes the demo data; the bench measures a service that finds it there.
const firstStartedAt = performance.now()
const first = await startService<Ready>(settings)
const freshMilliseconds = performance.now() - firstStartedAt
await first.stop()
const bareStartMilliseconds = await bareStart()
const startedAt = performance.now()
const service = await startService<Ready>(settings)
const startMilliseconds = performance.now() - startedAt
const lines: string[] = []
try {
  await measure(service)
} finally {
  await service.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
writeFileSync(new URL('results.md', import.meta.url), `${lines.join('\n')}\n`)
process.stdout.write(`\n${lines.join('\n')}\n`)

async function measure({ ready, pid }: Running<Ready>): Promise<void> {
  const manifest = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Manifest
  const primary = manifest.partners.primary!
  const token = await accessToken(ready.baseUrl, primary)
  const siteIds = primary.siteIds
  const authorization = { authorization: `Bearer ${token}` }
  const order = manifest.fixtures.orders.approved.orderNumber
  const { stock: product, pod: podProduct } = manifest.fixtures.products

  const { main } = manifest.sites
  const q = 'business cards'
  const shipment = {
    siteId: main,
    productId: product,
    shipTo: { postalCode: '94105', state: 'CA', country: 'US' },
    weightOunces: 40,
  }
  const statements = (
    handlerOver: (database: Database) => unknown,
    call: Omit<Parameters<typeof capturedStatements>[2], 'siteIds'>,
    sites = siteIds,
  ): Promise<Rounds> => capturedStatements(databaseUrl(dataDir), handlerOver, { siteIds: sites, ...call })

  const cases: Case[] = [
    {
      name: 'product page of 50',
      path: '/v1/products?limit=50',
      goal: 1,
      rounds: await statements((database) => listProducts(database, true), { query: { limit: 50 } }),
    },
    {
      name: 'order list of 50',
      path: '/v1/orders?limit=50',
      goal: 1,
      rounds: await statements(listOrders, { query: { limit: 50 } }),
    },
    {
      name: 'user list of 50',
      path: '/v1/users?limit=50',
      goal: 1,
      rounds: await statements(listUsers, { query: { limit: 50 } }),
    },
    {
      name: 'product detail',
      path: `/v1/products/${product}`,
      goal: 0.7,
      rounds: await statements((database) => getProduct(database, async () => null), {
        path: { productId: readProductId(product) },
      }),
    },
    {
      name: 'one order',
      path: `/v1/orders/${order}`,
      goal: 0.7,
      rounds: await statements(getOrder, { path: { orderNumber: order } }),
    },
    {
      name: 'product search, 20 found',
      path: `/v1/products?siteId=${main}&limit=20&q=${encodeURIComponent(q)}`,
      goal: 0.8,
      rounds: await statements((database) => listProducts(database, true), { query: { limit: 20, q } }, [main]),
    },
    {
      name: 'product quote',
      path: `/v1/products/${podProduct}/quote`,
      body: { quantity: 250 },
      goal: 0.8,
      rounds: await statements(quoteProduct, {
        path: { productId: readProductId(podProduct) },
        body: { quantity: 250 },
      }),
    },
    {
      name: 'shipping quote',
      path: '/v1/shipping/quote',
      body: shipment,
      goal: 0.8,
      rounds: await statements((database) => quoteShipping(database, tableRates), { body: shipment }),
    },
  ]
  const casesFile = join(dataDir, 'floor.json')
  writeFileSync(
    casesFile,
    JSON.stringify(
      cases.map((each, index) => ({ method: methodOf(each.body), path: `/${index}`, rounds: each.rounds })),
    ),
  )
  const floorOf = (script: string) => startProcess<{ port: number }>(script, [casesFile, databaseUrl(dataDir)], {})
  const floors = { fastify: await floorOf('bench/floor.ts'), plain: await floorOf('bench/plain-floor.ts') }
  const postmaster = postmasterOf(dataDir)

  lines.push(
    '# Measured',
    '',
    `Node ${process.version}, ${cpus().length} cores, demo data, ${connections} connections, median of ${rounds} rounds of ${seconds} s each.`,
    'The floors are the same statements served by bare Fastify and pg, and by `node:http` and pg, on the same machine in the',
    'same run. The ratio is to the first. What misses its goal is bold.',
    '',
    '| read | requests/s | Fastify | `node:http` | ratio | goal | p99 | CPU of node, µs | of PostgreSQL, µs |',
    '|---|---|---|---|---|---|---|---|---|',
  )
  let oneOrderFloor = Number.NaN
  try {
    for (const [index, each] of cases.entries()) {
      const measured: { ratio: number; ours: Loaded; fastify: Loaded; plain: Loaded }[] = []
      for (let round = 0; round < rounds; round++) {
        const ours = await load(`${ready.baseUrl}${each.path}`, authorization, each.body, [pid, postmaster])
        const fastify = await load(floorUrl(floors.fastify, index), {}, each.body)
        const plain = await load(floorUrl(floors.plain, index), {}, each.body)
        measured.push({ ratio: ours.rate / fastify.rate, ours, fastify, plain })
      }
      const median = measured.toSorted((a, b) => a.ratio - b.ratio)[Math.floor(rounds / 2)]!
      const { ratio, ours, fastify, plain } = median
      if (each.name === 'one order') oneOrderFloor = fastify.rate
      const [node, postgres] = ours.microseconds
      lines.push(
        `| ${each.name} | ${ours.rate.toFixed(0)} | ${fastify.rate.toFixed(0)} | ${plain.rate.toFixed(0)} | ${told(ratio.toFixed(2), ratio >= each.goal)} | ≥ ${each.goal} | ${ours.p99} ms | ${node!.toFixed(0)} | ${postgres!.toFixed(0)} |`,
      )
      process.stdout.write(`${lines.at(-1)}\n`)
    }
  } finally {
    await Promise.all(Object.values(floors).map((floor) => floor.stop()))
  }

  lines.push(
    '',
    'Orders of two lines, from POST to completed, fsync on:',
    '',
    '| callers | orders/s | of the floor’s reads of one order | goal | p50 | p99 | goal |',
    '|---|---|---|---|---|---|---|',
  )
  for (const callers of [1, 16, 64, 256]) {
    const placed = await submitOrders({ baseUrl: ready.baseUrl, token, manifest, connections: callers, seconds })
    if (placed.failures.length > 0) throw new Error(`${placed.failures.length} orders failed: ${placed.failures[0]}`)
    const share = placed.ordersPerSecond / oneOrderFloor
    const isRated = callers === connections
    lines.push(
      `| ${callers} | ${placed.ordersPerSecond.toFixed(0)} | ${told(`${(share * 100).toFixed(1)} %`, !isRated || share >= 0.05)} | ${isRated ? '≥ 5 %' : ''} | ${placed.p50.toFixed(1)} ms | ${told(`${placed.p99.toFixed(1)} ms`, placed.p99 <= 4 * placed.p50)} | ≤ 4 × p50 |`,
    )
    process.stdout.write(`${lines.at(-1)}\n`)
  }
  const resident = residentMegabytes(pid)
  lines.push(
    '',
    '| | measured | goal |',
    '|---|---|---|',
    `| resident memory of the service after all this | ${resident === undefined ? 'not told here' : told(`${resident.toFixed(0)} MB`, resident <= 220)} | ≤ 220 MB |`,
    `| start on existing data, until the ready line | ${told(`${(startMilliseconds / 1_000).toFixed(2)} s`, startMilliseconds <= 1.3 * bareStartMilliseconds)} | ≤ 1.3 × ${(bareStartMilliseconds / 1_000).toFixed(2)} s, its PostgreSQL and an empty node process |`,
    `| first start, with its demo data | ${told(`${(freshMilliseconds / 1_000).toFixed(2)} s`, freshMilliseconds <= 6 * bareStartMilliseconds)} | ≤ 6 × that |`,
    '',
    `The enterprise tier allows ${tiers.ENTERPRISE.sustainedPerSecond} requests/s: limits were lifted (BENCH_LIMITS=off).`,
  )
}

/** A figure, bold where it misses its goal. */
function told(figure: string, isReached: boolean): string {
  return isReached ? figure : `**${figure}**`
}

function floorUrl({ ready }: Running<{ port: number }>, index: number): string {
  return `http://127.0.0.1:${ready.port}/${index}`
}

function methodOf(body: object | undefined): 'GET' | 'POST' {
  return body ? 'POST' : 'GET'
}

/** `microseconds`: processor time for each request, of each process named, with its children */
type Loaded = { rate: number; p99: number; microseconds: number[] }

async function load(
  url: string,
  headers: Record<string, string>,
  body: object | undefined,
  pids: readonly number[] = [],
): Promise<Loaded> {
  const sent = body && { body: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } }
  const before = usedBy(pids)
  const result = await autocannon({ url, method: methodOf(body), headers, connections, duration: seconds, ...sent })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} answers were not 2xx, ${result.errors} errors`)
  const used = usedBy(pids).map((each, at) => each - before[at]!)
  const microseconds = used.map((each) => (each / result.requests.total) * 1e6)
  return { rate: result.requests.average, p99: result.latency.p99, microseconds }
}

/** Of the last process, which the first may have started, apart. */
function usedBy(pids: readonly number[]): number[] {
  return pids.map((pid, at) => processorSeconds(pid, at === 0 ? pids[1] : undefined))
}

/** How long PostgreSQL takes to start on the data, and node to run nothing, one after the other. */
async function bareStart(): Promise<number> {
  const begunAt = performance.now()
  const server = await startEmbeddedServer({ folder: join(dataDir, 'postgres'), log: () => undefined })
  execFileSync(process.execPath, ['-e', '0'])
  const milliseconds = performance.now() - begunAt
  await server.stop()
  return milliseconds
}
