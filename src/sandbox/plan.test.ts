import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextStep, plan, type PlannedStep } from './plan.ts'
import type { SimulatedLine, SimulatedOrder } from './simulated-order.ts'

const placedOn = new Date('2026-03-01T12:00:00.000Z')
const minutesLater = (minutes: number): Date => new Date(placedOn.getTime() + minutes * 60_000)

function line(changes: Partial<SimulatedLine> = {}): SimulatedLine {
  return {
    lineNumber: 1,
    itemNumber: 5_000_001,
    jobName: null,
    quantity: 4,
    requiresProof: false,
    shippable: true,
    productionStatus: null,
    proofStatus: null,
    proofRevisions: 0,
    artwork: null,
    proofOutdated: false,
    problem: null,
    backorderQuantity: 0,
    shipped: false,
    cancelled: false,
    updatedOn: placedOn,
    ...changes,
  }
}

function order(lines: SimulatedLine[], changes: Partial<SimulatedOrder> = {}): SimulatedOrder {
  const items = lines.filter((each) => each.shippable).map(({ lineNumber }) => ({ lineNumber, quantity: 4 }))
  return {
    orderNumber: 1_000_001,
    status: 'IN_PROCESS',
    held: false,
    updatedOn: placedOn,
    lines,
    openShipments: items.length > 0 ? [{ shipmentNumber: 3_000_001, openedOn: placedOn, items }] : [],
    ...changes,
  }
}

const packed = { productionStatus: 'PACKING' } as const
const proofed = { requiresProof: true, productionStatus: 'PREPRESS' } as const

const standings: Record<PlannedStep, SimulatedOrder> = {
  approve_order: order([line()], { status: 'PENDING_APPROVAL' }),
  enter_proofing: order([line({ requiresProof: true })]),
  publish_proof: order([line({ ...proofed, proofStatus: 'NOT_CREATED' })]),
  decline_proof: order([
    line({ ...proofed, proofStatus: 'PENDING_REVIEW', proofRevisions: 1, jobName: 'sandbox:reproof' }),
  ]),
  reproof: order([line({ ...proofed, proofStatus: 'DECLINED', proofRevisions: 1 })]),
  start_prepress: order([line()]),
  queue: order([line({ productionStatus: 'PREPRESS' })]),
  print: order([line({ productionStatus: 'QUEUED', proofStatus: 'APPROVED' })]),
  finish: order([line({ productionStatus: 'PRINTING' })]),
  pack: order([line({ productionStatus: 'FINISHING' })]),
  put_aside: order([line({ ...packed, shippable: false })]),
  restock: order([line({ ...packed, backorderQuantity: 2 })]),
  ship_part: order([line({ ...packed, jobName: 'sandbox:split' })]),
  ship: order([line(packed)]),
  complete: order([line({ productionStatus: 'COMPLETE', shipped: true })], { openShipments: [] }),
}

test('each step follows the event it waits for after the planned number of minutes', () => {
  for (const { step, afterMinutes } of plan) {
    const next = nextStep(standings[step])
    assert.equal(next?.step, step)
    assert.deepEqual(next.dueOn, minutesLater(afterMinutes), step)
  }
})

test('an order that waits for people or has ended has no next step', () => {
  const waiting: Record<string, SimulatedOrder> = {
    'a proof under review': order([line({ ...proofed, proofStatus: 'PENDING_REVIEW', proofRevisions: 1 })]),
    'the second proof of a re-proof': order([
      line({ ...proofed, proofStatus: 'PENDING_REVIEW', proofRevisions: 2, jobName: 'sandbox:reproof' }),
    ]),
    'a held order': order([line()], { status: 'ON_HOLD', held: true }),
    'a held line': order([line({ productionStatus: 'ON_HOLD' })]),
    'a problem': order([line({ problem: 'torn' })]),
    'a problem of what is packed': order([line({ ...packed, problem: 'torn' })]),
    'an order that is closed': order([line({ shipped: true })], { status: 'COMPLETED' }),
    'a cancelled order': order([line({ cancelled: true })], { status: 'CANCELLED' }),
  }
  for (const [name, waitingOrder] of Object.entries(waiting)) assert.equal(nextStep(waitingOrder), undefined, name)
})

test('the line with the earliest step comes first, and packed lines wait for the rest of their shipment', () => {
  const late = line({ productionStatus: 'QUEUED', updatedOn: minutesLater(10) })
  const early = line({ lineNumber: 2, productionStatus: 'QUEUED' })
  assert.equal(nextStep(order([late, early]))!.lineNumber, 2)
  assert.equal(nextStep(order([late, line({ lineNumber: 2, ...packed })]))!.step, 'print')
  const gone = line({ lineNumber: 2, cancelled: true })
  assert.equal(
    nextStep(order([line({ ...packed }), gone], { openShipments: order([line()]).openShipments }))!.step,
    'ship',
  )
})

test('a shipment with a line to split leaves in part, whatever else has left, and the rest of it leaves whole', () => {
  const partly = { status: 'PARTIALLY_SHIPPED' } as const
  const other = line({ lineNumber: 2, productionStatus: 'COMPLETE', shipped: true })
  const split = line({ ...packed, jobName: 'sandbox:split' })
  const whole = { ...order([split]), ...partly, lines: [split, other] }
  assert.equal(nextStep(whole)!.step, 'ship_part')
  const rest = order([{ ...split, quantity: 8 }], partly)
  assert.equal(nextStep(rest)!.step, 'ship')
})

test('a line leaves prepress once its newest file can be printed, and after an outdated proof gets another', () => {
  const approved = { ...proofed, proofStatus: 'APPROVED', proofRevisions: 1 } as const
  for (const artwork of ['inspecting', 'blocked'] as const) {
    assert.equal(nextStep(order([line({ productionStatus: 'PREPRESS', artwork })])), undefined)
    assert.equal(nextStep(order([line({ ...approved, artwork, proofOutdated: true })])), undefined)
  }
  assert.equal(nextStep(order([line({ ...approved, artwork: 'ready' })]))?.step, 'queue')
  assert.equal(nextStep(order([line({ ...approved, artwork: 'ready', proofOutdated: true })]))?.step, 'reproof')
  const pending = { ...approved, proofStatus: 'PENDING_REVIEW' } as const
  assert.equal(nextStep(order([line({ ...pending, artwork: 'ready', proofOutdated: true })]))?.step, 'reproof')
})
