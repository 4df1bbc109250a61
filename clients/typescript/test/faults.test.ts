import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { sql } from '../../../src/database/sql.ts'
import { newKey, orderBuilder } from '../../../test/world/order-builder.ts'
import { testService } from '../../../test/world/service.ts'
import {
  ConnectionFailed,
  FirewallRefusal,
  PartnerCommerce,
  RateLimitedProblem,
  SubmissionPending,
  SubmissionRejected,
  TimedOut,
  UnauthorizedProblem,
  UnavailableProblem,
  UnexpectedAnswer,
  type ClientOptions,
  type Order,
  type Repetition,
} from '../src/index.ts'
import { faultProxy, type Fault } from './fault-proxy.ts'

const service = await testService()
const { manifest, hosts } = service
const proxy = await faultProxy(hosts.baseUrl)
const build = orderBuilder(manifest)
const anOrder = (changes = {}): Order => build.order(changes) as Order
const credentials = manifest.partners.primary.clients![0]!
const me = 'GET /v1/me'
const orders = 'POST /v1/orders'
const divisions = 'POST /v1/divisions'
const tokens = 'POST /oauth2/token'

/** Waits are short, so that many failures pass quickly. */
function newClient(options: Partial<ClientOptions> = {}): PartnerCommerce {
  const retry = { attempts: 6, base: 10 }
  return new PartnerCommerce({ baseUrl: proxy.url, ...credentials, retry, ...options } as ClientOptions)
}

const client = newClient()
await client.getMe()

/** The first request of the call has the fault, later ones have none. */
function onlyFirst(call: string, fault: Fault): void {
  proxy.faults((passing, times) => (passing.call === call && times === 0 ? fault : undefined))
}

function always(call: string, fault: Fault): void {
  proxy.faults((passing) => (passing.call === call ? fault : undefined))
}

/** An address where nothing listens. */
async function deadAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}`
}

const newDivision = () => ({ body: { siteId: manifest.sites.main, name: 'Front desk', code: newKey() } })

async function ordersNamed(keys: readonly string[]): Promise<{ partnerOrderId: string; orders: number }[]> {
  return service.owner.production.statements.rows(sql`
    select submission.partner_order_id, count(orders.order_number)::int as orders
    from submission left join orders using (submission_id)
    where submission.partner_order_id = any(${keys}) group by submission.partner_order_id`)
}

const anyFault: Fault[] = [
  'lost request',
  'lost answer',
  'half an answer',
  'cut answer',
  { status: 429, code: 'rate_limit_exceeded', headers: { 'retry-after': '0' } },
  { status: 503, code: 'service_unavailable' },
  { status: 502 },
]

for (const fault of anyFault)
  test(`a read passes over ${JSON.stringify(fault)}`, async () => {
    onlyFirst(me, fault)
    assert.ok((await client.getMe()).partnerId)
    assert.equal(proxy.count(me), 2)
  })

test('a read that gets no answer is asked again after its time', async () => {
  onlyFirst(me, 'no answer')
  const repeated: Repetition[] = []
  const impatient = newClient({ timeout: 1_000, onRetry: (each) => repeated.push(each) })
  assert.ok((await impatient.getMe()).partnerId)
  assert.ok(repeated[0]!.error instanceof TimedOut)
  assert.equal(repeated[0]!.operation, 'getMe')
})

test('many orders under every fault: none is lost, none is doubled', async () => {
  // A fixed sequence, so that a run that fails can be repeated.
  let seed = 20_310_417
  const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
  const faults: (Fault | undefined)[] = [...anyFault, { status: 500, code: 'internal_error' }, 'no answer']
  proxy.faults(() => (random() < 0.5 ? faults[Math.floor(random() ** 2 * faults.length)] : undefined))
  const patient = newClient({ timeout: 2_000, retry: { attempts: 12, base: 5 } })
  const sent = Array.from({ length: 60 }, (_, index) =>
    anOrder(index % 10 === 0 ? { lines: [build.stockLine({ variantId: 999_999 })] } : {}),
  )
  const waiting = sent.values()
  const outcomes = new Map<string, number>()
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      for (const order of waiting) {
        const orderNumber = await patient.submitAndWait(order).then(
          ({ order: placed }) => placed.orderNumber,
          (error: unknown) => {
            if (error instanceof SubmissionRejected) return 0
            throw error
          },
        )
        outcomes.set(order.partnerOrderId, orderNumber)
      }
    }),
  )
  const kinds = new Set(proxy.passed.map(({ fault }) => JSON.stringify(fault)))
  assert.equal(kinds.size, faults.length + 1, 'every fault took place')
  const rows = await ordersNamed(sent.map(({ partnerOrderId }) => partnerOrderId))
  assert.equal(rows.length, sent.length)
  for (const { partnerOrderId, orders: count } of rows)
    assert.equal(count, outcomes.get(partnerOrderId) === 0 ? 0 : 1, partnerOrderId)
  assert.equal(outcomes.size, 60)
  assert.equal([...outcomes.values()].filter((orderNumber) => orderNumber === 0).length, 6)
  assert.equal(new Set(outcomes.values()).size, 55)
})

test('every repetition of a submission has the same bytes, whatever becomes of the object meanwhile', async () => {
  const order = anOrder()
  proxy.faults(({ call }, times) => {
    if (call !== orders || times > 1) return undefined
    order.shippingNotes = `changed ${times}`
    return 'lost answer'
  })
  await client.submitAndWait(order)
  const bodies = proxy.passed.filter(({ call }) => call === orders).map(({ body }) => body)
  assert.equal(bodies.length, 3)
  assert.equal(new Set(bodies).size, 1)
})

for (const fault of ['lost answer', 'half an answer', { status: 503, code: 'service_unavailable' }] as Fault[])
  test(`a change is not repeated after ${JSON.stringify(fault)}, because it may have been made`, async () => {
    always(divisions, fault)
    await assert.rejects(client.createDivision(newDivision()), (error) => {
      if (error instanceof ConnectionFailed) assert.equal(error.mayHaveArrived, true)
      else assert.ok(error instanceof UnavailableProblem)
      return true
    })
    assert.equal(proxy.count(divisions), 1)
  })

for (const fault of [
  { status: 429, code: 'rate_limit_exceeded' },
  { status: 503, code: 'audit_unavailable' },
] as Fault[])
  test(`a change is repeated after ${JSON.stringify(fault)}, which says that it was not made`, async () => {
    onlyFirst(divisions, fault)
    assert.ok((await client.createDivision(newDivision())).divisionId > 0)
    assert.equal(proxy.count(divisions), 2)
  })

test('a change is repeated when there was no connection at all', async () => {
  const repeated: Repetition[] = []
  const nowhere = newClient({
    baseUrl: await deadAddress(),
    accessToken: 'x',
    clientId: undefined,
    onRetry: (each: Repetition) => repeated.push(each),
  } as Partial<ClientOptions>)
  await assert.rejects(nowhere.createDivision(newDivision()), (error) => {
    assert.ok(error instanceof ConnectionFailed)
    assert.equal(error.mayHaveArrived, false)
    return true
  })
  assert.deepEqual(
    repeated.map(({ attempt }) => attempt),
    [1, 2, 3, 4, 5],
  )
})

test('a replacement is repeated; under a condition it is not, because its repetition would be refused', async () => {
  proxy.faults(() => undefined)
  const { products } = await client.listProducts({ siteId: manifest.sites.main, limit: 1 })
  const { productId } = products[0]!
  const replaced = (ifMatch?: string) =>
    client.replaceProductSegments({ productId, body: { segmentIds: [] }, ...(ifMatch !== undefined && { ifMatch }) })
  const call = `PUT /v1/products/${productId}/segments`
  onlyFirst(call, 'lost answer')
  assert.deepEqual((await replaced()).segments, [])
  assert.equal(proxy.count(call), 2)
  onlyFirst(call, 'lost answer')
  await assert.rejects(replaced('"any"'), ConnectionFailed)
  assert.equal(proxy.count(call), 1)
})

test('no request comes again before Retry-After, in seconds or as a date', async () => {
  const gap = (): number => {
    const [first, second] = proxy.passed.filter(({ call }) => call === me)
    return second!.at - first!.at
  }
  onlyFirst(me, { status: 503, code: 'service_unavailable', headers: { 'retry-after': '1' } })
  await client.getMe()
  assert.ok(gap() >= 1_000, `it came after ${gap()} ms`)
  const until = Math.ceil(Date.now() / 1_000) * 1_000 + 1_000
  onlyFirst(me, { status: 429, code: 'rate_limit_exceeded', headers: { 'retry-after': new Date(until).toUTCString() } })
  await client.getMe()
  assert.ok(Date.now() >= until)
  assert.equal(proxy.count(me), 2)
})

test('the number of attempts is bounded, and so is the time that they wait', async () => {
  always(me, { status: 503, code: 'service_unavailable' })
  await assert.rejects(client.getMe(), UnavailableProblem)
  assert.equal(proxy.count(me), 6)
  always(me, { status: 503, code: 'service_unavailable' })
  await assert.rejects(client.getMe({}, { retry: { attempts: 1 } }), UnavailableProblem)
  assert.equal(proxy.count(me), 1)
  // The quota of the day is used up: nobody waits for midnight.
  always(me, { status: 429, code: 'rate_limit_exceeded', headers: { 'retry-after': '40000' } })
  await assert.rejects(client.getMe(), (error) => {
    assert.ok(error instanceof RateLimitedProblem)
    assert.equal(error.retryAfter, 40_000_000)
    return true
  })
  assert.equal(proxy.count(me), 1)
})

test('a signal ends the wait for a repetition', async () => {
  always(me, { status: 503, code: 'service_unavailable', headers: { 'retry-after': '30' } })
  const abort = new AbortController()
  const waiting = newClient({ onRetry: () => abort.abort(new Error('enough')) }).getMe({}, { signal: abort.signal })
  await assert.rejects(waiting, /^Error: enough$/)
  assert.equal(proxy.count(me), 1)
})

test('refusals come once: 400, 404, the bare 403 of the firewall, and 500', async () => {
  always(me, { status: 403 })
  await assert.rejects(client.getMe(), FirewallRefusal)
  assert.equal(proxy.count(me), 1)
  always(me, { status: 500, code: 'internal_error' })
  await assert.rejects(client.getMe(), { name: 'ServerProblem', code: 'internal_error' })
  assert.equal(proxy.count(me), 1)
  always(me, { status: 404, code: 'a_code_of_tomorrow' })
  await assert.rejects(client.getMe(), { name: 'NotFoundProblem', code: 'a_code_of_tomorrow' })
  always(me, { status: 418 })
  await assert.rejects(client.getMe(), UnexpectedAnswer)
})

test('what is no document of the API is told as such, once', async () => {
  const unexpected = (says: RegExp) => (error: unknown) => {
    assert.ok(error instanceof UnexpectedAnswer, String(error))
    assert.match(error.message, says)
    return true
  }
  always(me, { status: 302, headers: { location: '/elsewhere' } })
  await assert.rejects(client.getMe(), unexpected(/is a redirect \(302\), which is not followed/))
  assert.equal(proxy.count(me), 1)
  assert.equal(proxy.count('GET /elsewhere'), 0)
  for (const text of ['null', '"fine"', '7']) {
    always(me, { answer: () => text })
    await assert.rejects(client.getMe(), unexpected(/has status 200 and is no document/))
    assert.equal(proxy.count(me), 1)
  }
  // A long answer is compressed unless the client asks for the plain one, which the proxy can change.
  const plain = { headers: { 'accept-encoding': 'identity' } }
  always('GET /v1/orders', { answer: () => '{}' })
  const all = async () => {
    for await (const order of client.listOrders({}, plain)) assert.fail(String(order))
  }
  await assert.rejects(all, unexpected(/listOrders has status 200/))
})

test('an answer that never ends is given up before it fills the memory', async (t) => {
  let sent = 0
  const piece = Buffer.alloc(2 ** 20, 'x')
  const endless = createHttpServer((_, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write(piece)) sent += piece.length
      sent += piece.length
    }
    response.on('drain', more)
    more()
  }).listen(0, '127.0.0.1')
  await once(endless, 'listening')
  t.after(() => {
    endless.close()
    endless.closeAllConnections()
  })
  const { port } = endless.address() as AddressInfo
  const reader = new PartnerCommerce({ baseUrl: `http://127.0.0.1:${port}`, accessToken: 'x' })
  await assert.rejects(reader.getMe(), UnexpectedAnswer)
  assert.ok(sent < 128 * 2 ** 20, `${sent} bytes were taken`)
})

test('many callers share one token, and one renewal after a 401', async () => {
  const fresh = newClient()
  proxy.faults(() => undefined)
  await Promise.all(Array.from({ length: 20 }, () => fresh.getMe()))
  assert.equal(proxy.count(tokens), 1)

  const old = proxy.passed.find(({ call }) => call === me)!.headers.authorization
  proxy.faults(({ headers }) =>
    headers.authorization === old ? { send: { authorization: 'Bearer ended' } } : undefined,
  )
  await Promise.all(Array.from({ length: 20 }, () => fresh.getMe()))
  assert.equal(proxy.count(tokens), 1)
  assert.equal(proxy.count(me), 40)
})

test('a 401 that stays is told after one renewal, also to a change', async () => {
  proxy.faults(({ call }) => (call === tokens ? undefined : { send: { authorization: 'Bearer ended' } }))
  await assert.rejects(client.getMe(), UnauthorizedProblem)
  assert.deepEqual([proxy.count(me), proxy.count(tokens)], [2, 1])
  await assert.rejects(client.createDivision(newDivision()), UnauthorizedProblem)
  assert.deepEqual([proxy.count(divisions), proxy.count(tokens)], [2, 2])
})

test('a token serves until shortly before it expires, and no failure of its endpoint is kept', async (t) => {
  let ahead = 0
  const real = performance.now.bind(performance)
  t.mock.method(performance, 'now', () => real() + ahead)
  const fresh = newClient()
  onlyFirst(tokens, { status: 503, code: 'service_unavailable' })
  await fresh.getMe()
  assert.equal(proxy.count(tokens), 2)
  ahead = 3_500_000
  await fresh.getMe()
  assert.equal(proxy.count(tokens), 2)
  ahead = 3_550_000
  await fresh.getMe()
  assert.equal(proxy.count(tokens), 3)

  ahead = 9_000_000
  always(tokens, { status: 401 })
  await assert.rejects(fresh.getMe(), UnexpectedAnswer)
  proxy.faults(() => undefined)
  await fresh.getMe()
})

test('who stops waiting for a token takes it from nobody else', async () => {
  const fresh = newClient()
  const abort = new AbortController()
  proxy.faults(({ call }) => {
    if (call === tokens) abort.abort(new Error('enough'))
    return undefined
  })
  const [stopped, other] = await Promise.allSettled([fresh.getMe({}, { signal: abort.signal }), fresh.getMe()])
  assert.equal(stopped.status, 'rejected')
  assert.equal(other.status, 'fulfilled')
  assert.equal(proxy.count(tokens), 1)
})

test('a token of your own is asked for again after a 401, with the one that was refused', async () => {
  proxy.faults(() => undefined)
  await newClient().getMe()
  const good = proxy.passed.find(({ call }) => call === me)!.headers.authorization!.slice('Bearer '.length)
  const asked: (string | undefined)[] = []
  const own = new PartnerCommerce({
    baseUrl: proxy.url,
    accessToken: (refused) => {
      asked.push(refused)
      return refused === undefined ? 'ended' : good
    },
  })
  assert.ok((await own.getMe()).partnerId)
  assert.deepEqual(asked, [undefined, 'ended'])
})

test('a list under faults gives every record once', async () => {
  const siteId = manifest.sites.main
  const whole: number[] = []
  proxy.faults(() => undefined)
  for await (const { userId } of client.listUsers({ siteId, limit: 200 })) whole.push(userId)
  let turn = 0
  proxy.faults(() => anyFault[turn++ % (anyFault.length + 2)])
  const read: number[] = []
  for await (const { userId } of newClient({ retry: { attempts: 12, base: 5 } }).listUsers({ siteId, limit: 3 }))
    read.push(userId)
  assert.deepEqual(read, whole)
  assert.ok(proxy.passed.filter(({ fault }) => fault !== undefined).length > 3)
})

test('an outcome that does not come in time is told, and the same order again brings it', async () => {
  const order = anOrder()
  always(orders, 'no answer')
  const states: string[] = []
  const impatient = newClient({ timeout: 500 })
  await assert.rejects(
    impatient.submitAndWait(order, { timeout: 3_000, onProgress: ({ state }) => states.push(state) }),
    (error) => {
      assert.ok(error instanceof SubmissionPending)
      assert.equal(error.partnerOrderId, order.partnerOrderId)
      assert.ok(error.cause instanceof TimedOut)
      return true
    },
  )
  assert.deepEqual(states.slice(0, 2), ['sending', 'repeating'])
  proxy.faults(() => undefined)
  const { order: placed } = await client.submitAndWait(order)
  assert.ok(placed.orderNumber > 0)
  assert.deepEqual(await ordersNamed([order.partnerOrderId]), [{ partnerOrderId: order.partnerOrderId, orders: 1 }])
})

test('a submission that takes its time is looked at until it has ended, also while looks fail', async () => {
  const order = anOrder()
  const pending = (body: string) => JSON.stringify({ ...JSON.parse(body), status: 'processing', order: undefined })
  let looks = 0
  proxy.faults(({ call }) => {
    if (call === orders) return { answer: pending }
    if (!call.startsWith('GET /v1/orders/submissions/')) return undefined
    return ([{ answer: pending }, 'lost answer', { status: 500, code: 'internal_error' }] as Fault[])[looks++]
  })
  const states: string[] = []
  const { status } = await client.submitAndWait(order, { onProgress: ({ state }) => states.push(state) })
  assert.equal(status, 'completed')
  assert.equal(proxy.count(orders), 1)
  assert.deepEqual(states, ['sending', 'waiting', 'waiting', 'waiting', 'waiting'])
})
