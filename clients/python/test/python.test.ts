import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sql } from '../../../src/database/sql.ts'
import { signatureVector } from '../../../src/publish/guide.ts'
import { pdfFile } from '../../../test/world/artwork.ts'
import { blindEngine } from '../../../test/world/artwork-engine.ts'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { placed, publishProof } from '../../../test/world/production.ts'
import { testService } from '../../../test/world/service.ts'
import { faultProxy, type Fault } from '../../typescript/test/fault-proxy.ts'
import { withOperations } from '../build/operations.ts'

/** Runs the tests in Python against the service of this process, through a proxy that they tell what to spoil. */
const run = promisify(execFile)
const python = await run('python3', ['-c', 'import sys; assert sys.version_info >= (3, 9)']).then(
  () => true,
  () => false,
)
const skip = python ? false : 'there is no python3 of version 3.9 or newer'
const file = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url))

let secondsAhead = 0
const service = await testService({
  clock: () => new Date(Date.now() + secondsAhead * 1_000),
  artworkEngine: blindEngine(),
})
const { manifest, hosts } = service
const primary = await partner(service, 'primary')
const build = orderBuilder(manifest)
const proxy = await faultProxy(hosts.baseUrl)
const folder = await mkdtemp(join(tmpdir(), 'partner-commerce-python-'))
after(() => rm(folder, { recursive: true }))

type Plan = {
  call: string | null
  faults: Fault[]
  then: Fault | null
  /** the line whose proof is replaced before the first request passes */
  replace?: Line
}
type Line = { order_number: number; item_number: number }

/** The proof that waits is declined, and another revision waits in its place. */
async function replaced({ order_number: orderNumber, item_number: itemNumber }: Line): Promise<void> {
  const path = `/v1/orders/${orderNumber}/items/${itemNumber}/proof`
  const { reasons } = (await primary.get(`${path}/denial-reasons`)).body
  assert.equal((await primary.post(`${path}/decline`, { reason: reasons[0].code })).status, 200)
  await publishProof(service, { orderNumber, itemNumber, lineNumber: 1 })
}

/** What the tests in Python ask of this process. */
const controls: Record<string, (body: any) => unknown> = {
  '/plan': ({ call, faults, then, replace }: Plan) => {
    proxy.faults(async (passing, times) => {
      if (passing.call !== call) return undefined
      if (replace && times === 0) await replaced(replace)
      return faults[times] ?? then ?? undefined
    })
  },
  '/random': ({ faults }: { faults: Fault[] }) => {
    let seed = 20_310_417
    const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
    proxy.faults(() => (random() < 0.4 ? faults[Math.floor(random() ** 2 * faults.length)] : undefined))
  },
  '/end-tokens': () => {
    const ended = new Set(proxy.passed.map(({ headers }) => headers.authorization))
    proxy.faults(({ headers }) =>
      headers.authorization && ended.has(headers.authorization)
        ? { send: { authorization: 'Bearer ended' } }
        : undefined,
    )
  },
  '/passed': () => proxy.passed.map(({ call, at }) => ({ call, at })),
  '/clock': ({ seconds }: { seconds: number }) => void (secondsAhead += seconds),
  '/placed': async (keys: string[]) => {
    const rows = await service.owner.production.statements.rows<{ partnerOrderId: string; orders: number }>(sql`
      select submission.partner_order_id, count(orders.order_number)::int as orders
      from submission left join orders using (submission_id)
      where submission.partner_order_id = any(${keys}) group by submission.partner_order_id`)
    return Object.fromEntries(rows.map(({ partnerOrderId, orders }) => [partnerOrderId, orders]))
  },
  '/replace': replaced,
  '/waiting-line': async () => {
    const { lines } = await placed(primary, build.order())
    await publishProof(service, lines[0]!)
    return { order_number: lines[0]!.orderNumber, item_number: lines[0]!.itemNumber }
  },
}

async function startControl(): Promise<string> {
  const server = createServer(async (request, response) => {
    const body = request.method === 'POST' ? await json(request) : undefined
    const answer = await controls[request.url!]!(body)
    response.end(answer === undefined ? '' : JSON.stringify(answer))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function deadAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}`
}

/** What Python said, whether or not it was content. */
async function said(args: string[], env: Record<string, string>): Promise<string> {
  const options = { cwd: folder, env: { PATH: process.env['PATH']!, PYTHONDONTWRITEBYTECODE: '1', ...env } }
  const { stdout, stderr } = await run('python3', args, options).catch((error: { stdout: string; stderr: string }) =>
    assert.fail(error.stdout + error.stderr),
  )
  return stdout + stderr
}

const credentials = manifest.partners.primary.clients![0]!

test('the table of operations in the Python client is what the documents say now', async () => {
  const program = await readFile(file('partner_commerce.py'), 'utf8')
  assert.equal(program, withOperations(program))
})

test('the Python client holds against the running service and a faulty network', { skip }, async () => {
  const artwork = join(folder, 'cards.pdf')
  await writeFile(artwork, pdfFile())
  const WORLD = JSON.stringify({
    proxy: proxy.url,
    control: await startControl(),
    dead: await deadAddress(),
    mtls: hosts.mtlsBaseUrl,
    ...manifest.partners.certificate.certificate,
    ...credentials,
    order: build.order(),
    impossibleLine: build.stockLine({ variantId: 999_999 }),
    artwork,
    signatureVector,
  })
  const report = await said([file('test/test_partner_commerce.py')], { WORLD })
  assert.match(report, /^Ran (\d+) tests in/m)
  assert.match(report, /^OK$/m)
})

test('the example of the README does what it says', { skip }, async () => {
  proxy.faults(() => undefined)
  const text = await readFile(file('README.md'), 'utf8')
  const [, program] = /^```python\n([\s\S]*?)^```$/m.exec(text)!
  await copyFile(file('partner_commerce.py'), join(folder, 'partner_commerce.py'))
  const printed = await said(['-W', 'error', '-c', program!], {
    BASE_URL: hosts.baseUrl,
    CLIENT_ID: credentials.clientId,
    CLIENT_SECRET: credentials.clientSecret,
    SITE_ID: String(manifest.sites.main),
    PRODUCT_ID: manifest.fixtures.products.pod,
    PURCHASE: 'readme-of-python',
  })
  assert.match(printed, /^order \d+\nTrue\n404 order_not_found\n$/)
})

test('the client is written in the language of the oldest Python that its README names', { skip }, async () => {
  const [, minor] = /for Python 3\.(\d+) or newer/.exec(await readFile(file('README.md'), 'utf8'))!
  const parse = (text: string) =>
    run('python3', ['-c', `import ast, sys; ast.parse(sys.argv[1], feature_version=(3, ${minor}))`, text])
  await parse(await readFile(file('partner_commerce.py'), 'utf8'))
  await assert.rejects(parse('match 1:\n    case 1: pass'), /SyntaxError/)
})
