import type { Transaction } from '../../database/database.ts'
import { insertRows } from '../../database/rows.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { GivenReason, ReasonKind } from '../reasons/reasons.ts'

/** What a decision was about: a line, or the whole order (lineNumber null). */
type Of = { orderNumber: number; lineNumber: number | null }

/**
 * Keeps what people decided about an order or a line, and why. Readers show the latest; the audit log has all.
 * @param overridden of overrides: the guards that were passed over
 */
export async function recordDecision(
  tx: Transaction,
  { actor, now }: Change,
  { orderNumber, lineNumber }: Of,
  kind: ReasonKind,
  { reason, comment }: GivenReason,
  overridden: readonly string[] | null = null,
): Promise<void> {
  await insertRows(tx, 'order_decision', [
    {
      orderNumber,
      lineNumber,
      kind,
      reason,
      comment,
      overridden,
      decidedOn: now,
      actorKind: actor.kind,
      actorId: actor.id,
    },
  ])
}

/** What audit records say of a reason: its code. The comment may name a person, so it is kept where it can be erased. */
export function reasonDetail({ reason }: Pick<GivenReason, 'reason'>): { reason?: string } {
  return reason === null ? {} : { reason }
}

/** Called before lines are removed, to which decisions refer. */
export async function forgetDecisions(tx: Transaction, orderNumbers: readonly number[]): Promise<void> {
  await tx.rows(sql`delete from order_decision where order_number = any(${orderNumbers}::bigint[])`)
}
