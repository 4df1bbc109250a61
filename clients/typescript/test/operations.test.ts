import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { testService } from '../../../test/world/service.ts'
import { documents, generatedFiles, notMethods } from '../build/generate.ts'
import {
  BadRequestProblem,
  ConflictProblem,
  NotFoundProblem,
  NotModified,
  PartnerCommerce,
  PreconditionFailedProblem,
  SubmissionRejected,
  TokenRefused,
  UnauthorizedProblem,
  version,
  type Order,
} from '../src/index.ts'

const service = await testService()
const { manifest, hosts } = service
const build = orderBuilder(manifest)
const credentials = manifest.partners.primary.clients![0]!
const client = new PartnerCommerce({ baseUrl: hosts.baseUrl, ...credentials })
const anOrder = (changes = {}): Order => build.order(changes) as Order

test('what is generated is what the documents say now', async () => {
  for (const [name, text] of Object.entries(await generatedFiles()))
    assert.equal(await readFile(new URL(`../src/generated/${name}`, import.meta.url), 'utf8'), text, name)
  assert.equal(version, JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')).version)
})

test('the client has a method for every operation but the two that are not for it', () => {
  const ids = documents.flatMap(({ paths }) =>
    Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId)),
  )
  const missing = ids.filter((id) => typeof (client as unknown as Record<string, unknown>)[id!] !== 'function')
  assert.deepEqual(missing.toSorted(), [...notMethods].toSorted())
})

test('an order goes from its submission to its lines, with money as exact decimal strings', async () => {
  const { status, order } = await client.submitAndWait(anOrder())
  assert.equal(status, 'completed')
  const read = await client.getOrder({ orderNumber: order.orderNumber })
  assert.match(read.totalPrice!, /^\d+\.\d+$/)
  assert.equal(Number(read.totalPrice), order.totalPrice)
  const { items, nextCursor } = await client.listOrderItems({ orderNumber: order.orderNumber })
  assert.deepEqual([items.length, nextCursor], [1, null])
})

test('a list is a page, an iterable over all pages, and an iterable over all records', async () => {
  const siteId = manifest.sites.main
  const first = await client.listOrders({ siteId, limit: 2 })
  assert.equal(first.orders.length, 2)
  const second = await client.listOrders({ siteId, limit: 2, cursor: first.nextCursor! })
  const whole = await client.listOrders({ siteId, limit: 200 })
  const numbers: number[] = []
  for await (const order of client.listOrders({ siteId, limit: 2 })) {
    numbers.push(order.orderNumber)
    if (numbers.length === 7) break
  }
  assert.deepEqual(
    numbers,
    whole.orders.slice(0, 7).map(({ orderNumber }) => orderNumber),
  )
  assert.deepEqual(
    second.orders.map(({ orderNumber }) => orderNumber),
    numbers.slice(2, 4),
  )
  let records = 0
  for await (const page of client.listDivisions({ limit: 1 }).pages()) records += page.divisions.length
  assert.equal(records, (await client.listDivisions({ limit: 200 })).divisions.length)
  assert.ok(records > 1)
})

test('several values of a filter are sent as one', async () => {
  const { orders } = await client.listOrders({ status: ['IN_PROCESS', 'ON_HOLD'], limit: 200 })
  const statuses = new Set(orders.map(({ status }) => status))
  assert.deepEqual([...statuses].toSorted(), ['IN_PROCESS', 'ON_HOLD'])
})

test('problems are classes by status, with the code, the faults and the request id', async () => {
  await assert.rejects(client.getOrder({ orderNumber: 1 }), (error) => {
    assert.ok(error instanceof NotFoundProblem)
    assert.deepEqual(
      [error.name, error.status, error.code, error.operation],
      ['NotFoundProblem', 404, 'order_not_found', 'getOrder'],
    )
    assert.match(error.requestId, /^[0-9a-f-]{36}$/)
    return true
  })
  const body = { ...anOrder(), lines: [{ productId: 'x', quantity: 0 }] } as unknown as Order
  await assert.rejects(client.submitOrder({ body }), (error) => {
    assert.ok(error instanceof BadRequestProblem)
    assert.ok(error.errors.some(({ path }) => path === 'lines[0].quantity'))
    return true
  })
})

test('a reused key with another body is told as a conflict, and the order of the first body stays', async () => {
  const order = anOrder()
  const first = await client.submitAndWait(order)
  const { items } = await client.listOrderItems({ orderNumber: first.order.orderNumber })
  await assert.rejects(client.submitAndWait({ ...order, shippingNotes: 'changed' }), (error) => {
    assert.ok(error instanceof ConflictProblem)
    assert.equal(error.code, 'partner_order_id_reused')
    return true
  })
  const again = await client.submitAndWait(order)
  assert.equal(again.submissionId, first.submissionId)
  assert.equal(items.length, 1)
})

test('a rejected submission is told with its problems and the advice that its key is used up', async () => {
  const order = anOrder({ lines: [build.stockLine({ variantId: 999_999 })] })
  const rejected = await client.submitAndWait(order).then(
    () => assert.fail('it was not rejected'),
    (error: unknown) => error,
  )
  assert.ok(rejected instanceof SubmissionRejected)
  assert.equal(rejected.errors[0]!.code, 'order_rejected')
  assert.equal(rejected.submission.status, 'failed')
  assert.match(rejected.message, /- line shirts: /)
  assert.match(rejected.message, /partnerOrderId is used up: mend the order and send it under a new one/)
})

test('the ETag of a read guards a change, and tells that nothing has changed', async () => {
  const { data, response } = await client.listUsers({ limit: 1 }).withResponse()
  const { userId } = data.users[0]!
  assert.match(response.requestId!, /^[0-9a-f-]{36}$/)
  const { response: read } = await client.getUser({ userId }).withResponse()
  await client.updateUser({ userId, body: { company: 'Whitfield Dental' }, ifMatch: read.etag! })
  await assert.rejects(
    client.updateUser({ userId, body: { company: 'Another' }, ifMatch: read.etag! }),
    PreconditionFailedProblem,
  )
  const { response: now } = await client.getUser({ userId }).withResponse()
  await assert.rejects(client.getUser({ userId, ifNoneMatch: now.etag! }), NotModified)
})

test('a call without what its path needs says so, and a path value reaches no other operation', async () => {
  const wrong = (orderNumber: unknown) => client.getOrder({ orderNumber: orderNumber as number })
  await assert.rejects(wrong(undefined), /^TypeError: getOrder needs orderNumber, which cannot be left out\.$/)
  await assert.rejects(wrong('..'), /^TypeError: getOrder needs orderNumber, which cannot be "\.\."\.$/)
  await assert.rejects(wrong('1/items'), { code: 'invalid_order_number' })
})

test('a client needs an address and exactly one credential', () => {
  const made = (options: unknown) => new PartnerCommerce(options as ConstructorParameters<typeof PartnerCommerce>[0])
  assert.throws(() => made({ baseUrl: 'api.example', ...credentials }), /baseUrl must be the address/)
  const plain = { baseUrl: 'http://api.example:8080', ...credentials }
  assert.throws(() => made(plain), /^TypeError: Credentials go over https only: use https:\/\/api\.example:8080/)
  for (const host of ['localhost', '127.0.0.2:8080', '[::1]']) made({ ...plain, baseUrl: `http://${host}` })
  assert.throws(() => made({ baseUrl: hosts.baseUrl }), /needs one credential/)
  assert.throws(() => made({ baseUrl: hosts.baseUrl, ...credentials, accessToken: 'x' }), /needs one credential/)
  assert.throws(() => made({ baseUrl: hosts.baseUrl, clientId: 'x' }), /belong together/)
})

test('a wrong secret is told by the word of the token endpoint, and a wrong token as a problem', async () => {
  const wrong = new PartnerCommerce({ baseUrl: hosts.baseUrl, ...credentials, clientSecret: 'wrong' })
  await assert.rejects(wrong.getMe(), (error) => {
    assert.ok(error instanceof TokenRefused)
    assert.deepEqual([error.status, error.error], [401, 'invalid_client'])
    return true
  })
  await assert.rejects(
    new PartnerCommerce({ baseUrl: hosts.baseUrl, accessToken: 'wrong' }).getMe(),
    UnauthorizedProblem,
  )
})

test('a signal ends a call with its reason', async () => {
  const reason = new Error('enough')
  await assert.rejects(client.getMe({}, { signal: AbortSignal.abort(reason) }), reason)
  const abort = new AbortController()
  const waiting = client.submitAndWait(anOrder(), { signal: abort.signal })
  abort.abort(reason)
  await assert.rejects(waiting, reason)
})

test('a client shows no secret when it is printed', async () => {
  const { inspect } = await import('node:util')
  assert.ok(!inspect(client, { depth: 10, showHidden: true }).includes(credentials.clientSecret))
})
