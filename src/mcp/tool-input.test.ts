import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathParameterNames, type Operation } from '../contract/operation.ts'
import { pathParameters, type Parameter } from '../contract/parameters.ts'
import { api } from '../resources/api.ts'
import { toolInputReader } from './tool-input.ts'

async function read(entry: Operation, args: Record<string, unknown>) {
  const { path, query, body } = toolInputReader(entry)(args)
  return { path, query, body: await body() }
}

test('arguments are sorted into path, query and body', async () => {
  assert.deepEqual(await read(api.replaceUserSegments, { userId: 7, segmentIds: [1, 2] }), {
    path: { userId: '7' },
    query: '',
    body: { segmentIds: [1, 2] },
  })
  assert.deepEqual(await read(api.listSiteUsers, { siteId: 7, divisionId: 8, limit: 3 }), {
    path: { siteId: '7' },
    query: 'limit=3&divisionId=8',
    body: undefined,
  })
})

test('texts are encoded, so that none can add a parameter', async () => {
  const { query } = await read(api.listProducts, { q: 'a&siteId=1 é%', limit: 1 })
  assert.equal(query, 'limit=1&q=a%26siteId%3D1%20%C3%A9%25')
})

test('a list is sent as one parameter where the operation takes several values', async () => {
  const { query } = await read(api.listOrders, { status: ['SHIPPED', 'COMPLETED'], siteId: [101], limit: 1 })
  assert.equal(query, 'limit=1&status=SHIPPED%2CCOMPLETED&siteId=')
  for (const status of [[], [null], [['SHIPPED', 'COMPLETED']]]) {
    assert.equal((await read(api.listOrders, { status, limit: 1 })).query, 'limit=1&status=')
  }
  assert.equal((await read(api.listOrders, { status: 'SHIPPED', limit: 1 })).query, 'limit=1&status=SHIPPED')
})

test('an unknown argument goes into the body, or else the query, where it is refused', async () => {
  assert.deepEqual((await read(api.quoteProduct, { productId: 'SLO_1', surprise: 1 })).body, { surprise: 1 })
  assert.equal((await read(api.getOrder, { orderNumber: 1, surprise: true })).query, 'surprise=true')
})

test('a key named like a prototype stays a key', async () => {
  const args = JSON.parse('{"userId":7,"__proto__":{"admin":true}}') as Record<string, unknown>
  const body = (await read(api.updateUser, args)).body as object
  assert.deepEqual(Object.keys(body), ['__proto__'])
  assert.equal(Object.getPrototypeOf(body), Object.prototype)
})

test('pages have 10 records by default and at most 25, whether the limit is a number or a text', async () => {
  const limitOf = async (args: Record<string, unknown>): Promise<string | null> =>
    new URLSearchParams((await read(api.listOrders, args)).query).get('limit')
  assert.equal(await limitOf({}), '10')
  assert.equal(await limitOf({ limit: 25 }), '25')
  assert.equal(await limitOf({ limit: 26 }), '25')
  assert.equal(await limitOf({ limit: '200' }), '25')
  for (const wrong of [0, -1, 2.5, '1e3', '']) assert.equal(await limitOf({ limit: wrong }), String(wrong))
  assert.equal((await read(api.getOrder, { orderNumber: 1 })).query, '')
})

test('no parameter accepts the empty text, which null, lists and objects are read as', () => {
  const all: Operation[] = Object.values(api)
  for (const entry of all) {
    const parameters: [string, Parameter<unknown>][] = [
      ...pathParameterNames(entry).map((name) => [name, pathParameters[name]] as [string, Parameter<unknown>]),
      ...Object.entries(entry.query ?? {}).filter(([name]) => name !== 'cursor'),
    ]
    for (const [name, parameter] of parameters) assert.equal(parameter.read(''), undefined, `${entry.id} ${name}`)
  }
})

test('null, lists and objects are read as the empty text', async () => {
  for (const value of [null, [], [1], {}]) {
    assert.deepEqual((await read(api.getOrder, { orderNumber: value })).path, { orderNumber: '' })
  }
})
