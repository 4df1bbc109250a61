import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, createServer, request, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { pdfFile } from '../world/artwork.ts'
import { orderBuilder, type Json } from '../world/order-builder.ts'
import { ownTime } from '../world/own-time.ts'
import { partner } from '../world/partner.ts'
import {
  embeddedUrl,
  freshDataDir,
  postgresProcesses,
  startServiceProcess,
  type ServiceProcess,
} from '../world/service-process.ts'
import { assertOrdersConsistent, stockEverHeld, withClient } from './order-world.ts'

/**
 * A stopping service answers every request it accepted. A client that retries elsewhere when refused loses nothing in a
 * rolling restart.
 */
let dataDir: string
let remove: () => Promise<void>
let service: ServiceProcess

before(async () => {
  ;({ dataDir, remove } = await freshDataDir())
})
after(async () => {
  service?.signal('SIGKILL')
  await remove()
})

type Outcome = { status: number; body: Json } | { refused: true } | { lost: string }

/** Sends one request on a keep-alive connection: it is answered, refused before it was accepted, or lost. */
function ask(agent: Agent, token: string, method: string, path: string, body?: Json): Promise<Outcome> {
  return new Promise((resolve) => {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const asked = request(
      `${service.hosts.baseUrl}${path}`,
      {
        agent,
        method,
        headers: { authorization: `Bearer ${token}`, ...(text ? { 'content-type': 'application/json' } : {}) },
      },
      (answer) => {
        let received = ''
        answer.setEncoding('utf8').on('data', (piece: string) => (received += piece))
        answer.on('end', () => resolve({ status: answer.statusCode!, body: JSON.parse(received) as Json }))
        answer.on('error', (error) => resolve({ lost: `while it was answered: ${error.message}` }))
      },
    )
    asked.on('error', (error: NodeJS.ErrnoException) =>
      // A connection reset during connect has sent nothing yet.
      resolve(error.syscall === 'connect' ? { refused: true } : { lost: `${error.code} ${error.message}` }),
    )
    asked.end(text)
  })
}

test('clients that connect and send nothing, or half a request, do not delay a stop', async () => {
  service = await startServiceProcess(dataDir)
  const { hostname, port } = new URL(service.hosts.baseUrl)
  const sockets = await Promise.all(
    ['', 'GET /v1/ping HT', 'GET /v1/ping HTTP/1.1\r\nHost: x\r\n'].map(async (text) => {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => undefined)
      await once(socket, 'connect')
      socket.write(text)
      return socket
    }),
  )
  const stoppedAt = ownTime()
  service.signal('SIGTERM')
  assert.equal((await service.ended).code, 0)
  assert.ok(ownTime() - stoppedAt < 10_000)
  for (const socket of sockets) socket.destroy()
})

test('a service that drains is not ready and answers all the same, and operators see the stop to its end', async () => {
  service = await startServiceProcess(dataDir, { DRAIN_SECONDS: '2' })
  const { token } = await partner(service, 'primary')
  const readyz = async (): Promise<[status: number, away: string[]]> => {
    const answer = await fetch(`${service.hosts.opsUrl}/readyz`)
    const { away } = (await answer.json()) as { away: { what: string }[] }
    return [answer.status, away.map(({ what }) => what)]
  }
  assert.deepEqual(await readyz(), [200, []])
  const fresh = new Agent()
  const stoppedAt = performance.now()
  service.signal('SIGTERM')
  while ((await readyz())[0] === 200) await pause(5)
  let answers = 0
  for (;;) {
    const outcome = await ask(fresh, token, 'GET', '/v1/orders?limit=1')
    if ('refused' in outcome) break
    assert.ok('status' in outcome && outcome.status === 200, JSON.stringify(outcome))
    answers++
    await pause(20)
  }
  assert.ok(performance.now() - stoppedAt >= 2_000, 'it went on for as long as the setting says')
  assert.ok(answers > 10)
  // Closed for partners, open for operators.
  assert.deepEqual(await readyz(), [503, ['draining']])
  const { code, stderr } = await service.ended
  assert.equal(code, 0, stderr)
})

test('a second signal ends a service that drains at once', async () => {
  service = await startServiceProcess(dataDir, { DRAIN_SECONDS: '600' })
  service.signal('SIGTERM')
  let isOver = false
  void service.ended.then(() => (isOver = true))
  // Within the first two seconds it counts as an echo of the first.
  while (!isOver) {
    service.signal('SIGTERM')
    await pause(50)
  }
  assert.equal((await service.ended).signal, 'SIGTERM')
})

test('a request of several seconds that is under way when the stop begins is answered', async (t) => {
  const { promise: asked, resolve } = Promise.withResolvers<ServerResponse>()
  const host = createServer((_request, response) => resolve(response)).listen(0, '127.0.0.1')
  await once(host, 'listening')
  t.after(() => {
    host.closeAllConnections()
    host.close()
  })
  service = await startServiceProcess(dataDir, { ARTWORK_HOSTS: '127.0.0.1' })
  const { token } = await partner(service, 'primary')
  const build = orderBuilder(service.manifest)
  const artworkUrl = `http://127.0.0.1:${(host.address() as AddressInfo).port}/slow.pdf`
  const order = build.order({ lines: [build.podLine({ artworkUrl })] })
  const agent = new Agent({ keepAlive: true })
  const answered = ask(agent, token, 'POST', '/v1/orders', order)
  const file = await asked
  service.signal('SIGTERM')
  const late = new Agent()
  while (!('refused' in (await ask(late, token, 'GET', '/v1/ping')))) await pause(10)
  // Longer than anything else that a stop gives time for.
  await pause(7_000)
  file.end(pdfFile())
  const outcome = await answered
  assert.ok('status' in outcome, JSON.stringify(outcome))
  assert.deepEqual([outcome.status, outcome.body.status], [201, 'completed'], JSON.stringify(outcome.body))
  const { code, stderr } = await service.ended
  assert.equal(code, 0, stderr)
  assert.doesNotMatch(stderr, /"level":"(?:error|fatal)"/)
  agent.destroy()
})

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} under load answers every accepted request, exits with code 0 and keeps every answered write`, async (context) => {
    service = await startServiceProcess(dataDir)
    const { token } = await partner(service, 'primary')
    const build = orderBuilder(service.manifest)
    const url = await embeddedUrl(dataDir, 'production')
    const stock = await withClient(url, stockEverHeld)
    const answered: { body: Json; submissionId: unknown }[] = []
    const lost: string[] = []
    let answers = 0

    const client = async (turn: number): Promise<void> => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      for (;;) {
        const body = turn % 2 === 0 ? build.order({ lines: [build.podLine(), build.stockLine()] }) : undefined
        const outcome = body
          ? await ask(agent, token, 'POST', '/v1/orders', body)
          : await ask(agent, token, 'GET', '/v1/orders?limit=20')
        if ('refused' in outcome) break
        if ('lost' in outcome) {
          lost.push(outcome.lost)
          break
        }
        assert.equal(outcome.status, body ? 201 : 200, JSON.stringify(outcome.body))
        if (body) answered.push({ body, submissionId: outcome.body.submissionId })
        answers++
        // Some clients pause between requests, so their connections are idle when the stop comes.
        if (turn % 4 >= 2) await pause(5 + turn)
      }
      agent.destroy()
    }
    const clients = Array.from({ length: 16 }, (_, turn) => client(turn))
    while (answers < 100) await pause(5)
    const stoppedAt = ownTime()
    service.signal(signal)
    const { code, stderr } = await service.ended
    const stopMilliseconds = Math.round(ownTime() - stoppedAt)
    await Promise.all(clients)
    assert.deepEqual([code, lost], [0, []], stderr)
    assert.ok(stopMilliseconds < 10_000)
    assert.deepEqual(await postgresProcesses(dataDir), [])
    assert.doesNotMatch(stderr, /"level":"(?:error|fatal)"/, 'nothing failed while it stopped')

    service = await startServiceProcess(dataDir)
    const primary = await partner(service, 'primary')
    for (const { body, submissionId } of answered) {
      const again = await primary.post('/v1/orders', body)
      assert.deepEqual([again.status, again.body.submissionId, again.body.status], [200, submissionId, 'completed'])
    }
    await withClient(await embeddedUrl(dataDir, 'production'), (database) => assertOrdersConsistent(database, stock))
    service.signal('SIGTERM')
    assert.equal((await service.ended).code, 0)
    context.diagnostic(`${answers} answers, stopped within ${stopMilliseconds} ms`)
  })
}
