import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { changeLine, lineSubject, type Refused } from '../order-changes/change-order.ts'
import { moveProduction } from '../lines/move-production.ts'
import { productionSteps, type ProductionRefusal } from '../order-changes/production-states.ts'
import { proofSteps, type ProofRefusal } from './proof-states.ts'
import { step } from '../order-changes/state-table.ts'

/** A line that has not been made yet gets a proof before it is: it waits in prepress until one is approved. */
export function putInProofing(database: Database, orderNumber: number, lineNumber: number, change: Change) {
  return changeLine<{}, Refused<ProofRefusal | ProductionRefusal>>(
    database,
    orderNumber,
    lineNumber,
    'amend',
    change,
    async (tx, _order, line) => {
      const proof = step(proofSteps, line.proofStatus, 'enter')
      if ('refused' in proof) return proof
      const { at, held } = line.production
      const production = step(productionSteps, at, 'enterProofing')
      if ('refused' in production) return production
      await Promise.all([
        tx.rows(sql`
          update order_line set proof_status = ${proof.to}
          where order_number = ${orderNumber} and line_number = ${lineNumber}`),
        moveProduction(tx, line, { at: production.to, held }, change.now),
      ])
      return { done: {}, audit: { action: 'proof.entered', subject: lineSubject(line) } }
    },
  )
}
