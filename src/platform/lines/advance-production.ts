import type { Transaction } from '../../database/database.ts'
import type { Change } from '../../vocabulary/change.ts'
import { step } from '../order-changes/state-table.ts'
import { artworkObstacle } from './artwork-standing.ts'
import { changeLine, lineSubject } from './change-line.ts'
import { moveProduction } from './move-production.ts'
import { holdOf, lineHolds, productionSteps } from './production-states.ts'

/**
 * Moves a line one station on. A line in proofing stays in prepress until its proof is approved (PRF-18), and a line with
 * print files until its newest one is free of errors and, in proofing, proven.
 */
export function advanceProduction(tx: Transaction, change: Change, orderNumber: number, lineNumber: number) {
  return changeLine(tx, change, orderNumber, lineNumber, 'work', async (line) => {
    const { station, held } = line.production
    const free = step(lineHolds, holdOf(line.production), 'move')
    if ('refused' in free) return free
    const next = step(productionSteps, station, 'advance')
    if ('refused' in next) return next
    if (station === 'PREPRESS' && line.proofStatus !== null && line.proofStatus !== 'APPROVED') {
      return { refused: 'proof_not_approved' }
    }
    const obstacle = station === 'PREPRESS' ? await artworkObstacle(tx, line) : undefined
    if (obstacle) return obstacle
    await moveProduction(tx, line, { station: next.to, held }, change.now)
    return {
      done: { productionStatus: next.to },
      audit: { action: 'line.advanced', subject: lineSubject(line), detail: { from: station, to: next.to } },
    }
  })
}
