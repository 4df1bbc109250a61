import assert from 'node:assert/strict'
import { test } from 'node:test'
import { declineProof } from '../../../src/platform/proofs/decide-proof.ts'
import { done } from '../../../test/world/done.ts'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { byStaff, placed, publishProof, type PlacedLine } from '../../../test/world/production.ts'
import { testService } from '../../../test/world/service.ts'
import { until } from '../../../test/world/webhooks.ts'
import { ConflictProblem, DecisionConflict, PartnerCommerce, UnprocessableProblem } from '../src/index.ts'
import { faultProxy, type Fault } from './fault-proxy.ts'

const service = await testService()
const { manifest, hosts } = service
const primary = await partner(service, 'primary')
const build = orderBuilder(manifest)
const proxy = await faultProxy(hosts.baseUrl)
const client = new PartnerCommerce({
  baseUrl: proxy.url,
  ...manifest.partners.primary.clients![0]!,
  retry: { attempts: 4, base: 10 },
})

/** A line whose proof waits for a decision. */
async function waiting(): Promise<PlacedLine> {
  const { lines } = await placed(primary, build.order())
  await publishProof(service, lines[0]!)
  return lines[0]!
}

const of = ({ orderNumber, itemNumber }: PlacedLine) => ({ orderNumber, itemNumber })
const statusOf = async (line: PlacedLine) => (await client.getProof(of(line))).proofStatus
const decisions = /^POST .*\/proof\/(approve|decline)$/

/** The first decision has the fault, and `meanwhile` happens before it. */
function firstDecision(fault: Fault, meanwhile?: () => Promise<unknown>): void {
  let isFirst = true
  proxy.faults(async ({ call }) => {
    if (!decisions.test(call) || !isFirst) return undefined
    isFirst = false
    await meanwhile?.()
    return fault
  })
}

async function offeredReason(line: PlacedLine): Promise<string> {
  const { reasons } = await client.listDenialReasons(of(line))
  return reasons[0]!.code
}

test('a decision is made, and made again it is success', async () => {
  proxy.faults(() => undefined)
  const line = await waiting()
  const approve = { ...of(line), decision: 'approve' as const, comment: 'Fine' }
  assert.deepEqual(await client.decideProof(approve), { ...of(line), proofStatus: 'APPROVED', already: false })
  assert.deepEqual(await client.decideProof(approve), { ...of(line), proofStatus: 'APPROVED', already: true })
  assert.equal(proxy.count(decisions), 1)
  await assert.rejects(client.approveProof({ ...of(line), body: {} }), ConflictProblem)

  const other = await waiting()
  const decline = { ...of(other), decision: 'decline' as const, reason: await offeredReason(other) }
  assert.deepEqual(await client.decideProof(decline), { ...of(other), proofStatus: 'DECLINED', already: false })
  assert.deepEqual(await client.decideProof(decline), { ...of(other), proofStatus: 'DECLINED', already: true })
})

test('a decision whose answer got lost was made, and is not made twice', async () => {
  const line = await waiting()
  firstDecision('lost answer')
  const decided = await client.decideProof({ ...of(line), decision: 'approve' })
  assert.deepEqual(decided, { ...of(line), proofStatus: 'APPROVED', already: true })
  assert.equal(proxy.count(decisions), 1)
})

for (const fault of ['lost request', { status: 503, code: 'service_unavailable' }] as Fault[])
  test(`a decision that ${JSON.stringify(fault)} kept away is made again`, async () => {
    const line = await waiting()
    firstDecision(fault)
    const reason = await offeredReason(line)
    const decided = await client.decideProof({ ...of(line), decision: 'decline', reason })
    assert.deepEqual(decided, { ...of(line), proofStatus: 'DECLINED', already: false })
    assert.equal(proxy.count(decisions), 2)
  })

/** The proof that waits is declined, and another revision waits in its place. */
async function replaced(line: PlacedLine): Promise<void> {
  const change = { reason: await offeredReason(line), comment: undefined }
  await done(byStaff(service.production.database, declineProof, line.orderNumber, line.lineNumber, change as never))
  await publishProof(service, line)
}

function isAnotherRevision(error: unknown): true {
  assert.ok(error instanceof DecisionConflict, String(error))
  assert.equal(error.found, 'PENDING_REVIEW')
  assert.match(error.message, /another revision of its proof waits for a decision now/)
  return true
}

for (const fault of ['lost request', { send: {} }] as Fault[])
  test(`a revision that comes just before a decision is not decided (${JSON.stringify(fault)})`, async () => {
    const line = await waiting()
    firstDecision(fault, () => replaced(line))
    await assert.rejects(client.decideProof({ ...of(line), decision: 'approve' }), isAnotherRevision)
    assert.equal(await statusOf(line), 'PENDING_REVIEW')
  })

test('an ETag that is none is refused before anything is decided', async () => {
  proxy.faults(() => undefined)
  const line = await waiting()
  for (const ifMatch of [null, ''] as string[])
    await assert.rejects(client.decideProof({ ...of(line), decision: 'approve', ifMatch }), TypeError)
  assert.equal(await statusOf(line), 'PENDING_REVIEW')
})

test('only the proof that was looked at is decided, where its ETag is given', async () => {
  proxy.faults(() => undefined)
  const line = await waiting()
  const look = async () => (await client.getProof(of(line)).withResponse()).response.etag!
  const seen = await look()
  await replaced(line)
  await assert.rejects(client.decideProof({ ...of(line), decision: 'approve', ifMatch: seen }), isAnotherRevision)
  assert.equal(await statusOf(line), 'PENDING_REVIEW')
  const decided = await client.decideProof({ ...of(line), decision: 'approve', ifMatch: await look() })
  assert.equal(decided.proofStatus, 'APPROVED')
})

test('the proof that was looked at is the same when its links have been signed anew', async () => {
  proxy.faults(() => undefined)
  const line = await waiting()
  const look = async () => (await client.getProof(of(line)).withResponse()).response.etag!
  const seen = await look()
  await until(async () => (await look()) !== seen)
  const decided = await client.decideProof({ ...of(line), decision: 'approve', ifMatch: seen })
  assert.deepEqual([decided.proofStatus, decided.already], ['APPROVED', false])
})

test('another decision than the one that was made is a conflict, which tells what was found', async () => {
  proxy.faults(() => undefined)
  const line = await waiting()
  await client.decideProof({ ...of(line), decision: 'approve' })
  await assert.rejects(client.decideProof({ ...of(line), decision: 'decline', reason: 'x' }), (error) => {
    assert.ok(error instanceof DecisionConflict)
    assert.equal(error.found, 'APPROVED')
    return true
  })

  // Somebody is faster between the look and the decision.
  const raced = await waiting()
  const reason = await offeredReason(raced)
  firstDecision({ send: {} }, () =>
    primary.post(`/v1/orders/${raced.orderNumber}/items/${raced.itemNumber}/proof/decline`, { reason }),
  )
  await assert.rejects(client.decideProof({ ...of(raced), decision: 'approve' }), { found: 'DECLINED' })

  const agreed = await waiting()
  firstDecision({ send: {} }, () =>
    primary.post(`/v1/orders/${agreed.orderNumber}/items/${agreed.itemNumber}/proof/approve`, {}),
  )
  assert.equal((await client.decideProof({ ...of(agreed), decision: 'approve' })).already, true)
})

test('a reason that the line does not offer, and a line without a proof, are told', async () => {
  proxy.faults(() => undefined)
  const line = await waiting()
  await assert.rejects(
    client.decideProof({ ...of(line), decision: 'decline', reason: 'NO_SUCH_REASON' }),
    UnprocessableProblem,
  )
  assert.equal(await statusOf(line), 'PENDING_REVIEW')
  const { orderNumber, itemNumber } = manifest.fixtures.orders.noProofing
  await assert.rejects(client.decideProof({ orderNumber, itemNumber, decision: 'approve' }), DecisionConflict)
})
