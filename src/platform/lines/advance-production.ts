import type { Database } from '../../database/database.ts'
import type { Change } from '../../vocabulary/change.ts'
import { changeLine, lineSubject, type Refused } from '../order-changes/change-order.ts'
import { moveProduction } from './move-production.ts'
import {
  lineHolds,
  productionSteps,
  type HoldRefusal,
  type ProductionRefusal,
  type Standing,
} from '../order-changes/production-states.ts'
import { step } from '../order-changes/state-table.ts'

/** Moves a line one station on. One in proofing stays in prepress until its proof is approved (PRF-18). */
export function advanceProduction(database: Database, orderNumber: number, lineNumber: number, change: Change) {
  return changeLine<{ productionStatus: Standing }, Refused<ProductionRefusal | HoldRefusal | 'proof_not_approved'>>(
    database,
    orderNumber,
    lineNumber,
    'work',
    change,
    async (tx, _order, line) => {
      const { at, held } = line.production
      const free = step(lineHolds, held ? 'HELD' : 'FREE', 'move')
      if ('refused' in free) return free
      const next = step(productionSteps, at, 'advance')
      if ('refused' in next) return next
      if (at === 'PREPRESS' && line.proofStatus !== null && line.proofStatus !== 'APPROVED') {
        return { refused: 'proof_not_approved' }
      }
      await moveProduction(tx, line, { at: next.to, held }, change.now)
      return {
        done: { productionStatus: next.to },
        audit: { action: 'line.advanced', subject: lineSubject(line), detail: { from: at, to: next.to } },
      }
    },
  )
}
