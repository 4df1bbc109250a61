import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { callTool } from '../../test/world/mcp.ts'
import { newKey, orderBuilder, shipTo, type Json } from '../../test/world/order-builder.ts'
import { partner as partnerOf, type Answer } from '../../test/world/partner.ts'
import { placed, publishProof } from '../../test/world/production.ts'
import { advance, sandboxPartner } from '../../test/world/sandbox.ts'
import { testService } from '../../test/world/service.ts'
import { until } from '../../test/world/webhooks.ts'
import { sql } from '../database/sql.ts'
import { forcedRefusal, magicInputs } from './magic-inputs.ts'
import { misbehaviours } from './misbehaviour.ts'
import { plan } from './plan.ts'
import { stepNames } from './steps.ts'

const service = await testService({ submissionWaitMilliseconds: 5_000 })
const build = orderBuilder(service.manifest)
const partner = await sandboxPartner(service)
/** the same calls in production, where magic inputs have no effect */
const primary = await partnerOf(service, 'primary')

const named = (jobName: string, changes: Json = {}): Json =>
  build.order({ lines: [build.podLine({ jobName, ...changes })] })

/** Ends the delay of a postponed submission. */
async function hasten(submissionId: string): Promise<number> {
  const row = await service.sandbox.database.statements.row<{ seconds: number }>(sql`
    with before as (select extract(epoch from leased_until - now())::float8 as seconds from submission
      where submission_id = ${submissionId})
    update submission set leased_until = now() from before where submission_id = ${submissionId} returning seconds`)
  return row!.seconds
}

async function endOf(submissionId: string): Promise<Answer> {
  let answer: Answer | undefined
  await until(async () => {
    answer = await partner.get(`/v1/orders/submissions/${submissionId}`)
    return answer.body.status === 'completed' || answer.body.status === 'failed'
  })
  return answer!
}

test('SUB-08 SUB-09 a line named sandbox:reject fails its submission, with a reason of its own; not in production', async () => {
  const order = build.order({
    lines: [build.podLine(), build.podLine({ partnerLineId: 'bad', jobName: 'sandbox:reject' })],
  })
  const { status, body } = await partner.post('/v1/orders', order)
  assert.deepEqual([status, body.status], [201, 'failed'])
  const [{ detail: _, ...error }] = body.errors
  assert.deepEqual(error, { code: 'order_rejected', field: 'lines[1].jobName', partnerLineId: 'bad' })
  const quoted = await partner.post('/v1/orders/quote', order)
  assert.deepEqual([quoted.status, quoted.body.code], [422, 'quote_invalid'])
  assert.deepEqual(
    quoted.body.errors.map((each: Json) => [each.path, each.detail]),
    [['lines[1].jobName', body.errors[0].detail]],
  )
  assert.equal((await primary.post('/v1/orders', order)).body.status, 'completed')
  assert.equal((await primary.post('/v1/orders/quote', order)).status, 200)
})

test('SUB-15 SUB-19 a line named sandbox:slow delays its submission by more than 20 s; not in production', async () => {
  const sentAt = performance.now()
  const answer = await partner.post('/v1/orders', named('sandbox:slow'))
  assert.deepEqual([answer.status, answer.body.status, answer.headers.get('retry-after')], [201, 'processing', '2'])
  const left = await hasten(answer.body.submissionId)
  assert.ok((performance.now() - sentAt) / 1_000 + left > 20)
  assert.equal((await endOf(answer.body.submissionId)).body.status, 'completed')
  assert.equal((await primary.post('/v1/orders', named('sandbox:slow'))).body.status, 'completed')
})

test('CAT-23 ERR-72 a line named sandbox:template-outage makes the template vendor unavailable for a while; not in production', async () => {
  const path = `/v1/products/${service.manifest.fixtures.products.template}/template`
  assert.equal((await partner.get(path)).status, 200)
  const answer = await partner.post('/v1/orders', named('sandbox:template-outage'))
  assert.equal(answer.body.status, 'processing')
  assert.equal((await partner.get(path)).body.code, 'service_unavailable')
  assert.equal((await (await sandboxPartner(service)).get(path)).status, 200)
  await hasten(answer.body.submissionId)
  assert.equal((await endOf(answer.body.submissionId)).body.status, 'completed')
  assert.equal((await partner.get(path)).status, 200)
  assert.equal((await primary.post('/v1/orders', named('sandbox:template-outage'))).body.status, 'completed')
  assert.equal((await primary.get(path)).status, 200)
})

test('PRF-17 the first proof of a line named sandbox:reproof is declined, and a second waits for review', async () => {
  const { orderNumber, lines } = await placed(partner, named('sandbox:reproof'))
  await advance(partner, { days: 1 })
  const { body } = await partner.get(`/v1/orders/${orderNumber}/items/${lines[0]!.itemNumber}/proof`)
  assert.deepEqual(
    [body.proofStatus, body.files.map((file: { active: boolean }) => file.active)],
    ['PENDING_REVIEW', [false, true]],
  )
})

test('PRF-10 the proofs of a line named sandbox:no-link have no links; in production they do', async () => {
  const { orderNumber, lines } = await placed(partner, named('sandbox:no-link'))
  await advance(partner, { hours: 1 })
  const { body } = await partner.get(`/v1/orders/${orderNumber}/items/${lines[0]!.itemNumber}/proof`)
  assert.equal(body.files.length, 1)
  assert.deepEqual([body.files[0].link, body.visualUrl], [null, null])
  const ids = { orderNumber, itemNumber: lines[0]!.itemNumber }
  assert.deepEqual((await callTool(partner, 'get_proof', ids)).images, [])

  const inProduction = await placed(primary, named('sandbox:no-link'))
  const [line] = inProduction.lines
  await publishProof(service, line!)
  const shown = await primary.get(`/v1/orders/${line!.orderNumber}/items/${line!.itemNumber}/proof`)
  assert.ok(shown.body.files[0].link && shown.body.visualUrl)
})

test('ORD-14 a line named sandbox:split ships in two shipments', async () => {
  const { orderNumber } = await placed(
    partner,
    build.order({ lines: [build.stockLine({ jobName: 'sandbox:split', quantity: 5 })] }),
  )
  await advance(partner, { days: 1 })
  assert.equal((await partner.get(`/v1/orders/${orderNumber}`)).body.status, 'COMPLETED')
  const { shipments } = (await partner.get(`/v1/orders/${orderNumber}/shipments`)).body
  assert.deepEqual(
    shipments.map((each: any) => [each.status, each.items[0].quantity]),
    [
      ['SHIPPED', 3],
      ['SHIPPED', 2],
    ],
  )
  assert.ok(shipments[0].shippedOn < shipments[1].shippedOn)
})

test('ERR-70 ERR-72 certain quantities and postal codes get a request refused as throttled or unavailable; not in production', async () => {
  const { sites, fixtures } = service.manifest
  const { pod } = fixtures.products
  const orderTo = (postalCode: string): Json => build.order({ shipTo: { ...shipTo, postalCode } })
  const orderOf = (...quantities: number[]): Json =>
    build.order({ lines: quantities.map((quantity) => build.podLine({ quantity, partnerLineId: `${quantity}` })) })
  const quoteTo = (postalCode: string): Json => ({
    siteId: sites.main,
    productId: pod,
    shipTo: { country: 'US', state: 'CA', postalCode },
    weightOunces: 12,
  })
  const calls: [string, Json, number][] = [
    ['/v1/orders', orderTo('00429'), 429],
    ['/v1/orders/quote', orderTo('00429'), 429],
    ['/v1/orders/quote', orderOf(250, 900_503), 503],
    ['/v1/orders', orderOf(900_429), 429],
    ['/v1/orders', orderOf(250, 900_429), 429],
    [`/v1/products/${pod}/quote`, { quantity: 900_429 }, 429],
    ['/v1/shipping/quote', quoteTo('00429'), 429],
    ['/v1/orders', orderTo('00503'), 503],
    ['/v1/orders', orderOf(900_503), 503],
    [`/v1/products/${pod}/quote`, { quantity: 900_503 }, 503],
    ['/v1/shipping/quote', quoteTo('00503'), 503],
  ]
  for (const [path, body, expected] of calls) {
    const { status, headers } = await partner.post(path, body)
    assert.equal(status, expected, `${path} ${JSON.stringify(body)}`)
    assert.equal(headers.get('retry-after'), expected === 429 ? '1' : '2')
    const inProduction = await primary.post(path, body)
    assert.ok(inProduction.status !== expected, `${path} in production`)
  }
  // A refused body leaves its key free.
  const order = orderOf(900_503)
  assert.equal((await partner.post('/v1/orders', order)).status, 503)
  assert.equal((await partner.post('/v1/orders', { ...order, lines: [build.podLine()] })).status, 201)
  assert.equal(forcedRefusal({ ...order, partnerOrderId: newKey() }), 'unavailable')
})

test('the documentation lists every magic input, step, planned step and misbehaviour', () => {
  const text = readFileSync(new URL('../../docs/sandbox.md', import.meta.url), 'utf8')
  for (const { field, value, effect } of magicInputs) {
    assert.ok(text.includes(`| \`${field}\` | \`${value}\` | ${effect} |`), String(value))
  }
  for (const { step, afterMinutes, when } of plan) {
    assert.ok(text.includes(`| \`${step}\` | ${afterMinutes} | ${when} |`), step)
  }
  for (const { misbehaviour, effect } of misbehaviours) {
    assert.ok(text.includes(`| \`${misbehaviour}\` | ${effect} |`), misbehaviour)
  }
  for (const step of stepNames) assert.ok(text.includes(`\`${step}\``), step)
})
