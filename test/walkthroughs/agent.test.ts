import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { PNG } from 'pngjs'
import { newAgent } from '../world/agent.ts'
import { mcpClient } from '../world/mcp.ts'
import { orderBuilder } from '../world/order-builder.ts'
import { partner } from '../world/partner.ts'
import { placed, publishProof } from '../world/production.ts'
import { testService } from '../world/service.ts'

/**
 * An agent that knows nothing but what the endpoint tells it does ten tasks of a partner's day. It is given words as a
 * person would say them, never an id nor the name of a tool. What came of each task is looked at over HTTP.
 */
const service = await testService()
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)

const questions: string[] = []
const client = await mcpClient(primary, 'auto', { answer: (message) => (questions.push(message), 'accept') })
const agent = await newAgent(client)
const address = {
  name: 'Dana Reyes',
  address1: '500 Howard St',
  city: 'San Francisco',
  state: 'CA',
  postalCode: '94105',
  country: 'US',
}

test.after(() => client.close())

async function lineOf(orderNumber: unknown, itemNumber: unknown): Promise<any> {
  const { items } = (await primary.get(`/v1/orders/${String(orderNumber)}/items?limit=200`)).body
  return items.find((item: any) => item.itemNumber === itemNumber)
}

/** The newest line that waits for a decision, found as the prompt says. */
async function waitingLine(): Promise<void> {
  const [page] = await agent.begins('go through the proofs that wait for me')
  for (const order of page.orders) {
    agent.learn(order)
    const { items } = await agent.does('list the lines of the order')
    const waiting = items.find((item: any) => item.proofStatus === 'PENDING_REVIEW')
    if (waiting) return agent.learn(waiting)
  }
  assert.fail('nothing waits')
}

test('MCP-01 an agent finds a product and quotes it', async () => {
  const { sites } = await agent.does('list the sites')
  agent.learn(sites[0])
  const { products } = await agent.does('search the products on my sites', {
    q: 'business card',
    siteId: sites[0].siteId,
  })
  const product = products.find((each: any) => each.artworkSource === 'UPLOAD' && each.active)
  agent.learn(product)
  const quote = await agent.does('price a quantity of the product', { quantity: 250 })
  const { body } = await primary.post(`/v1/products/${product.productId}/quote`, { quantity: 250 })
  assert.match(product.name, /business card/i)
  assert.deepEqual([quote.lineTotal, quote.currency], [body.lineTotal, body.currency])
  assert.match(quote.lineTotal, /^\d+\.\d\d$/)
})

test('MCP-01 an agent places an order, after its person has confirmed it', async () => {
  const submission = await agent.does('submit an order and wait', {
    ...address,
    partnerOrderId: 'agent-1',
    partnerLineId: 'cards',
    quantity: 250,
    jobName: 'Cards for Dana',
  })
  assert.equal(submission.status, 'completed', JSON.stringify(submission))
  agent.learn(submission.order)
  const { body } = await primary.get(`/v1/orders/${submission.order.orderNumber}`)
  assert.deepEqual([body.partnerOrderId, body.shipTo.address1], ['agent-1', '500 Howard St'])
  assert.equal(questions.filter((question) => question.startsWith('Place this order')).length, 1)
})

test('MCP-01 an agent tells where an order stands', async () => {
  const [order, { items }, { shipments }] = await agent.begins('where does my order stand')
  const { body } = await primary.get(`/v1/orders/${String(agent.known.get('orderNumber'))}`)
  assert.deepEqual([order.orderNumber, order.status], [body.orderNumber, body.status])
  assert.equal(items.length, body.itemCount)
  assert.ok(Array.isArray(shipments))
})

test('MCP-01 PRF-09 an agent approves a proof after it has looked at its picture', async () => {
  const { lines } = await placed(primary, build.order())
  await publishProof(service, lines[0]!)
  await waitingLine()
  const picture = PNG.sync.read(await agent.looksAt('the picture of the proof'))
  const colours = new Set(Array.from({ length: 500 }, (_, index) => picture.data.readUInt32BE(index * 4 * 997)))
  assert.ok(colours.size > 1, 'the picture is blank')
  const decided = await agent.does('approve the proof', { comment: 'The name is right.' })
  assert.equal(decided.proofStatus, 'APPROVED')
  const line = await lineOf(agent.known.get('orderNumber'), agent.known.get('itemNumber'))
  assert.equal(line.proofStatus, 'APPROVED')
  assert.match(questions.at(-1)!, /^Approve the proof.*cannot be undone\.$/s)
})

test('MCP-01 an agent declines a proof with a reason that the line offers', async () => {
  const { lines } = await placed(primary, build.order())
  await publishProof(service, lines[0]!)
  await waitingLine()
  const before = questions.length
  const { reasons } = await agent.does('what are the reasons for declining the proof')
  const reason = reasons.find((each: any) => /text|spell|colou?r|layout/i.test(each.label)) ?? reasons[0]
  await agent.does('decline the proof', { reason: reason.code, comment: 'The blue is too dark.' })
  const line = await lineOf(agent.known.get('orderNumber'), agent.known.get('itemNumber'))
  assert.equal(line.proofStatus, 'DECLINED')
  assert.equal(questions.length, before, 'a decline costs nothing, so nobody is asked')
})

test('MCP-01 ART-01 an agent uploads artwork for a line', async () => {
  const { orderNumber } = await placed(primary, build.order())
  const { orders } = await agent.does('list the orders on my sites')
  agent.learn(orders[0])
  const { items } = await agent.does('list the lines of the order')
  agent.learn(items[0])
  const bytes = Buffer.from('%PDF-1.7 cards of an agent')
  const { uploadUrl, uploadMethod } = await agent.does('reserve a URL to upload a print file', {
    fileName: 'cards.pdf',
  })
  assert.equal((await fetch(uploadUrl, { method: uploadMethod, body: bytes })).status, 200)
  await agent.does('attach the uploaded print file to the line')
  assert.equal(agent.known.get('orderNumber'), orderNumber)
  const { files } = (await primary.get(`/v1/orders/${orderNumber}/items/${items[0].itemNumber}/artwork`)).body
  assert.deepEqual(
    files.map(({ fileName, md5 }: any) => [fileName, md5]),
    [['cards.pdf', createHash('md5').update(bytes).digest('hex')]],
  )
})

test('MCP-01 an agent finds the address of a user', async () => {
  const { users } = await agent.does('list the users of my sites')
  let found: any
  for (const user of users) {
    agent.learn(user)
    const { addresses } = await agent.does('list the saved addresses of the user')
    found ??= addresses[0] && { user, address: addresses[0] }
  }
  assert.ok(found, 'no user has an address')
  const { body } = await primary.get(`/v1/users/${found.user.userId}/addresses`)
  assert.deepEqual(found.address, body.addresses[0])
  assert.ok(found.address.address1 && found.address.city)
})

test('MCP-01 an agent tells what is left of a credit account', async () => {
  const { creditAccounts } = await agent.does('list the credit accounts with their balances')
  agent.learn(creditAccounts[0])
  const account = await agent.does('show one credit account with its balance')
  const { body } = await primary.get(`/v1/credit-accounts/${creditAccounts[0].creditAccountId}`)
  assert.deepEqual([account.currentBalance, account.amount], [body.currentBalance, body.amount])
})

test('MCP-01 an agent finds the tracking number of a shipment', async () => {
  const { orders } = await agent.does('list the orders on my sites', { status: ['SHIPPED', 'PARTIALLY_SHIPPED'] })
  let tracked: any
  for (const order of orders) {
    agent.learn(order)
    const { shipments } = await agent.does('list the shipments of the order')
    tracked ??= shipments.find((each: any) => each.packages.some((parcel: any) => parcel.trackingNumber !== null))
  }
  assert.ok(tracked, 'nothing is under way')
  const { body } = await primary.get(`/v1/orders/${tracked.orderNumber}/shipments`)
  const shipment = body.shipments.find((each: any) => each.shipmentNumber === tracked.shipmentNumber)
  assert.deepEqual(shipment.packages, tracked.packages)
})

test('MCP-01 an agent orders again what an order had, and says what changed', async () => {
  const { orders } = await agent.does('list the orders on my sites', { partnerOrderId: 'agent-1' })
  agent.learn(orders[0])
  const [order, { items }] = await agent.begins('order again what I had')
  agent.learn(items[0])
  const product = await agent.does('show one product with its variants')
  const quote = await agent.does('price a quantity of the product', { quantity: items[0].quantity })
  assert.deepEqual([product.active, quote.lineListTotal], [true, items[0].lineListTotal])
  const again = await agent.does('submit an order and wait', {
    ...Object.fromEntries(Object.entries(order.shipTo).filter(([, value]) => value !== null)),
    siteId: order.siteId,
    partnerOrderId: 'agent-2',
    partnerLineId: 'cards',
    quantity: items[0].quantity,
    jobName: items[0].jobName,
  })
  assert.equal(again.status, 'completed', JSON.stringify(again))
  const { body } = await primary.get(`/v1/orders/${again.order.orderNumber}/items`)
  assert.notEqual(again.order.orderNumber, order.orderNumber)
  assert.deepEqual(
    body.items.map((item: any) => [item.productId, item.quantity, item.jobName]),
    items.map((item: any) => [item.productId, item.quantity, item.jobName]),
  )
})
