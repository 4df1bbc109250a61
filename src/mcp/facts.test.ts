import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Caller } from '../contract/caller.ts'
import { record, text } from '../contract/fields.ts'
import { operation } from '../contract/operation.ts'
import { Refusal } from '../contract/refusal.ts'
import type { PerformedOperation } from '../gateway/perform.ts'
import { api } from '../resources/api.ts'
import { Outage } from '../vocabulary/outage.ts'
import { factsOf } from './facts.ts'
import { mcpTools } from './tools.ts'

const quoteOrder = operation({
  id: 'quoteOrder',
  at: 'POST /v1/orders/quote',
  scope: 'products:read',
  body: api.submitOrder.body,
  answers: { 200: record('Quote', { totalPrice: text, currency: text }) },
  refuses: ['quote_invalid'],
  says: 'Prices an order.',
})

const order = { siteId: 101, partnerOrderId: 'a', lines: [{ productId: 'SLO_1', partnerLineId: '1', quantity: 5 }] }

/** What a person is told of the order, where quotes answer so; undefined = there are none. */
async function told(quote: PerformedOperation['perform'] | undefined): Promise<string> {
  const check = async (): Promise<void> => undefined
  const perform = (): never => assert.fail('nothing is placed')
  const tools = mcpTools([
    { entry: api.submitOrder, perform, check },
    ...(quote ? [{ entry: quoteOrder, perform: quote, check }] : []),
  ])
  const who = {
    caller: {} as Caller,
    now: new Date('2026-01-31T09:30:00Z'),
    requestId: 'r',
    inTime: async <Result>(work: Result | Promise<Result>) => work,
  }
  return (await factsOf(tools.byName('submit_order')!, order, who, tools)).says
}

test('the total of an order is that of its quote, which is asked for without the partnerOrderId', async () => {
  const said = await told(async ({ body }) => {
    const { partnerOrderId: _, ...quoted } = order
    assert.deepEqual(await body(), quoted)
    return { status: 200, body: { totalPrice: '123.40', currency: 'USD' } }
  })
  assert.match(said, /^Total: 123\.40 USD$/m)
})

test('an order that cannot be quoted is asked about with the reason, or without a total', async () => {
  const invalid = await told(() => Promise.reject(new Refusal('quote_invalid', 'Line 1 has no stock.')))
  assert.match(invalid, /^It has no price now: Line 1 has no stock\.$/m)
  for (const quote of [undefined, () => Promise.reject(new Refusal('insufficient_scope'))]) {
    assert.match(await told(quote), /^What it costs is known once it is placed\.$/m)
  }
  // The order would be refused for the same.
  await assert.rejects(
    told(() => Promise.reject(new Refusal('invalid_site_id'))),
    { code: 'invalid_site_id' },
  )
  await assert.rejects(
    told(() => Promise.reject(new Outage('the database is gone'))),
    Outage,
  )
})
