import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderStatus, type SoldLine } from './order-status.ts'

const line = (changes: Partial<SoldLine> = {}): SoldLine => ({
  cancelled: false,
  shipped: false,
  shippable: true,
  productionStatus: null,
  ...changes,
})
const shipped = line({ shipped: true, productionStatus: 'COMPLETE' })
const cancelled = line({ cancelled: true })

test('an order whose lines are not in production yet is in process; prepress is still preparation', () => {
  assert.equal(orderStatus('OPEN', [line(), line({ productionStatus: 'PREPRESS' })], ['OPEN']), 'IN_PROCESS')
  assert.equal(orderStatus('OPEN', [], []), 'IN_PROCESS')
})

test('one line beyond prepress puts the order in production', () => {
  for (const productionStatus of ['QUEUED', 'PRINTING', 'FINISHING', 'PACKING', 'COMPLETE', 'ON_HOLD'] as const) {
    assert.equal(orderStatus('OPEN', [line(), line({ productionStatus })], ['OPEN']), 'IN_PRODUCTION')
  }
})

test('ORD-14 an order is partly shipped from its first shipment on, and shipped with its last line', () => {
  assert.equal(orderStatus('OPEN', [shipped, line()], ['SHIPPED', 'OPEN']), 'PARTIALLY_SHIPPED')
  assert.equal(orderStatus('OPEN', [line({ productionStatus: 'PACKING' })], ['SHIPPED', 'OPEN']), 'PARTIALLY_SHIPPED')
  assert.equal(orderStatus('OPEN', [shipped, shipped], ['SHIPPED', 'SHIPPED']), 'SHIPPED')
  assert.equal(orderStatus('OPEN', [shipped, cancelled], ['SHIPPED']), 'SHIPPED')
  assert.equal(orderStatus('OPEN', [shipped, line({ shippable: false })], ['SHIPPED']), 'SHIPPED')
})

test('goods that never ship do not make an order shipped', () => {
  const digital = line({ shippable: false, productionStatus: 'COMPLETE' })
  assert.equal(orderStatus('OPEN', [digital], []), 'IN_PRODUCTION')
})

test('cancelled lines do not count, until all lines are cancelled', () => {
  assert.equal(orderStatus('OPEN', [cancelled, line()], ['OPEN']), 'IN_PROCESS')
  for (const gate of ['OPEN', 'HELD', 'PENDING_APPROVAL', 'COMPLETED'] as const) {
    assert.equal(orderStatus(gate, [cancelled, cancelled], ['CANCELLED']), 'CANCELLED')
  }
  assert.equal(orderStatus('CANCELLED', [], []), 'CANCELLED')
})

test('decisions about the whole order take precedence over the state of its lines', () => {
  const lines = [shipped, line({ productionStatus: 'PRINTING' })]
  assert.equal(orderStatus('PENDING_APPROVAL', lines, ['OPEN']), 'PENDING_APPROVAL')
  assert.equal(orderStatus('HELD', lines, ['SHIPPED', 'OPEN']), 'ON_HOLD')
  assert.equal(orderStatus('COMPLETED', [shipped], ['SHIPPED']), 'COMPLETED')
})

test('an order whose unfinished lines are all on hold is on hold itself', () => {
  const held = line({ productionStatus: 'ON_HOLD' })
  assert.equal(orderStatus('OPEN', [held, held], ['OPEN']), 'ON_HOLD')
  assert.equal(orderStatus('OPEN', [shipped, held, cancelled], ['SHIPPED', 'OPEN']), 'ON_HOLD')
  assert.equal(orderStatus('OPEN', [held, line()], ['OPEN']), 'IN_PRODUCTION')
})
