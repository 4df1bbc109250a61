import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { signatureVector } from '../../../src/publish/guide.ts'
import { sandboxPartner } from '../../../test/world/sandbox.ts'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { testService } from '../../../test/world/service.ts'
import { PartnerCommerce, type Order } from '../src/index.ts'
import { webhookHandler as forExpress } from '../src/webhooks/express.ts'
import { webhooks as forFastify } from '../src/webhooks/fastify.ts'
import { webhookHandler as forFetch } from '../src/webhooks/fetch.ts'
import { webhookHandler as forHono } from '../src/webhooks/hono.ts'
import {
  isTestPing,
  verifyWebhook,
  WebhookRefused,
  type VerifyOptions,
  type WebhookEvent,
  type WebhookHandlerOptions,
} from '../src/webhooks/index.ts'
import { webhookHandler as forNode } from '../src/webhooks/node.ts'

const { secret, timestamp, body, v1 } = signatureVector
const signature = `t=${timestamp},v1=${v1}`
const at = (seconds: number): Date => new Date((timestamp + seconds) * 1_000)
const published: VerifyOptions = { body, signature, secret, now: at(0) }

function signed(text: string, by: string = secret, seconds = Math.floor(Date.now() / 1_000)): string {
  return `t=${seconds},v1=${createHmac('sha256', by).update(`${seconds}.${text}`).digest('hex')}`
}

async function refusedAs(reason: string, changes: Partial<VerifyOptions>): Promise<void> {
  await assert.rejects(verifyWebhook({ ...published, ...changes }), (error) => {
    assert.ok(error instanceof WebhookRefused, String(error))
    assert.equal(error.reason, reason)
    return true
  })
}

test('the published delivery verifies, as text and as bytes', async () => {
  const event = await verifyWebhook(published)
  assert.equal(event.eventId, JSON.parse(body).eventId)
  assert.equal(isTestPing(event), false)
  const bytes = new TextEncoder().encode(body)
  assert.deepEqual(await verifyWebhook({ ...published, body: bytes }), event)
  assert.deepEqual(await verifyWebhook({ ...published, body: bytes.buffer }), event)
  assert.deepEqual(await verifyWebhook({ ...published, body: Buffer.from(body) }), event)
})

test('the window is 300 seconds in both directions', async () => {
  await verifyWebhook({ ...published, now: at(300) })
  await verifyWebhook({ ...published, now: at(-300) })
  await refusedAs('too_old', { now: at(301) })
  await refusedAs('too_new', { now: at(-301) })
  await refusedAs('too_old', { now: at(11), tolerance: 10 })
  await refusedAs('too_old', { now: new Date() })
})

test('a header that lacks a part, or has none, is refused', async () => {
  await refusedAs('missing_signature', { signature: undefined })
  await refusedAs('missing_signature', { signature: '' })
  await refusedAs('malformed_signature', { signature: `v1=${v1}` })
  await refusedAs('malformed_signature', { signature: `t=${timestamp}` })
  await refusedAs('malformed_signature', { signature: `t=now,v1=${v1}` })
  await refusedAs('malformed_signature', { signature: `t=${timestamp},t=${timestamp},v1=${v1}` })
})

test('other bytes, another secret, another time and another writing of the digest are refused', async () => {
  await refusedAs('wrong_signature', { body: JSON.stringify(JSON.parse(body), null, 1) })
  await refusedAs('wrong_signature', { body: `${body}\n` })
  await refusedAs('wrong_signature', { secret: secret.slice(0, -1) })
  await refusedAs('wrong_signature', { secret: secret.slice('whsec_'.length) })
  await refusedAs('wrong_signature', { signature: `t=${timestamp + 1},v1=${v1}` })
  await refusedAs('wrong_signature', { signature: `t=${timestamp},v1=${v1.toUpperCase()}` })
  await refusedAs('wrong_signature', { signature: `t=${timestamp},v1=${v1}00` })
})

test('several secrets are known while one is rotated, and several digests and later schemes are understood', async () => {
  await verifyWebhook({ ...published, secret: ['whsec_next', secret] })
  await verifyWebhook({ ...published, secret: [secret, 'whsec_last'] })
  await refusedAs('wrong_signature', { secret: ['whsec_next', 'whsec_last'] })
  await verifyWebhook({ ...published, signature: `t=${timestamp}, v2=x, v1=${'0'.repeat(64)}, v1=${v1}` })
})

test('however many digests a header offers, each secret signs the body once', async (t) => {
  const sign = t.mock.method(crypto.subtle, 'sign')
  const verify = t.mock.method(crypto.subtle, 'verify')
  const offered = Array.from({ length: 200 }, (_, index) => `v1=${String(index).padStart(64, '0')}`).join(',')
  await refusedAs('wrong_signature', { signature: `t=${timestamp},${offered}` })
  await verifyWebhook({ ...published, signature: `t=${timestamp},${offered},v1=${v1}` })
  assert.deepEqual([sign.mock.callCount(), verify.mock.callCount()], [2, 0])
})

test('what the author did wrong is told apart from what the sender did wrong', async () => {
  const wrong = (changes: object) => verifyWebhook({ ...published, ...changes } as VerifyOptions)
  await assert.rejects(wrong({ secret: '' }), /^TypeError: A webhook needs its signing secret/)
  await assert.rejects(wrong({ secret: [] }), /^TypeError: A webhook needs its signing secret/)
  await assert.rejects(wrong({ secret: undefined }), /^TypeError: A webhook needs its signing secret/)
  await assert.rejects(wrong({ body: JSON.parse(body) }), /^TypeError: .*a parsed object cannot be verified/)
  for (const tolerance of [Number.NaN, Number.POSITIVE_INFINITY, -1])
    await assert.rejects(
      wrong({ tolerance }),
      /^TypeError: The tolerance of a webhook is a number of seconds, 0 or more/,
    )
  await assert.rejects(wrong({ now: new Date('yesterday') }), /^TypeError: .* must be a valid date/)
  assert.throws(() => forFetch({ secret: '', onEvent: () => undefined }), TypeError)
  await refusedAs('unreadable_body', { body: '[]', signature: signed('[]', secret, timestamp) })
})

/** Starts what listens, and gives its address. */
async function listening(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
}

/** Each adapter as an application has it: the address where its deliveries arrive. */
const adapters: Record<string, (t: TestContext, options: WebhookHandlerOptions) => Promise<string>> = {
  'node:http': (t, options) => listening(t, forNode(options)),
  Express: (t, options) => {
    const app = express()
    app.post('/hooks', forExpress(options))
    app.use(express.json())
    return listening(t, app)
  },
  'Express with express.raw': (t, options) => {
    const app = express()
    app.post('/hooks', express.raw({ type: '*/*' }), forExpress(options))
    return listening(t, app)
  },
  Fastify: async (t, options) => {
    const app = fastify()
    await app.register(forFastify, { path: '/hooks', ...options })
    app.post('/other', async ({ body: parsed }) => parsed)
    t.after(() => app.close())
    const other = await app.inject({ method: 'POST', url: '/other', payload: { parsed: true } })
    assert.deepEqual(other.json(), { parsed: true })
    return `${await app.listen({ port: 0, host: '127.0.0.1' })}/hooks`
  },
  Hono: (t, options) => {
    const app = new Hono()
    app.post('/hooks', forHono(options))
    return listening(
      t,
      asListener(async (each) => app.fetch(each)),
    )
  },
  Fetch: (t, options) => listening(t, asListener(forFetch(options))),
}

/** Serves a handler of the Fetch API, as runtimes do that have one. */
function asListener(handle: (request: Request) => Promise<Response>): RequestListener {
  return async (incoming, outgoing) => {
    const answer = await handle(
      new Request(`http://localhost${incoming.url}`, {
        method: incoming.method!,
        headers: incoming.headers as Record<string, string>,
        body: incoming as never,
        duplex: 'half',
      } as RequestInit),
    )
    outgoing.statusCode = answer.status
    outgoing.end(await answer.text())
  }
}

async function posted(url: string, text: string, header: string | undefined): Promise<number> {
  const answer = await fetch(url, {
    method: 'POST',
    body: text,
    headers: { 'content-type': 'application/json', ...(header !== undefined && { 'platform-signature': header }) },
  })
  await answer.arrayBuffer()
  return answer.status
}

for (const [name, start] of Object.entries(adapters))
  test(`${name}: verified events and pings arrive, and everything else is refused`, async (t) => {
    const seen: string[] = []
    const url = await start(t, {
      secret: ['whsec_last', secret],
      onEvent: ({ eventId, type }) => {
        if (type === 'boom') throw new Error('no room in the queue')
        seen.push(`event ${eventId}`)
      },
      onTestPing: ({ eventId }) => void seen.push(`ping ${eventId}`),
      onRefused: ({ reason }) => seen.push(reason),
      onError: (error) => seen.push(String(error)),
    })
    const unknown = '{"eventId":"a","type":"a_type_of_tomorrow","siteId":1,"orderNumber":2}  '
    assert.equal(await posted(url, unknown, signed(unknown)), 204)
    const ping = '{"eventId":"test_b","type":"order.status_changed","siteId":0,"orderNumber":0}'
    assert.equal(await posted(url, ping, signed(ping)), 204)
    assert.equal(await posted(url, body, signature), 400)
    assert.equal(await posted(url, body, undefined), 400)
    assert.equal(await posted(url, body, signed(body, 'whsec_other')), 400)
    const boom = '{"eventId":"c","type":"boom","siteId":1,"orderNumber":2}'
    assert.equal(await posted(url, boom, signed(boom)), 500)
    const large = JSON.stringify({ eventId: 'd', type: 'x', filling: 'x'.repeat(70_000) })
    if (name !== 'Express with express.raw') assert.equal(await posted(url, large, signed(large)), 413)
    assert.deepEqual(seen, [
      'event a',
      'ping test_b',
      'too_old',
      'missing_signature',
      'wrong_signature',
      'Error: no room in the queue',
    ])
  })

test('a body that was parsed before is told to the author, not to the sender', async (t) => {
  const told: string[] = []
  const app = express()
  app.use(express.json())
  app.post('/hooks', forExpress({ secret, onEvent: () => undefined }))
  app.use((error: unknown, _request: unknown, response: express.Response, _next: unknown) => {
    told.push(String(error))
    response.status(500).end()
  })
  const url = await listening(t, app)
  assert.equal(await posted(url, body, signed(body)), 500)
  assert.match(told[0]!, /a parsed object cannot be verified/)

  const given = new Request(url, { method: 'POST', body, headers: { 'platform-signature': signed(body) } })
  await given.text()
  await assert.rejects(forFetch({ secret, onEvent: () => undefined })(given), /read nothing of it first/)
})

test('a delivery that breaks off harms nobody', async (t) => {
  const seen: WebhookEvent[] = []
  const url = await listening(t, forNode({ secret, onEvent: (event) => void seen.push(event) }))
  const { port } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  socket.write('POST /hooks HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"eve')
  await once(socket, 'connect')
  socket.resetAndDestroy()
  await once(socket, 'close')
  assert.equal(await posted(url, body, signed(body)), 204)
  assert.equal(seen.length, 1)
})

test('deliveries of the running service verify, the test ping too, and a wrong signature does not', async (t) => {
  const service = await testService()
  const partner = await sandboxPartner(service)
  const client = new PartnerCommerce({ baseUrl: partner.baseUrl, accessToken: partner.token })
  const seen: { event: string; order: number }[] = []
  const refused: string[] = []
  const waiting = new Set<() => void>()
  const note = (): void => waiting.forEach((check) => check())
  const until = (holds: () => boolean) =>
    new Promise<void>((resolve) => {
      const check = (): void => void (holds() && (waiting.delete(check), resolve()))
      waiting.add(check)
      check()
    })
  let secretNow = ''
  const url = await listening(t, (incoming, outgoing) =>
    forNode({
      secret: secretNow,
      onEvent: ({ type, orderNumber }) => void (seen.push({ event: type, order: orderNumber }), note()),
      onTestPing: ({ orderNumber }) => void (seen.push({ event: 'ping', order: orderNumber }), note()),
      onRefused: ({ reason }) => (refused.push(reason), note()),
    })(incoming, outgoing),
  )
  const receiver = await client.registerReceiver({ body: { url } })
  secretNow = receiver.secret!
  await client.pingReceiver({ receiverId: receiver.receiverId })
  await until(() => seen.some(({ event }) => event === 'ping'))

  const order = orderBuilder(service.manifest).order() as Order
  const { order: placed } = await client.submitAndWait(order)
  const { orderNumber } = placed
  await client.takeOrderStep({ orderNumber, body: { step: 'ship_all' } })
  await until(() => seen.some(({ event, order: of }) => event === 'shipment.shipped' && of === orderNumber))
  assert.deepEqual(refused, [])

  await client.setReceiverMisbehaviour({ receiverId: receiver.receiverId, body: { misbehaviour: 'wrong_signature' } })
  await client.pingReceiver({ receiverId: receiver.receiverId })
  await until(() => refused.length > 0)
  assert.equal(refused[0], 'wrong_signature')
})
