import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { resolve } from 'node:path'
import { styleText } from 'node:util'
import type { Manifest } from '../src/demo/manifest.ts'

/**
 * `npm run tour`: the main job as a partner sees it, against the sandbox of the running service, or of one started here
 * for as long as the tour takes. Each step is printed as it happens with what it cost; the tour ends with 0 only if
 * every step held.
 */
const dataDir = resolve(process.env.DATA_DIR ?? 'var')
const running = (await isRunning()) ? undefined : await startService()
let failed = false
try {
  await tour(await manifest())
} catch (error) {
  failed = true
  process.stdout.write(`\n${styleText('red', `✖ ${(error as Error).message}`)}\n`)
} finally {
  await running?.()
}
process.exit(failed ? 1 : 0)

// What answers are expected to hold is said by `expect`; the contract's tests hold the rest.
// eslint-disable-next-line typescript/no-explicit-any
type Body = any

async function tour({ hosts, partners, sites, fixtures }: Manifest): Promise<void> {
  const base = hosts.sandboxBaseUrl
  const client = partners.sandbox!.clients![0]!
  process.stdout.write(`The sandbox at ${base}, as ${partners.sandbox!.name}\n\n`)

  const token = await step('takes a token', async () => {
    const answer = await fetch(`${base}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: client.clientId,
        client_secret: client.clientSecret,
      }),
    })
    const body: Body = await answer.json()
    expect(answer.status === 200, `the token endpoint answers ${answer.status}`)
    return [body.access_token as string, `${body.token_type}, good for ${body.expires_in} s`]
  })
  const call = async (method: string, path: string, body?: unknown): Promise<{ status: number; body: Body }> => {
    const answer = await fetch(base + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return { status: answer.status, body: await answer.json() }
  }
  const ok = async (method: string, path: string, body?: unknown): Promise<Body> => {
    const answer = await call(method, path, body)
    expect(answer.status < 300, `${method} ${path} answers ${answer.status} ${answer.body.code}: ${answer.body.detail}`)
    return answer.body
  }

  await step('asks who it is', async () => {
    const me = await ok('GET', '/v1/me')
    return [me, `${me.partnerName}, ${me.limits.tier}, sites ${me.grantedSiteIds.join(', ')}`]
  })
  await step('looks into the catalog', async () => {
    const page = await ok('GET', `/v1/sites/${sites.main}/products?limit=5`)
    expect(page.products.length > 0, 'the catalog is empty')
    return [page, page.products.map((product: Body) => product.name).join(' · ')]
  })
  const shipTo = {
    name: 'Dana Reyes',
    company: 'Reyes & Daughters',
    address1: '500 Howard St',
    city: 'San Francisco',
    state: 'CA',
    postalCode: '94105',
    country: 'US',
  }
  const { pod, stock, stockVariantId } = fixtures.products
  const quote = await step('asks what 250 of a product cost', async () => {
    const priced = await ok('POST', `/v1/products/${pod}/quote`, { quantity: 250 })
    return [priced, `${priced.lineTotal} ${priced.currency} (list ${priced.lineListTotal})`]
  })
  await step('asks what delivery costs', async () => {
    const { country, state, postalCode } = shipTo
    const body = { siteId: sites.main, productId: pod, shipTo: { country, state, postalCode }, weightOunces: 40 }
    const { quotes } = await ok('POST', '/v1/shipping/quote', body)
    return [quotes, quotes.map((each: Body) => `${each.serviceName} ${each.price}`).join(' · ')]
  })
  const order = {
    siteId: sites.main,
    partnerOrderId: `tour-${randomUUID()}`,
    shipTo: { ...shipTo, email: 'dana@example.com' },
    lines: [
      { productId: pod, partnerLineId: 'cards', quantity: 250, jobName: 'Cards for Dana' },
      { productId: stock, variantId: stockVariantId, partnerLineId: 'kit', quantity: 2 },
    ],
  }
  const submission = await step('submits an order of two lines', async () => {
    const submitted = await ok('POST', '/v1/orders', order)
    expect(
      submitted.status === 'completed',
      `the submission is ${submitted.status}: ${JSON.stringify(submitted.errors)}`,
    )
    return [submitted, `order ${submitted.order.orderNumber}, ${submitted.order.totalPrice}`]
  })
  await step('sends the same order again, as after a lost answer', async () => {
    const again = await call('POST', '/v1/orders', order)
    expect(again.status === 200, `the replay answers ${again.status}`)
    expect(again.body.submissionId === submission.submissionId, 'the replay is another submission')
    return [again, 'the same submission, no second order']
  })
  const { orderNumber } = submission.order
  await step('reads the order, its lines and its shipments', async () => {
    const read = await ok('GET', `/v1/orders/${orderNumber}`)
    const { items } = await ok('GET', `/v1/orders/${orderNumber}/items`)
    const { shipments } = await ok('GET', `/v1/orders/${orderNumber}/shipments`)
    expect(items[0].lineTotal === quote.lineTotal, `the line costs ${items[0].lineTotal}, quoted ${quote.lineTotal}`)
    expect(Number(read.totalPrice) === submission.order.totalPrice, 'order and submission disagree')
    return [
      read,
      `${read.status}, ${read.totalPrice} ${read.currency}, ${items.length} lines, ${shipments.length} shipments`,
    ]
  })
  process.stdout.write(`\n${styleText('green', 'Every step held.')}\n`)
}

async function step<Result>(what: string, work: () => Promise<[Result, string]>): Promise<Result> {
  const startedAt = performance.now()
  const [result, seen] = await work()
  const milliseconds = `${(performance.now() - startedAt).toFixed(0)} ms`
  process.stdout.write(`${styleText('green', '✔')} ${what.padEnd(48)}${milliseconds.padStart(8)}  ${seen}\n`)
  return result
}

function expect(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise)
}

async function manifest(): Promise<Manifest> {
  return JSON.parse(await readFile(`${dataDir}/demo.json`, 'utf8')) as Manifest
}

async function isRunning(): Promise<boolean> {
  try {
    const { hosts } = await manifest()
    return (await fetch(`${hosts.sandboxBaseUrl}/v1/ping`)).ok
  } catch {
    return false
  }
}

async function startService(): Promise<() => Promise<void>> {
  process.stdout.write('Starting the service for the tour …\n')
  const child = spawn(process.execPath, ['src/main.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { LOG_LEVEL: 'warn', ...process.env },
  })
  await new Promise<void>((ready, failedToStart) => {
    child.once('exit', () => failedToStart(new Error('the service did not start')))
    createInterface({ input: child.stdout }).on('line', (line) => line.startsWith('{"ready"') && ready())
  })
  return () =>
    new Promise((gone) => {
      child.once('exit', () => gone())
      child.kill('SIGTERM')
    })
}
