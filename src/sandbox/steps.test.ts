import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderBuilder } from '../../test/world/order-builder.ts'
import { placed, type PlacedLine } from '../../test/world/production.ts'
import { sandboxPartner } from '../../test/world/sandbox.ts'
import { testService } from '../../test/world/service.ts'
import { until } from '../../test/world/webhooks.ts'
import { sql } from '../database/sql.ts'
import { drawApart } from '../documents/draw-apart.ts'
import { stepNames, type StepName } from './steps.ts'

const service = await testService()
const build = orderBuilder(service.manifest)
const partner = await sandboxPartner(service)

const tried = new Set<StepName>()

/** Takes the step of the order or of its line; answers the order's status, or the refusal's code. */
async function step({ orderNumber, itemNumber }: Partial<PlacedLine>, name: StepName): Promise<string> {
  tried.add(name)
  const wish = itemNumber === undefined ? {} : { itemNumber }
  const { status, body } = await partner.post(`/sandbox/orders/${orderNumber}/steps`, { step: name, ...wish })
  assert.ok(status === 200 || status === 409, JSON.stringify(body))
  if (status === 409) assert.match(body.detail, /^The order's status does not allow this step\. [A-Z][a-z' ]+\.$/)
  return status === 200 ? body.orderStatus : body.code
}

async function fresh(lines = [build.stockLine()]): Promise<{ orderNumber: number; lines: PlacedLine[] }> {
  const order = await placed(partner, build.order({ lines }))
  // Keeps the simulator away, since these tests are about steps that partners take.
  await service.sandbox.database.statements.rows(sql`
    delete from sandbox_order where order_number = ${order.orderNumber}`)
  return order
}

async function lineNow({ orderNumber, itemNumber }: PlacedLine): Promise<any> {
  const { items } = (await partner.get(`/v1/orders/${orderNumber}/items`)).body
  return items.find((item: PlacedLine) => item.itemNumber === itemNumber)
}

test('PRF-11 proofs are published and published again', async () => {
  const { lines } = await fresh([build.podLine()])
  const [line] = lines as [PlacedLine]
  assert.equal(await step(line, 'reproof'), 'step_not_possible')
  assert.equal(await step(line, 'publish_proof'), 'IN_PROCESS')
  assert.equal((await lineNow(line)).proofStatus, 'PENDING_REVIEW')
  assert.equal(await step(line, 'publish_proof'), 'step_not_possible')
  assert.equal(await step(line, 'reproof'), 'IN_PROCESS')
  const { body } = await partner.get(`/v1/orders/${line.orderNumber}/items/${line.itemNumber}/proof`)
  assert.deepEqual(
    body.files.map((file: { active: boolean }) => file.active),
    [false, true],
  )
})

test('a proof that takes longer to draw than the time for an answer is told all the same', async (t) => {
  const { orderNumber, lines } = await fresh([build.podLine()])
  // Deadlines end when this test says.
  const later = globalThis.setTimeout
  const ends: (() => void)[] = []
  t.mock.method(globalThis, 'setTimeout', (end: () => void, milliseconds?: number, ...others: []) => {
    if (milliseconds === 4_300) ends.push(end)
    return later(end, milliseconds, ...others)
  })
  const gate = new Int32Array(new SharedArrayBuffer(4))
  const holding = `export const draw = (gate) => void Atomics.wait(gate, 0, 0)`
  const held = drawApart<(gate: Int32Array) => void>(
    new URL(`data:text/javascript,${encodeURIComponent(holding)}`),
    gate,
  )
  const taken = step(lines[0]!, 'publish_proof')
  await until(async () => {
    const line = await service.sandbox.database.statements.row<{ proofStatus: string | null }>(sql`
      select proof_status from order_line where order_number = ${orderNumber}`)
    return line!.proofStatus === 'NOT_CREATED'
  })
  for (const end of ends) end()
  await new Promise(setImmediate)
  Atomics.store(gate, 0, 1)
  Atomics.notify(gate, 0)
  await held
  assert.equal(await taken, 'IN_PROCESS')
  assert.equal((await lineNow(lines[0]!)).proofStatus, 'PENDING_REVIEW')
})

test('ORD-14 a part ships and then the rest, and the order is closed', async () => {
  const { orderNumber, lines } = await fresh([build.stockLine({ quantity: 4 })])
  assert.equal(await step({ orderNumber }, 'complete'), 'step_not_possible')
  assert.equal(await step(lines[0]!, 'advance'), 'IN_PROCESS')
  assert.equal(await step({ orderNumber }, 'ship_part'), 'PARTIALLY_SHIPPED')
  const { shipments } = (await partner.get(`/v1/orders/${orderNumber}/shipments`)).body
  const told = shipments.map((each: any) => [each.status, each.items[0].quantity])
  assert.deepEqual(told, [
    ['SHIPPED', 2],
    ['OPEN', 2],
  ])
  assert.equal(await step({ orderNumber }, 'ship_all'), 'SHIPPED')
  assert.equal(await step({ orderNumber }, 'ship_all'), 'step_not_possible')
  assert.equal(await step({ orderNumber }, 'complete'), 'COMPLETED')
})

test('ORD-15 ORD-21 lines are cancelled, get problems and have them resolved; shipments and orders are cancelled', async () => {
  const { orderNumber, lines } = await fresh([build.stockLine(), build.podLine()])
  const [line, other] = lines as [PlacedLine, PlacedLine]
  await step(line, 'report_problem')
  assert.equal((await lineNow(line)).problem, true)
  await step(line, 'clear_problem')
  assert.equal((await lineNow(line)).problem, false)
  assert.equal(await step(line, 'clear_problem'), 'step_not_possible')
  await step(other, 'cancel_line')
  assert.equal((await lineNow(other)).cancelled, true)
  await step({ orderNumber }, 'cancel_shipment')
  const { shipments } = (await partner.get(`/v1/orders/${orderNumber}/shipments`)).body
  assert.ok(shipments.some((each: { status: string }) => each.status === 'CANCELLED'))
  assert.equal(await step({ orderNumber }, 'hold_order'), 'ON_HOLD')
  assert.equal(await step({ orderNumber }, 'release_order'), 'IN_PROCESS')
  assert.equal(await step({ orderNumber }, 'cancel_order'), 'CANCELLED')
})

test('an order that waits for approval is approved', async () => {
  const { orderNumber } = await fresh()
  assert.equal(await step({ orderNumber }, 'approve_order'), 'step_not_possible')
  const { statements } = service.sandbox.database
  await statements.rows(sql`update orders set status = 'PENDING_APPROVAL' where order_number = ${orderNumber}`)
  assert.equal(await step({ orderNumber }, 'approve_order'), 'IN_PROCESS')
})

test('these tests took every step, and each is listed as a scenario with its parameters', async () => {
  assert.deepEqual([...tried].toSorted(), [...stepNames].toSorted())
  const { body } = await partner.get('/sandbox/scenarios')
  assert.deepEqual(
    body.steps.map((each: { step: string }) => each.step),
    stepNames,
  )
  const { orderNumber, lines } = await fresh()
  const path = `/sandbox/orders/${orderNumber}/steps`
  for (const { step: name, ofLine } of body.steps) {
    const wrong = ofLine ? { step: name } : { step: name, itemNumber: lines[0]!.itemNumber }
    assert.equal((await partner.post(path, wrong)).body.code, 'invalid_request', name)
  }
})

test('ERR-42 ERR-44 steps are taken only on orders and lines that the partner can see', async () => {
  const { orderNumber } = await fresh()
  const foreign = await sandboxPartner(service, [service.manifest.sites.foreign])
  const codes = await Promise.all([
    foreign.post(`/sandbox/orders/${orderNumber}/steps`, { step: 'ship_all' }),
    partner.post('/sandbox/orders/987654321012345/steps', { step: 'ship_all' }),
    partner.post(`/sandbox/orders/${orderNumber}/steps`, { step: 'cancel_line', itemNumber: 987654321 }),
    partner.post(`/sandbox/orders/0${orderNumber}/steps`, { step: 'ship_all' }),
    partner.post(`/sandbox/orders/${orderNumber}/steps`, { step: 'burn' }),
    partner.post(`/sandbox/orders/${orderNumber}/steps`, { step: 'ship_all', twice: true }),
  ])
  assert.deepEqual(
    codes.map(({ body }) => body.code),
    [
      'order_not_found',
      'order_not_found',
      'order_item_not_found',
      'invalid_order_number',
      'invalid_request',
      'invalid_request',
    ],
  )
  assert.equal((await partner.get(`/v1/orders/${orderNumber}`)).body.status, 'IN_PROCESS')
  // Any partner with a grant of the order's site can act on it, as in the partner API.
  const neighbour = await sandboxPartner(service)
  const taken = await neighbour.post(`/sandbox/orders/${orderNumber}/steps`, { step: 'ship_all' })
  assert.equal(taken.body.orderStatus, 'SHIPPED')
})
