import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import { verifySignature } from '../../../src/webhooks/signature.ts'
import { startReceiver } from '../../../test/world/receiver.ts'
import { testService } from '../../../test/world/service.ts'
import {
  closedAddress,
  givenPseudoTerminal,
  homeAt,
  homeOf,
  json,
  run,
  start,
  startInTerminal,
} from './world/program.ts'

const service = await testService()
const { skip } = givenPseudoTerminal()
const home = await homeOf(service, 'sandbox')

const secretShown = /Signing secret: (whsec_\S+)/

test(
  'events of the sandbox reach a program on this machine, signed with the secret that is shown',
  { skip },
  async (t) => {
    const receiver = await startReceiver(t, (response, { event }) => {
      response.statusCode = event.type === 'shipment.shipped' ? 200 : 500
      response.end()
    })
    const terminal = startInTerminal(t, home, ['listen', '--forward-to', `${receiver.url}hooks`])
    const [, secret] = await terminal.shows(secretShown)
    const { order } = json(await run(home, ['trigger', 'shipment', '--json']))
    await terminal.shows(/shipment\.shipped {2}order \d+, shipment \d+ {2}→ 200 {2}\d+ ms/)
    await terminal.shows(/order\.status_changed {2}order \d+ {2}→ 500 {2}\d+ ms/)

    assert.ok(receiver.delivered.length >= 2)
    for (const { path, headers, body, event } of receiver.delivered) {
      assert.equal(path, '/hooks')
      assert.equal(headers['content-type'], 'application/json')
      assert.equal(headers['platform-event-id'], event.eventId)
      assert.equal(event.orderNumber, order.orderNumber)
      const signature = headers['platform-signature'] as string
      assert.equal(verifySignature(signature, body, secret!, Math.floor(Date.now() / 1000)), true)
    }
    const ids = receiver.delivered.map(({ event }) => event.eventId)
    assert.equal(new Set(ids).size, ids.length)

    terminal.type('\u0003')
    assert.equal((await terminal.ended).code, 130)
    assert.doesNotMatch(terminal.shown(), /Error|✗/)
  },
)

test('only events of the types that are asked for are told, as JSON a document per line', async (t) => {
  const running = start(home, ['listen', '--events', 'shipment.shipped', '--json'], t)
  await running.shows(/"secret":"whsec_/)
  const { order } = json(await run(home, ['trigger', 'shipment', '--json']))
  await running.shows(/"eventId"/)
  running.child.kill('SIGINT')
  const { code, stdout } = await running.ended
  assert.equal(code, 130)
  const [ready, ...events] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(Object.keys(ready), ['secret'])
  assert.equal(events.length, 1)
  assert.equal(events[0].type, 'shipment.shipped')
  assert.equal(JSON.parse(events[0].body).orderNumber, order.orderNumber)
  assert.equal(events[0].forwarded, null)
})

test('a receiver that is not there is told, and does not end the listening', async (t) => {
  const running = start(home, ['listen', '--forward-to', await closedAddress()], t)
  await running.shows(secretShown)
  assert.equal((await run(home, ['trigger', 'shipment'])).code, 0)
  await running.shows(/→ nothing listens at the address/)
  assert.equal(running.child.exitCode, null)
})

test('the secret can be had alone, for a script, and stays the same', async (t) => {
  const secret = (await run(home, ['listen', '--print-secret'])).stdout.trim()
  assert.match(secret, /^whsec_\S+$/)
  const running = start(home, ['listen'], t)
  assert.equal((await running.shows(secretShown))[1], secret)
})

test('after the connection broke, what came meanwhile is told, and nothing twice', { skip }, async (t) => {
  const way = await breakableWay(t, service.hosts.sandboxBaseUrl)
  const far = { ...home, environment: { ...home.environment, PARTNER_COMMERCE_URL: way.url } }
  const receiver = await startReceiver(t)
  const terminal = startInTerminal(t, far, ['listen', '--forward-to', receiver.url, '--events', 'shipment.shipped'])
  await terminal.shows(secretShown)
  const shipped = async (): Promise<number> =>
    json(await run(home, ['trigger', 'shipment', '--json'])).order.orderNumber
  const before = await shipped()
  await receiver.arrival(1)
  way.close()
  const meanwhile = await shipped()
  way.open()
  await terminal.shows(/Connected again/)
  const after = await shipped()
  await receiver.arrival(3)
  assert.deepEqual(
    receiver.delivered.map(({ event }) => event.orderNumber),
    [before, meanwhile, after],
  )
})

/** The way to a service: closed, it breaks the connections that there are, and lets no other through. */
async function breakableWay(
  t: TestContext,
  target: string,
): Promise<{ url: string; close: () => void; open: () => void }> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let isOpen = true
  const server = createServer((near) => {
    if (!isOpen) return near.destroy()
    const far = connect(Number(port), hostname)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
    return undefined
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = (): void => {
    isOpen = false
    for (const socket of sockets) socket.destroy()
  }
  t.after(() => {
    close()
    server.close()
  })
  const { port: own } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${own}`, close, open: () => void (isOpen = true) }
}

test('an event that is told again after a break is told once', async (t) => {
  const asked: (string | undefined)[] = []
  const event = (id: string): string =>
    `id: ${id}\nevent: event\ndata: ${JSON.stringify({ eventId: id, type: 'shipment.shipped', body: '{}', signature: 't=1' })}\n\n`
  const server = createHttpServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    if (request.url === '/oauth2/token')
      return response.end('{"access_token": "a-token", "token_type": "Bearer", "expires_in": 3600}')
    if (request.url === '/v1/me') return response.end('{"environment": "SANDBOX"}')
    asked.push(request.headers['last-event-id'] as string | undefined)
    response.setHeader('content-type', 'text/event-stream')
    response.write(`event: ready\ndata: {"secret": "whsec_a", "types": []}\n\n`)
    // The first connection ends at once; the second goes on.
    return asked.length === 1 ? response.end(event('first')) : response.write(event('first') + event('second'))
  })
  const running = start(await homeAt(t, home, server), ['listen', '--json'], t)
  await running.shows(/"eventId":"second"/)
  assert.equal(running.shown().match(/"eventId":"first"/g)?.length, 1)
  assert.deepEqual(asked, [undefined, 'first'])
})

test('a type that does not exist is refused with those that do', async () => {
  const { code, stderr } = await run(home, ['listen', '--events', 'order.lost'])
  assert.equal(code, 4)
  assert.match(stderr, /shipment\.shipped/)
})

test('a check tries the program with what is right and what is wrong, and tells the go-live list', async (t) => {
  const secret = (await run(home, ['listen', '--print-secret'])).stdout.trim()
  let isAsleep = false
  const receiver = await startReceiver(t, (response, { headers, body }) => {
    const isGenuine = verifySignature(String(headers['platform-signature']), body, secret, Date.now() / 1_000)
    response.writeHead(isGenuine ? (isAsleep ? 500 : 204) : 400).end()
  })
  for (const _ of [1, 2]) assert.equal((await run(home, ['trigger', 'shipment'])).code, 0)
  const checked = ['listen', '--check', '--forward-to', `${receiver.url}hooks`]

  isAsleep = true
  const failed = await run(home, checked)
  assert.equal(failed.code, 1)
  assert.match(failed.stdout, /^✗ An event was answered with 500\.$/m)
  assert.match(failed.stderr, /3 of 3 did not pass\./)

  isAsleep = false
  const passed = await run(home, checked)
  assert.deepEqual([passed.code, passed.stdout.match(/^✓/gm)?.length], [0, 3], passed.stdout)
  const { items } = json(await run(home, [...checked, '--json']))
  assert.ok(items.every((item: { passed: boolean }) => item.passed))
  const goLive = JSON.parse((await run(home, ['go-live', '--json'])).stdout)
  for (const { key } of items) {
    assert.equal(goLive.items.find((item: { key: string }) => item.key === key).state, 'done', key)
  }
})

test('an answer of the program that never ends is not waited for', async (t) => {
  const receiver = await startReceiver(t, (response) => {
    response.writeHead(200)
    // A turn between the writes, so that the end of the connection is seen.
    const more = (): void => {
      if (response.destroyed || response.closed) return
      response.write(Buffer.alloc(65_536))
      setImmediate(more)
    }
    more()
  })
  const ended = await run(home, ['listen', '--check', '--forward-to', receiver.url])
  assert.equal(ended.code, 1)
  assert.match(ended.stdout, /^✗ A delivery with a wrong signature was answered with 200\.$/m)
})

test('a check of a program that is not there says so, and one without an address is not begun', async () => {
  const away = await run(home, ['listen', '--check', '--forward-to', await closedAddress()])
  assert.equal(away.code, 1)
  assert.match(away.stderr, /3 of 3 did not pass; once, nothing listens at the address/)
  const nowhere = await run(home, ['listen', '--check'])
  assert.equal(nowhere.code, 2)
  assert.match(nowhere.stderr, /--forward-to http:\/\/localhost:3000\/hooks/)
})
