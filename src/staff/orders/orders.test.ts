import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { placed } from '../../../test/world/production.ts'
import { advance, sandboxPartner } from '../../../test/world/sandbox.ts'
import { staff, staffWith } from '../../../test/world/staff.ts'
import { testService } from '../../../test/world/service.ts'
import { sql } from '../../database/sql.ts'

type Order = {
  orderNumber: number
  siteId: number
  status: string
  placedOn: string
  partnerId: string | null
  userId: number | null
}

const orders = '/staff/v1/production/orders'

const service = await testService()
const admin = await staff(service)
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)

async function listed(query: string): Promise<Order[]> {
  const answer = await admin.get(`${orders}?limit=200&${query}`)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body.orders
}

test('staff list the orders of all sites, newest first, in pages without gaps, and with filters', async () => {
  const all = await listed('')
  const stored = await service.production.database.statements.rows<{ orderNumber: number }>(sql`
    select order_number from orders order by placed_on desc, order_number desc`)
  assert.deepEqual(
    all.map(({ orderNumber }) => orderNumber),
    stored.map((row) => row.orderNumber),
  )
  assert.ok(new Set(all.map(({ siteId }) => siteId)).size > 2)

  const paged: Order[] = []
  let cursor: string | null = null
  do {
    const { body } = await admin.get(`${orders}?limit=7${cursor === null ? '' : `&cursor=${cursor}`}`)
    paged.push(...body.orders)
    cursor = body.nextCursor
  } while (cursor !== null)
  assert.deepEqual(paged, all)

  const { primary: submitter } = service.manifest.partners
  const middle = all[Math.floor(all.length / 2)]!
  const narrowed: [query: string, holds: (order: Order) => boolean][] = [
    [`siteId=${middle.siteId}`, ({ siteId }) => siteId === middle.siteId],
    ['status=ON_HOLD', ({ status }) => status === 'ON_HOLD'],
    [`partnerId=${submitter.partnerId}`, ({ partnerId }) => partnerId === submitter.partnerId],
    [`userId=${middle.userId}`, ({ userId }) => userId === middle.userId],
    [`orderNumber=${middle.orderNumber}`, ({ orderNumber }) => orderNumber === middle.orderNumber],
    [`placedFrom=${middle.placedOn}`, ({ placedOn }) => placedOn >= middle.placedOn],
    [`placedTo=${middle.placedOn}`, ({ placedOn }) => placedOn < middle.placedOn],
    [
      `siteId=${middle.siteId}&status=${middle.status}&placedFrom=${middle.placedOn}`,
      (order) => order.siteId === middle.siteId && order.status === middle.status && order.placedOn >= middle.placedOn,
    ],
  ]
  for (const [query, holds] of narrowed) {
    const expected = all.filter(holds)
    assert.ok(expected.length > 0, query)
    assert.deepEqual(await listed(query), expected, query)
  }
})

test('staff see parts of an order that its partner is never shown', async () => {
  const { internalLine, siteMismatch, hiddenLine, split } = service.manifest.fixtures.orders
  const read = async (orderNumber: number) => (await admin.get(`${orders}/${orderNumber}`)).body
  const [rework, sale] = (await read(internalLine.orderNumber)).lines
  assert.deepEqual([rework.recordKind, rework.shownToPartner], ['REWORK', false])
  assert.deepEqual([sale.shownToPartner, sale.problem], [true, 'Color shift on the first run'])
  for (const { orderNumber } of [siteMismatch, hiddenLine]) {
    const { lines, itemCount } = await read(orderNumber)
    assert.deepEqual([lines.length, lines[0].shownToPartner, itemCount], [2, false, 1])
  }
  const [left, open] = (await read(split.orderNumber)).shipments
  assert.deepEqual(
    left.packages.map(({ weightOunces }: { weightOunces: string }) => weightOunces),
    ['195', '152.5'],
  )
  assert.equal(open.shippingNotes, 'Wait for the backordered shirts')
})

test('an order is shown with its partner, its files and its credit movements', async () => {
  const { pendingReview, nullLink } = service.manifest.fixtures.orders
  const { proofs } = (await admin.get(`${orders}/${pendingReview.orderNumber}`)).body.lines[0]
  const current = proofs.find(({ active }: { active: boolean }) => active)
  const beginning = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer()).toString('latin1', 0, 4)
  assert.deepEqual([await beginning(current.link), await beginning(current.previewLink)], ['%PDF', '\x89PNG'])
  const [archived] = (await admin.get(`${orders}/${nullLink.orderNumber}`)).body.lines[0].proofs
  assert.deepEqual([archived.link, archived.previewLink], [null, null])
  assert.notEqual(archived.archivedOn, null)

  const body = build.order({ shippingNotes: 'Ring twice' })
  const { orderNumber } = await placed(primary, body)
  const order = (await admin.get(`${orders}/${orderNumber}`)).body
  const { partnerId, name } = service.manifest.partners.primary
  assert.deepEqual([order.partnerId, order.partnerName, order.partnerOrderId], [partnerId, name, body.partnerOrderId])
  assert.ok(order.submissionId)
  assert.equal(order.shipments[0].shippingNotes, 'Ring twice')

  await service.production.database.statements.rows(sql`
    insert into credit_adjustment (site_id, credit_account_id, type, amount, balance_after, order_number, created_on)
    values (${order.siteId}, ${service.manifest.fixtures.creditAccounts.ofUser}, 'PRODUCT_DEBIT', -12.50, 1, ${orderNumber}, now())`)
  const [movement] = (await admin.get(`${orders}/${orderNumber}`)).body.creditMovements
  assert.deepEqual([movement.type, movement.amount], ['PRODUCT_DEBIT', '-12.50'])
  assert.equal((await admin.get(`${orders}/1`)).body.code, 'order_not_found')
})

test('staff decide about a whole order; what its status does not allow is refused and changes nothing', async () => {
  const { orderNumber } = await placed(primary, build.order())
  const at = `${orders}/${orderNumber}`
  const said = async (verb: string) => {
    const { body } = await admin.post(`${at}/${verb}`)
    return body.code ?? body.status
  }
  assert.equal(await said('approve'), 'order_not_pending_approval')
  assert.equal(await said('hold'), 'ON_HOLD')
  assert.notEqual((await admin.get(at)).body.heldOn, null)
  assert.equal(await said('hold'), 'order_on_hold')
  assert.equal(await said('complete'), 'order_on_hold')
  assert.equal(await said('release'), 'IN_PROCESS')
  assert.equal(await said('release'), 'order_not_on_hold')
  assert.equal(await said('complete'), 'lines_not_finished')
  assert.equal(await said('cancel'), 'CANCELLED')
  const cancelled = (await admin.get(at)).body
  assert.deepEqual(
    [cancelled.lines[0].cancelledOn, cancelled.shipments[0].status],
    [cancelled.cancelledOn, 'CANCELLED'],
  )
  for (const verb of ['approve', 'hold', 'release', 'complete', 'cancel']) {
    assert.equal(await said(verb), 'order_cancelled', verb)
  }
  assert.deepEqual((await admin.get(at)).body, cancelled)
  const records = (await admin.get(`/staff/v1/production/audit-records?subjectKind=order&subjectId=${orderNumber}`))
    .body
  assert.deepEqual(
    records.records.map(({ action, actor }: { action: string; actor: { id: string } }) => `${action} ${actor.id}`),
    ['order.cancelled demo', 'order.released demo', 'order.held demo', `order.created ${cancelled.partnerId}`],
  )
  const auditor = await staffWith(service, ['AUDITOR'])
  assert.equal((await auditor.get(at)).status, 200)
  assert.equal((await auditor.post(`${at}/hold`)).body.code, 'not_permitted')
})

test("an order of the sandbox is dated by its partner's clock, and its links by real time", async () => {
  const rehearsal = await sandboxPartner(service)
  await advance(rehearsal, { days: 40 })
  const { orderNumber } = await placed(rehearsal, build.order())
  const at = `/staff/v1/sandbox/orders/${orderNumber}`
  assert.equal((await admin.post(`${at}/lines/1/proof/enter`)).status, 200)
  const held = (await admin.post(`${at}/hold`)).body
  assert.ok(held.heldOn >= held.placedOn)
  assert.ok(new Date(held.heldOn).getTime() - Date.now() > 39 * 86_400_000)
  const { lines } = (await admin.post(`${at}/lines/1/proof/publish`)).body
  assert.equal((await fetch(lines[0].proofs[0].link)).status, 200)
})
