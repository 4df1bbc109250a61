import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Hosts, Manifest } from '../../src/demo/manifest.ts'
import { isUnderWay } from '../../src/platform/artwork/change-inspection.ts'
import { staffToken } from '../../bench/process.ts'
import { fuzzedFiles } from '../artwork/hostile/fuzzed-files.ts'
import { hostilePdfs } from '../artwork/hostile/pdf-files.ts'
import { faultyPdfFile, pdfFile, printFiles } from '../world/artwork.ts'
import { orderBuilder } from '../world/order-builder.ts'
import { type Partner, token, withToken } from '../world/partner.ts'
import { authorizeUrl, newBrowser, newVerifier, signedInTokens, submit } from '../world/sign-in.ts'

/**
 * Calls of all kinds, each by its name. A call resolves when its answer was read or its connection is over, with whether it went
 * as it should: a service that has too much to do may refuse it.
 */
export type Traffic = Readonly<Record<string, () => Promise<boolean>>>

/** What partners, agents and staff do all day. */
export async function usualTraffic(hosts: Hosts, manifest: Manifest): Promise<Traffic> {
  const { baseUrl, sandboxBaseUrl, consoleUrl } = hosts
  const client = manifest.partners.primary!.clients![0]!
  const authorization = `Bearer ${await token(baseUrl, client)}`
  const staff = `Bearer ${await staffToken(consoleUrl, manifest)}`
  const { fixtures, sites } = manifest
  const build = orderBuilder(manifest)
  const get = (path: string) => () => read(baseUrl + path, { headers: { authorization } })
  const post = (path: string, body: () => object) => () =>
    read(baseUrl + path, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(body()),
    })
  const ofStaff = (path: string) => () =>
    read(`${consoleUrl}/staff/v1/production/${path}`, { headers: { authorization: staff } })
  const order = fixtures.orders.approved.orderNumber
  return {
    order: get(`/v1/orders/${order}`),
    items: get(`/v1/orders/${order}/items`),
    orders: get('/v1/orders?limit=50'),
    products: get('/v1/products?limit=50'),
    search: get(`/v1/products?siteId=${sites.main}&limit=20&q=business+cards`),
    users: get('/v1/users?limit=50'),
    quote: post(`/v1/products/${fixtures.products.pod}/quote`, () => ({ quantity: 250 })),
    placed: post('/v1/orders', () => build.order()),
    refused: post('/v1/orders', () => build.order({ lines: [] })),
    mcp: post('/v1/mcp', () => ({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_order', arguments: { orderNumber: order } },
    })),
    token: () => tried(() => token(baseUrl, client)),
    sandbox: () => read(`${sandboxBaseUrl}/v1/ping`),
    staffOrders: ofStaff('orders?limit=50'),
    staffLines: ofStaff('lines?limit=50'),
    staffAudit: ofStaff('audit-records?limit=50&siteId=1'),
    staffSearch: ofStaff('search?q=dana'),
    staffOrder: ofStaff(`orders/${order}`),
    staffUsersAsCsv: ofStaff(`sites/${sites.main}/users.csv`),
    staffProductsAsCsv: ofStaff(`sites/${sites.main}/products.csv`),
    // Somebody closes the page.
    staffChanges: async () => {
      const ending = AbortSignal.timeout(randomInt(50, 500))
      await read(`${consoleUrl}/staff/v1/production/changes`, { headers: { authorization: staff }, signal: ending })
      return true
    },
  }
}

/** People and staff who sign in, with passwords that are right and wrong. */
export function signIns({ baseUrl, consoleUrl }: Hosts, manifest: Manifest): Traffic {
  const person = manifest.partners.primary!.signIn!
  const staffSession = (username: string, password: string) => () =>
    read(`${consoleUrl}/staff/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password, transport: 'bearer' }),
    })
  const { username, password } = manifest.staff
  return {
    person: () => tried(() => signedInTokens(baseUrl, person)),
    wrongPerson: () =>
      tried(async () => {
        const browser = newBrowser(baseUrl)
        const page = await browser.follow(authorizeUrl(baseUrl, person, newVerifier().challenge))
        await submit(browser, page, { action: 'sign-in', username: randomUUID(), password: randomUUID() })
      }),
    staff: staffSession(username, password),
    wrongStaff: staffSession(randomUUID(), randomUUID()),
  }
}

/** A partner that tries the sandbox: orders whose lines are produced and shipped as its clock goes on, and proofs. */
export async function sandboxTraffic({ sandboxBaseUrl }: Hosts, manifest: Manifest): Promise<Traffic> {
  const speaker = withToken(sandboxBaseUrl, await token(sandboxBaseUrl, manifest.partners.sandbox!.clients![0]!))
  const build = orderBuilder(manifest)
  const newLine = async () => {
    const { body } = await speaker.post('/v1/orders', build.order())
    const { orderNumber } = body.order
    const { items } = (await speaker.get(`/v1/orders/${orderNumber}/items`)).body
    return { orderNumber, itemNumber: items[0].itemNumber }
  }
  return {
    shipped: () =>
      tried(async () => {
        await newLine()
        const advanced = await speaker.post('/sandbox/clock/advance', { days: 1 })
        if (advanced.status !== 200) throw new Error(JSON.stringify(advanced.body))
      }),
    proofs: () =>
      tried(async () => {
        const { orderNumber, itemNumber } = await newLine()
        const line = `/v1/orders/${orderNumber}/items/${itemNumber}`
        await uploaded(speaker, line, pdfFile(randomUUID()))
        // Refused if the clock of the other caller went on meanwhile, so that the works have published it.
        await speaker.post(`/sandbox/orders/${orderNumber}/steps`, { step: 'publish_proof', itemNumber })
        const approved = await speaker.post(`${line}/proof/approve`, {})
        if (approved.status !== 200) throw new Error(JSON.stringify(approved.body))
      }),
    clock: () => tried(() => speaker.get('/sandbox/clock')),
  }
}

/** Print files of orders, good, faulty, broken and made to do harm; the next comes when one is inspected. */
export async function artworkTraffic({ baseUrl }: Hosts, manifest: Manifest): Promise<Traffic> {
  const speaker = withToken(baseUrl, await token(baseUrl, manifest.partners.primary!.clients![0]!))
  const build = orderBuilder(manifest)
  const broken = fuzzedFiles(printFiles, 1_000)
  const artworkOf = (make: () => Buffer) => () =>
    tried(async () => {
      const { body } = await speaker.post('/v1/orders', build.order())
      const { orderNumber } = body.order
      const { items } = (await speaker.get(`/v1/orders/${orderNumber}/items`)).body
      await uploaded(speaker, `/v1/orders/${orderNumber}/items/${items[0].itemNumber}`, make())
    })
  // Those that take long to make would stop everything else of this process.
  const harmful = hostilePdfs.filter(({ name }) => !/MB|million|twice/.test(name))
  const random = <Of>(all: readonly Of[]): Of => all[randomInt(all.length)]!
  return {
    good: artworkOf(() => pdfFile(randomUUID())),
    faulty: artworkOf(() => faultyPdfFile(randomUUID())),
    broken: artworkOf(() => random(broken).make()),
    harmful: artworkOf(() => random(harmful).make()),
  }
}

type FileShown = { inspection: Parameters<typeof isUnderWay>[0] }

/** Uploads a file to a line, attaches it and waits until it is inspected. */
async function uploaded(speaker: Partner, line: string, bytes: Buffer): Promise<void> {
  const { body } = await speaker.post(`${line}/artwork/upload-url`, { fileName: 'cards.pdf' })
  await read(body.uploadUrl, { method: 'PUT', body: new Uint8Array(bytes) })
  const { status } = await speaker.post(`${line}/artwork`, { reservationName: body.reservationName })
  for (let turn = 0; status === 200 && turn < 300; turn++) {
    const { files } = (await speaker.get(`${line}/artwork`)).body
    if (files.every(({ inspection }: FileShown) => !isUnderWay(inspection))) return
    await pause(200)
  }
  throw new Error('the file was not inspected')
}

/** Endpoints that are told of everything: one receiver answers, three never do. */
export async function startReceivers(
  { consoleUrl }: Hosts,
  manifest: Manifest,
): Promise<{ delivered: () => number; close: () => void }> {
  let delivered = 0
  const sockets = new Set<Socket>()
  const answering = createServer((request, response) => {
    delivered++
    request.resume().on('end', () => response.end())
  })
  const silent = createServer((request) => void request.resume())
  for (const server of [answering, silent]) {
    server.on('connection', (socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  }
  const port = (server: Server) => (server.address() as AddressInfo).port
  const paths = [[answering, 'all'] as const, ...['one', 'two', 'three'].map((path) => [silent, path] as const)]
  const authorization = `Bearer ${await staffToken(consoleUrl, manifest)}`
  for (const [environment, key] of [
    ['production', 'primary'],
    ['sandbox', 'sandbox'],
  ] as const) {
    for (const [server, path] of paths) {
      const { partnerId } = manifest.partners[key]!
      const answer = await fetch(`${consoleUrl}/staff/v1/${environment}/partners/${partnerId}/webhook-endpoints`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization },
        body: JSON.stringify({ url: `http://127.0.0.1:${port(server)}/${path}`, allowHost: true, signed: true }),
      })
      if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`)
      await answer.text()
    }
  }
  return {
    delivered: () => delivered,
    close: () => {
      for (const server of [answering, silent]) server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** What a service on the internet also gets. None of it may be answered with what it asks for. */
export function hostileTraffic({ baseUrl, developerUrl }: Hosts): Traffic {
  const { hostname, port } = new URL(baseUrl)
  const raw = async (talk: (socket: Socket) => Promise<void>) => {
    const socket = connect({ host: hostname, port: Number(port) })
    socket.on('error', () => undefined).resume()
    const closed = once(socket, 'close')
    await talk(socket)
    socket.destroy()
    await closed
    return true
  }
  const head = (length: number, further = '') =>
    `POST /v1/orders HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${randomUUID()}\r\n` +
    `content-type: application/json\r\ncontent-length: ${length}\r\n${further}\r\n`
  const post = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
    read(`${baseUrl}/v1/orders`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${randomUUID()}`, ...headers },
      body: body as string,
    })
  return {
    unknownToken: () => read(`${baseUrl}/v1/orders`, { headers: { authorization: `Bearer ${randomUUID()}` } }),
    unknownClient: () =>
      read(`${baseUrl}/oauth2/token`, {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'client_credentials', client_id: randomUUID(), client_secret: 'no' }),
      }),
    unknownPath: () => read(`${baseUrl}/${randomUUID()}/${randomUUID()}?${randomUUID()}=1`),
    manyAddresses: () =>
      read(`${baseUrl}/v1/orders`, { headers: { 'x-forwarded-for': `198.51.${randomInt(256)}.${randomInt(256)}` } }),
    longBody: () => post('x'.repeat(3_000_000)),
    deepBody: () => post('['.repeat(100_000)),
    noise: () => post(randomBytes(50_000)),
    longHeader: () => read(`${baseUrl}/v1/ping`, { headers: { 'x-long': 'x'.repeat(15_000) } }),
    developerNoise: () => read(`${developerUrl}/${randomUUID()}`),
    reset: () =>
      raw(async (socket) => {
        socket.write(head(100_000))
        await pause(randomInt(20))
        socket.resetAndDestroy()
      }),
    slowBody: () =>
      raw(async (socket) => {
        socket.write(head(1_000_000))
        for (let piece = 0; piece < 10 && !socket.destroyed; piece++) {
          socket.write('{')
          await pause(100)
        }
      }),
    slowHeaders: () =>
      raw(async (socket) => {
        for (const piece of head(10).slice(0, 20)) {
          socket.write(piece)
          await pause(50)
        }
      }),
    silent: () => raw(() => pause(1_000)),
    // Asks a hundred times and reads nothing.
    unread: () =>
      raw(async (socket) => {
        socket.pause()
        socket.write(`GET /v1/openapi.json HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`.repeat(100))
        await pause(500)
      }),
  }
}

async function read(url: string, options: RequestInit = {}): Promise<boolean> {
  try {
    const answer = await fetch(url, options)
    await answer.text()
    return answer.status < 500
  } catch {
    // A connection that the service ended, or that this side gave up.
    return false
  }
}

/** A conversation of some calls ends at the first that the service refuses. */
async function tried(conversation: () => Promise<unknown>): Promise<boolean> {
  try {
    await conversation()
    return true
  } catch {
    return false
  }
}
