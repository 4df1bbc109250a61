import { tableRates } from '../src/platform/shipping/rates.ts'
import { tiers } from '../src/partners/tiers.ts'
import { listOrders } from '../src/resources/orders/list-orders.ts'
import { quoteProduct } from '../src/resources/product-quotes/quote-product.ts'
import { getProduct } from '../src/resources/products/get-product.ts'
import { listProducts } from '../src/resources/products/list-products.ts'
import { quoteShipping } from '../src/resources/shipping-quotes/quote-shipping.ts'
import { listUsers } from '../src/resources/users/list-users.ts'
import { readProductId } from '../src/vocabulary/product-id.ts'
import { type DemoService, withDemoService } from './demo-service.ts'
import { type Read, readOfOneOrder, startFloor, statementsOf } from './floors.ts'
import { connections, load, type Loaded } from './load.ts'
import { medianBy, openSection } from './results.ts'

/** Reads of the service beside the same statements served by bare Fastify and pg, and by `node:http` and pg, in turns. */
const seconds = Number(process.argv[2] ?? 3)
/** Many short rounds tell more than few long ones where a machine is not quiet. */
const rounds = 7
const warmUpSeconds = 1
/** V8 compiles a service's code as it is used, and the first of the reads would be measured while it still does. */
const firstSeconds = 4

type Server = 'ours' | 'fastify' | 'plain'

const section = openSection('reads')
await withDemoService(measure)
section.write()

async function measure(service: DemoService): Promise<void> {
  const { hosts, pid, postmaster, dataDir, token } = service
  const reads = await readsOf(service)
  const floors = {
    fastify: await startFloor(dataDir, 'floor.ts', reads),
    plain: await startFloor(dataDir, 'plain-floor.ts', reads),
  }
  const loaded = (server: Server, index: number, lasting: number): Promise<Loaded> => {
    const { path, body } = reads[index]!
    if (server !== 'ours') {
      const { pid: node, urlOf } = floors[server]
      return load({ url: urlOf(index), body }, lasting, { node, postgres: postmaster })
    }
    const call = { url: hosts.baseUrl + path, headers: { authorization: `Bearer ${token}` }, body }
    return load(call, lasting, { node: pid, postgres: postmaster })
  }
  section.say(
    `Demo data, ${connections} connections, median of ${rounds} rounds of ${seconds} s each, after ${warmUpSeconds} s that do not count, and after all servers answered each read for ${firstSeconds} s. ` +
      'The floors are the same statements, with columns in place of the text of a listed record, served by bare Fastify and pg, and by `node:http` and pg, in turns with the service. ' +
      `The ratio is to Fastify. Limits are lifted (BENCH_LIMITS=off): the highest tier allows ${tiers.ENTERPRISE.sustainedPerSecond} requests/s.`,
  )
  section.say('')
  section.say(
    '| read | requests/s | Fastify | `node:http` | ratio | goal | its least and most | p99 | CPU of node, µs | Fastify’s | of PostgreSQL, µs | Fastify’s |',
  )
  section.say('|---|---|---|---|---|---|---|---|---|---|---|---|')
  const turns: Server[] = ['ours', 'fastify', 'plain']
  try {
    for (const server of turns) for (const index of reads.keys()) await loaded(server, index, firstSeconds)
    for (const [index, { name }] of reads.entries()) {
      for (const server of turns) await loaded(server, index, warmUpSeconds)
      const measured: Record<Server, Loaded>[] = []
      for (let round = 0; round < rounds; round++) {
        const found: Partial<Record<Server, Loaded>> = {}
        for (const server of turns) found[server] = await loaded(server, index, seconds)
        measured.push(found as Record<Server, Loaded>)
        turns.push(turns.shift()!)
      }
      tell(name, measured)
    }
  } finally {
    await Promise.all(Object.values(floors).map((floor) => floor.stop()))
  }
}

function tell(name: string, measured: readonly Record<Server, Loaded>[]): void {
  const ratioOf = ({ ours, fastify }: Record<Server, Loaded>): number => ours.rate / fastify.rate
  const ratios = measured.map(ratioOf)
  const median = medianBy(measured, ratioOf)
  const { ours, fastify, plain } = median
  const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`
  const cpu = (of: 'node' | 'postgres'): string =>
    `${ours.microseconds[of].toFixed(0)} | ${fastify.microseconds[of].toFixed(0)}`
  const rates = [ours, fastify, plain].map(({ rate }) => rate.toFixed(0)).join(' | ')
  const ratio = section.judged(name, ratioOf(median), ratioOf(median).toFixed(2))
  section.say(
    `| ${name} | ${rates} | ${ratio} | ${section.goalOf(name)} | ${spread} | ${ours.p99} ms | ${cpu('node')} | ${cpu('postgres')} |`,
  )
}

async function readsOf(service: DemoService): Promise<Read[]> {
  const { sites, fixtures } = service.manifest
  const { stock, pod } = fixtures.products
  const { main } = sites
  const q = 'business cards'
  const shipment = {
    siteId: main,
    productId: stock,
    shipTo: { postalCode: '94105', state: 'CA', country: 'US' },
    weightOunces: 40,
  }
  return [
    {
      name: 'product page of 50',
      path: '/v1/products?limit=50',
      rounds: await statementsOf(service, (database) => listProducts(database, true), { query: { limit: 50 } }),
    },
    {
      name: 'order list of 50',
      path: '/v1/orders?limit=50',
      rounds: await statementsOf(service, listOrders, { query: { limit: 50 } }),
    },
    {
      name: 'user list of 50',
      path: '/v1/users?limit=50',
      rounds: await statementsOf(service, listUsers, { query: { limit: 50 } }),
    },
    {
      name: 'product detail',
      path: `/v1/products/${stock}`,
      rounds: await statementsOf(service, (database) => getProduct(database, async () => null), {
        path: { productId: readProductId(stock) },
      }),
    },
    await readOfOneOrder(service),
    {
      name: 'product search, 20 found',
      path: `/v1/products?siteId=${main}&limit=20&q=${encodeURIComponent(q)}`,
      rounds: await statementsOf(service, (database) => listProducts(database, true), { query: { limit: 20, q } }, [
        main,
      ]),
    },
    {
      name: 'product quote',
      path: `/v1/products/${pod}/quote`,
      body: { quantity: 250 },
      rounds: await statementsOf(service, quoteProduct, {
        path: { productId: readProductId(pod) },
        body: { quantity: 250 },
      }),
    },
    {
      name: 'shipping quote',
      path: '/v1/shipping/quote',
      body: shipment,
      rounds: await statementsOf(service, (database) => quoteShipping(database, tableRates), { body: shipment }),
    },
  ]
}
