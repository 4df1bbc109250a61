import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newPartner } from '../../test/world/limited.ts'
import { current, mcpClient } from '../../test/world/mcp.ts'
import { partner, type Partner } from '../../test/world/partner.ts'
import { testService } from '../../test/world/service.ts'

const service = await testService()
const primary = await partner(service, 'primary')
const { approved, pendingReview } = service.manifest.fixtures.orders
const { foreign } = service.manifest.fixtures

async function begin(who: Partner, name: string, args?: Record<string, unknown>): Promise<any> {
  return (await current(who, { method: 'prompts/get', params: { name, ...(args && { arguments: args }) } })).body
}

async function complete(who: Partner, prompt: string, name: string, value: string): Promise<any> {
  const params = { ref: { type: 'ref/prompt', name: prompt }, argument: { name, value } }
  return (await current(who, { method: 'completion/complete', params })).body
}

test('the prompts say what they do, and name only tools that there are', async () => {
  const { prompts } = (await current(primary, { method: 'prompts/list' })).body.result
  assert.deepEqual(
    prompts.map(({ name, arguments: args }: any) => [name, args.map((each: any) => [each.name, each.required])]),
    [
      ['reorder', [['orderNumber', true], ['changes', false]]], // oxfmt-ignore
      ['check_proofs', [['siteId', false]]],
      ['order_status', [['orderNumber', true]]],
    ],
  )
  const { tools } = (await current(primary, { method: 'tools/list' })).body.result
  const known = new Set(tools.map(({ name }: { name: string }) => name))
  for (const { name, title, description } of prompts) {
    assert.ok(title && description, name)
    const args = name === 'check_proofs' ? {} : { orderNumber: String(approved.orderNumber) }
    const { messages } = (await begin(primary, name, args)).result
    const named = (messages[0].content.text as string).match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []
    for (const word of named) assert.ok(known.has(word), `${name}: ${word}`)
    assert.ok(messages.every(({ role }: { role: string }) => role === 'user'))
  }
})

test('reorder begins with the order and its lines as they are, and with what the person wants to be different', async () => {
  const number = approved.orderNumber
  const { result } = await begin(primary, 'reorder', { orderNumber: String(number), changes: 'twice as many' })
  const [task, order, items] = result.messages
  assert.match(task.content.text, /twice as many/)
  assert.equal(order.content.resource.uri, `partner-commerce://orders/${number}`)
  assert.deepEqual(JSON.parse(order.content.resource.text), (await primary.get(`/v1/orders/${number}`)).body)
  const shown = JSON.parse(items.content.resource.text)
  assert.deepEqual(shown, (await primary.get(`/v1/orders/${number}/items?limit=25`)).body)
})

test('check_proofs begins with the orders that wait, on one site where one is named', async () => {
  const siteId = service.manifest.sites.main
  for (const args of [undefined, { siteId: String(siteId) }]) {
    const { result } = await begin(primary, 'check_proofs', args)
    const waiting = JSON.parse(result.messages[1].content.text)
    const filter = args ? `&siteId=${siteId}` : ''
    assert.deepEqual(waiting, (await primary.get(`/v1/orders?awaitingProof=true&limit=25${filter}`)).body)
    assert.ok(waiting.orders.some((order: any) => order.orderNumber === pendingReview.orderNumber))
  }
})

test('order_status begins with the order, its lines and its shipments', async () => {
  const number = approved.orderNumber
  const { result } = await begin(primary, 'order_status', { orderNumber: String(number) })
  assert.deepEqual(
    result.messages.slice(1).map((message: any) => message.content.resource.uri),
    ['', '/items', '/shipments'].map((part) => `partner-commerce://orders/${number}${part}`),
  )
})

test('TEN-01 a prompt for a foreign order and for a missing one are refused alike', async () => {
  const answers = []
  for (const number of [foreign.orderNumber, 999_999_999]) {
    const { error } = await begin(primary, 'order_status', { orderNumber: String(number) })
    const { requestId: _, ...problem } = error.data
    answers.push([error.code, error.message, problem])
  }
  assert.deepEqual(answers[0], answers[1])
  assert.equal((answers[0] as any)[2].code, 'order_not_found')
  const site = await begin(primary, 'check_proofs', { siteId: String(service.manifest.sites.foreign) })
  assert.equal(site.error.data.code, 'invalid_site_id')
})

test('wrong arguments are refused with what would be right', async () => {
  const orderNumber = String(approved.orderNumber)
  const wrong: [name: string, args: Record<string, unknown> | undefined, says: RegExp][] = [
    ['no_such_prompt', {}, /^Unknown prompt: no_such_prompt$/],
    ['constructor', {}, /^Unknown prompt/],
    ['reorder', undefined, /^The argument orderNumber is required\.$/],
    ['reorder', { orderNumber, surprise: 'x' }, /"surprise" is not accepted here\. Accepted: orderNumber, changes\.$/],
    ['reorder', { orderNumber, changes: 'x'.repeat(2_001) }, /changes must have at most 2000 characters/],
    ['order_status', { orderNumber: 'abc' }, /orderNumber must be/],
    ['order_status', { orderNumber: '../me' }, /orderNumber must be/],
    ['check_proofs', { siteId: '1&limit=2' }, /siteId must be/],
  ]
  for (const [name, args, says] of wrong) {
    const { error } = await begin(primary, name, args)
    assert.equal(error?.code, -32602, name)
    assert.match(error.message, says)
  }
})

test('TEN-01 an argument is completed with the own orders and sites, and with no others', async () => {
  const number = String(approved.orderNumber)
  const own = await complete(primary, 'reorder', 'orderNumber', number.slice(0, -1))
  assert.ok(own.result.completion.values.includes(number))
  assert.ok(own.result.completion.values.every((value: string) => value.startsWith(number.slice(0, -1))))
  const theirs = await complete(primary, 'reorder', 'orderNumber', String(foreign.orderNumber))
  assert.deepEqual(theirs.result.completion.values, [])
  const all = (await complete(primary, 'order_status', 'orderNumber', '')).result.completion
  assert.ok(all.values.length > 0 && all.values.length <= 100)
  const { body: me } = await primary.get('/v1/me')
  const sites = (await complete(primary, 'check_proofs', 'siteId', '')).result.completion.values
  assert.deepEqual(sites, me.grantedSiteIds.map(String))
  assert.deepEqual((await complete(primary, 'reorder', 'changes', 'a')).result.completion.values, [])
  for (const [prompt, argument] of [
    ['reorder', 'nothing'],
    ['nothing', 'orderNumber'],
  ] as const) {
    assert.equal((await complete(primary, prompt, argument, '')).error.code, -32602)
  }
})

test('LIM-07 a prompt spends one request for each operation that it reads, a completion one', async () => {
  const limited = await testService({ limits: 'on', clock: () => new Date('2026-03-01T10:00:00Z'), monotonic: () => 0 })
  const who = await newPartner(limited, 'STANDARD')
  const left = async (): Promise<number> => (await who.get('/v1/me')).body.limits.dailyRemaining
  const spentBy = async (act: () => Promise<any>): Promise<number> => {
    const before = await left()
    const answer = await act()
    assert.ok(answer.result, JSON.stringify(answer))
    return before - (await left()) - 1
  }
  const orderNumber = String(approved.orderNumber)
  assert.equal(await spentBy(() => begin(who, 'check_proofs')), 1)
  assert.equal(await spentBy(() => begin(who, 'reorder', { orderNumber })), 2)
  assert.equal(await spentBy(() => begin(who, 'order_status', { orderNumber })), 3)
  assert.equal(await spentBy(() => complete(who, 'reorder', 'orderNumber', '')), 1)
  assert.equal(await spentBy(() => complete(who, 'check_proofs', 'siteId', '')), 0)
})

for (const mode of ['auto', 'legacy'] as const) {
  test(`the official client (${mode}) lists prompts, begins one and completes its argument`, async () => {
    const client = await mcpClient(primary, mode)
    const { prompts } = await client.listPrompts()
    assert.equal(prompts.length, 3)
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'order_status' },
      argument: { name: 'orderNumber', value: String(approved.orderNumber) },
    })
    assert.deepEqual(completion.values, [String(approved.orderNumber)])
    const { messages } = await client.getPrompt({
      name: 'order_status',
      arguments: { orderNumber: completion.values[0]! },
    })
    assert.equal(messages.length, 4)
    await client.close()
  })
}
