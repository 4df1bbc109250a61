import { readFileSync, writeFileSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
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
  runOf,
  type Serving,
  shipTo,
  versions,
} from './peer.ts'

/**
 * Medusa on PostgreSQL and Redis, a server and a worker, with the modules that its deployment guide names for production.
 * `node bench/peers/medusa.ts` installs and fills it, `node bench/peers/medusa.ts remove` drops its database.
 */
const database = 'peer_medusa'
const env = {
  NODE_ENV: 'production',
  DATABASE_URL: databaseUrlOf(database),
  REDIS_URL: process.env.PEERS_REDIS ?? 'redis://127.0.0.1:6379/7',
  MEDUSA_DISABLE_TELEMETRY: 'true',
  LOG_LEVEL: 'error',
}
const program = 'node_modules/.bin/medusa'
const user = { email: 'bench@example.com', password: 'bench-admin-password' }
const json = { 'content-type': 'application/json' }

export const medusa: Peer = {
  name: `Medusa ${versions.medusa}`,
  isInstalled: () => isInstalled('medusa'),
  start,
}

async function install(): Promise<void> {
  const packages = ['medusa', 'framework', 'cli', 'admin-sdk'].map((name) => [`@medusajs/${name}`, versions.medusa])
  installPackages('medusa', Object.fromEntries(packages))
  writeFileSync(join(folderOf('medusa'), 'catalog.json'), JSON.stringify(products()))
  await freshDatabase(database)
  runOf('medusa', [program, 'db:migrate', '--execute-safe-links'], env)
  runOf('medusa', [program, 'exec', './seed.js'], env)
  runOf('medusa', [program, 'user', '-e', user.email, '-p', user.password], env)
  const { placeOrder, stop } = await start()
  for (let placed = 0; placed < ordersBefore; placed++) await placeOrder(0)
  await stop()
  markInstalled('medusa')
}

/** Products as its own workflow creates them. */
function products(): object[] {
  return demoCatalog().map(({ name, handle, description, attributes, variants, prices }) => {
    const breaks = prices.map(([from, amount], at) => ({
      currency_code: 'usd',
      amount,
      min_quantity: from,
      ...(prices[at + 1] && { max_quantity: prices[at + 1]![0] - 1 }),
    }))
    const isOne = variants.length === 0
    return {
      title: name,
      handle,
      description,
      options: isOne
        ? [{ title: 'Kind', values: ['One'] }]
        : attributes.map((title, at) => ({ title, values: [...new Set(variants.map(({ choices }) => choices[at]))] })),
      variants: isOne
        ? [{ title: 'One', sku: handle, options: { Kind: 'One' }, prices: breaks }]
        : variants.map(({ sku, choices }) => ({
            title: choices.join(' / '),
            sku,
            options: Object.fromEntries(attributes.map((title, at) => [title, choices[at]])),
            prices: breaks,
          })),
    }
  })
}

type Seeded = { regionId: string; channelId: string; shippingOptionId: string }

async function start(): Promise<Serving> {
  const base = `http://127.0.0.1:${await freePort()}`
  const server = await startMode('server', base)
  const worker = await startMode('worker', `http://127.0.0.1:${await freePort()}`)
  const { token } = await ask<{ token: string }>({
    url: `${base}/auth/user/emailpass`,
    headers: json,
    body: JSON.stringify(user),
  })
  const headers = { ...json, authorization: `Bearer ${token}` }
  const get = (path: string) => ({ url: `${base}/admin/${path}`, headers })
  const found = async (name: string): Promise<{ id: string; variants: { id: string }[] }[]> =>
    (
      await ask<{ products: { id: string; variants: { id: string }[] }[] }>(
        get(`products?limit=${callersMax}&q=${encodeURIComponent(name)}&fields=id,*variants`),
      )
    ).products
  const cards = await found('Business Card')
  const kits = await found('T-Shirt')
  const { orders } = await ask<{ orders: { id: string }[] }>(get('orders?limit=1&fields=id'))
  const seeded = JSON.parse(readFileSync(join(folderOf('medusa'), 'seeded.json'), 'utf8')) as Seeded
  const address = {
    first_name: 'Dana',
    last_name: 'Reyes',
    address_1: shipTo.address,
    city: shipTo.city,
    province: shipTo.state,
    postal_code: shipTo.postalCode,
    country_code: shipTo.country.toLowerCase(),
  }
  const draftOf = (caller: number) => ({
    region_id: seeded.regionId,
    sales_channel_id: seeded.channelId,
    email: 'dana@example.com',
    shipping_address: address,
    billing_address: address,
    items: [
      { variant_id: cards[caller]!.variants[0]!.id, quantity: 250 },
      { variant_id: kits[caller]!.variants[0]!.id, quantity: 1 },
    ],
    shipping_methods: [{ name: 'Standard', shipping_option_id: seeded.shippingOptionId, amount: 5 }],
  })
  const order =
    'id,display_id,status,email,currency_code,total,item_total,shipping_total,tax_total,created_at,updated_at'
  const product = 'id,title,handle,status,thumbnail,created_at,updated_at'
  return {
    pids: [server.pid, worker.pid],
    reads: {
      'product page of 50': get(`products?limit=50&fields=${product}`),
      'one product': get(`products/${kits[0]!.id}?fields=${product},description,*variants,*variants.options,*options`),
      'order list of 50': get(`orders?limit=50&fields=${order}`),
      'one order': get(`orders/${orders[0]?.id}?fields=${order},*shipping_address,*billing_address,*shipping_methods`),
    },
    placeOrder: async (caller) => {
      const { draft_order: drafted } = await ask<{ draft_order: { id: string } }>({
        url: `${base}/admin/draft-orders?fields=id`,
        headers,
        body: JSON.stringify(draftOf(caller)),
      })
      const { order: placed } = await ask<{ order: { status: string } }>({
        url: `${base}/admin/draft-orders/${drafted.id}/convert-to-order?fields=id,status`,
        headers,
        body: '{}',
      })
      if (placed.status !== 'pending') throw new Error(`the order is ${placed.status}`)
    },
    stop: async () => void (await Promise.all([server.stop(), worker.stop()])),
  }
}

/** It prints no line of JSON of its own when it is ready, so its health is asked. */
async function startMode(mode: string, base: string): Promise<{ pid: number; stop: () => Promise<void> }> {
  const child = spawn(process.execPath, [program, 'start', '-p', new URL(base).port], {
    cwd: folderOf('medusa'),
    env: { ...process.env, ...env, MEDUSA_WORKER_MODE: mode },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const until = performance.now() + 300_000
  for (;;) {
    const answer = await fetch(`${base}/health`).catch(() => undefined)
    if (answer?.ok) break
    if (child.exitCode !== null || performance.now() > until) throw new Error(`Medusa’s ${mode} did not start`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    pid: child.pid!,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.kill('SIGTERM')
      }),
  }
}

if (import.meta.main) await (process.argv[2] === 'remove' ? dropDatabase(database) : install())
