import type { Static } from 'typebox'
import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { LineOverride, OrderDecision } from './order-records.ts'

export type LineDecisions = {
  decisions: Static<typeof OrderDecision>[]
  overrides: Static<typeof LineOverride>[]
}

type Row = Static<typeof LineOverride> & { lineNumber: number | null; kind: string }

/** The newest decisions of an order that a read shows. */
const decisionsMax = 500

/** @returns the decisions about a line, or about the whole order (null). Served by order_decision_by_order. */
export async function readDecisions(
  reads: Queries,
  orderNumber: number,
): Promise<(lineNumber: number | null) => LineDecisions> {
  const rows = await reads.rows<Row>(sql`
    select * from (
      select decision.decision_id, decision.line_number, decision.kind, decision.comment, decision.overridden,
        decision.decided_on, decision.actor_kind, decision.actor_id,
        case when decision.reason is not null
          then json_build_object('code', decision.reason, 'label', reason.label)
        end as reason
      from order_decision decision
      left join reason on reason.kind = decision.kind and reason.code = decision.reason
      where decision.order_number = ${orderNumber}
      order by decision.decision_id desc
      limit ${decisionsMax}
    ) newest
    order by decision_id`)
  return (lineNumber) => {
    const found = rows.filter((row) => row.lineNumber === lineNumber)
    return {
      decisions: found
        .filter(({ kind }) => kind !== 'override')
        .map(({ kind, ...row }) => ({ kind: kind as Static<typeof OrderDecision>['kind'], ...decided(row) })),
      overrides: found
        .filter(({ kind }) => kind === 'override')
        .map((row) => ({ overridden: row.overridden, ...decided(row) })),
    }
  }
}

function decided({ reason, comment, decidedOn, actorKind, actorId }: Omit<Row, 'kind'>) {
  return { reason, comment, decidedOn, actorKind, actorId }
}
