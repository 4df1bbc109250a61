import assert from 'node:assert/strict'
import type { Change } from '../../src/vocabulary/change.ts'
import * as production from '../../src/platform/orders/production.ts'
import type { Json } from './order-builder.ts'
import type { Partner } from './partner.ts'
import type { TestService } from './service.ts'

/** What staff do to orders, for tests that need an order further along than it was placed. */

export type PlacedLine = { orderNumber: number; lineNumber: number; itemNumber: number }

export function staff(): Change {
  return { actor: { kind: 'STAFF', id: 'tester' }, now: new Date(), requestId: null }
}

/** Submits what becomes an order, and tells its lines. */
export async function placed(partner: Partner, body: Json): Promise<{ orderNumber: number; lines: PlacedLine[] }> {
  const answer = await partner.post('/v1/orders', body)
  assert.equal(answer.body.status, 'completed', JSON.stringify(answer.body))
  const { orderNumber } = answer.body.order
  const { items } = (await partner.get(`/v1/orders/${orderNumber}/items?limit=200`)).body
  return {
    orderNumber,
    lines: items.map(({ itemNumber }: { itemNumber: number }, index: number) => ({
      orderNumber,
      itemNumber,
      lineNumber: index + 1,
    })),
  }
}

/** What the verb did; a refusal fails the test. */
export async function done<Facts>(outcome: Promise<{ done: Facts } | { refused: string }>): Promise<Facts> {
  const result = await outcome
  if ('refused' in result) assert.fail(`refused: ${JSON.stringify(result)}`)
  return result.done
}

/** Gives out a proof of the line for review, the first one or the next. */
export async function publishProof(
  service: TestService,
  line: PlacedLine,
): Promise<{ revision: number; name: string }> {
  const { database, objectStore } = service.production
  const { orderNumber, lineNumber } = line
  await production.putInProofing(database, orderNumber, lineNumber, staff())
  return done(production.publishProof(database, objectStore, orderNumber, lineNumber, staff()))
}

/** Moves a line on until it stands there. */
export async function advanceTo(service: TestService, line: PlacedLine, status: string): Promise<void> {
  const { database } = service.production
  for (;;) {
    const step = await done(production.advanceProduction(database, line.orderNumber, line.lineNumber, staff()))
    if (step.productionStatus === status) return
  }
}
