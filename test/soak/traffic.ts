import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Hosts, Manifest } from '../../src/demo/manifest.ts'
import { staffToken } from '../../bench/process.ts'
import { orderBuilder } from '../world/order-builder.ts'
import { token } from '../world/partner.ts'

/** Calls of all kinds, each by its name. A call resolves when its answer was read or its connection is over. */
export type Traffic = Readonly<Record<string, () => Promise<void>>>

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
    token: async () => void (await token(baseUrl, client)),
    sandbox: () => read(`${sandboxBaseUrl}/v1/ping`),
    staffOrders: ofStaff('orders?limit=50'),
    staffLines: ofStaff('lines?limit=50'),
    staffAudit: ofStaff('audit-records?limit=50&siteId=1'),
    staffSearch: ofStaff('search?q=dana'),
    staffOrder: ofStaff(`orders/${order}`),
    // Somebody closes the page.
    staffChanges: async () => {
      const ending = AbortSignal.timeout(randomInt(50, 500))
      await read(`${consoleUrl}/staff/v1/production/changes`, { headers: { authorization: staff }, signal: ending })
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

async function read(url: string, options: RequestInit = {}): Promise<void> {
  try {
    const answer = await fetch(url, options)
    await answer.text()
  } catch {
    // A connection that the service ended, or that this side gave up.
  }
}
