import type { Transaction } from '../../database/database.ts'
import type { Change } from '../../vocabulary/change.ts'
import { reasonDetail, recordDecision } from '../order-changes/decisions.ts'
import { step } from '../order-changes/state-table.ts'
import { givenReason, refuseReason, type Why } from '../reasons/reasons.ts'
import { changeLine, lineSubject } from './change-line.ts'
import { moveProduction } from './move-production.ts'
import { holdOf, lineHolds, productionSteps } from './production-states.ts'

/** Stops one line at its station. @param why its reason is of the list `hold` */
export function holdLine(tx: Transaction, change: Change, orderNumber: number, lineNumber: number, why: Why = {}) {
  return changeLine(tx, change, orderNumber, lineNumber, 'amend', async (line) => {
    if (line.shipped) return { refused: 'line_shipped' }
    const hold = step(lineHolds, holdOf(line.production), 'hold')
    if ('refused' in hold) return hold
    const { station } = line.production
    const stopped = step(productionSteps, station, 'hold')
    if ('refused' in stopped) return stopped
    const given = givenReason(why)
    const refused = await refuseReason(tx, 'hold', given.reason)
    if (refused) return refused
    await Promise.all([
      moveProduction(tx, line, { station, held: true }, change.now),
      recordDecision(tx, change, line, 'hold', given),
    ])
    return {
      done: { heldAt: station },
      audit: { action: 'line.held', subject: lineSubject(line), detail: { at: station, ...reasonDetail(given) } },
    }
  })
}

/** Lets a held line go on from its station. */
export function releaseLine(tx: Transaction, change: Change, orderNumber: number, lineNumber: number) {
  return changeLine(tx, change, orderNumber, lineNumber, 'amend', async (line) => {
    const release = step(lineHolds, holdOf(line.production), 'release')
    if ('refused' in release) return release
    const { station } = line.production
    await moveProduction(tx, line, { station, held: false }, change.now)
    return {
      done: { productionStatus: station },
      audit: { action: 'line.released', subject: lineSubject(line), detail: { to: station } },
    }
  })
}
