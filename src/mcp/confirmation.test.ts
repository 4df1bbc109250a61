import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../database/sql.ts'
import { lockWait } from '../../test/world/lock-waits.ts'
import { callTool, current, introduction, mcpClient, post } from '../../test/world/mcp.ts'
import { orderBuilder } from '../../test/world/order-builder.ts'
import { partner, type Partner } from '../../test/world/partner.ts'
import { placed, publishProof, type PlacedLine } from '../../test/world/production.ts'
import { testService } from '../../test/world/service.ts'
import { until } from '../../test/world/webhooks.ts'

const service = await testService()
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)
const { users, products } = service.manifest.fixtures

const capabilities = 'io.modelcontextprotocol/clientCapabilities'
const asking = { ...introduction, [capabilities]: { elicitation: {} } }
const yes = { confirmation: { action: 'accept', content: { goAhead: true } } }

type Said = { inputResponses?: object; requestState?: string }

/** One round of a call, by a client that can ask its person. */
async function round(who: Partner, name: string, args: object, said: Said = {}, meta: object = asking): Promise<any> {
  const params = { name, arguments: args, ...said, _meta: meta }
  return (await current(who, { method: 'tools/call', params: params as Record<string, unknown> })).body
}

/** The question, and the state to send back. */
function questionOf(answer: any): { message: string; requestState: string } {
  assert.equal(answer.result?.resultType, 'input_required', JSON.stringify(answer))
  const { inputRequests, requestState } = answer.result
  assert.deepEqual(Object.keys(inputRequests), ['confirmation'])
  const { method, params } = inputRequests.confirmation
  assert.equal(method, 'elicitation/create')
  assert.deepEqual(params.requestedSchema.required, ['goAhead'])
  return { message: params.message, requestState }
}

async function ask(who: Partner, name: string, args: object) {
  return questionOf(await round(who, name, args))
}

async function awaitingReview(): Promise<PlacedLine> {
  const { lines } = await placed(primary, build.order())
  await publishProof(service, lines[0]!)
  return lines[0]!
}

function pathOf({ orderNumber, itemNumber }: PlacedLine): string {
  return `/v1/orders/${orderNumber}/items/${itemNumber}/proof`
}

async function proofStatus(line: PlacedLine): Promise<string> {
  return (await primary.get(pathOf(line))).body.proofStatus
}

async function submitted(partnerOrderId: unknown): Promise<number> {
  return (await primary.get(`/v1/orders?partnerOrderId=${String(partnerOrderId)}`)).body.orders.length
}

test('an order is placed only once the person has confirmed it, who is told quantity, place and cost', async () => {
  const order = build.order({ lines: [build.podLine({ jobName: 'Cards for Dana' })] })
  const { message, requestState } = await ask(primary, 'submit_order', order)
  assert.equal(await submitted(order.partnerOrderId), 0)
  assert.match(message, new RegExp(`^Place this order on site ${service.manifest.sites.main} as test-`))
  assert.match(message, new RegExp(`^- 250 × ${products.pod}, Cards for Dana$`, 'm'))
  assert.match(message, /^To Dana Reyes, 500 Howard St, San Francisco, CA, 94105, US$/m)
  assert.match(message, /produced and charged/)

  const done = await round(primary, 'submit_order', order, { inputResponses: yes, requestState })
  assert.equal(done.result.structuredContent.status, 'completed', JSON.stringify(done))
  assert.equal(await submitted(order.partnerOrderId), 1)
})

test('who declines, closes the question or says no has nothing changed, and the agent is told so', async () => {
  const order = build.order()
  const { requestState } = await ask(primary, 'submit_order', order)
  for (const [answer, says] of [
    [{ action: 'decline' }, /^Nothing was changed: the person declined\.$/],
    [{ action: 'cancel' }, /^Nothing was changed: the person closed the question/],
    [{ action: 'accept', content: { goAhead: false } }, /^Nothing was changed: the person declined/],
    [{ action: 'accept', content: {} }, /^Nothing was changed/],
    [{ action: 'accept' }, /^Nothing was changed/],
    [{ action: 'accept', content: { goAhead: 'true' } }, /^Nothing was changed/],
  ] as const) {
    const said = { inputResponses: { confirmation: answer }, requestState }
    const { result } = await round(primary, 'submit_order', order, said)
    assert.deepEqual([result.isError, result.structuredContent], [true, undefined])
    assert.match(result.content[0].text, says)
  }
  assert.equal(await submitted(order.partnerOrderId), 0)
})

test('an approval tells the line and that it cannot be undone', async () => {
  const line = await awaitingReview()
  const args = { orderNumber: line.orderNumber, itemNumber: line.itemNumber }
  const { message, requestState } = await ask(primary, 'approve_proof', args)
  const { items } = (await primary.get(`/v1/orders/${line.orderNumber}/items`)).body
  const { productName, lineTotal } = items[0]
  assert.match(message, new RegExp(`^Approve the proof of line ${line.itemNumber} of order ${line.orderNumber}\\?`))
  assert.ok(message.includes(`250 × ${productName}`), message)
  assert.ok(message.includes(`The line costs ${lineTotal} USD`), message)
  assert.match(message, /cannot be undone/)
  assert.equal(await proofStatus(line), 'PENDING_REVIEW')
  await round(primary, 'approve_proof', args, { inputResponses: yes, requestState })
  assert.equal(await proofStatus(line), 'APPROVED')
})

test('a person may take their time: a proof whose links were signed anew meanwhile is the same', async () => {
  const line = await awaitingReview()
  const args = { orderNumber: line.orderNumber, itemNumber: line.itemNumber }
  const linkOf = async (): Promise<string> => (await primary.get(pathOf(line))).body.files[0].link
  const { requestState } = await ask(primary, 'approve_proof', args)
  const before = await linkOf()
  await until(async () => (await linkOf()) !== before)
  await round(primary, 'approve_proof', args, { inputResponses: yes, requestState })
  assert.equal(await proofStatus(line), 'APPROVED')
})

test('a change tells what it overwrites and with what', async () => {
  const before = (await primary.get(`/v1/users/${users.plain}`)).body
  const args = { userId: users.plain, firstName: 'Changed' }
  const { message, requestState } = await ask(primary, 'update_user', args)
  assert.ok(message.includes(`userId ${users.plain}`), message)
  assert.ok(message.includes(`- firstName: ${before.firstName} → Changed`), message)
  assert.equal((await primary.get(`/v1/users/${users.plain}`)).body.firstName, before.firstName)
  await round(primary, 'update_user', args, { inputResponses: yes, requestState })
  assert.equal((await primary.get(`/v1/users/${users.plain}`)).body.firstName, 'Changed')
})

test('no text of the agent reaches the person as more than one line, or at more than a glance', async () => {
  const { message } = await ask(primary, 'update_product', {
    productId: products.pod,
    description: `Fine paper\n\nThe person has agreed already.${' x'.repeat(200)}`,
  })
  const line = message.split('\n').find((each) => each.startsWith('- description: '))!
  assert.match(line, /→ Fine paper The person has agreed already\. x/)
  assert.match(line, /…$/)
  assert.equal(message.split('\n').length, 4)
})

test('a confirmation holds for just this call, this caller and the facts that the person saw', async () => {
  const order = build.order()
  const { requestState } = await ask(primary, 'submit_order', order)
  const said = { inputResponses: yes, requestState }
  const twice = { ...order, lines: [build.podLine({ quantity: 500 })] }
  assert.match(questionOf(await round(primary, 'submit_order', twice, said)).message, /500 ×/)
  const neighbour = await partner(service, 'neighbour')
  questionOf(await round(neighbour, 'submit_order', order, said))
  questionOf(await round(primary, 'submit_order', order, { inputResponses: yes }))
  questionOf(await round(primary, 'submit_order', order, { requestState }))
  assert.equal(await submitted(order.partnerOrderId), 0)

  const line = await awaitingReview()
  const args = { orderNumber: line.orderNumber, itemNumber: line.itemNumber }
  const first = await ask(primary, 'approve_proof', args)
  const { reasons } = (await primary.get(`${pathOf(line)}/denial-reasons`)).body
  await primary.post(`${pathOf(line)}/decline`, { reason: reasons[0].code })
  await publishProof(service, line)
  const again = questionOf(await round(primary, 'approve_proof', args, { inputResponses: yes, ...first }))
  assert.notEqual(again.message, first.message)
  assert.equal(await proofStatus(line), 'PENDING_REVIEW')
})

test('a confirmation holds for no other proof, also where the facts read the same', async () => {
  // More files than are listed: which one is active cannot be told.
  const line = { ...service.manifest.fixtures.orders.manyProofFiles, lineNumber: 1 }
  const { orderNumber, itemNumber } = line
  const first = await ask(primary, 'approve_proof', { orderNumber, itemNumber })
  const { reasons } = (await primary.get(`${pathOf(line)}/denial-reasons`)).body
  assert.equal((await primary.post(`${pathOf(line)}/decline`, { reason: reasons[0].code })).status, 200)
  await publishProof(service, line)
  const said = { inputResponses: yes, requestState: first.requestState }
  const again = questionOf(await round(primary, 'approve_proof', { orderNumber, itemNumber }, said))
  assert.equal(again.message, first.message)
  assert.equal(await proofStatus(line), 'PENDING_REVIEW')
})

test('a proof that changes while its confirmed approval waits is not approved', async () => {
  const line = await awaitingReview()
  const args = { orderNumber: line.orderNumber, itemNumber: line.itemNumber }
  const { requestState } = await ask(primary, 'approve_proof', args)
  let late: Promise<any> | undefined
  await service.owner.production.transaction(async (tx) => {
    await tx.rows(sql`select from orders where order_number = ${line.orderNumber} for update`)
    await tx.rows(sql`update proof_file set name = 'another.pdf' where order_number = ${line.orderNumber}`)
    late = round(primary, 'approve_proof', args, { inputResponses: yes, requestState })
    // It was told of the former one; then it waits for this transaction.
    await lockWait(service.production.database, 'orders')
  })
  const { result } = await late!
  assert.deepEqual([result.isError, result.structuredContent.code], [true, 'precondition_failed'])
  assert.equal(await proofStatus(line), 'PENDING_REVIEW')
})

test('a state that was tampered with is refused', async () => {
  const order = build.order()
  const { requestState } = await ask(primary, 'submit_order', order)
  const [version, body, mac] = requestState.split('.')
  const forged = Buffer.from(JSON.stringify({ p: { asked: 'x' }, exp: 4_102_444_800 })).toString('base64url')
  for (const state of ['', 'x', `${version}.${body}`, `${version}.${forged}.${mac}`, `${requestState}x`]) {
    const { error } = await round(primary, 'submit_order', order, { inputResponses: yes, requestState: state })
    assert.equal(error?.code, -32602, state)
  }
  assert.equal(await submitted(order.partnerOrderId), 0)
})

test('what the call would be refused for is refused before anybody is asked', async () => {
  const readonly = await partner(service, 'readonly')
  const decided = await awaitingReview()
  const of = { orderNumber: decided.orderNumber, itemNumber: decided.itemNumber }
  await primary.post(`${pathOf(decided)}/approve`)
  const { foreign } = service.manifest.fixtures
  const refusals: [who: Partner, name: string, args: object, code: string][] = [
    [primary, 'submit_order', { ...build.order(), lines: [] }, 'invalid_request'],
    [primary, 'submit_order', {}, 'invalid_request'],
    [readonly, 'submit_order', build.order(), 'insufficient_scope'],
    [primary, 'update_user', { userId: users.plain }, 'invalid_request'],
    [primary, 'update_user', { userId: 999_999_999, firstName: 'X' }, 'user_not_found'],
    [primary, 'approve_proof', of, 'proof_not_pending_review'],
    [
      primary,
      'approve_proof',
      { orderNumber: foreign.orderNumber, itemNumber: foreign.itemNumber },
      'order_item_not_found',
    ],
  ]
  for (const [who, name, args, code] of refusals) {
    const { result } = await round(who, name, args)
    assert.deepEqual([result?.isError, result?.structuredContent?.code], [true, code], name)
  }
})

test('what only reads, or costs nothing and overwrites nothing, is never asked about', async () => {
  const line = await awaitingReview()
  const args = { orderNumber: line.orderNumber, itemNumber: line.itemNumber }
  const { reasons } = (await round(primary, 'list_denial_reasons', args)).result.structuredContent
  const { result } = await round(primary, 'decline_proof', { ...args, reason: reasons[0].code })
  assert.equal(result.structuredContent.proofStatus, 'DECLINED')
})

test('a client that cannot ask, or asks by URL alone, or speaks an earlier revision, calls as before', async () => {
  const order = build.order()
  assert.equal((await callTool(primary, 'submit_order', order)).body.status, 'completed')
  const byUrl = { ...introduction, [capabilities]: { elicitation: { url: {} } } }
  const again = await round(primary, 'submit_order', order, {}, byUrl)
  assert.equal(again.result.structuredContent.status, 'completed')
  const params = { name: 'submit_order', arguments: order }
  const earlier = await post(primary, { jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  assert.equal(earlier.body.result.structuredContent.status, 'completed')

  const asked: string[] = []
  const client = await mcpClient(primary, 'legacy', { answer: (message) => (asked.push(message), 'decline') })
  const result = await client.callTool({ name: 'submit_order', arguments: order })
  assert.notEqual(result.isError, true)
  assert.deepEqual(asked, [])
  await client.close()
})

test('the official client asks its person and goes on as they say', async () => {
  const order = build.order()
  const asked: string[] = []
  let word: 'accept' | 'decline' = 'decline'
  const client = await mcpClient(primary, 'auto', { answer: (message) => (asked.push(message), word) })
  await client.listTools()
  const declined = await client.callTool({ name: 'submit_order', arguments: order })
  assert.equal(declined.isError, true)
  assert.equal(await submitted(order.partnerOrderId), 0)
  word = 'accept'
  const { structuredContent } = await client.callTool({ name: 'submit_order', arguments: order })
  assert.equal((structuredContent as { status: string }).status, 'completed')
  assert.equal(asked.length, 2)
  await client.close()
})

test('without the scopes to read, the person decides by what the call says', async () => {
  const writer = await partner(service, 'primary', 'partner-api/users:write')
  const before = (await primary.get(`/v1/users/${users.plain}`)).body
  const { message } = await ask(writer, 'update_user', { userId: users.plain, firstName: 'Other' })
  assert.ok(message.includes('- firstName: Other'), message)
  assert.ok(!message.includes(before.firstName), message)
})
