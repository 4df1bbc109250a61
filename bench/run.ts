import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import type { Database } from '../src/database/database.ts'
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
import { anyPorts, databaseUrl, residentMegabytes, startProcess, startService, type Running } from './process.ts'
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
type Case = { name: string; path: string; body?: object; target: number; rounds: Rounds }

// The first start makes the demo data; the bench measures a service that finds it there.
await (await startService<Ready>(settings)).stop()
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
  const token = await accessToken(ready.baseUrl, primary.clients![0]!)
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
      target: 0.6,
      rounds: await statements((database) => listProducts(database, true), { query: { limit: 50 } }),
    },
    {
      name: 'order list of 50',
      path: '/v1/orders?limit=50',
      target: 0.6,
      rounds: await statements(listOrders, { query: { limit: 50 } }),
    },
    {
      name: 'user list of 50',
      path: '/v1/users?limit=50',
      target: 0.5,
      rounds: await statements(listUsers, { query: { limit: 50 } }),
    },
    {
      name: 'product detail',
      path: `/v1/products/${product}`,
      target: 0.4,
      rounds: await statements((database) => getProduct(database, async () => null), {
        path: { productId: readProductId(product) },
      }),
    },
    {
      name: 'one order',
      path: `/v1/orders/${order}`,
      target: 0.4,
      rounds: await statements(getOrder, { path: { orderNumber: order } }),
    },
    {
      name: 'product search, 20 found',
      path: `/v1/products?siteId=${main}&limit=20&q=${encodeURIComponent(q)}`,
      target: 0.5,
      rounds: await statements((database) => listProducts(database, true), { query: { limit: 20, q } }, [main]),
    },
    {
      name: 'product quote',
      path: `/v1/products/${podProduct}/quote`,
      body: { quantity: 250 },
      target: 0.5,
      rounds: await statements(quoteProduct, {
        path: { productId: readProductId(podProduct) },
        body: { quantity: 250 },
      }),
    },
    {
      name: 'shipping quote',
      path: '/v1/shipping/quote',
      body: shipment,
      target: 0.5,
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
  const floor = await startProcess<{ port: number }>('bench/floor.ts', [casesFile, databaseUrl(dataDir)], {})

  lines.push(
    '# Measured',
    '',
    `Node ${process.version}, ${cpus().length} cores, demo data, ${connections} connections, median of ${rounds} rounds of ${seconds} s each.`,
    'The floor is the same statements served by bare Fastify and pg, on the same machine in the same run.',
    '',
    '| read | service, requests/s | floor, requests/s | ratio | target | p99 of the service |',
    '|---|---|---|---|---|---|',
  )
  try {
    for (const [index, each] of cases.entries()) {
      const ratios: { ratio: number; ours: number; floors: number; p99: number }[] = []
      for (let round = 0; round < rounds; round++) {
        const ours = await load(`${ready.baseUrl}${each.path}`, authorization, each.body)
        const floors = await load(`http://127.0.0.1:${floor.ready.port}/${index}`, {}, each.body)
        ratios.push({ ratio: ours.rate / floors.rate, ours: ours.rate, floors: floors.rate, p99: ours.p99 })
      }
      const { ratio, ours, floors, p99 } = ratios.toSorted((a, b) => a.ratio - b.ratio)[Math.floor(rounds / 2)]!
      lines.push(
        `| ${each.name} | ${ours.toFixed(0)} | ${floors.toFixed(0)} | ${ratio.toFixed(2)} | ≥ ${each.target} | ${p99} ms |`,
      )
      process.stdout.write(`${lines.at(-1)}\n`)
    }
  } finally {
    await floor.stop()
  }

  const submitted = await submitOrders({ baseUrl: ready.baseUrl, token, manifest, connections, seconds: seconds * 2 })
  if (submitted.failures.length > 0)
    throw new Error(`${submitted.failures.length} orders failed: ${submitted.failures[0]}`)
  lines.push(
    '',
    '| write | measured | target |',
    '|---|---|---|',
    `| orders of two lines, POST to completed, fsync on | ${submitted.ordersPerSecond.toFixed(0)} orders/s | ≥ 300 |`,
    `| their p50 and p99 | ${submitted.p50.toFixed(1)} ms, ${submitted.p99.toFixed(1)} ms | p99 < 150 ms |`,
    `| resident memory of the service after all this | ${residentMegabytes(pid)?.toFixed(0) ?? 'not told here'} MB | ≤ 250 MB |`,
    `| start on existing data, until the ready line | ${(startMilliseconds / 1000).toFixed(2)} s | ≤ 2 s |`,
    '',
    `The enterprise tier allows ${tiers.ENTERPRISE.sustainedPerSecond} requests/s: limits were lifted (BENCH_LIMITS=off).`,
  )
}

function methodOf(body: object | undefined): 'GET' | 'POST' {
  return body ? 'POST' : 'GET'
}

async function load(
  url: string,
  headers: Record<string, string>,
  body: object | undefined,
): Promise<{ rate: number; p99: number }> {
  const sent = body && { body: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } }
  const result = await autocannon({ url, method: methodOf(body), headers, connections, duration: seconds, ...sent })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} answers were not 2xx, ${result.errors} errors`)
  return { rate: result.requests.average, p99: result.latency.p99 }
}

async function accessToken(baseUrl: string, client: { clientId: string; clientSecret: string }): Promise<string> {
  const answer = await fetch(`${baseUrl}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: client.clientId,
      client_secret: client.clientSecret,
    }),
  })
  return ((await answer.json()) as { access_token: string }).access_token
}
