import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { type Json, orderBuilder } from '../../test/world/order-builder.ts'
import { partner } from '../../test/world/partner.ts'
import { testService } from '../../test/world/service.ts'
import { until } from '../../test/world/webhooks.ts'
import { sql } from '../database/sql.ts'
import { noTemplateVendor } from '../outside/template-vendor/template-vendor.ts'
import { noServiceTaxes } from '../platform/pricing/service-taxes.ts'
import type { Suppliers } from '../platform/ordering/plan-order.ts'
import { type CarrierRates, tableRates } from '../platform/shipping/rates.ts'
import type { Change } from '../vocabulary/change.ts'
import { systemClock } from '../vocabulary/clock.ts'
import { Outage } from '../vocabulary/outage.ts'
import { type Claim, claimSubmissions } from './claim-submissions.ts'
import { LeaseLost, rejectSubmission } from './end-submissions.ts'
import { createOutcomes } from './outcomes.ts'
import { startSubmissionWorker } from './submission-worker.ts'
import { noTracing } from '../vocabulary/tracing.ts'

/** A service that accepts orders, and no workers but those of each test. */
const service = await testService({ variables: { ROLE: 'api' }, submissionWaitMilliseconds: 1 })
const primary = await partner(service, 'primary')
const { database, objectStore } = service.production
const build = orderBuilder(service.manifest)

async function submitted(order: Json = build.order()): Promise<string> {
  const answer = await primary.post('/v1/orders', order)
  assert.equal(answer.body.status, 'queued')
  return answer.body.submissionId
}

/** Claims what waits, and answers the claim of one submission. */
async function claimed(submissionId: string): Promise<Claim | undefined> {
  const claims = await claimSubmissions(database.statements, 'plain', 100, [], new Date())
  return claims.find((each) => each.submissionId === submissionId)
}

function stored(submissionId: string) {
  return database.statements.row<{ status: string; failures: number; claims: number; outcome: Json | null }>(sql`
    select status, failures, claims, outcome from submission where submission_id = ${submissionId}`)
}

async function lapse(submissionId: string): Promise<void> {
  await database.statements.rows(sql`
    update submission set leased_until = now() - interval '1 second' where submission_id = ${submissionId}`)
}

function rejected(claim: Claim, detail: string) {
  return database.change((tx) => rejectSubmission(tx, change, claim, [{ reason: 'scenario', detail }]))
}

const change: Change = { actor: { kind: 'SYSTEM', id: 'claims.test.ts' }, now: new Date(), requestId: null }

test('SUB-13 a submission under lease is claimed by no second worker until the lease lapses', async () => {
  const submissionId = await submitted()
  assert.equal((await claimed(submissionId))?.claims, 1)
  assert.equal(await claimed(submissionId), undefined)
  await lapse(submissionId)
  const second = (await claimed(submissionId))!
  assert.equal(second.claims, 2)
  await rejected(second, 'the end of this test')
})

test('SUB-16 only the latest claim ends a submission, and it ends once', async () => {
  const submissionId = await submitted()
  const first = (await claimed(submissionId))!
  await lapse(submissionId)
  const second = (await claimed(submissionId))!

  await assert.rejects(rejected(first, 'of the first claim'), LeaseLost)
  assert.equal((await stored(submissionId))!.status, 'processing')
  await rejected(second, 'of the second claim')
  await assert.rejects(rejected(second, 'once more'), LeaseLost)
  const { status, outcome } = (await stored(submissionId))!
  assert.equal(status, 'failed')
  assert.match(JSON.stringify(outcome), /of the second claim/)
})

test('SUB-16 a submission that only a bug of ours keeps from its end is rejected at the fifth failure', async (t) => {
  const submissionId = await submitted()
  let tries = 0
  await worker(t, async () => {
    tries++
    throw new TypeError('a bug')
  })
  await until(async () => (await stored(submissionId))!.status === 'failed')
  assert.equal(tries, 5)
  const read = await primary.get(`/v1/orders/submissions/${submissionId}`)
  assert.deepEqual(
    read.body.errors.map(({ code }: { code: string }) => code),
    ['order_rejected'],
  )
})

test('ERR-72 an outage, however often it is met, is no failure of the submission', async (t) => {
  const submissionId = await submitted()
  let outages = 0
  await worker(t, async (...parcel) => {
    if (++outages <= 5) throw new Outage('the carrier')
    return tableRates(...parcel)
  })
  await until(async () => (await stored(submissionId))!.status === 'completed')
  assert.equal((await stored(submissionId))!.failures, 0)
})

test('ERR-72 a submission that meets outage after outage pauses for longer, up to half a minute', async (t) => {
  const submissionId = await submitted()
  await database.statements.rows(sql`update submission set claims = 20 where submission_id = ${submissionId}`)
  await worker(t, async () => {
    throw new Outage('the carrier')
  })
  await until(async () => {
    const row = await database.statements.row(sql`
      select from submission
      where submission_id = ${submissionId} and claims = 21
        and leased_until between now() + interval '20 seconds' and now() + interval '30 seconds'`)
    return row !== undefined
  })
})

test('SUB-17 when the last pieces are sold while an order is planned, it is planned again and that is no failure', async (t) => {
  const variantId = 60_003
  const stock = (pieces: number) =>
    service.owner.production.statements.rows(sql`
      update variant set stock_quantity = ${pieces} where variant_id = ${variantId}`)
  await stock(3)
  const submissionId = await submitted(build.order({ lines: [build.stockLine({ variantId, quantity: 3 })] }))
  await worker(t, async (...parcel) => {
    await stock(2)
    return tableRates(...parcel)
  })
  await until(async () => (await stored(submissionId))!.status === 'failed')
  const { failures, outcome } = (await stored(submissionId))!
  assert.equal(failures, 0)
  assert.match(JSON.stringify(outcome), /lines\[0\]\.quantity/)
})

test('SUB-13 work that takes longer than a lease keeps its claim', async (t) => {
  const submissionId = await submitted()
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  await worker(t, async (...parcel) => {
    await answered
    return tableRates(...parcel)
  })
  await until(async () => (await stored(submissionId))!.status === 'processing')
  const first = await database.statements.row<{ leasedUntil: string }>(sql`
    select leased_until from submission where submission_id = ${submissionId}`)
  // Once the first lease is over there is another one: the same claim's, or that of whoever took the work over.
  await until(async () => {
    const row = await database.statements.row(sql`
      select from submission
      where submission_id = ${submissionId} and now() > ${first!.leasedUntil}::timestamptz and leased_until > now()`)
    return row !== undefined
  })
  answer()
  await until(async () => (await stored(submissionId))!.status === 'completed')
  assert.equal((await stored(submissionId))!.claims, 1)
})

/** A worker of this test, whose carrier answers as given. */
async function worker(t: { after: (end: () => Promise<void>) => void }, carrierRates: CarrierRates): Promise<void> {
  const unused = () => assert.fail('no artwork is fetched')
  const suppliers: Suppliers = {
    carrierRates,
    serviceTaxes: noServiceTaxes,
    templateVendor: noTemplateVendor,
    artwork: { egress: { download: unused, assertCallable: unused }, objectStore },
  }
  const outcomes = await createOutcomes(database)
  const log = pino({ level: 'silent' })
  const running = startSubmissionWorker({ database, suppliers, outcomes, clock: systemClock, log, tracing: noTracing })
  t.after(async () => {
    await running.close()
    await outcomes.close()
  })
}
