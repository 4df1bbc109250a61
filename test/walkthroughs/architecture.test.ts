import assert from 'node:assert/strict'
import { test } from 'node:test'
import { done } from '../world/done.ts'
import { testMasterKey } from '../world/master-key.ts'
import { orderBuilder } from '../world/order-builder.ts'
import { partner } from '../world/partner.ts'
import { acceptedFile, placed, publishProof, staff } from '../world/production.ts'
import { startReceiver } from '../world/receiver.ts'
import { testService } from '../world/service.ts'
import { settled } from '../world/webhooks.ts'
import { sql } from '../../src/database/sql.ts'
import { keyRing } from '../../src/vocabulary/keys.ts'
import { registerEndpoint } from '../../src/webhooks/endpoints.ts'
import { verifySignature } from '../../src/webhooks/signature.ts'

/** Follows the flows of an order, a decision and a webhook in ARCHITECTURE.md over HTTP. The numbers are those of its steps. */

const service = await testService()
const primary = await partner(service, 'primary')
const neighbour = await partner(service, 'neighbour')
const build = orderBuilder(service.manifest)

async function rows<Row>(query: ReturnType<typeof sql>): Promise<Row[]> {
  return service.production.database.statements.rows<Row>(query)
}

/** The audit records of a subject, oldest first. */
function auditOf(kind: string, id: string | number) {
  return rows<{ action: string; actorId: string; requestId: string | null }>(sql`
    select action, actor_id, request_id from audit_record
    where subject_kind = ${kind} and subject_id = ${String(id)} order by audit_id`)
}

test('SUB-10 SUB-15 the flow of an order, from the credential to the answer', async () => {
  const body = build.order({ lines: [build.podLine(), build.stockLine()] })

  // 1: the credential is checked first, whatever the body.
  const stranger = await primary.call('POST', '/v1/orders', '{', { authorization: 'Bearer nobody' })
  assert.equal(stranger.body.code, 'invalid_token')
  // 2: the contract then checks the body, and nothing of a refused body is stored.
  const malformed = await primary.post('/v1/orders', { ...body, surprise: 1 })
  assert.equal(malformed.status, 400)
  const submissions = () =>
    rows<{ claims: number; status: string; orderNumber: number }>(sql`
      select claims, status, order_number from submission where partner_order_id = ${String(body.partnerOrderId)}`)
  assert.deepEqual(await submissions(), [])

  // 3 and 7: many calls send the same order at once; one order is stored, and every call gets it.
  const answers = await Promise.all(Array.from({ length: 5 }, () => primary.post('/v1/orders', body)))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 200, 200, 200, 201])
  const { status, body: submission } = answers.find((answer) => answer.status === 201)!
  assert.deepEqual([status, submission.status], [201, 'completed'])
  assert.ok(answers.every((answer) => answer.body.submissionId === submission.submissionId))
  const other = await primary.post('/v1/orders', { ...body, lines: [build.podLine()] })
  assert.equal(other.body.code, 'partner_order_id_reused')

  // 4: the submission is claimed once.
  const { orderNumber } = submission.order
  assert.deepEqual(await submissions(), [{ claims: 1, status: 'completed', orderNumber: orderNumber }])

  // 5 and 6: one transaction writes the order, lines, shipments and outcome; the event and audit record exist with it.
  const transactions = await rows<{ xmin: string }>(sql`
    select xmin::text from orders where order_number = ${orderNumber}
    union select xmin::text from order_line where order_number = ${orderNumber}
    union select xmin::text from shipment where order_number = ${orderNumber}
    union select xmin::text from submission where order_number = ${orderNumber}`)
  assert.equal(transactions.length, 1)
  assert.deepEqual(
    (await rows<{ type: string }>(sql`select type from event where order_number = ${orderNumber}`)).map(
      ({ type }) => type,
    ),
    ['order.status_changed'],
  )
  assert.deepEqual(
    (await auditOf('order', orderNumber)).map(({ action }) => action),
    ['order.created'],
  )
  assert.equal((await primary.get(`/v1/orders/${orderNumber}`)).body.orderNumber, orderNumber)

  // 7: problems also end a submission, still with 201 and one entry per problem.
  const rejected = await primary.post(
    '/v1/orders',
    build.order({
      lines: ['one', 'two'].map((name) => build.stockLine({ variantId: undefined, partnerLineId: name })),
    }),
  )
  assert.deepEqual([rejected.status, rejected.body.status], [201, 'failed'])
  assert.deepEqual(
    rejected.body.errors.map(({ code, partnerLineId }: { code: string; partnerLineId: string }) => [
      code,
      partnerLineId,
    ]),
    [
      ['order_rejected', 'one'],
      ['order_rejected', 'two'],
    ],
  )
})

test('PRF-16 PRF-19 PRF-20 PRF-22 the flow of a proof decision', async () => {
  const { orderNumber, lines } = await placed(primary, build.order())
  const line = lines[0]!
  await acceptedFile(service, line)
  await publishProof(service, line)
  const proof = `/v1/orders/${orderNumber}/items/${line.itemNumber}/proof`
  const shown = await primary.get(proof)
  assert.equal(shown.body.proofStatus, 'PENDING_REVIEW')
  assert.equal((await fetch(shown.body.files[0].link)).status, 200)

  // 1: a line that partners cannot see is not found.
  assert.equal(
    (await primary.post(`/v1/orders/${orderNumber}/items/1/proof/approve`)).body.code,
    'order_item_not_found',
  )
  // 3: a reason the line does not offer changes nothing.
  const unoffered = await primary.post(`${proof}/decline`, { reason: 'NO_SUCH_REASON' })
  assert.equal(unoffered.body.code, 'denial_reason_not_available')
  assert.equal((await primary.get(proof)).body.proofStatus, 'PENDING_REVIEW')

  // 3 and 5: of many concurrent calls, one decides and gets its decision back; the others come too late.
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, turn) =>
      turn % 2 === 0 ? primary.post(`${proof}/approve`) : primary.post(`${proof}/decline`, { reason: 'OTHER' }),
    ),
  )
  const [accepted, ...others] = answers.toSorted((a, b) => a.status - b.status)
  assert.equal(accepted!.status, 200)
  assert.ok(others.every(({ body }) => body.code === 'proof_not_pending_review'))
  const isApproved = accepted!.body.proofStatus === 'APPROVED'
  assert.deepEqual(accepted!.body, {
    orderNumber,
    itemNumber: line.itemNumber,
    ...(isApproved ? { proofStatus: 'APPROVED' } : { proofStatus: 'DECLINED', reason: 'OTHER' }),
  })

  // 4: one transaction writes the line, the log entry, the order and the audit record.
  const { items } = (await primary.get(`/v1/orders/${orderNumber}/items`)).body
  assert.equal(items[0].proofStatus, accepted!.body.proofStatus)
  assert.equal(items[0].productionStatus, isApproved ? 'QUEUED' : 'PREPRESS')
  const log = await rows<{ entry: string; xmin: string }>(sql`
    select entry, proof_log_entry.xmin::text from proof_log_entry
    join order_line using (order_number, line_number) join orders using (order_number)
    where order_number = ${orderNumber} and proof_log_entry.xmin = order_line.xmin and proof_log_entry.xmin = orders.xmin`)
  assert.equal(log.length, 1)
  assert.match(log[0]!.entry, isApproved ? /^Approved by the partner\./ : /^Declined by the partner\. Reason: OTHER\./)
  const last = (await auditOf('order_line', `${orderNumber}/${line.lineNumber}`)).at(-1)!
  assert.equal(last.action, isApproved ? 'proof.approved' : 'proof.declined')
  assert.equal(last.actorId, service.manifest.partners.primary!.partnerId)

  // 2 and 5: a repeated call is refused, because the proof is already decided.
  assert.equal((await primary.post(`${proof}/approve`)).body.code, 'proof_not_pending_review')
})

test('EVT-13 EVT-15 EVT-18 EVT-30 the flow of a webhook', async (t) => {
  const { database } = service.production
  // Endpoints get no events from before they existed. Those events must be published by now.
  await settled(database)
  const receiver = await startReceiver(t, (response, { path }) => response.writeHead(path === '/bad' ? 500 : 204).end())
  const endpoints: { endpointId: string; secret: string | null }[] = []
  for (const [partnerKey, path, types] of [
    ['primary', 'good', ['order.status_changed']],
    ['primary', 'bad', ['order.status_changed']],
    ['primary', 'deaf', ['shipment.shipped']],
    ['outsider', 'elsewhere', undefined],
  ] as const) {
    const wish = {
      partnerId: service.manifest.partners[partnerKey]!.partnerId,
      url: receiver.url + path,
      allowHost: true,
      signed: true,
      ...(types && { types }),
    }
    const key = keyRing([testMasterKey], 'PRODUCTION', 'stored-secret')
    endpoints.push(await done(database.change((tx) => registerEndpoint(tx, staff(), key, wish))))
  }

  // 1: the order's event.
  const order = build.order()
  const { orderNumber } = await placed(primary, order)
  await settled(database)
  const [event] = await rows<{ eventId: string; fannedOutOn: string }>(sql`
    select event_id, fanned_out_on from event where order_number = ${orderNumber}`)

  // 2: each endpoint with the event type and the site gets a delivery, and the event is marked at the same time.
  const deliveries = await rows<Record<string, unknown>>(sql`
    select endpoint_id, event_id, created_on, outcome, reason, response_status, claims, body from webhook_delivery
    where order_number = ${orderNumber} order by outcome`)
  const [good, bad] = endpoints
  const common = { eventId: event!.eventId, createdOn: event!.fannedOutOn, claims: 1, body: deliveries[0]!.body }
  // 3 to 5: each delivery is claimed and attempted once. A 2xx means delivered; anything else fails for good.
  assert.deepEqual(deliveries, [
    { ...common, endpointId: good!.endpointId, outcome: 'DELIVERED', reason: null, responseStatus: 204 },
    { ...common, endpointId: bad!.endpointId, outcome: 'FAILED', reason: 'status', responseStatus: 500 },
  ])

  // 4: what arrived, signed on sending with each endpoint's own secret.
  assert.deepEqual(receiver.delivered.map(({ path }) => path).toSorted(), ['/bad', '/good'])
  for (const { path, headers, body, event: told } of receiver.delivered) {
    assert.equal(body.toString(), deliveries[0]!.body)
    assert.equal(headers['platform-event-id'], event!.eventId)
    assert.deepEqual(
      [told.eventId, told.type, told.orderNumber, told.partnerOrderId],
      [event!.eventId, 'order.status_changed', orderNumber, order.partnerOrderId],
    )
    const { secret } = path === '/good' ? good! : bad!
    assert.ok(verifySignature(String(headers['platform-signature']), body, secret!, Date.now() / 1_000))
  }
  // A partner that gets the webhook reads the order again and finds the change.
  assert.equal((await neighbour.get(`/v1/orders/${orderNumber}`)).status, 200)
})
