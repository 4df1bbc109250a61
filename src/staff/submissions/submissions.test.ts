import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderBuilder, shipTo, type Json } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { placed } from '../../../test/world/production.ts'
import { staff } from '../../../test/world/staff.ts'
import { testService } from '../../../test/world/service.ts'
import { methodOf, pathOf } from '../../contract/operation.ts'
import { sql } from '../../database/sql.ts'
import { rejectionReasons } from '../../platform/ordering/rejection-reasons.ts'
import { staffApi } from '../api.ts'
import { remediesOf } from './remedies.ts'

const service = await testService()
const { sites, partners } = service.manifest
const admin = await staff(service)
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)
const root = '/staff/v1/production'

const list = async (query: string) => (await admin.get(`${root}/submissions?${query}`)).body
const read = async (submissionId: string) => (await admin.get(`${root}/submissions/${submissionId}`)).body

/** A new product with a price from ten pieces on. */
async function product(changes: Json = {}): Promise<string> {
  const made = await admin.post(`${root}/sites/${sites.main}/products`, {
    serviceType: 'POD',
    name: 'Mended',
    code: `MENDED-${crypto.randomUUID()}`,
    artworkSource: 'NONE',
    fulfilmentCenterId: 1,
    unitWeightOunces: '0.5',
    turnaroundBusinessDays: 2,
    ...changes,
  })
  const { productId } = made.body
  await admin.put(`${root}/products/${productId}/prices`, { priceBreaks: [{ fromQuantity: 10, unitPrice: '2' }] })
  return productId
}

const limited = await product({ maxQuantity: 50 })
/** An order of more pieces than the product allows. */
const tooMany = (changes: Json = {}) => build.podLine({ productId: limited, quantity: 900_000, ...changes })

async function rejected(changes: Json): Promise<{ submissionId: string; requestId: string; body: Json }> {
  const body = build.order(changes)
  const answer = await primary.post('/v1/orders', body)
  assert.equal(answer.body.status, 'failed', JSON.stringify(answer.body))
  assert.ok(answer.body.errors.every((error: object) => !('reason' in error)))
  return { submissionId: answer.body.submissionId, requestId: answer.headers.get('request-id')!, body }
}

test('a rejected submission shows the body as sent, each reason as the partner was told it, and what would have to change', async () => {
  const lines = [tooMany(), build.stockLine({ variantId: undefined, partnerLineId: 'none' })]
  const { submissionId, requestId, body } = await rejected({ lines })
  const found = await read(submissionId)
  assert.deepEqual([found.status, found.order, found.orderNumber, found.requestId], ['failed', null, null, requestId])
  assert.deepEqual(found.body.lines, JSON.parse(JSON.stringify(body.lines)))
  assert.equal(found.partnerName, 'Northwind Marketing')
  assert.deepEqual(
    found.rejectedFor.map(({ reason, field, partnerLineId }: Json) => [reason, field, partnerLineId]),
    [
      ['quantity_above_maximum', 'lines[0].quantity', 'cards'],
      ['variant_required', 'lines[1].variantId', 'none'],
    ],
  )
  assert.equal(found.rejectedFor[0].detail, 'The quantity must be at most 50.')
  assert.deepEqual(found.rejectedFor[0].remedies.at(-1), {
    by: 'STAFF',
    says: `Raise the largest quantity (maxQuantity) of product ${limited} to 900000 or more, or set it to null.`,
    operation: 'changeProduct',
    path: `${root}/products/${limited}`,
  })
  assert.deepEqual(
    found.rejectedFor[1].remedies.map(({ by, operation, path }: Json) => [by, operation, path]),
    [['PARTNER', null, null]],
  )
})

test('a completed submission shows its order', async () => {
  const { orderNumber } = await placed(primary, build.order())
  const { submissionId } = (await admin.get(`${root}/orders/${orderNumber}`)).body
  const found = await read(submissionId)
  assert.deepEqual([found.status, found.orderNumber, found.order.orderNumber], ['completed', orderNumber, orderNumber])
  assert.deepEqual(found.rejectedFor, [])
  assert.equal((await admin.get(`${root}/submissions/00000000-0000-4000-8000-000000000000`)).status, 404)
})

test('after what a remedy says is done, the same order is accepted', async () => {
  const unpriced = await product()
  await admin.put(`${root}/products/${unpriced}/prices`, { priceBreaks: [] })
  const inactive = await product()
  await admin.patch(`${root}/products/${inactive}`, { active: false })
  const cases: [productId: string, quantity: number, reason: string, operation: string, body: Json][] = [
    [unpriced, 100, 'not_priced', 'replacePrices', { priceBreaks: [{ fromQuantity: 1, unitPrice: '2' }] }],
    [inactive, 100, 'product_inactive', 'changeProduct', { active: true }],
    [await product({ maxQuantity: 50 }), 100, 'quantity_above_maximum', 'changeProduct', { maxQuantity: 100 }],
    [await product({ minQuantity: 50 }), 20, 'quantity_below_minimum', 'changeProduct', { minQuantity: 20 }],
    [
      await product(),
      5,
      'quantity_below_minimum',
      'replacePrices',
      { priceBreaks: [{ fromQuantity: 5, unitPrice: '2' }] },
    ],
    [await product({ visibility: 'HIDDEN' }), 100, 'product_not_offered', 'changeProduct', { visibility: 'PUBLIC' }],
  ]
  for (const [productId, quantity, reason, operation, body] of cases) {
    const lines = [build.podLine({ productId, quantity })]
    const { rejectedFor } = await read((await rejected({ lines })).submissionId)
    assert.deepEqual(
      rejectedFor.map((each: Json) => each.reason),
      [reason],
    )
    const remedy = rejectedFor[0].remedies.find((each: Json) => each.operation === operation)
    assert.ok(remedy, `${reason} ${operation}`)
    if (reason === 'quantity_below_minimum') assert.equal(rejectedFor[0].remedies.length, 2)
    const mended = await admin.call(methodOf(staffApi[operation]!), remedy.path, body)
    assert.equal(mended.status, 200, JSON.stringify(mended.body))
    await placed(primary, build.order({ lines }))
  }
})

test('every reason has a remedy, and every operation that a remedy names exists at its path', () => {
  const line = { productId: 'SLO_1', variantId: 1, quantity: 5, partnerLineId: 'a' }
  for (const reason of rejectionReasons) {
    for (const each of [line, undefined]) {
      const facts = { detail: '', environment: 'SANDBOX', siteId: 101, orderingUserId: 20001, line: each } as const
      const remedies = remediesOf(reason, facts)
      assert.ok(remedies.length > 0, reason)
      for (const { by, says, operation, path } of remedies) {
        assert.match(says, /^[A-Z].*\.$/, reason)
        assert.ok(!says.includes('undefined'), says)
        assert.equal(by === 'STAFF', operation !== null && path !== null, reason)
        if (operation === null) continue
        const entry = staffApi[operation]
        assert.ok(entry, `${reason}: ${operation}`)
        const form = new RegExp(`^${pathOf(entry).replaceAll(/\{\w+\}/g, '[^/]+')}$`)
        assert.match(path!, form, `${reason}: ${operation}`)
        assert.notEqual(methodOf(entry), 'GET')
      }
    }
  }
})

test('submissions are listed newest first, in pages, by partner, site, status, reason, time, request and partnerOrderId', async () => {
  const before = new Date().toISOString()
  const made = []
  for (let count = 0; count < 3; count++) made.push(await rejected({ lines: [tooMany()] }))
  const { orderNumber } = await placed(primary, build.order())
  const ids = made.map(({ submissionId }) => submissionId).toReversed()
  const idsOf = (page: { submissions: { submissionId: string }[] }) => page.submissions.map((each) => each.submissionId)

  const first = await list('status=failed&limit=2')
  assert.deepEqual(idsOf(first), ids.slice(0, 2))
  assert.equal(idsOf(await list(`status=failed&limit=2&cursor=${first.nextCursor}`))[0], ids[2])
  assert.equal((await list('limit=1')).submissions[0].orderNumber, orderNumber)
  const narrow = [
    `partnerId=${partners.primary.partnerId}&status=failed`,
    `siteId=${sites.main}&status=failed`,
    `siteId=${sites.main}&partnerId=${partners.primary.partnerId}&reason=quantity_above_maximum`,
    'reason=quantity_above_maximum',
  ]
  for (const query of narrow) assert.deepEqual(idsOf(await list(`${query}&from=${before}`)), ids, query)
  assert.deepEqual(idsOf(await list(`status=failed&from=${before}&reason=not_priced`)), [])
  assert.ok(!idsOf(await list(`to=${before}&limit=200`)).some((id) => ids.includes(id)))
  assert.deepEqual(idsOf(await list(`partnerId=${partners.neighbour.partnerId}&from=${before}`)), [])
  assert.deepEqual(idsOf(await list(`requestId=${made[1]!.requestId}`)), [made[1]!.submissionId])
  assert.deepEqual(idsOf(await list('requestId=00000000-0000-4000-8000-000000000000')), [])
  assert.deepEqual(idsOf(await list(`partnerOrderId=${made[0]!.body.partnerOrderId}`)), [made[0]!.submissionId])
  assert.deepEqual(idsOf(await list(`partnerOrderId=${made[0]!.body.partnerOrderId}&status=completed`)), [])
  const whole = (await list('limit=200')).submissions
  assert.deepEqual(
    whole.map(({ createdOn, submissionId }: Json) => `${createdOn} ${submissionId}`),
    whole
      .map(({ createdOn, submissionId }: Json) => `${createdOn} ${submissionId}`)
      .toSorted()
      .toReversed(),
  )
})

test('submissions that wait are listed', async () => {
  const { orderNumber } = await placed(primary, build.order())
  const row = await service.production.database.statements.row<{ submissionId: string }>(sql`
    update submission set status = 'queued', outcome = null, leased_until = now() + interval '1 day'
    where order_number = ${orderNumber} returning submission_id`)
  const { submissions } = await list('status=queued')
  assert.deepEqual(
    submissions.map(({ submissionId, reasons }: Json) => [submissionId, reasons]),
    [[row!.submissionId, []]],
  )
})

test('reasons are counted over a time, once for each submission', async () => {
  const from = new Date().toISOString()
  const far = { ...shipTo, state: 'ZZ' }
  const twice = [0, 1].map((index) => tooMany({ partnerLineId: `line-${index}` }))
  await rejected({ lines: twice })
  const newest = await rejected({ lines: twice.slice(0, 1), shipTo: far })
  const { reasons } = (await admin.get(`${root}/submissions/reasons?from=${from}`)).body
  assert.deepEqual(
    reasons.map(({ reason, submissions, partners: count, newestSubmissionId }: Json) => [
      reason,
      submissions,
      count,
      newestSubmissionId,
    ]),
    [
      ['quantity_above_maximum', 2, 1, newest.submissionId],
      ['state_unknown', 1, 1, newest.submissionId],
    ],
  )
  const other = await admin.get(`${root}/submissions/reasons?from=${from}&siteId=${sites.second}`)
  assert.deepEqual(other.body.reasons, [])
  const long = await admin.get(`${root}/submissions/reasons?from=2020-01-01T00:00:00Z`)
  assert.deepEqual([long.status, long.body.code], [400, 'span_too_long'])
})
