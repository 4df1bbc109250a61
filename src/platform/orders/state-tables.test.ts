import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { orderStatuses, productionStatuses, proofStatuses, shipmentStatuses } from '../../vocabulary/statuses.ts'
import { orderGates, reworkGates } from '../order-changes/order-gate.ts'
import { returnSteps } from '../after-sale/return-states.ts'
import { lineHolds, productionSteps } from '../lines/production-states.ts'
import { proofSteps } from '../proofs/proof-states.ts'
import { shipmentSteps } from '../shipments/shipment-states.ts'

type AnyTable = Readonly<Record<string, Readonly<Record<string, { to: string | null } | { refused: string }>>>>

/** The first state of each machine, and the states that no event leads to: words that the platform does not know. */
const machines: Record<string, { table: AnyTable; start: string; events: string[]; notTaught: string[] }> = {
  order: {
    table: orderGates,
    start: 'PENDING_APPROVAL',
    events: ['approve', 'hold', 'release', 'complete', 'cancel', 'work', 'amend'],
    notTaught: [],
  },
  'order of a reprint': {
    table: reworkGates,
    start: 'PENDING_APPROVAL',
    events: ['approve', 'hold', 'release', 'complete', 'cancel', 'work', 'amend'],
    notTaught: [],
  },
  production: {
    table: productionSteps,
    start: 'null',
    events: [
      'advance',
      'hold',
      'attachArtwork',
      'enterProofing',
      'approveProof',
      'approveEarly',
      'declineProof',
      'ship',
    ],
    notTaught: ['UNKNOWN'],
  },
  hold: { table: lineHolds, start: 'FREE', events: ['hold', 'release', 'move'], notTaught: [] },
  proof: {
    table: proofSteps,
    start: 'null',
    events: ['enter', 'publish', 'publishNewer', 'approve', 'decline'],
    notTaught: ['UNKNOWN'],
  },
  shipment: { table: shipmentSteps, start: 'OPEN', events: ['ship', 'cancel', 'change'], notTaught: ['UNKNOWN'] },
  return: { table: returnSteps, start: 'ANNOUNCED', events: ['receive', 'close', 'cancel'], notTaught: [] },
}

for (const [name, { table, start, events, notTaught }] of Object.entries(machines)) {
  describe(`the ${name} table`, () => {
    test('every state answers every event, with a state of the table or a reason', () => {
      for (const [state, row] of Object.entries(table)) {
        assert.deepEqual(Object.keys(row).toSorted(), events.toSorted(), state)
        for (const move of Object.values(row)) {
          if ('refused' in move) assert.match(move.refused, /^[a-z]+(_[a-z]+)+$/)
          else assert.ok(String(move.to) in table, `${state} leads to ${move.to}`)
        }
      }
    })

    test('every state is reached from the first one', () => {
      const reached = new Set([start])
      for (const state of reached) {
        for (const move of Object.values(table[state]!)) if ('to' in move) reached.add(String(move.to))
      }
      assert.deepEqual([...reached, ...notTaught].toSorted(), Object.keys(table).toSorted())
    })
  })
}

test('PRF-14 the tables have the published words, except those that hold and gate represent', () => {
  assert.deepEqual(Object.keys(proofSteps).toSorted(), ['null', ...proofStatuses].toSorted())
  assert.deepEqual(
    Object.keys(productionSteps).toSorted(),
    ['null', ...productionStatuses.filter((status) => status !== 'ON_HOLD')].toSorted(),
  )
  assert.deepEqual(Object.keys(shipmentSteps).toSorted(), [...shipmentStatuses].toSorted())
  const decided = Object.keys(orderGates).filter((gate) => (orderStatuses as readonly string[]).includes(gate))
  assert.deepEqual(decided.toSorted(), ['CANCELLED', 'COMPLETED', 'PENDING_APPROVAL'])
})

test('PRF-16 only PENDING_REVIEW leads to a decision', () => {
  for (const [state, row] of Object.entries(proofSteps)) {
    for (const event of ['approve', 'decline'] as const) assert.equal('to' in row[event], state === 'PENDING_REVIEW')
  }
})

test('PRF-18 a declined proof leads back to prepress from any station, and an approved one never leads back', () => {
  for (const row of Object.values(productionSteps)) assert.deepEqual(row.declineProof, { to: 'PREPRESS' })
  const order: (string | null)[] = [null, 'PREPRESS', 'QUEUED', 'PRINTING', 'FINISHING', 'PACKING', 'COMPLETE']
  for (const at of order) {
    const move = productionSteps[`${at}` as keyof typeof productionSteps].approveProof
    assert.ok('to' in move && order.indexOf(move.to) >= order.indexOf(at))
  }
})

test('a proof that was approved early leaves its line in prepress', () => {
  for (const at of ['null', 'PREPRESS'] as const) {
    assert.deepEqual(productionSteps[at].approveEarly, { to: 'PREPRESS' })
  }
})

test('only a newer file gives a line a further proof while one waits for a decision or is approved', () => {
  for (const at of ['PENDING_REVIEW', 'APPROVED'] as const) {
    assert.ok('refused' in proofSteps[at].publish)
    assert.deepEqual(proofSteps[at].publishNewer, { to: 'PENDING_REVIEW' })
  }
})

test('production goes one station at a time, in the published order', () => {
  const stations = ['null', 'PREPRESS', 'QUEUED', 'PRINTING', 'FINISHING', 'PACKING', 'COMPLETE'] as const
  stations.slice(0, -1).forEach((station, index) => {
    assert.deepEqual(productionSteps[station].advance, { to: stations[index + 1] })
  })
})

test('a cancelled or completed order stays so after any event', () => {
  for (const gate of ['CANCELLED', 'COMPLETED'] as const) {
    for (const move of Object.values(orderGates[gate])) assert.ok('refused' in move)
  }
})
