import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'csv-stringify/sync'
import { startProcess } from '../process.ts'
import { demoCatalog } from './catalog.ts'
import {
  ask,
  callersMax,
  databaseUrlOf,
  dropDatabase,
  folderOf,
  freePort,
  freshDatabase,
  installPackages,
  isInstalled,
  markInstalled,
  ordersBefore,
  type Peer,
  type Reads,
  runOf,
  type Serving,
  shipTo,
  versions,
} from './peer.ts'

/**
 * Vendure on PostgreSQL, a server and a worker as its production guide has them. `node bench/peers/vendure.ts` installs and
 * fills it, `node bench/peers/vendure.ts remove` drops its database.
 */
const database = 'peer_vendure'
const env = { NODE_ENV: 'production', DATABASE_URL: databaseUrlOf(database) }
const json = { 'content-type': 'application/json' }

export const vendure: Peer = {
  name: `Vendure ${versions.vendure}`,
  isInstalled: () => isInstalled('vendure'),
  start,
}

async function install(): Promise<void> {
  installPackages('vendure', { '@vendure/core': versions.vendure, pg: versions.vendurePg })
  writeFileSync(join(folderOf('vendure'), 'catalog.csv'), stringify(rows(), { header: true }))
  await freshDatabase(database)
  runOf('vendure', ['seed.js'], { ...env, PORT: `${await freePort()}`, SCHEMA: 'make' })
  const { placeOrder, stop } = await start()
  for (let placed = 0; placed < ordersBefore; placed++) await placeOrder(0)
  await stop()
  markInstalled('vendure')
}

/** The rows of Vendure's product import: a line a variant, the product on the first of its lines. */
function rows(): object[] {
  return demoCatalog().flatMap(({ name, handle, description, attributes, variants, prices }) =>
    (variants.length > 0 ? variants : [{ sku: handle, choices: [] }]).map(({ sku, choices }, index) => ({
      ...(index === 0
        ? { name, slug: handle, description, assets: '', facets: '', optionGroups: attributes.join('|') }
        : { name: '', slug: '', description: '', assets: '', facets: '', optionGroups: '' }),
      optionValues: choices.join('|'),
      sku,
      price: (prices[0]?.[1] ?? 1).toFixed(2),
      taxCategory: 'standard',
      stockOnHand: 2_000_000_000,
      trackInventory: 'true',
      variantAssets: '',
      variantFacets: '',
    })),
  )
}

async function start(): Promise<Serving> {
  const port = await freePort()
  const folder = folderOf('vendure')
  const server = await startProcess(join(folder, 'server.js'), [], { ...env, PORT: `${port}` })
  const worker = await startProcess(join(folder, 'worker.js'), [], { ...env, PORT: `${port}` })
  const base = `http://127.0.0.1:${port}`
  const signedIn = await fetch(`${base}/admin-api`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({
      query: 'mutation { login(username: "bench-admin", password: "bench-admin-password") { __typename } }',
    }),
  })
  const headers = { ...json, authorization: `Bearer ${signedIn.headers.get('vendure-auth-token')}` }
  const admin = (query: string) => ({ url: `${base}/admin-api`, headers, body: JSON.stringify({ query }) })
  const { data } = await ask<{
    data: {
      products: { items: { id: string }[] }
      productVariants: { items: { id: string }[] }
      orders: { items: { id: string }[] }
    }
  }>(
    admin(
      `{ products(options: {filter: {name: {contains: "T-Shirt"}}, take: 1}) { items { id } } productVariants(options: {take: ${2 * callersMax}}) { items { id } } orders(options: {take: 1}) { items { id } } }`,
    ),
  )
  const variants = data.productVariants.items
  const shop = (query: string, session = {}) => ({
    url: `${base}/shop-api`,
    headers: { ...json, ...session },
    body: JSON.stringify({ query }),
  })
  const reads: Reads = {
    'product page of 50': admin(
      '{ products(options: {take: 50}) { items { id name slug enabled createdAt updatedAt featuredAsset { preview } } totalItems } }',
    ),
    'one product': admin(
      `{ product(id: ${data.products.items[0]!.id}) { id name slug description enabled createdAt updatedAt featuredAsset { preview } optionGroups { name } variants { id name sku enabled price createdAt updatedAt options { name } } } }`,
    ),
    'order list of 50': admin(
      '{ orders(options: {take: 50, sort: {orderPlacedAt: DESC}}) { items { id code state currencyCode totalQuantity subTotal shipping total totalWithTax orderPlacedAt createdAt updatedAt } totalItems } }',
    ),
    'one order': admin(
      `{ order(id: ${data.orders.items[0]?.id ?? 0}) { id code state currencyCode totalQuantity subTotal shipping total totalWithTax orderPlacedAt createdAt updatedAt customer { id } shippingAddress { fullName streetLine1 city province postalCode countryCode } billingAddress { fullName streetLine1 city province postalCode countryCode } shippingLines { shippingMethod { name } } } }`,
    ),
  }
  // GraphQL answers 200 to what it refuses.
  for (const read of Object.values(reads)) {
    const answer = await ask<{ errors?: unknown }>(read)
    if (answer.errors) throw new Error(JSON.stringify(answer.errors))
  }
  return {
    pids: [server.pid, worker.pid],
    reads,
    placeOrder: async (caller) => {
      const items = shop(addingItems(variants[2 * caller]!.id, variants[2 * caller + 1]!.id))
      // The first request opens the session whose order the second places.
      const opened = await fetch(items.url, { method: 'POST', headers: items.headers, body: items.body })
      await opened.text()
      const session = { authorization: `Bearer ${opened.headers.get('vendure-auth-token')}` }
      const answer = await ask<{ data?: { paid: { state?: string; totalQuantity?: number } } }>(
        shop(checkout(caller), session),
      )
      const { state, totalQuantity } = answer.data?.paid ?? {}
      if (state !== 'PaymentSettled' || totalQuantity !== 251) throw new Error(JSON.stringify(answer).slice(0, 500))
    },
    stop: async () => void (await Promise.all([server.stop(), worker.stop()])),
  }
}

const failed = '__typename ... on ErrorResult { message }'

function addingItems(cards: string, kit: string): string {
  return `mutation { addItemsToOrder(inputs: [{productVariantId: ${cards}, quantity: 250}, {productVariantId: ${kit}, quantity: 1}]) { errorResults { ${failed} } } }`
}

/** All else that an order needs. The mutations of one request run one after the other. */
const checkout = (caller: number): string => `mutation {
  customer: setCustomerForOrder(input: {firstName: "Dana", lastName: "Reyes", emailAddress: "dana-${caller}@example.com"}) { ${failed} }
  address: setOrderShippingAddress(input: {fullName: "Dana Reyes", streetLine1: "${shipTo.address}", city: "${shipTo.city}", province: "${shipTo.state}", postalCode: "${shipTo.postalCode}", countryCode: "${shipTo.country}"}) { ${failed} }
  method: setOrderShippingMethod(shippingMethodId: [1]) { ${failed} }
  state: transitionOrderToState(state: "ArrangingPayment") { ${failed} }
  paid: addPaymentToOrder(input: {method: "account", metadata: {}}) { ... on Order { state totalQuantity } ${failed} }
}`

if (import.meta.main) await (process.argv[2] === 'remove' ? dropDatabase(database) : install())
