import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { staff } from '../../../test/world/staff.ts'
import { until } from '../../../test/world/webhooks.ts'
import { testService } from '../../../test/world/service.ts'
import { sql } from '../../database/sql.ts'

const service = await testService()
const admin = await staff(service)
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)

const lookUp = (requestId: string) => admin.get(`/staff/v1/production/requests/${requestId}`)
/** The request, once the log has it. */
async function logged(requestId: string) {
  let found: Awaited<ReturnType<typeof lookUp>> | undefined
  await until(async () => {
    found = await lookUp(requestId)
    return found.status === 200 && found.body.calls.length > 0
  })
  return found!
}

const idOf = (answer: { headers: Headers }) => answer.headers.get('request-id')!

test('the request that submitted an order leads to the submission, the order and its audit record', async () => {
  const body = build.order()
  const submitted = await primary.post('/v1/orders', body)
  const { submissionId, order } = submitted.body
  const found = (await lookUp(idOf(submitted))).body
  assert.deepEqual(
    [found.submission.submissionId, found.submission.partnerOrderId, found.submission.status],
    [submissionId, body.partnerOrderId, 'completed'],
  )
  assert.deepEqual([found.submission.orderNumber, found.submission.errors], [order.orderNumber, []])
  assert.deepEqual(
    found.records.map(({ action, subject }: { action: string; subject: { id: string } }) => [action, subject.id]),
    [['order.created', String(order.orderNumber)]],
  )
  // The repeated request submitted nothing: only the log knows it.
  const repeated = await primary.post('/v1/orders', body)
  assert.equal(repeated.status, 200)
  const again = (await logged(idOf(repeated))).body
  assert.deepEqual([again.submission, again.records, again.calls[0].operation], [null, [], 'submitOrder'])
  const strange = await lookUp('00000000-0000-4000-8000-000000000002')
  assert.deepEqual([strange.status, strange.body.code], [404, 'request_not_found'])
})

test('the request of a rejected order shows the reasons', async () => {
  const rejected = await primary.post('/v1/orders', build.order({ lines: [build.stockLine({ variantId: undefined })] }))
  const { submission, records } = (await lookUp(idOf(rejected))).body
  assert.deepEqual([submission.status, submission.orderNumber], ['failed', null])
  assert.equal(submission.errors[0].detail, rejected.body.errors[0].detail)
  assert.equal(submission.errors[0].partnerLineId, 'shirts')
  assert.equal(records[0].action, 'submission.rejected')
})

test('the request of a submission that still waits is found', async () => {
  const submitted = await primary.post('/v1/orders', build.order())
  await service.production.database.statements.rows(sql`
    update submission set status = 'queued', outcome = null, order_number = null, leased_until = now() + interval '1 day'
    where submission_id = ${submitted.body.submissionId}`)
  // As if it had not ended: no record leads to it either.
  await service.production.database.statements.rows(sql`
    update submission set request_id = '00000000-0000-4000-8000-000000000001'
    where submission_id = ${submitted.body.submissionId}`)
  const found = (await lookUp('00000000-0000-4000-8000-000000000001')).body
  assert.deepEqual([found.submission.status, found.submission.orderNumber, found.records], ['queued', null, []])
})
