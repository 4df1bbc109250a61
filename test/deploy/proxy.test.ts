import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { chooseFreePort } from '../../src/database/embedded/postmaster.ts'
import { pdfFile } from '../world/artwork.ts'
import { type FreshDatabase, freshDatabase } from '../world/database.ts'
import { orderBuilder } from '../world/order-builder.ts'
import { startTestService, type TestService } from '../world/service.ts'
import { until } from '../world/webhooks.ts'

/** The proxy of deploy/compose.yaml, a real Caddy, in front of a real service: by names, over HTTP and on free ports. */
const caddy = '/usr/bin/caddy'
const caddyfile = join(import.meta.dirname, '..', '..', 'deploy', 'compose', 'Caddyfile')
const skip = !process.env.REQUIRE_SERVICES && !existsSync(caddy) && `${caddy} is not there`

const listeners = ['PORT', 'SANDBOX_PORT', 'DEVELOPER_PORT', 'CONSOLE_PORT', 'STORAGE_PORT'] as const
const usualPorts = { PORT: 8080, SANDBOX_PORT: 8081, DEVELOPER_PORT: 8060, CONSOLE_PORT: 8070, STORAGE_PORT: 9000 }

let service: TestService
let databases: { production: FreshDatabase; sandbox: FreshDatabase }
let domain: string
let variables: Record<string, string>
const ends: (() => Promise<unknown>)[] = []

before(async () => {
  if (skip) return
  const ports = Object.fromEntries(
    await Promise.all(listeners.map(async (name) => [name, String(await chooseFreePort())] as const)),
  )
  domain = `works.example:${await chooseFreePort()}`
  variables = {
    ...ports,
    TRUSTED_PROXIES: '127.0.0.1',
    PUBLIC_BASE_URL: `http://${domain}`,
    PUBLIC_SANDBOX_BASE_URL: `http://sandbox.${domain}`,
    PUBLIC_DEVELOPER_URL: `http://developers.${domain}`,
    PUBLIC_CONSOLE_URL: `http://console.${domain}`,
    PUBLIC_STORAGE_URL: `http://storage.${domain}`,
  }
  databases = {
    production: await freshDatabase('template_production'),
    sandbox: await freshDatabase('template_sandbox'),
  }
  service = await start()
  await startCaddy(ports)
})
after(async () => {
  for (const end of ends) await end()
  await service?.close()
  await Promise.all([databases?.production.drop(), databases?.sandbox.drop()])
})

function start(): Promise<TestService> {
  const { production, sandbox } = databases
  return startTestService({
    limits: 'on',
    variables,
    databases: { production: production.url, sandbox: sandbox.url },
  })
}

async function startCaddy(ports: Record<string, string>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'partner-commerce-caddy-'))
  let text = readFileSync(caddyfile, 'utf8')
  for (const name of listeners) {
    assert.ok(text.includes(`:${usualPorts[name]}`), name)
    text = text.replace(`:${usualPorts[name]}`, `:${ports[name]}`)
  }
  const file = join(folder, 'Caddyfile')
  await writeFile(file, `{\n\tadmin off\n}\n${text}`)
  const child = spawn(caddy, ['run', '--adapter', 'caddyfile', '--config', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      SCHEME: 'http',
      DOMAIN: domain,
      API: '127.0.0.1',
      OBJECTS: `127.0.0.1:${ports.STORAGE_PORT}`,
      CONSOLE_ADDRESSES: '127.0.0.1',
    },
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (said += piece))
  const ended = once(child, 'exit')
  ends.push(async () => {
    child.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true })
  })
  await until(async () => {
    assert.equal(child.exitCode, null, said)
    return said.includes('serving initial configuration')
  })
}

type Asked = { method?: string; headers?: Record<string, string>; body?: string | Uint8Array; from?: string }

/** Calls a URL of these names by way of the proxy, from an address of this machine. */
async function open(url: string, { method = 'GET', headers = {}, body, from = '127.0.0.1' }: Asked = {}) {
  const { host, port, pathname, search } = new URL(url)
  const asked = request({
    host: '127.0.0.1',
    port,
    localAddress: from,
    method,
    path: pathname + search,
    agent: false,
    headers: { ...headers, host, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
  })
  asked.end(body)
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  return answer
}

async function ask(url: string, asked?: Asked) {
  const answer = await open(url, asked)
  const text = Buffer.concat(await Array.fromAsync(answer as AsyncIterable<Buffer>)).toString()
  return { status: answer.statusCode!, headers: answer.headers, text }
}

async function token(): Promise<string> {
  const { clientId, clientSecret } = service.manifest.partners.primary!.clients![0]!
  const answer = await ask(`http://${domain}/oauth2/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `${new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret })}`,
  })
  return (JSON.parse(answer.text) as { access_token: string }).access_token
}

test('Caddy takes the file as it is', { skip }, async () => {
  const env = { PATH: process.env.PATH, HOME: tmpdir(), DOMAIN: 'works.example' }
  await promisify(execFile)(caddy, ['validate', '--adapter', 'caddyfile', '--config', caddyfile], { env })
})

test('the console is for the networks of the house, and other names are for everybody', { skip }, async () => {
  const from = '127.0.0.9'
  assert.equal((await ask(`http://console.${domain}/`, { from })).status, 403)
  assert.equal((await ask(`http://${domain}/v1/ping`, { from })).status, 200)
})

test('each name leads to its listener, and none to that of the operators', { skip }, async () => {
  for (const name of ['', 'sandbox.']) {
    const { status, text } = await ask(`http://${name}${domain}/v1/ping`)
    assert.deepEqual([status, JSON.parse(text).status], [200, 'OK'], name)
  }
  for (const name of ['developers.', 'console.']) {
    const { status, headers } = await ask(`http://${name}${domain}/`, { headers: { accept: 'text/html' } })
    assert.deepEqual([status, headers['content-type']], [200, 'text/html; charset=utf-8'], name)
  }
  for (const name of ['', 'sandbox.', 'developers.', 'console.', 'storage.'])
    for (const path of ['/metrics', '/readyz'])
      assert.ok((await ask(`http://${name}${domain}${path}`)).status >= 400, `${name} ${path}`)
})

test('what the storage tells its operators is told to nobody outside', { skip }, async () => {
  for (const path of ['/minio/health/live', '/minio/v2/metrics/cluster', '/minio']) {
    const { status, text } = await ask(`http://storage.${domain}${path}`)
    assert.deepEqual([status, text], [404, ''], path)
  }
  // What comes from behind the proxy says more.
  assert.notEqual((await ask(`http://storage.${domain}/minions`)).text, '')
})

test('an order and its print file go through, by links with the public name of the storage', { skip }, async () => {
  const headers = { authorization: `Bearer ${await token()}`, 'content-type': 'application/json' }
  const call = async (method: string, path: string, body?: unknown) => {
    const sent = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const { status, text } = await ask(`http://${domain}${path}`, sent)
    assert.ok(status < 300, `${path}: ${status} ${text}`)
    return JSON.parse(text) as any // eslint-disable-line typescript/no-explicit-any
  }
  const { order } = await call('POST', '/v1/orders', orderBuilder(service.manifest).order())
  const { items } = await call('GET', `/v1/orders/${order.orderNumber}/items`)
  const artwork = `/v1/orders/${order.orderNumber}/items/${items[0].itemNumber}/artwork`
  const { reservationName, uploadUrl } = await call('POST', `${artwork}/upload-url`, { fileName: 'cards.pdf' })
  assert.equal(new URL(uploadUrl).host, `storage.${domain}`)
  const file = new Uint8Array(pdfFile('cards'))
  const put = await ask(uploadUrl, { method: 'PUT', body: file })
  assert.equal(put.status, 200, put.text)
  await call('POST', artwork, { reservationName })
  const forged = await ask(uploadUrl.replace('Signature=', 'Signature=0'), { method: 'PUT', body: file })
  assert.equal(forged.status, 403)
  assert.equal((await ask(uploadUrl, { method: 'DELETE' })).status, 405)
})

test('the service sees the address of the caller, whatever the caller says of it', { skip }, async () => {
  const url = `http://${domain}/v1/orders`
  assert.equal((await ask(url, { from: '127.0.0.9', headers: { 'x-forwarded-for': '203.0.113.7' } })).status, 401)
  await until(async () => service.logLines.some((line) => line.includes('"sourceAddress":"127.0.0.9"')))
  assert.ok(!service.logLines.some((line) => line.includes('203.0.113.7')))
})

test('a stream of events is not held back', { skip }, async () => {
  const headers = { 'content-type': 'application/json', origin: `http://console.${domain}` }
  const session = await ask(`http://console.${domain}/staff/v1/session`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ ...service.manifest.staff, transport: 'bearer' }),
  })
  assert.equal(session.status, 201, session.text)
  const { token: bearer } = JSON.parse(session.text) as { token: string }
  const stream = await open(`http://console.${domain}/staff/v1/production/changes`, {
    headers: { authorization: `Bearer ${bearer}`, accept: 'text/event-stream' },
  })
  assert.deepEqual([stream.statusCode, stream.headers['content-type']], [200, 'text/event-stream'])
  const [piece] = (await once(stream, 'data')) as [Buffer]
  assert.ok(piece.length > 0)
  stream.destroy()
})

test('a call that comes while the service starts again waits for it', { skip }, async () => {
  await service.close()
  const waiting = ask(`http://${domain}/v1/ping`)
  service = await start()
  assert.equal((await waiting).status, 200)
})
