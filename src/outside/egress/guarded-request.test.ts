import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server as HttpServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { describe, test, type TestContext } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { drip, headArrived } from '../../../test/world/slow-answers.ts'
import { createEgress, type Egress, type EgressOptions, type RequestOptions } from './guarded-request.ts'
import { EgressBusy, EgressFailed, EgressRefused } from './outcomes.ts'

const ordinary: RequestOptions = { timeoutMilliseconds: 5_000, responseBytesMax: 65_536 }
const brief: RequestOptions = { timeoutMilliseconds: 150, responseBytesMax: 65_536 }
/** As long as a busy machine may take between two calls. */
const keepsIdle = { idleMillisecondsMax: 60_000 }

/** Public by our rules, although IANA never assigned it. */
const unallocated = '2f00::1'

/** A key that protects nothing: it signs the two certificates below, which only this file trusts. */
const receiverKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg0MH5Dv98F9BRyJgF
SuXu4ZsNzbfDYdRg+/FDfQ1KJOyhRANCAAT+DYrxyOtVn0OswNThwEB2Kq+lJFoG
m4lXUpdp4EFs62BilGlc1fq2jQhs2J5kiTEKVpwv8N8j+9qHk94kPcRo
-----END PRIVATE KEY-----
`
/** For 127.0.0.1 and secure.test, until 2126. */
const certificateOfReceiver = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUcOqfyd1jw3FcnjkO5+bCjH3pkdswCgYIKoZIzj0EAwIw
EzERMA8GA1UEAwwIUmVjZWl2ZXIwIBcNMjYxMTIxMDIyMzExWhgPMjEyNjEwMjgw
MjIzMTFaMBMxETAPBgNVBAMMCFJlY2VpdmVyMFkwEwYHKoZIzj0CAQYIKoZIzj0D
AQcDQgAE/g2K8cjrVZ9DrMDU4cBAdiqvpSRaBpuJV1KXaeBBbOtgYpRpXNX6to0I
bNieZIkxClacL/DfI/vah5PeJD3EaKNxMG8wHQYDVR0OBBYEFHkIFgCXMVZsKva0
gFFvYrAJM6YZMB8GA1UdIwQYMBaAFHkIFgCXMVZsKva0gFFvYrAJM6YZMA8GA1Ud
EwEB/wQFMAMBAf8wHAYDVR0RBBUwE4cEfwAAAYILc2VjdXJlLnRlc3QwCgYIKoZI
zj0EAwIDSAAwRQIhAPwjCIu4X9L/H6awFXoXKThtmm+8k2WydIfGBOjNbiRpAiAO
drbJnDh4/f2UUgzzcTP1GJQPMTg3GeR4c2Jj5//iTQ==
-----END CERTIFICATE-----
`
/** For another.test. */
const certificateOfAnother = `-----BEGIN CERTIFICATE-----
MIIBlTCCATqgAwIBAgIUJX87X1pMtrv2ZbvxPh0oE4Fs8L0wCgYIKoZIzj0EAwIw
EjEQMA4GA1UEAwwHQW5vdGhlcjAgFw0yNjExMjEwMjIzMTFaGA8yMTI2MTAyODAy
MjMxMVowEjEQMA4GA1UEAwwHQW5vdGhlcjBZMBMGByqGSM49AgEGCCqGSM49AwEH
A0IABP4NivHI61WfQ6zA1OHAQHYqr6UkWgabiVdSl2ngQWzrYGKUaVzV+raNCGzY
nmSJMQpWnC/w3yP72oeT3iQ9xGijbDBqMB0GA1UdDgQWBBR5CBYAlzFWbCr2tIBR
b2KwCTOmGTAfBgNVHSMEGDAWgBR5CBYAlzFWbCr2tIBRb2KwCTOmGTAPBgNVHRMB
Af8EBTADAQH/MBcGA1UdEQQQMA6CDGFub3RoZXIudGVzdDAKBggqhkjOPQQDAgNJ
ADBGAiEAlr8GVEh3DcMdhT4zUlFJzJTtmIikM/7lyKHnKKsddbYCIQDqLtWf6uli
J1tWrGzlpURl3BNkfMURDPUCDqvCQPOLnw==
-----END CERTIFICATE-----
`

async function listen(t: TestContext, server: Server, host = '127.0.0.1'): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, host)
  await once(server, 'listening')
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return (server.address() as AddressInfo).port
}

/** An HTTP server that counts its connections. */
async function serve(t: TestContext, listener: RequestListener) {
  const server: HttpServer = createServer(listener)
  const seen = { connections: 0 }
  server.on('connection', () => (seen.connections += 1))
  return { port: await listen(t, server), seen }
}

async function serveTls(t: TestContext, cert: string, listener: RequestListener) {
  const server = createTlsServer({ cert, key: receiverKey }, listener)
  const seen = { connections: 0 }
  server.on('secureConnection', () => (seen.connections += 1))
  return { port: await listen(t, server), seen }
}

/** A TCP server that handles each connection itself. */
async function serveRaw(t: TestContext, converse: (socket: Socket) => void): Promise<number> {
  return listen(t, createTcpServer(converse))
}

function open(t: TestContext, options: Partial<EgressOptions> = {}): Egress {
  const egress = createEgress({ allowedHosts: (host) => host === '127.0.0.1', ...options })
  t.after(() => egress.close())
  return egress
}

const refusedFor = (reason: string) => (error: unknown) => error instanceof EgressRefused && error.reason === reason
const failedFor = (reason: string, code?: string) => (error: unknown) =>
  error instanceof EgressFailed && error.reason === reason && (code === undefined || error.code === code)

describe('what may be called', () => {
  const loopbackForms = [
    '127.0.0.1',
    '2130706433',
    '0177.0.0.1',
    '017700000001',
    '0x7f000001',
    '0x7f.1',
    '127.1',
    '127.0.0.1.',
    '%31%32%37.0.0.1',
    '127。0。0。1',
    '１２７.0.0.1',
    '①②⑦.0.0.1',
  ]
  const ipv6Forms = ['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:FFFF:127.0.0.1]']

  test('every spelling of a loopback address is refused, and no connection is made', async (t) => {
    const { port, seen } = await serve(t, (_request, response) => response.end())
    const egress = open(t, { allowedHosts: () => false })
    for (const host of [...loopbackForms, ...ipv6Forms, '0', '0.0.0.0', '[::]', '[::1]', '[::127.0.0.1]'])
      await assert.rejects(egress.request(`http://${host}:${port}/`, ordinary), refusedFor('address'), host)
    assert.equal(seen.connections, 0)
  })

  test('the same spellings reach the server once staff allow the address, so the rule is what stops them', async (t) => {
    const { port } = await serve(t, (_request, response) => response.end('here'))
    const asked: string[] = []
    const egress = open(t, {
      allowedHosts: (host) => {
        asked.push(host)
        return host === '127.0.0.1' || host === '::ffff:7f00:1'
      },
    })
    for (const host of [...loopbackForms, ...ipv6Forms]) {
      const { body } = await egress.request(`http://${host}:${port}/`, ordinary)
      assert.equal(body.toString(), 'here', host)
    }
    assert.deepEqual([...new Set(asked)], ['127.0.0.1', '::ffff:7f00:1'])
  })

  test('other internal addresses are refused in the URL itself, over http and https', async (t) => {
    const egress = open(t)
    for (const host of [
      '10.0.0.1',
      '100.64.0.1',
      '127.0.0.2',
      '169.254.169.254',
      '0xa9fea9fe',
      '172.16.0.1',
      '192.168.0.1',
      '198.18.0.1',
      '224.0.0.1',
      '255.255.255.255',
      '[64:ff9b::7f00:1]',
      '[64:ff9b::a9fe:a9fe]',
      '[64:ff9b:1::808:808]',
      '[2002:7f00:1::]',
      '[2001:0:4136:e378::]',
      '[fc00::1]',
      '[fd00:ec2::254]',
      '[fe80::1]',
      '[fec0::1]',
      '[ff02::1]',
      '[100::1]',
    ])
      for (const scheme of ['http', 'https'])
        await assert.rejects(egress.request(`${scheme}://${host}/`, ordinary), refusedFor('address'), host)
  })

  test('a name is refused when any of its addresses is not public, in whatever order they come', async (t) => {
    const { port, seen } = await serve(t, (_request, response) => response.end())
    for (const addresses of [
      ['127.0.0.1'],
      ['::1'],
      ['10.1.2.3'],
      ['169.254.169.254'],
      ['::ffff:127.0.0.1'],
      ['fe80::1%lo'],
      [unallocated, '127.0.0.1'],
      ['127.0.0.1', unallocated],
      ['not an address'],
    ])
      for (const scheme of ['http', 'https']) {
        const egress = open(t, { lookup: async () => addresses })
        await assert.rejects(
          egress.request(`${scheme}://receiver.test:${port}/`, ordinary),
          refusedFor('address'),
          addresses.join(),
        )
      }
    assert.equal(seen.connections, 0)
  })

  test('localhost, by any name, is reached only when it is allowed', async (t) => {
    const { port, seen } = await serve(t, (_request, response) => response.end())
    const egress = open(t, { allowedHosts: () => false, lookup: async () => ['127.0.0.1'] })
    for (const host of ['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'localtest.me'])
      await assert.rejects(egress.request(`http://${host}:${port}/`, ordinary), refusedFor('address'), host)
    assert.equal(seen.connections, 0)
  })

  test('a name is looked up once per connection, which goes only to those addresses, so changing answers gain nothing', async (t) => {
    const { port, seen } = await serve(t, (_request, response) =>
      response.writeHead(200, { connection: 'close' }).end(),
    )
    let lookups = 0
    const flip = async () => {
      lookups += 1
      return [lookups % 2 === 1 ? '127.0.0.1' : '127.0.0.2']
    }
    const allowing = open(t, { lookup: flip, allowedHosts: () => true })
    await allowing.request(`http://flipping.test:${port}/`, ordinary)
    await assert.rejects(allowing.request(`http://flipping.test:${port}/`, brief), EgressFailed)
    await allowing.request(`http://flipping.test:${port}/`, ordinary)
    assert.deepEqual([lookups, seen.connections], [3, 2])

    lookups = 0
    const strict = open(t, {
      lookup: async () => {
        lookups += 1
        return lookups % 2 === 1 ? ['127.0.0.1'] : [unallocated, '127.0.0.1']
      },
    })
    for (let call = 1; call <= 4; call += 1) {
      await assert.rejects(strict.request(`http://flipping.test:${port}/`, ordinary), refusedFor('address'))
      assert.equal(lookups, call)
    }
    assert.equal(seen.connections, 2)
  })

  test('a named host that staff allow may have an address that is not public', async (t) => {
    const { port } = await serve(t, (request, response) => response.end(request.headers.host))
    const egress = open(t, { allowedHosts: (host) => host === 'inside.test', lookup: async () => ['127.0.0.1'] })
    const { body } = await egress.request(`http://inside.test:${port}/`, ordinary)
    assert.equal(body.toString(), `inside.test:${port}`)
    await assert.rejects(egress.request(`http://outside.test:${port}/`, ordinary), refusedFor('address'))
  })

  test('a named host that staff allow is refused when one of its addresses is link-local', async (t) => {
    const { port, seen } = await serve(t, (_request, response) => response.end())
    for (const address of ['169.254.169.254', '::ffff:169.254.0.1', 'fe80::1', 'fe80::1%lo', 'fd00:ec2::254']) {
      const egress = open(t, { allowedHosts: () => true, lookup: async () => ['127.0.0.1', address] })
      await assert.rejects(egress.request(`http://inside.test:${port}/`, ordinary), refusedFor('address'), address)
    }
    const egress = open(t, { allowedHosts: () => true })
    for (const host of ['169.254.169.254', '[fe80::1]', 'metadata.google.internal'])
      await assert.rejects(egress.request(`http://${host}:${port}/`, ordinary), refusedFor('link'), host)
    assert.equal(seen.connections, 0)
  })

  test('a host that staff no longer allow is refused at once, although a connection is still open', async (t) => {
    const { port, seen } = await serve(t, (_request, response) => response.end())
    let isAllowed = true
    const egress = open(t, { allowedHosts: () => isAllowed, lookup: async () => ['127.0.0.1'] })
    await egress.request(`http://inside.test:${port}/`, ordinary)
    isAllowed = false
    await assert.rejects(egress.request(`http://inside.test:${port}/`, ordinary), refusedFor('address'))
    assert.equal(seen.connections, 1)
  })

  test('the default look-up finds allowed names in the hosts file', async (t) => {
    const { port } = await serve(t, (_request, response) => response.end('by name'))
    const egress = open(t, { allowedHosts: (host) => host === 'localhost' })
    const { body } = await egress.request(`http://localhost:${port}/`, ordinary)
    assert.equal(body.toString(), 'by name')
  })

  test('only absolute http and https URLs without credentials and with a real port are called', async (t) => {
    const egress = open(t)
    for (const [target, reason] of [
      ['', 'url'],
      ['/path', 'url'],
      ['example.com', 'url'],
      ['http://', 'url'],
      ['http://127.0.0.1:65536/', 'url'],
      ['http://[::1%25lo]/', 'url'],
      ['ftp://127.0.0.1/', 'scheme'],
      ['file:///etc/passwd', 'scheme'],
      ['data:text/plain,hello', 'scheme'],
      ['javascript:0', 'scheme'],
      ['unix:/run/socket', 'scheme'],
      ['http://name@127.0.0.1/', 'credentials'],
      ['http://:secret@127.0.0.1/', 'credentials'],
      ['http://127.0.0.1:0/', 'port'],
    ] as const)
      await assert.rejects(egress.request(target, ordinary), refusedFor(reason), target)
  })

  test('a refusal tells the caller neither the address found nor the host', async (t) => {
    const egress = open(t, { lookup: async () => ['10.11.12.13'] })
    await assert.rejects(egress.request('http://probe.test/secret?token=1', ordinary), (error: Error) => {
      assert.doesNotMatch(error.message, /10\.11|probe|secret|token/)
      return true
    })
  })

  test('a name without an address and a broken look-up both fail as `name`', async (t) => {
    const missing = Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
    const failing = open(t, { lookup: () => Promise.reject(missing) })
    await assert.rejects(failing.request('http://missing.test/', ordinary), failedFor('name', 'ENOTFOUND'))
    const empty = open(t, { lookup: async () => [] })
    await assert.rejects(empty.request('https://empty.test/', ordinary), failedFor('name', 'ENODATA'))
  })
})

describe('one call and its answer', () => {
  test('method, headers and body arrive as given, and the answer comes back whole', async (t) => {
    const { port } = await serve(t, async (request, response) => {
      const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>))
      response.writeHead(418, { 'x-answer': 'yes', 'content-type': 'application/json' })
      response.end(JSON.stringify({ method: request.method, headers: request.headers, body: body.toString('hex') }))
    })
    const answer = await open(t).request(`http://127.0.0.1:${port}/path?query=1#fragment`, {
      ...ordinary,
      method: 'PUT',
      headers: { 'X-Mine': 'a b', 'accept-encoding': 'gzip' },
      body: Buffer.from([0, 255, 10]),
    })
    const said = JSON.parse(answer.body.toString())
    assert.equal(answer.status, 418)
    assert.equal(answer.headers['x-answer'], 'yes')
    assert.equal(answer.bodyIsComplete, true)
    assert.equal(said.method, 'PUT')
    assert.equal(said.headers['x-mine'], 'a b')
    assert.equal(said.headers['accept-encoding'], 'identity')
    assert.equal(said.headers['content-length'], '3')
    assert.equal(said.body, '00ff0a')
  })

  test('a compressed body that was not asked for is a failure and is not decompressed', async (t) => {
    const { port } = await serve(t, (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('??'),
    )
    const egress = open(t)
    const target = `http://127.0.0.1:${port}/`
    await assert.rejects(egress.request(target, ordinary), failedFor('protocol', 'content-encoding'))
    await assert.rejects(
      egress.download(target, { timeoutMilliseconds: 5_000, bytesMax: 100 }, () => assert.fail('a piece')),
      failedFor('protocol', 'content-encoding'),
    )
  })

  test('a body of exactly the bound passes; one byte more is too large, or is cut where the caller keeps partial bodies', async (t) => {
    const { port } = await serve(t, (request, response) => response.end('x'.repeat(Number(request.url?.slice(1)))))
    const egress = open(t)
    const bounded: RequestOptions = { ...ordinary, responseBytesMax: 100 }
    const exact = await egress.request(`http://127.0.0.1:${port}/100`, bounded)
    assert.deepEqual([exact.body.byteLength, exact.bodyIsComplete], [100, true])
    await assert.rejects(egress.request(`http://127.0.0.1:${port}/101`, bounded), failedFor('too-large'))
    const cut = await egress.request(`http://127.0.0.1:${port}/5000000`, { ...bounded, incompleteBody: 'keep' })
    assert.deepEqual([cut.body.byteLength, cut.bodyIsComplete], [100, false])
  })

  test('a refused connection, a reset, a truncated body and nonsense each have their own failure', async (t) => {
    const resetting = await serveRaw(t, (socket) => socket.once('data', () => socket.resetAndDestroy()))
    const closing = await serveRaw(t, (socket) => socket.once('data', () => socket.end()))
    const short = await serveRaw(t, (socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc')),
    )
    const nonsense = await serveRaw(t, (socket) => socket.once('data', () => socket.end('SSH-2.0-nonsense\r\n')))
    const longHeaders = await serveRaw(t, (socket) =>
      socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`)),
    )
    const switching = await serveRaw(t, (socket) =>
      socket.once('data', () => socket.write('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n')),
    )
    const egress = open(t)
    const call = (port: number) => egress.request(`http://127.0.0.1:${port}/`, ordinary)
    await assert.rejects(call(1), failedFor('connection', 'ECONNREFUSED'))
    await assert.rejects(call(resetting), failedFor('connection', 'ECONNRESET'))
    await assert.rejects(call(closing), failedFor('connection', 'ECONNRESET'))
    await assert.rejects(call(short), failedFor('connection', 'ECONNRESET'))
    await assert.rejects(call(nonsense), failedFor('protocol'))
    await assert.rejects(call(longHeaders), failedFor('protocol', 'HPE_HEADER_OVERFLOW'))
    await assert.rejects(call(switching), failedFor('protocol', 'no response'))
  })

  test('the timeout covers name, answer, headers and body, and closes the connection', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const closed: Promise<unknown>[] = []
    const silent = (begin: (socket: Socket) => void) =>
      serveRaw(t, (socket) => {
        closed.push(once(socket, 'close'))
        socket.resume()
        begin(socket)
      })
    const slow = open(t, { lookup: () => new Promise(() => undefined) })
    const egress = open(t)
    const ends = [
      egress.request(`https://127.0.0.1:${await silent(() => undefined)}/`, brief),
      slow.request('http://slow.test/', brief),
    ]
    for (const [begin, hasHead] of [
      [() => undefined, false],
      [
        (socket) => {
          socket.write('HTTP/1.1 200 OK\r\n')
          drip(socket, 'X-Drip: 1\r\n')
        },
        false,
      ],
      [(socket) => drip(socket, 'HTTP/1.1 102 Processing\r\n\r\n'), false],
      [
        (socket) => {
          socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n')
          drip(socket, 'x')
        },
        true,
      ],
    ] as [(socket: Socket) => void, boolean][]) {
      const arrived = hasHead ? headArrived() : Promise.resolve()
      ends.push(egress.request(`http://127.0.0.1:${await silent(begin)}/`, brief))
      await arrived
    }
    while (closed.length < 5) await turn()

    const outcomes = Promise.allSettled(ends)
    t.mock.timers.tick(149)
    await settle()
    assert.equal(await Promise.race([...ends, turn('none')]), 'none')
    t.mock.timers.tick(1)
    for (const end of await outcomes) assert.ok(end.status === 'rejected' && failedFor('timeout')(end.reason))
    assert.equal(closed.length, 5)
    await Promise.all(closed)
  })

  test('an answer that arrived while this process was busy is not late', async (t) => {
    const nextTurn = setTimeout
    t.mock.timers.enable({ apis: ['setTimeout'] })
    // The server has a thread of its own, so it answers while this one is blocked.
    const flag = new Int32Array(new SharedArrayBuffer(4))
    const worker = new Worker(
      `const { createServer } = require('node:net')
       const { parentPort, workerData } = require('node:worker_threads')
       createServer((socket) => {
         socket.on('error', () => undefined)
         socket.once('data', () => {
           parentPort.postMessage('asked')
           Atomics.wait(workerData, 0, 0)
           socket.write('HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok', () => {
             Atomics.store(workerData, 0, 2)
             Atomics.notify(workerData, 0)
           })
         })
       }).listen(0, '127.0.0.1', function () { parentPort.postMessage(this.address().port) })`,
      { eval: true, workerData: flag },
    )
    t.after(() => worker.terminate())
    const [port] = await once(worker, 'message')
    const answer = open(t).request(`http://127.0.0.1:${port}/`, brief)
    await once(worker, 'message')
    // Timers run first in a turn of the event loop. They are so late that the answer has arrived but is not read yet.
    await new Promise<void>((resolve) => void nextTurn(resolve, 1))
    Atomics.store(flag, 0, 1)
    Atomics.notify(flag, 0)
    Atomics.wait(flag, 0, 1)
    t.mock.timers.tick(10_000)
    assert.equal((await answer).body.toString(), 'ok')
  })

  test('a body that outlasts the timeout is handed over as far as it came, where the caller keeps partial bodies', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const port = await serveRaw(t, (socket) =>
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nabc')),
    )
    const arrived = headArrived()
    const startedAt = performance.now()
    const asked = open(t).request(`http://127.0.0.1:${port}/`, { ...brief, incompleteBody: 'keep' })
    await arrived
    const elapsed = performance.now() - startedAt
    t.mock.timers.tick(150)
    const answer = await asked
    assert.deepEqual([answer.status, answer.body.toString(), answer.bodyIsComplete], [200, 'abc', false])
    assert.ok(answer.durationMilliseconds <= elapsed + 1, `${answer.durationMilliseconds} ms to the headers`)
  })

  test("the caller's signal ends a call at any point, with the signal's own reason", async (t) => {
    const arrived = Promise.withResolvers<void>()
    const { port } = await serve(t, () => arrived.resolve())
    const egress = open(t)
    const reason = new Error('stopping')
    const stop = new AbortController()
    const call = egress.request(`http://127.0.0.1:${port}/`, { ...ordinary, signal: stop.signal })
    await arrived.promise
    stop.abort(reason)
    await assert.rejects(call, reason)
    await assert.rejects(egress.request(`http://127.0.0.1:${port}/`, { ...ordinary, signal: stop.signal }), reason)
  })
})

describe('redirects', () => {
  test('a redirect is returned as an answer unless following was asked for', async (t) => {
    const { port, seen } = await serve(t, (_request, response) =>
      response.writeHead(302, { location: 'http://169.254.169.254/' }).end('moved'),
    )
    const answer = await open(t).request(`http://127.0.0.1:${port}/`, ordinary)
    assert.deepEqual([answer.status, answer.body.toString(), seen.connections], [302, 'moved', 1])
  })

  test('redirects are followed up to the number asked for, relative ones included, and one more fails', async (t) => {
    const { port } = await serve(t, (request, response) => {
      const left = Number(request.url?.slice(1))
      if (left === 0) response.end('arrived')
      else
        response.writeHead(307, { location: left % 2 === 0 ? `${left - 1}` : `//127.0.0.1:${port}/${left - 1}` }).end()
    })
    const egress = open(t, { connectionsPerHostMax: 1 })
    const following: RequestOptions = { ...ordinary, followRedirects: 3 }
    const answer = await egress.request(`http://127.0.0.1:${port}/3`, following)
    assert.equal(answer.body.toString(), 'arrived')
    await assert.rejects(egress.request(`http://127.0.0.1:${port}/4`, following), failedFor('redirect'))
  })

  test('each redirect is checked like a first target', async (t) => {
    const { port } = await serve(t, (request, response) =>
      response.writeHead(301, { location: decodeURIComponent(request.url?.slice(1) ?? '') }).end(),
    )
    const egress = open(t, { lookup: async () => ['10.0.0.1'] })
    for (const [location, reason] of [
      ['http://169.254.169.254/latest/meta-data/', 'address'],
      ['http://2130706434/', 'address'],
      ['//[::1]/', 'address'],
      ['http://inside.test/', 'address'],
      ['file:///etc/passwd', 'scheme'],
      [`http://name:word@127.0.0.1:${port}/`, 'credentials'],
      ['http://127.0.0.1:0/', 'port'],
      ['http://[', 'url'],
    ] as const)
      await assert.rejects(
        egress.request(`http://127.0.0.1:${port}/${encodeURIComponent(location)}`, { ...ordinary, followRedirects: 3 }),
        refusedFor(reason),
        location,
      )
  })

  test('only accept and user-agent go to another origin; within the origin all headers do', async (t) => {
    const { port: second } = await serve(t, (request, response) => response.end(JSON.stringify(request.headers)))
    const { port: first } = await serve(t, (request, response) => {
      if (request.url === '/same') response.end(JSON.stringify(request.headers))
      else response.writeHead(302, { location: request.url === '/' ? '/same' : `http://127.0.0.1:${second}/` }).end()
    })
    const egress = open(t)
    const headers = { Authorization: 'Bearer x', Cookie: 'a=b', 'X-Key': 'k', Accept: 'image/*', 'User-Agent': 'ours' }
    const ask = async (path: string) => {
      const options = { ...ordinary, headers, followRedirects: 1 }
      return JSON.parse((await egress.request(`http://127.0.0.1:${first}${path}`, options)).body.toString())
    }
    const same = await ask('/')
    assert.deepEqual([same.authorization, same.cookie, same['x-key']], ['Bearer x', 'a=b', 'k'])
    const other = await ask('/other')
    assert.deepEqual([other.authorization, other.cookie, other['x-key']], [undefined, undefined, undefined])
    assert.deepEqual([other.accept, other['user-agent']], ['image/*', 'ours'])
  })

  test('a POST does not follow redirects, and a redirect without a location is an answer', async (t) => {
    const { port } = await serve(t, (request, response) =>
      response.writeHead(307, request.method === 'POST' ? { location: '/again' } : {}).end(),
    )
    const egress = open(t)
    const following: RequestOptions = { ...ordinary, followRedirects: 3 }
    const target = `http://127.0.0.1:${port}/`
    assert.equal((await egress.request(target, { ...following, method: 'POST', body: Buffer.from('x') })).status, 307)
    assert.equal((await egress.request(target, following)).status, 307)
  })
})

describe('TLS', () => {
  test('a trusted certificate is accepted, and its connection kept for the next call', async (t) => {
    const { port, seen } = await serveTls(t, certificateOfReceiver, (_request, response) => response.end('private'))
    const egress = open(t, {
      ...keepsIdle,
      certificateAuthorities: [certificateOfReceiver],
      allowedHosts: (host) => host === 'secure.test',
      lookup: async () => ['127.0.0.1'],
    })
    for (let call = 0; call < 3; call += 1) {
      const { body } = await egress.request(`https://secure.test:${port}/`, ordinary)
      assert.equal(body.toString(), 'private')
    }
    assert.equal(seen.connections, 1)
  })

  test('an untrusted certificate, one of another name, and a server without TLS all fail as `tls`', async (t) => {
    const own = await serveTls(t, certificateOfReceiver, (_request, response) => response.end())
    const others = await serveTls(t, certificateOfAnother, (_request, response) => response.end())
    const plain = await serve(t, (_request, response) => response.end())
    const closing = await serveRaw(t, (socket) => socket.once('data', () => socket.destroy()))
    const egress = open(t)
    const trusting = open(t, { certificateAuthorities: [certificateOfAnother] })
    await assert.rejects(
      egress.request(`https://127.0.0.1:${own.port}/`, ordinary),
      failedFor('tls', 'DEPTH_ZERO_SELF_SIGNED_CERT'),
    )
    await assert.rejects(
      trusting.request(`https://127.0.0.1:${others.port}/`, ordinary),
      failedFor('tls', 'ERR_TLS_CERT_ALTNAME_INVALID'),
    )
    await assert.rejects(egress.request(`https://127.0.0.1:${plain.port}/`, ordinary), failedFor('tls'))
    await assert.rejects(egress.request(`https://127.0.0.1:${closing}/`, ordinary), failedFor('tls'))
    assert.equal(own.seen.connections, 0)
  })

  test('a redirect from https to http is not followed', async (t) => {
    const plain = await serve(t, (_request, response) => response.end())
    const { port } = await serveTls(t, certificateOfReceiver, (_request, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${plain.port}/` }).end(),
    )
    const egress = open(t, { certificateAuthorities: [certificateOfReceiver] })
    await assert.rejects(
      egress.request(`https://127.0.0.1:${port}/`, { ...ordinary, followRedirects: 3 }),
      failedFor('redirect'),
    )
    assert.equal(plain.seen.connections, 0)
  })
})

describe('connections', () => {
  test('successive calls share a connection, and one with a short Keep-Alive is not reused', async (t) => {
    const lasting = await serve(t, (_request, response) => response.end('x'))
    const passing = await serve(t, (_request, response) =>
      response.writeHead(200, { connection: 'keep-alive', 'keep-alive': 'timeout=1' }).end('x'),
    )
    const egress = open(t, keepsIdle)
    for (let call = 0; call < 3; call += 1)
      for (const { port } of [lasting, passing]) await egress.request(`http://127.0.0.1:${port}/`, ordinary)
    assert.equal(lasting.seen.connections, 1)
    assert.equal(passing.seen.connections, 3)
  })

  test('an idle connection is closed after its time, and when too many are idle at once', async (t) => {
    const closed = Promise.withResolvers<void>()
    const server = createServer({ keepAliveTimeout: 0 }, (_request, response) => response.end())
    server.on('connection', (socket: Socket) => socket.on('close', () => closed.resolve()))
    const port = await listen(t, server)
    await open(t, { idleMillisecondsMax: 30 }).request(`http://127.0.0.1:${port}/`, ordinary)
    await closed.promise

    const { port: shared, seen } = await serve(t, (_request, response) => response.end())
    const lookup = async () => ['127.0.0.1']
    const egress = open(t, { ...keepsIdle, idleConnectionsMax: 1, allowedHosts: () => true, lookup })
    for (const host of ['a.test', 'b.test', 'a.test', 'b.test'])
      await egress.request(`http://${host}:${shared}/`, ordinary)
    assert.equal(seen.connections, 3, 'a.test keeps its connection, and b.test may keep none')
  })

  test('a host that never answers fills its own slots and delays no other', async (t) => {
    // The clock stands still, so a call that waits for a silent host waits for ever.
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const silent = await serve(t, () => undefined)
    const healthy = await serve(t, (_request, response) => response.end('well'))
    const egress = open(t, {
      connectionsPerHostMax: 2,
      allowedHosts: () => true,
      lookup: async () => ['127.0.0.1'],
    })
    const stuck = [1, 2].map(() => egress.request(`http://silent.test:${silent.port}/`, brief))
    const ends = Promise.allSettled(stuck)
    // A call counts after two turns of its own; then its slots are taken.
    for (let round = 0; round < 4; round += 1) await turn()
    await assert.rejects(egress.request(`http://silent.test:${silent.port}/`, ordinary), EgressBusy)
    for (let call = 0; call < 10; call += 1)
      assert.equal((await egress.request(`http://healthy.test:${healthy.port}/`, ordinary)).body.toString(), 'well')
    t.mock.timers.tick(150)
    for (const end of await ends) assert.ok(end.status === 'rejected' && failedFor('timeout')(end.reason))
    await settle()
    const again = egress.request(`http://silent.test:${silent.port}/`, brief)
    t.mock.timers.tick(150)
    await assert.rejects(again, failedFor('timeout'))
  })

  test('beyond the bound on all calls together a call is turned away, until another one ends', async (t) => {
    const answers: (() => void)[] = []
    const arrived = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { port } = await serve(t, (_request, response) => {
      answers.push(() => response.end())
      arrived[answers.length - 1]?.resolve()
    })
    const egress = open(t, { connectionsMax: 2, allowedHosts: () => true, lookup: async () => ['127.0.0.1'] })
    const first = egress.request(`http://a.test:${port}/`, ordinary)
    const second = egress.request(`http://b.test:${port}/`, ordinary)
    await Promise.all(arrived.map(({ promise }) => promise))
    await assert.rejects(egress.request(`http://c.test:${port}/`, ordinary), EgressBusy)
    answers[0]?.()
    answers[1]?.()
    await Promise.all([first, second])
    const third = egress.request(`http://c.test:${port}/`, ordinary)
    third.catch(() => undefined)
    while (answers.length < 3) await turn()
    answers[2]?.()
    assert.equal((await third).status, 200)
  })

  test('every way a call can end frees its slot', async (t) => {
    const { port } = await serve(t, (request, response) => {
      if (request.url === '/ok') response.end('ok')
      else if (request.url === '/large') response.end('x'.repeat(200_000))
      else if (request.url === '/reset') request.socket.resetAndDestroy()
      else if (request.url === '/packed') response.writeHead(200, { 'content-encoding': 'br' }).end('?')
      else if (request.url === '/missing') response.writeHead(404).end('no')
    })
    const egress = open(t, { connectionsMax: 1, connectionsPerHostMax: 1 })
    const at = (path: string) => `http://127.0.0.1:${port}${path}`
    for (let round = 0; round < 2; round += 1) {
      await egress.request(at('/ok'), ordinary)
      await assert.rejects(egress.request(at('/large'), ordinary), failedFor('too-large'))
      await settle()
      await assert.rejects(egress.request(at('/reset'), ordinary), failedFor('connection'))
      await settle()
      await assert.rejects(egress.request(at('/packed'), ordinary), failedFor('protocol'))
      await settle()
      await assert.rejects(egress.request(at('/silent'), brief), failedFor('timeout'))
      await settle()
      await assert.rejects(egress.request('http://10.0.0.1/', ordinary), refusedFor('address'))
      await assert.rejects(egress.request(at('/ok'), { ...ordinary, headers: { 'X-Bad': '\n' } }), TypeError)
      await assert.rejects(
        egress.download(at('/missing'), { timeoutMilliseconds: 5_000, bytesMax: 10 }, () => undefined),
        failedFor('status', '404'),
      )
      await settle()
    }
  })

  test('a connection that its server closed while this process was busy is not used again', async (t) => {
    // The server runs on a thread of its own, so that it can close the connection while this thread is blocked.
    const goodbyes = new Int32Array(new SharedArrayBuffer(4))
    const worker = new Worker(
      `const { createServer } = require('node:net')
       const { parentPort, workerData } = require('node:worker_threads')
       const server = createServer((socket) => {
         socket.on('error', () => undefined)
         socket.on('data', () => {
           socket.write('HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok')
           setTimeout(() => socket.end(() => {
             Atomics.add(workerData, 0, 1)
             Atomics.notify(workerData, 0)
           }), 20)
         })
       }).listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))`,
      { eval: true, workerData: goodbyes },
    )
    t.after(() => worker.terminate())
    const [port] = await once(worker, 'message')
    const egress = open(t, keepsIdle)
    for (let call = 0; call < 20; call += 1) {
      assert.equal((await egress.request(`http://127.0.0.1:${port}/`, ordinary)).status, 200)
      Atomics.wait(goodbyes, 0, call)
    }
  })
})

describe('downloads', () => {
  const options = { timeoutMilliseconds: 5_000, bytesMax: 1_000_000 }

  test('a file arrives whole, piece by piece, each awaited before the next', async (t) => {
    const file = Buffer.alloc(1_000_000, 'print me ')
    const { port } = await serve(t, (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/pdf' }).end(file),
    )
    const pieces: Buffer[] = []
    let isTaking = false
    const taken = await open(t).download(`http://127.0.0.1:${port}/`, options, async (piece) => {
      assert.equal(isTaking, false)
      isTaking = true
      await turn()
      pieces.push(piece)
      isTaking = false
    })
    assert.ok(pieces.length > 1)
    assert.ok(Buffer.concat(pieces).equals(file))
    assert.deepEqual([taken.bytes, taken.headers['content-type']], [1_000_000, 'application/pdf'])
  })

  test('a file that declares itself too large is not read, and one that turns out too large is cut at the bound', async (t) => {
    const { port } = await serve(t, (request, response) => {
      if (request.url === '/said') response.end(Buffer.alloc(1_000_001))
      else for (let piece = 0; piece < 100; piece += 1) response.write(Buffer.alloc(65_536))
    })
    const egress = open(t)
    await assert.rejects(
      egress.download(`http://127.0.0.1:${port}/said`, options, () => assert.fail('a piece')),
      failedFor('too-large'),
    )
    let bytes = 0
    await assert.rejects(
      egress.download(`http://127.0.0.1:${port}/endless`, options, (piece) => {
        bytes += piece.byteLength
      }),
      failedFor('too-large'),
    )
    assert.equal(bytes, 1_000_000)
  })

  test('a status other than 200 gives no bytes; redirects are followed when asked for', async (t) => {
    const { port } = await serve(t, (request, response) => {
      if (request.url === '/file') response.end('file')
      else if (request.url === '/moved') response.writeHead(302, { location: '/file' }).end('elsewhere')
      else response.writeHead(Number(request.url?.slice(1))).end()
    })
    const egress = open(t)
    for (const path of ['/204', '/206', '/404', '/500', '/moved'])
      await assert.rejects(
        egress.download(`http://127.0.0.1:${port}${path}`, options, () => assert.fail('a piece')),
        failedFor('status'),
        path,
      )
    const pieces: Buffer[] = []
    await egress.download(`http://127.0.0.1:${port}/moved`, { ...options, followRedirects: 3 }, (piece) => {
      pieces.push(piece)
    })
    assert.equal(Buffer.concat(pieces).toString(), 'file')
  })

  test('a truncated file, a slow drip past the timeout, a failing sink and a hanging sink all end the download', async (t) => {
    const { port } = await serve(t, (request, response) => {
      response.writeHead(200, { 'content-length': 100 })
      response.write('begun')
      if (request.url === '/short') setImmediate(() => request.socket.destroy())
    })
    const egress = open(t)
    const at = (path: string) => `http://127.0.0.1:${port}${path}`
    await assert.rejects(
      egress.download(at('/short'), options, () => undefined),
      failedFor('connection'),
    )
    const brieflyOnly = { ...options, timeoutMilliseconds: 150 }
    await assert.rejects(
      egress.download(at('/drip'), brieflyOnly, () => undefined),
      failedFor('timeout'),
    )
    const full = new Error('disk full')
    await assert.rejects(
      egress.download(at('/drip'), options, () => Promise.reject(full)),
      full,
    )
    await assert.rejects(
      egress.download(at('/drip'), brieflyOnly, () => new Promise(() => undefined)),
      failedFor('timeout'),
    )
  })
})

/** A destroyed connection reports its end on the next turns; only then is its slot free. */
async function settle(): Promise<void> {
  for (let round = 0; round < 3; round += 1) await turn()
}
