import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { ownTime } from '../../../test/world/own-time.ts'
import { sql } from '../../database/sql.ts'
import { newKey, orderBuilder, type Json } from '../../../test/world/order-builder.ts'
import { partner, type Answer } from '../../../test/world/partner.ts'
import { startTestService } from '../../../test/world/service.ts'
import { lockWait } from '../../../test/world/lock-waits.ts'
import { until } from '../../../test/world/webhooks.ts'

/** Two instances that only answer calls, one of them with a short wait, and workers that come and go. */
const hastyWaitMilliseconds = 200
const hasty = await startTestService({ variables: { ROLE: 'api' }, submissionWaitMilliseconds: hastyWaitMilliseconds })
const lonely = await startTestService({ variables: { ROLE: 'api' } })
const patient = await startTestService({ variables: { ROLE: 'api' }, databases: hasty.databases })
after(async () => {
  await longestWait
  await patient.close()
  await hasty.close()
})
const primary = await partner(hasty, 'primary')
const waiter = await partner(patient, 'primary')
const build = orderBuilder(hasty.manifest)
await rows(sql`
  create function fail_on_purpose() returns trigger language plpgsql as $$
  begin raise exception 'internal secret'; end $$`)
const nobodyWorks = await partner(lonely, 'primary')
/** Sent first of all to an instance without a worker: its answer takes the whole wait. */
const longestWait = timed(() => nobodyWorks.post('/v1/orders', build.order())).finally(() => lonely.close())

type Timed = {
  answer: Answer
  seconds: number
  /** without what a busy machine took from this process: what a limit is held against */
  ownSeconds: number
}

async function timed(call: () => Promise<Answer>): Promise<Timed> {
  const [startedAt, ownStart] = [performance.now(), ownTime()]
  const answer = await call()
  return { answer, seconds: (performance.now() - startedAt) / 1000, ownSeconds: (ownTime() - ownStart) / 1000 }
}

async function rows<Row = Json>(query: ReturnType<typeof sql>): Promise<Row[]> {
  return hasty.owner.production.statements.rows<Row>(query)
}

async function withWorker<Result>(work: () => Promise<Result>): Promise<Result> {
  const worker = await startTestService({ variables: { ROLE: 'worker' }, databases: hasty.databases })
  try {
    return await work()
  } finally {
    await worker.close()
  }
}

function poll(submissionId: string): Promise<Answer> {
  return primary.get(`/v1/orders/submissions/${submissionId}`)
}

/** Polls until the submission has ended. */
async function ended(submissionId: string): Promise<Answer> {
  for (;;) {
    const answer = await poll(submissionId)
    if (answer.headers.get('retry-after') === null) return answer
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Submits, and polls until the end: the tries of what fails may together last longer than a whole wait. */
async function submittedToTheEnd(body: Json): Promise<Answer> {
  const { submissionId } = (await primary.post('/v1/orders', body)).body
  return ended(submissionId)
}

function hints({ headers }: Answer): (string | null)[] {
  return [headers.get('retry-after'), headers.get('location')]
}

test('SUB-12 SUB-13 SUB-15 SUB-19 SUB-20 a wait that ends before the order is done answers 201 queued, with where and when to poll', async () => {
  const body = build.order()
  const { answer, seconds } = await timed(() => primary.post('/v1/orders', body))
  assert.equal(answer.status, 201)
  assert.ok(seconds >= hastyWaitMilliseconds / 1000)
  assert.equal(answer.body.status, 'queued')
  assert.ok(!('order' in answer.body) && !('errors' in answer.body))
  const location = `/v1/orders/submissions/${answer.body.submissionId}`
  assert.deepEqual(hints(answer), ['2', location])
  const [stored] = await rows(sql`
    select status, body, order_number from submission where submission_id = ${answer.body.submissionId}`)
  assert.deepEqual(stored, { status: 'queued', body, orderNumber: null })
  const polled = await primary.get(location)
  assert.equal(polled.status, 200)
  assert.deepEqual(polled.body, answer.body)
})

test('SUB-15 SUB-19 a wait that ends while a worker is busy answers processing, as a read at that moment does', async () => {
  // A claim that comes after the insert has answered, as a worker's does.
  await rows(sql`
    create function claim_after_insert() returns trigger language plpgsql as $$
    begin
      update submission set status = 'processing', claims = 1, leased_until = now() + interval '1 hour'
        where submission_id = new.submission_id;
      return null;
    end $$`)
  await rows(sql`
    create trigger claim_after_insert after insert on submission for each row
    when (new.partner_order_id like 'BUSY%') execute function claim_after_insert()`)
  try {
    const answer = await primary.post('/v1/orders', build.order({ partnerOrderId: `BUSY ${newKey()}` }))
    assert.deepEqual([answer.status, answer.body.status], [201, 'processing'])
    assert.deepEqual(hints(answer), ['2', `/v1/orders/submissions/${answer.body.submissionId}`])
    assert.deepEqual((await poll(answer.body.submissionId)).body, answer.body)
  } finally {
    await rows(sql`drop trigger claim_after_insert on submission`)
    await rows(sql`delete from submission where partner_order_id like 'BUSY%'`)
  }
})

test('SUB-10 SUB-21 SUB-18 SUB-22 a replay answers 200 immediately at every stage, with polling hints until the end', async () => {
  const body = build.order()
  const first = await primary.post('/v1/orders', body)
  const { submissionId } = first.body
  const location = `/v1/orders/submissions/${submissionId}`

  const whileQueued = await timed(() => waiter.post('/v1/orders', body))
  assert.ok(whileQueued.ownSeconds < 5, 'a replay does not wait')
  assert.equal(whileQueued.answer.status, 200)
  assert.deepEqual(whileQueued.answer.body, first.body)
  assert.deepEqual(hints(whileQueued.answer), ['2', location])

  // A worker has claimed it and died.
  await rows(sql`
    update submission set status = 'processing', claims = 1, leased_until = now() + interval '1 hour'
    where submission_id = ${submissionId}`)
  const whileProcessing = await primary.post('/v1/orders', body)
  assert.equal(whileProcessing.status, 200)
  assert.deepEqual(whileProcessing.body, { ...first.body, status: 'processing' })
  assert.deepEqual(hints(whileProcessing), ['2', location])
  const polled = await poll(submissionId)
  assert.deepEqual(polled.body, whileProcessing.body)
  assert.deepEqual(hints(polled), ['2', null])
  const { submissions } = (await primary.get('/v1/orders/submissions?status=processing')).body
  assert.deepEqual(submissions, [polled.body])

  // Its lease lapses, and another takes over.
  await rows(sql`update submission set leased_until = now() where submission_id = ${submissionId}`)
  const end = await withWorker(() => ended(submissionId))
  assert.equal(end.body.status, 'completed')
  assert.deepEqual(hints(end), [null, null])
  const afterwards = await primary.post('/v1/orders', body)
  assert.equal(afterwards.status, 200)
  assert.deepEqual(afterwards.body, end.body)
  assert.deepEqual(hints(afterwards), [null, null])
})

test('SUB-15 SUB-16 SUB-17 the wait ends immediately when another instance completes or fails the submission', async () => {
  await withWorker(async () => {
    const seconds: number[] = []
    for (const [line, status] of [
      [build.podLine(), 'completed'],
      [build.stockLine({ variantId: undefined }), 'failed'],
      [build.stockLine(), 'completed'],
      [build.podLine(), 'completed'],
    ]) {
      const body = build.order({ lines: [line] })
      const endIsStored = until(async () => {
        const found = await rows(sql`
          select from submission where partner_order_id = ${body.partnerOrderId} and outcome is not null`)
        return found.length > 0
      }).then(ownTime)
      const answer = await waiter.post('/v1/orders', body)
      const answeredAt = ownTime()
      assert.equal(answer.status, 201)
      assert.equal(answer.body.status, status)
      assert.deepEqual(hints(answer), [null, null])
      // Measured from the stored end, since the order itself may take long on a busy machine.
      seconds.push((answeredAt - (await endIsStored)) / 1000)
    }
    // Waits are also looked up every second, so without hints each but the first would last from one look to the next.
    assert.ok(Math.min(...seconds.slice(1)) < 0.8, `answered ${seconds.join(', ')} s after the end`)
  })
})

test('SUB-15 a wait notices the end of a submission even without a hint', async () => {
  const body = build.order()
  const waiting = timed(() => waiter.post('/v1/orders', body))
  for (;;) {
    // Ended directly in the database: no hint is sent.
    const done = await rows(sql`
      update submission set status = 'failed', outcome = '{"errors": []}'
      where partner_order_id = ${body.partnerOrderId} and status = 'queued' returning submission_id`)
    if (done.length > 0) break
  }
  const { answer, ownSeconds } = await waiting
  assert.equal(answer.status, 201)
  assert.equal(answer.body.status, 'failed')
  assert.ok(ownSeconds < 10)
})

test('SUB-11 SUB-18 a worker that lost its lease ends no submission and leaves nothing behind', async () => {
  const body = build.order({ lines: [build.stockLine()] })
  const { submissionId } = (await primary.post('/v1/orders', body)).body
  const blocker = new pg.Client({ connectionString: hasty.databases.production })
  await blocker.connect()
  try {
    await blocker.query('begin')
    await blocker.query('select from variant where variant_id = $1 for update', [build.stockLine().variantId])
    await withWorker(async () => {
      // It has claimed the submission, and waits for the locked stock while it writes the order's lines.
      await lockWait(hasty.production.database, 'insert into order_line')
      await rows(sql`
        update submission set claims = claims + 1, leased_until = now() + interval '1 hour'
        where submission_id = ${submissionId} and status = 'processing'`)
      await blocker.query('commit')
    })
  } finally {
    await blocker.end()
  }
  const made = await rows(sql`select order_number from orders where submission_id = ${submissionId}`)
  const [submission] = await rows<{ status: string; orderNumber: number | null }>(sql`
    select status, order_number from submission where submission_id = ${submissionId}`)
  assert.deepEqual([made, submission], [[], { status: 'processing', orderNumber: null }])

  await rows(sql`update submission set leased_until = now() where submission_id = ${submissionId}`)
  assert.equal((await withWorker(() => ended(submissionId))).body.status, 'completed')
  const [{ count }] = (await rows<{ count: number }>(sql`
    select count(*) as count from orders where submission_id = ${submissionId}`)) as [{ count: number }]
  assert.equal(count, 1)
})

test('SUB-17 ERR-71 an internal bug is retried and then ends the submission with a fixed sentence', async () => {
  await rows(sql`
    create trigger fail_on_purpose before insert on order_line for each row when (new.job_name = 'BUG')
    execute function fail_on_purpose()`)
  try {
    const body = build.order({ lines: [build.podLine({ jobName: 'BUG' }), build.stockLine()] })
    const [earlier] = await rows(sql`select sum(stock_quantity) as stock from variant`)
    const answer = await withWorker(() => submittedToTheEnd(body))
    assert.equal(answer.body.status, 'failed')
    assert.deepEqual(answer.body.errors, [
      {
        code: 'order_rejected',
        detail: 'The order could not be processed. Quote the submissionId when contacting support.',
      },
    ])
    assert.deepEqual(await rows(sql`select sum(stock_quantity) as stock from variant`), [earlier])
    assert.deepEqual(await rows(sql`select from orders where submission_id = ${answer.body.submissionId}`), [])
  } finally {
    await rows(sql`drop trigger fail_on_purpose on order_line`)
  }
})

test('SUB-17 a bug at the very end of an order is not treated as an outage either', async () => {
  await rows(sql`
    create trigger fail_on_purpose before update on submission for each row
    when (new.status = 'completed' and new.partner_order_id like 'BUG%') execute function fail_on_purpose()`)
  try {
    const body = build.order({ partnerOrderId: `BUG ${newKey()}` })
    const answer = await withWorker(() => submittedToTheEnd(body))
    assert.equal(answer.body.status, 'failed')
    assert.deepEqual(await rows(sql`select from orders where submission_id = ${answer.body.submissionId}`), [])
  } finally {
    await rows(sql`drop trigger fail_on_purpose on submission`)
  }
})

test('SUB-15 SUB-19 a wait lasts 20 seconds by default', async () => {
  const { answer, seconds, ownSeconds } = await longestWait
  assert.equal(answer.status, 201)
  assert.equal(answer.body.status, 'queued')
  assert.equal(answer.headers.get('retry-after'), '2')
  assert.ok(seconds >= 20 && ownSeconds < 22, `${seconds} s`)
})
