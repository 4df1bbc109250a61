import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { placed } from '../../../test/world/production.ts'
import { staff, staffWith } from '../../../test/world/staff.ts'
import { testService } from '../../../test/world/service.ts'
import { testDatabase } from '../../../test/world/database.ts'
import { reasonList, type ListedReason } from '../../platform/reasons/keep-reasons.ts'
import { reasonKinds } from '../../platform/reasons/reasons.ts'

const service = await testService()
const admin = await staff(service)
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)

const listAt = (kind: string, environment = 'production') => `/staff/v1/${environment}/reasons/${kind}`

async function listed(kind: string, environment?: string): Promise<ListedReason[]> {
  return (await admin.get(listAt(kind, environment))).body.reasons
}

/** What a caller sends for the list as it is. */
function asSent(list: readonly ListedReason[]) {
  return list.map(({ code, label, description, artworkSource, active }) => ({
    code,
    label,
    description,
    artworkSource,
    active,
  }))
}

async function newOrder() {
  const { orderNumber } = await placed(primary, build.order({ lines: [build.podLine(), build.stockLine()] }))
  const at = `/staff/v1/production/orders/${orderNumber}`
  return { at, post: (path: string, body?: unknown) => admin.post(`${at}${path}`, body) }
}

test('each kind of decision has reasons in both environments, and in a database without demo data', async () => {
  const bare = await testDatabase()
  for (const kind of reasonKinds) {
    const codes = (list: readonly { code: string }[]) => list.map(({ code }) => code)
    const own = codes(await listed(kind))
    assert.ok(own.includes('OTHER'), kind)
    assert.deepEqual(codes(await listed(kind, 'sandbox')), own)
    assert.deepEqual(codes(await reasonList(bare.database.reads, kind)), own)
  }
  assert.equal((await admin.get(listAt('lunch'))).body.code, 'invalid_request')
})

test('holds, cancellations and problems take a reason of their list and a comment, and the order shows them', async () => {
  const { at, post } = await newOrder()
  const held = await post('/hold', { reason: 'PAYMENT', comment: ' Waits for the deposit. ' })
  const [decision] = held.body.decisions
  assert.deepEqual(
    [decision.kind, decision.reason, decision.comment, decision.actorKind, decision.actorId],
    ['hold', { code: 'PAYMENT', label: 'Payment is open' }, 'Waits for the deposit.', 'STAFF', admin.username],
  )
  await post('/release')
  await post('/lines/1/hold', { reason: 'MACHINE_DOWN' })
  await post('/lines/1/report-problem', { reason: 'MATERIAL', problem: 'The last sheets are creased.' })
  await post('/lines/2/report-problem', { reason: 'DATA' })
  const { lines } = (await post('/lines/2/cancel', { comment: 'Ordered by mistake' })).body
  const shown = lines.map((line: { decisions: { kind: string; reason: { code: string } | null; comment: string }[] }) =>
    line.decisions.map(({ kind, reason, comment }) => [kind, reason?.code ?? null, comment]),
  )
  assert.deepEqual(shown, [
    [
      ['hold', 'MACHINE_DOWN', null],
      ['problem', 'MATERIAL', 'The last sheets are creased.'],
    ],
    [
      ['problem', 'DATA', null],
      ['cancel', null, 'Ordered by mistake'],
    ],
  ])
  assert.deepEqual(
    lines.map((line: { problem: string }) => line.problem),
    ['The last sheets are creased.', 'Data of the order'],
  )
  const cancelled = (await post('/cancel', { reason: 'DUPLICATE' })).body
  assert.deepEqual(cancelled.decisions.at(-1).reason.code, 'DUPLICATE')
  const { records } = (
    await admin.get(`/staff/v1/production/audit-records?subjectKind=order&subjectId=${at.split('/').at(-1)}`)
  ).body
  const told = records.map(({ action, detail }: { action: string; detail: object }) => [action, detail])
  assert.deepEqual(
    told.find(([action]: [string]) => action === 'order.held'),
    // The comment may name a person, so it is where it can be erased: in the decision.
    ['order.held', { reason: 'PAYMENT' }],
  )
  // A partner is told none of it.
  const own = await primary.get(`/v1/orders/${at.split('/').at(-1)}`)
  assert.ok(!/deposit|PAYMENT/.test(JSON.stringify(own.body)))
})

test('a reason that its list does not have or no longer offers is refused, and nothing changes', async () => {
  const { at, post } = await newOrder()
  for (const [path, body] of [
    ['/hold', { reason: 'DUPLICATE' }],
    ['/cancel', { reason: 'duplicate' }],
    ['/lines/1/hold', { reason: 'DAMAGED' }],
    ['/lines/1/cancel', { reason: 'PAYMENT' }],
    ['/lines/1/report-problem', { problem: 'Torn', reason: 'LOST' }],
  ] as const) {
    const { status, body: problem } = await post(path, body)
    assert.deepEqual([path, status, problem.code], [path, 422, 'reason_not_usable'])
    assert.match(problem.detail, /OTHER/)
  }
  assert.equal((await post('/lines/1/report-problem', { problem: ' ' })).body.code, 'problem_text_missing')
  const hold = await listed('hold')
  const without = asSent(hold).map((reason) => ({ ...reason, active: reason.code !== 'MACHINE_DOWN' }))
  assert.equal((await admin.put(listAt('hold'), { reasons: without })).status, 200)
  const refused = (await post('/hold', { reason: 'MACHINE_DOWN' })).body
  assert.equal(refused.code, 'reason_not_usable')
  assert.ok(!refused.detail.includes('MACHINE_DOWN'))
  const order = (await admin.get(at)).body
  assert.deepEqual([order.status, order.decisions, order.lines[0].decisions], ['IN_PROCESS', [], []])
  await admin.put(listAt('hold'), { reasons: asSent(hold) })
})

test('a list is kept as a whole; what a decision named stays in it', async () => {
  const { post } = await newOrder()
  const refund = asSent(await listed('refund'))
  const [first, ...rest] = refund
  const replaced = await admin.put(listAt('refund'), {
    reasons: [...rest, { code: 'LATE_PROOF', label: 'Proof too late' }],
  })
  assert.deepEqual(
    replaced.body.reasons.map(({ code }: ListedReason) => code),
    [...rest.map(({ code }) => code), 'LATE_PROOF'],
  )
  assert.ok(!replaced.body.reasons.some(({ code }: ListedReason) => code === first!.code))

  await post('/lines/1/hold', { reason: 'ARTWORK' })
  const hold = await listed('hold')
  assert.equal(hold.find(({ code }) => code === 'ARTWORK')!.used, true)
  const left = asSent(hold).filter(({ code }) => code !== 'ARTWORK')
  const refused = await admin.put(listAt('hold'), { reasons: left })
  assert.deepEqual([refused.status, refused.body.code], [409, 'reason_in_use'])
  assert.match(refused.body.detail, /ARTWORK/)
  assert.deepEqual(await listed('hold'), hold)

  for (const reasons of [
    [
      { code: 'A', label: 'One' },
      { code: 'A', label: 'Two' },
    ],
    [{ code: 'A', label: 'Filed', artworkSource: 'UPLOAD' }],
    [{ code: 'A', label: '\u2066\u2069' }],
  ]) {
    const { body } = await admin.put(listAt('return'), { reasons })
    assert.equal(body.code, 'reasons_not_usable', JSON.stringify(reasons))
  }
  for (const reasons of [
    [{ code: 'a b', label: 'One' }],
    [{ code: 'A', label: ' ' }],
    [{ code: 'A', label: 'a\nb' }],
  ]) {
    assert.equal((await admin.put(listAt('return'), { reasons })).body.code, 'invalid_request')
  }
  const unknown = [...asSent(await listed('decline')), { code: 'UNKNOWN', label: 'Unknown' }]
  assert.equal((await admin.put(listAt('decline'), { reasons: unknown })).body.code, 'reasons_not_usable')
})

test('PRF-24 a partner is offered the reasons to decline that staff keep', async () => {
  const { orderNumber, itemNumber } = service.manifest.fixtures.orders.pendingReview
  const proof = `/v1/orders/${orderNumber}/items/${itemNumber}/proof`
  const decline = await listed('decline')
  const kept = [
    { code: 'PAPER', label: 'Paper', description: 'Another stock was meant.', artworkSource: 'UPLOAD' },
    { code: 'FOLD', label: 'Fold', artworkSource: 'TEMPLATE' },
    ...asSent(decline).map((reason) => ({ ...reason, active: reason.code !== 'SIZE' })),
  ]
  assert.equal((await admin.put(listAt('decline'), { reasons: kept })).status, 200)
  const { reasons } = (await primary.get(`${proof}/denial-reasons`)).body
  assert.deepEqual(reasons[0], { code: 'PAPER', label: 'Paper', description: 'Another stock was meant.' })
  const codes = reasons.map(({ code }: { code: string }) => code)
  assert.ok(!codes.includes('SIZE') && !codes.includes('FOLD') && codes.includes('COLOR'))
  assert.equal((await primary.post(`${proof}/decline`, { reason: 'SIZE' })).body.code, 'denial_reason_not_available')
  assert.equal((await primary.post(`${proof}/decline`, { reason: 'PAPER' })).status, 200)
  const used = (await listed('decline')).find(({ code }) => code === 'PAPER')!.used
  assert.equal(used, true)
  const { body } = await admin.put(listAt('decline'), { reasons: asSent(decline).slice(1) })
  assert.deepEqual([body.code, /COLOR, PAPER|PAPER, COLOR/.test(body.detail)], ['reason_in_use', true])
})

test('who only works at the works reads the reasons; who leads keeps them', async () => {
  const operator = await staffWith(service, ['OPERATIONS'])
  const lead = await staffWith(service, ['PRODUCTION_LEAD'])
  assert.equal((await operator.get(listAt('hold'))).status, 200)
  const reasons = asSent(await listed('problem'))
  assert.equal((await operator.put(listAt('problem'), { reasons })).body.code, 'not_permitted')
  assert.equal((await lead.put(listAt('problem'), { reasons })).status, 200)
})
