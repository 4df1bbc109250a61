import assert from 'node:assert/strict'
import type { Database, Transaction } from '../../src/database/database.ts'
import { advanceProduction } from '../../src/platform/lines/advance-production.ts'
import * as proofs from '../../src/platform/proofs/publish-proof.ts'
import { putInProofing } from '../../src/platform/proofs/put-in-proofing.ts'
import type { Change } from '../../src/vocabulary/change.ts'
import type { Outcome, Refused } from '../../src/vocabulary/outcome.ts'
import { done } from './done.ts'
import type { Json } from './order-builder.ts'
import type { Partner } from './partner.ts'
import type { TestService } from './service.ts'

/** Staff actions on orders, for tests that need an order past the status it is placed in. */

export type PlacedLine = { orderNumber: number; lineNumber: number; itemNumber: number }

export function staff(): Change {
  return { actor: { kind: 'STAFF', id: 'tester' }, now: new Date(), requestId: null }
}

/** Runs a verb as staff, in a transaction. */
export function byStaff<Args extends unknown[], Result extends Outcome<unknown, Refused>>(
  database: Database,
  verb: (tx: Transaction, change: Change, ...args: Args) => Promise<Result>,
  ...args: Args
): Promise<Result> {
  return database.change((tx) => verb(tx, staff(), ...args))
}

/** Submits an order, asserts that it completed, and returns its number and lines. */
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

/** Publishes the line's first or next proof for review. */
export async function publishProof(
  service: TestService,
  line: PlacedLine,
): Promise<{ revision: number; name: string }> {
  const { orderNumber, lineNumber } = line
  await byStaff(service.production.database, putInProofing, orderNumber, lineNumber)
  return done(proofs.publishProof(service.production, staff(), orderNumber, lineNumber))
}

/** Advances a line until it reaches this production status. */
export async function advanceTo(service: TestService, line: PlacedLine, status: string): Promise<void> {
  const { database } = service.production
  for (;;) {
    const step = await done(byStaff(database, advanceProduction, line.orderNumber, line.lineNumber))
    if (step.productionStatus === status) return
  }
}
