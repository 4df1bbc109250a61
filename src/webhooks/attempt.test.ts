import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { drip, headArrived } from '../../test/world/slow-answers.ts'
import { createEgress, type Egress } from '../outside/egress/guarded-request.ts'
import { EgressBusy } from '../outside/egress/outcomes.ts'
import { makeAttempt, type Delivery } from './attempt.ts'
import { verifySignature } from './signature.ts'

const eventId = '0b9b6f6e-8b1f-4a43-8d4b-0b8f9a0d6c11'
const event = Buffer.from(`{"eventId":"${eventId}","type":"order.status_changed","note":"é"}`)
const instant = new Date('2026-11-20T10:00:00.900Z')
const clock = () => instant

async function listen(t: TestContext, server: Server): Promise<string> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

type Received = { method: string | undefined; url: string | undefined; headers: IncomingHttpHeaders; body: Buffer }

/** A receiver that reads a whole delivery, keeps it, and answers. */
async function receive(t: TestContext, answer: (response: ServerResponse, received: Received) => void) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>))
    const { method, url, headers } = request
    received.push({ method, url, headers, body })
    answer(response, { method, url, headers, body })
  })
  return { url: `http://${await listen(t, server)}/hook?key=1`, received }
}

/** A TCP receiver without HTTP, which answers the first bytes of each connection. */
async function receiveRaw(t: TestContext, answer: (socket: Socket) => void) {
  const seen = { posts: 0, connections: 0 }
  const server = createTcpServer((socket) => {
    seen.connections += 1
    socket.on('data', (piece) => {
      if (!piece.toString('latin1').startsWith('POST ')) return
      seen.posts += 1
      answer(socket)
    })
  })
  return { url: `http://${await listen(t, server)}/`, seen }
}

/** Idle connections stay open long enough for a busy machine. */
function open(t: TestContext): Egress {
  const egress = createEgress({ allowedHosts: (host) => host === '127.0.0.1', idleMillisecondsMax: 60_000 })
  t.after(() => egress.close())
  return egress
}

/** Resolves however the socket closes: a reset while we still write also raises an error. */
const closing = (socket: Socket) => new Promise<void>((resolve) => void socket.once('close', () => resolve()))

const to = (url: string, secret: string | null = null): Delivery => ({ url, eventId, body: event, secret })

/** Whether the attempt has a verdict by now. */
async function isJudged(attempt: Promise<unknown>): Promise<boolean> {
  for (let round = 0; round < 3; round += 1) await turn()
  return Promise.race([attempt.then(() => true), turn(false)])
}

test('EVT-13, EVT-18 an attempt is one POST of the very bytes given, as JSON, with the event id also in a header', async (t) => {
  const { url, received } = await receive(t, (response) => response.end())
  const verdict = await makeAttempt(open(t), to(url), clock)
  assert.equal(verdict.outcome, 'DELIVERED')
  assert.equal(received.length, 1)
  const [{ method, url: path, headers, body }] = received as [Received]
  assert.deepEqual([method, path], ['POST', '/hook?key=1'])
  assert.ok(body.equals(event))
  assert.equal(headers['content-type'], 'application/json')
  assert.equal(headers['content-length'], String(event.byteLength))
  assert.equal(headers['platform-event-id'], eventId)
  assert.equal(headers['accept-encoding'], 'identity')
  assert.match(headers['user-agent'] ?? '', /^Platform-Webhooks\//)
})

test('EVT-29, EVT-30, EVT-32 a secret adds a valid signature with the current time; without one there is no signature header', async (t) => {
  const { url, received } = await receive(t, (response) => response.end())
  const egress = open(t)
  await makeAttempt(egress, to(url, 'whsec_1'), clock)
  await makeAttempt(egress, to(url), clock)
  const [signed, unsigned] = received as [Received, Received]
  const header = String(signed.headers['platform-signature'])
  assert.match(header, /^t=\d+,v1=[0-9a-f]{64}$/)
  assert.equal(header.split(',')[0], `t=${Date.parse('2026-11-20T10:00:00Z') / 1_000}`)
  assert.equal(verifySignature(header, signed.body, 'whsec_1', instant.getTime() / 1_000), true)
  assert.equal('platform-signature' in unsigned.headers, false)
  assert.equal(unsigned.headers['platform-event-id'], eventId)
})

test('EVT-14, EVT-15 a 2xx is delivered and every other status failed for good, with exactly one POST each', async (t) => {
  const { url, received } = await receive(t, (response, { url: path }) =>
    response.writeHead(Number(path?.slice(1)), { location: '/204' }).end(),
  )
  const egress = open(t)
  const base = new URL(url).origin
  for (const status of [200, 201, 202, 204, 206, 226, 299]) {
    const verdict = await makeAttempt(egress, to(`${base}/${status}`), clock)
    assert.deepEqual([verdict.outcome, verdict.status, verdict.failure], ['DELIVERED', status, null])
  }
  for (const status of [300, 301, 302, 303, 304, 307, 308]) {
    const verdict = await makeAttempt(egress, to(`${base}/${status}`), clock)
    assert.deepEqual([verdict.outcome, verdict.status, verdict.failure], ['FAILED', status, 'redirect'])
  }
  for (const status of [400, 401, 404, 408, 410, 425, 429, 499, 500, 502, 503, 504, 599]) {
    const verdict = await makeAttempt(egress, to(`${base}/${status}`), clock)
    assert.deepEqual([verdict.outcome, verdict.status, verdict.failure], ['FAILED', status, 'status'])
  }
  assert.equal(received.length, 27)
})

test('EVT-14 a refused, reset or closed connection, nonsense, only a 1xx and a server without TLS fail after at most one POST', async (t) => {
  const egress = open(t)
  const fails = async (url: string) => {
    const verdict = await makeAttempt(egress, to(url), clock)
    assert.equal(verdict.outcome, 'FAILED')
    assert.equal(verdict.status, null)
    assert.equal(verdict.responseExcerpt, null)
    return verdict.failure
  }
  assert.equal(await fails('http://127.0.0.1:1/'), 'refused')

  for (const [failure, answer] of [
    ['connection', (socket: Socket) => socket.resetAndDestroy()],
    ['connection', (socket: Socket) => socket.end()],
    ['connection', (socket: Socket) => socket.end('HTTP/1.1 100 Continue\r\n\r\n')],
    ['connection', (socket: Socket) => socket.end('HTTP/1.1 200 O')],
    ['protocol', (socket: Socket) => socket.end('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n')],
    ['protocol', (socket: Socket) => socket.end('220 mail.test ESMTP\r\n')],
    ['protocol', (socket: Socket) => socket.end(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`)],
  ] as const) {
    const { url, seen } = await receiveRaw(t, answer)
    assert.equal(await fails(url), failure, answer.toString())
    assert.equal(seen.posts, 1)
  }

  const plain = await receive(t, (response) => response.end())
  assert.equal(await fails(plain.url.replace('http:', 'https:')), 'tls')
  assert.equal(plain.received.length, 0)
})

test('EVT-14 a target that is not public, or cannot be called at all, fails without a connection', async (t) => {
  const { url, received } = await receive(t, (response) => response.end())
  const { port } = new URL(url)
  const strict = createEgress({ allowedHosts: () => false, lookup: async () => ['127.0.0.1'] })
  t.after(() => strict.close())
  for (const target of [
    `http://127.0.0.1:${port}/`,
    `http://2130706433:${port}/`,
    `http://0177.0.0.1:${port}/`,
    `http://[::ffff:127.0.0.1]:${port}/`,
    `http://[64:ff9b::7f00:1]:${port}/`,
    `http://localhost:${port}/`,
    `http://receiver.test:${port}/`,
    'ftp://receiver.test/',
    'http://name:word@receiver.test/',
    'not a url',
  ]) {
    const { outcome, status, failure } = await makeAttempt(strict, to(target), clock)
    assert.deepEqual([outcome, status, failure], ['FAILED', null, 'target'], target)
  }
  const missing = Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
  const nameless = createEgress({ allowedHosts: () => false, lookup: () => Promise.reject(missing) })
  t.after(() => nameless.close())
  assert.equal((await makeAttempt(nameless, to('http://missing.test/'), clock)).failure, 'name')
  assert.equal(received.length, 0)
})

test('EVT-14 silence, or headers that drip for more than five seconds, fail as a timeout after one POST, and the connection is closed', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const closed: Promise<unknown>[] = []
  const receivers = [
    await receiveRaw(t, (socket) => closed.push(closing(socket))),
    await receiveRaw(t, (socket) => {
      closed.push(closing(socket))
      socket.write('HTTP/1.1 200 OK\r\n')
      drip(socket, 'X-Drip: 1\r\n')
    }),
  ]
  const egress = open(t)
  for (const { url, seen } of receivers) {
    const startedAt = performance.now()
    const attempt = makeAttempt(egress, to(url), clock)
    while (seen.posts === 0) await turn()
    t.mock.timers.tick(4_999)
    assert.equal(await isJudged(attempt), false)
    t.mock.timers.tick(1)
    const verdict = await attempt
    assert.deepEqual([verdict.outcome, verdict.status, verdict.failure], ['FAILED', null, 'timeout'])
    assert.ok(verdict.durationMilliseconds <= performance.now() - startedAt + 1)
    assert.equal(seen.posts, 1)
  }
  assert.equal(closed.length, 2)
  await Promise.all(closed)
})

test('EVT-15 a 2xx is a success whatever its body does: drip, never end, break off or be nonsense', async (t) => {
  // Only the dripping body lasts until the time limit. For the others no time passes.
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const head = 'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n'
  const closed = Promise.withResolvers<unknown>()
  const cases: [(socket: Socket) => void, string][] = [
    [
      (socket) => {
        socket.on('close', closed.resolve)
        socket.write(`${head}begun`)
        drip(socket, '.')
      },
      'begun',
    ],
    [(socket) => socket.end(`${head}cut`), 'cut'],
    [(socket) => socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nnonsense\r\n'), 'abc'],
    [
      (socket) => socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\n${'y'.repeat(1_500)}`),
      'y'.repeat(1_024),
    ],
    [(socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nok'), 'ok'],
  ]
  const egress = open(t)
  for (const [answer, excerpt] of cases) {
    const { url, seen } = await receiveRaw(t, answer)
    const arrived = headArrived()
    const startedAt = performance.now()
    const attempt = makeAttempt(egress, to(url), clock)
    await arrived
    // By this turn the attempt has read the clock too.
    await turn()
    const arrivedAfter = Math.round(performance.now() - startedAt)
    if (excerpt === 'begun') {
      assert.equal(await isJudged(attempt), false)
      while (performance.now() - startedAt < arrivedAfter + 5) await turn()
      t.mock.timers.tick(5_000)
    }
    const verdict = await attempt
    assert.deepEqual([verdict.outcome, verdict.status, verdict.failure], ['DELIVERED', 200, null], answer.toString())
    assert.ok(verdict.responseExcerpt?.startsWith(excerpt), `${verdict.responseExcerpt} begins with ${excerpt}`)
    assert.ok(verdict.durationMilliseconds <= arrivedAfter, 'the time to the answer, not to the end of its body')
    assert.equal(seen.posts, 1)
  }
  await closed.promise
})

test('the excerpt is the first kilobyte as text that a database accepts, also of failures, and null without a body', async (t) => {
  const bodies: Record<string, Buffer> = {
    '/none': Buffer.alloc(0),
    '/exact': Buffer.alloc(1_024, 'a'),
    '/huge': Buffer.alloc(10_000_000, 'b'),
    '/binary': Buffer.from([0x6f, 0x00, 0xff, 0x6b, 0xc3]),
    '/text': Buffer.from('déjà vu'),
  }
  const { url } = await receive(t, (response, { url: path }) => response.writeHead(500).end(bodies[path ?? '']))
  const egress = open(t)
  const excerptOf = async (path: string) =>
    (await makeAttempt(egress, to(new URL(path, url).href), clock)).responseExcerpt
  assert.equal(await excerptOf('/none'), null)
  assert.equal(await excerptOf('/exact'), 'a'.repeat(1_024))
  assert.equal(await excerptOf('/huge'), 'b'.repeat(1_024))
  assert.equal(await excerptOf('/binary'), 'o\ufffdk\ufffd')
  assert.equal(await excerptOf('/text'), 'déjà vu')
})

test('EVT-13 a connection that breaks on its second use is not retried: one attempt, one failure', async (t) => {
  let answered = 0
  const { url, seen } = await receiveRaw(t, (socket) => {
    answered += 1
    if (answered === 1) socket.write('HTTP/1.1 204 No Content\r\n\r\n')
    else socket.resetAndDestroy()
  })
  const egress = open(t)
  assert.equal((await makeAttempt(egress, to(url), clock)).outcome, 'DELIVERED')
  const second = await makeAttempt(egress, to(url), clock)
  assert.deepEqual([second.outcome, second.failure], ['FAILED', 'connection'])
  assert.deepEqual(seen, { posts: 2, connections: 1 })
})

test('when no call can be made an attempt throws instead of giving a verdict, and the receiver gets nothing', async (t) => {
  const { url, received } = await receive(t, (response) => response.end())
  const busy: Pick<Egress, 'request'> = { request: () => Promise.reject(new EgressBusy()) }
  await assert.rejects(makeAttempt(busy, to(url), clock), EgressBusy)
  const full = createEgress({ allowedHosts: () => true, connectionsMax: 0 })
  t.after(() => full.close())
  await assert.rejects(makeAttempt(full, to(url), clock), EgressBusy)
  assert.equal(received.length, 0)
})

test('EVT-14, EVT-15 an answer after 4.9 seconds is delivered, one that takes 5.1 has failed at 5', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const held: ServerResponse[] = []
  const { url } = await receive(t, (response) => held.push(response))
  const egress = open(t)
  const inTime = makeAttempt(egress, to(url), clock)
  while (held.length < 1) await turn()
  t.mock.timers.tick(4_900)
  assert.equal(await isJudged(inTime), false)
  held[0]!.end()
  assert.deepEqual((({ outcome, status }) => [outcome, status])(await inTime), ['DELIVERED', 200])

  const tooLate = makeAttempt(egress, to(url), clock)
  while (held.length < 2) await turn()
  t.mock.timers.tick(5_000)
  const { outcome, failure } = await tooLate
  assert.deepEqual([outcome, failure], ['FAILED', 'timeout'])
  held[1]!.end()
  assert.equal(held.length, 2)
})
