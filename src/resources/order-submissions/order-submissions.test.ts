import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../database/sql.ts'
import { partner, type Partner } from '../../../test/world/partner.ts'
import { startTestService, type TestService } from '../../../test/world/service.ts'

let service: TestService
let primary: Partner
let turn = 0

before(async () => {
  service = await startTestService()
  primary = await partner(service, 'primary')
})
after(() => service.close())

const shipTo = {
  name: 'Dana Reyes',
  address1: '500 Howard St',
  city: 'San Francisco',
  state: 'CA',
  postalCode: '94105',
  country: 'US',
}

function newKey(): string {
  return `test-${process.pid}-${++turn}`
}

/** A valid order of one print-on-demand line; tests change what they are about. */
function order(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    siteId: service.manifest.sites.main,
    partnerOrderId: newKey(),
    shipTo: { ...shipTo, email: 'dana@example.com' },
    lines: [podLine()],
    ...changes,
  }
}

function podLine(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return { productId: service.manifest.fixtures.products.pod, partnerLineId: 'line-1', quantity: 250, ...changes }
}

function stockLine(changes: Record<string, unknown> = {}): Record<string, unknown> {
  const { stock, stockVariantId } = service.manifest.fixtures.products
  return { productId: stock, variantId: stockVariantId, partnerLineId: 'line-2', quantity: 3, ...changes }
}

async function countOrders(): Promise<number> {
  const row = await service.production.database.statements.row<{ count: number }>(sql`select count(*) as count from orders`)
  return row!.count
}

test('SUB-01, SUB-04, SUB-05, SUB-06, SUB-12, SUB-16 a valid order answers 201 with a completed submission and its priced order', async () => {
  const body = order({ lines: [podLine(), stockLine()] })
  const answer = await primary.post('/v1/orders', body)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  assert.equal(answer.body.status, 'completed', service.logLines.slice(-8).join(''))
  assert.equal(answer.body.partnerOrderId, body.partnerOrderId)
  assert.match(answer.body.submissionId, /^[0-9a-f-]{36}$/)
  assert.equal(answer.body.errors, undefined)
  const { order: made } = answer.body
  assert.ok(Number.isInteger(made.orderNumber) && Number.isInteger(made.projectId))
  assert.equal(typeof made.totalPrice, 'number')
  assert.deepEqual(made.lines.map((line: any) => [line.partnerLineId, line.quantity]), [['line-1', 250], ['line-2', 3]])
  assert.equal(answer.headers.get('retry-after'), null)

  const read = await primary.get(`/v1/orders/${made.orderNumber}`)
  assert.equal(read.status, 200)
  assert.equal(read.body.partnerOrderId, body.partnerOrderId)
  assert.equal(Number(read.body.totalPrice), made.totalPrice)
  const items = await primary.get(`/v1/orders/${made.orderNumber}/items`)
  assert.deepEqual(items.body.items.map((item: any) => Number(item.lineListTotal)), made.lines.map((line: any) => line.lineListTotal))
})
