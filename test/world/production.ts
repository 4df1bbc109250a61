import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Database, Transaction } from '../../src/database/database.ts'
import { sql } from '../../src/database/sql.ts'
import { advanceProduction } from '../../src/platform/lines/advance-production.ts'
import { overrideGuards } from '../../src/platform/lines/override-guards.ts'
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
  const read = await partner.get(`/v1/orders/${orderNumber}/items?limit=200`)
  assert.equal(read.status, 200, JSON.stringify(read.body))
  return {
    orderNumber,
    lines: read.body.items.map(({ itemNumber }: { itemNumber: number }, index: number) => ({
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

/** Gives a line a print file that inspection found nothing against, as if it had come with the order. */
export async function acceptedFile(service: TestService, { orderNumber, lineNumber }: PlacedLine): Promise<void> {
  await service.owner.production.statements.rows(sql`
    with file as (
      insert into print_file
        (site_id, order_number, line_number, file_name, object_key, size_bytes, md5, source, attached_on)
      select orders.site_id, order_number, line_number, 'cards.pdf', ${randomUUID()}, 1, md5(''), 'UPLOAD', placed_on
      from order_line join orders using (order_number)
      where order_number = ${orderNumber} and line_number = ${lineNumber}
      returning print_file_id, site_id
    )
    insert into artwork_inspection (print_file_id, site_id, profile, artwork_types, profile_key, status, inspected_on)
    select print_file_id, site_id, '{}', '{}', 'test', 'passed', now() from file`)
}

/** Advances a line by one station. One without proof and artwork leaves prepress by an override, as at the works. */
export async function advance(
  database: Database,
  { orderNumber, lineNumber }: Pick<PlacedLine, 'orderNumber' | 'lineNumber'>,
) {
  const moved = await byStaff(database, advanceProduction, orderNumber, lineNumber)
  if (!('refused' in moved) || !['proof_missing', 'artwork_missing'].includes(moved.refused)) return moved
  return byStaff(database, overrideGuards, orderNumber, lineNumber, { reason: 'ARTWORK_AT_THE_WORKS' })
}

/** Advances a line until it reaches this production status. */
export async function advanceTo(service: TestService, line: PlacedLine, status: string): Promise<void> {
  const { database } = service.production
  for (;;) {
    const step = await done(advance(database, line))
    if (step.productionStatus === status) return
  }
}
