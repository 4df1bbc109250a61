import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { testService } from '../../../test/world/service.ts'
import {
  ConnectionFailed,
  ForbiddenProblem,
  NotFoundProblem,
  PartnerCommerce,
  version,
  type Order,
} from '../src/index.ts'
import { clientCertificate } from '../src/mutual-tls.ts'
import { ServerEvents, type ServerEvent } from '../src/server-events.ts'
import type { Sender } from '../src/send.ts'

const service = await testService()
const { manifest, hosts } = service
const files = manifest.partners.certificate.certificate!
const [cert, key, ca] = await Promise.all([files.certFile, files.keyFile, files.caFile].map((file) => readFile(file)))

test('a client certificate is the credential on the mutual-TLS host', async () => {
  const certificate = clientCertificate({ cert: cert!, key: key!, ca: ca! })
  const client = new PartnerCommerce({ baseUrl: hosts.mtlsBaseUrl, certificate })
  assert.equal((await client.getMe()).authMethod, 'MTLS')
  const { order } = await client.submitAndWait(
    orderBuilder(manifest).order({ siteId: (await client.getMe()).grantedSiteIds[0] }) as Order,
  )
  assert.equal((await client.getOrder({ orderNumber: order.orderNumber })).orderNumber, order.orderNumber)
  await assert.rejects(client.getOrder({ orderNumber: 1 }), NotFoundProblem)
  const { response } = await client.listSites().withResponse()
  await client.listSites({ ifNoneMatch: response.etag! }).then(
    () => assert.fail('it was read'),
    (error: Error) => assert.equal(error.name, 'NotModified'),
  )
})

test('a service whose authority is not known gets no request, and a signal ends one', async () => {
  const certificate = clientCertificate({ cert: cert!, key: key! })
  const client = new PartnerCommerce({ baseUrl: hosts.mtlsBaseUrl, certificate, retry: { attempts: 1 } })
  await assert.rejects(client.getMe(), (error) => {
    assert.ok(error instanceof ConnectionFailed)
    assert.match(error.message, /certificate/)
    return true
  })
  const trusting = clientCertificate({ cert: cert!, key: key!, ca: ca! })
  const abort = new AbortController()
  const waiting = new PartnerCommerce({ baseUrl: hosts.mtlsBaseUrl, certificate: trusting }).getMe(
    {},
    { signal: abort.signal },
  )
  abort.abort(new Error('enough'))
  await assert.rejects(waiting, /^Error: enough$/)
})

async function serving(
  t: TestContext,
  answer: (request: IncomingMessage, response: ServerResponse, times: number) => void,
): Promise<string> {
  let times = 0
  const server = createServer((request, response) => answer(request, response, times++)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('requests name the client and its version, and what the caller adds', async (t) => {
  const seen: (string | undefined)[] = []
  const baseUrl = await serving(t, (request, response) => {
    seen.push(request.headers['user-agent'], request.headers['x-own'] as string)
    response.end('{}')
  })
  const client = new PartnerCommerce({ baseUrl, accessToken: 'x', userAgent: 'my-shop/2.1' })
  await client.getMe({}, { headers: { 'x-own': 'yes' } })
  assert.deepEqual(seen, [`partner-commerce-client/${version} my-shop/2.1`, 'yes'])
})

function streamOf(baseUrl: string): ServerEvents<unknown> {
  const tokens = { current: async () => 'x', refuse: () => undefined }
  const sender: Sender = {
    baseUrl,
    fetch: (url, init) => fetch(url, init),
    tokens,
    timeout: 1_000,
    retry: { base: 5 },
    onRetry: undefined,
    userAgent: undefined,
  }
  return new ServerEvents(sender, 'streamEvents', ['GET', '/sandbox/events', { events: true }])
}

test('a stream is read by the standard, in whatever pieces it comes', async (t) => {
  const text =
    ': a comment\r\n\r\nevent: ready\ndata: {"secret":"whsec_ü"}\n\nid: 7\nevent: event\ndata: one\ndata: two\n\nid: 8\rdata:{"a":1}\r\rdata: never ended'
  const baseUrl = await serving(t, async (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const byte of Buffer.from(text)) {
      response.write(Buffer.of(byte))
      await new Promise(setImmediate)
    }
  })
  const read: ServerEvent<unknown>[] = []
  for await (const event of streamOf(baseUrl)) if (read.push(event) === 3) break
  assert.deepEqual(read, [
    { id: undefined, event: 'ready', data: { secret: 'whsec_ü' } },
    { id: '7', event: 'event', data: 'one\ntwo' },
    { id: '8', event: 'message', data: { a: 1 } },
  ])
})

test('a stream that breaks goes on after the last message, and a refusal ends it', async (t) => {
  const after: (string | undefined)[] = []
  const baseUrl = await serving(t, (request, response, times) => {
    after.push(request.headers['last-event-id'] as string | undefined)
    if (times === 1) return response.writeHead(503).end()
    if (times === 3) {
      const problem = { title: 'x', status: 403, code: 'insufficient_scope', detail: 'x', requestId: 'x' }
      return response.writeHead(403).end(JSON.stringify(problem))
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    return response.write(`id: ${times}\ndata: ${times}\n\n`, () => request.socket.resetAndDestroy())
  })
  const read: unknown[] = []
  await assert.rejects(async () => {
    for await (const { data } of streamOf(baseUrl)) read.push(data)
  }, ForbiddenProblem)
  assert.deepEqual(read, [0, 2])
  assert.deepEqual(after, [undefined, '0', '0', '2'])
})
