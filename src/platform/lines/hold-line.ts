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

/** Stops one line where it stands. */
export function holdLine(database: Database, orderNumber: number, lineNumber: number, change: Change) {
  return changeLine<{ heldAt: Standing }, Refused<HoldRefusal | ProductionRefusal | 'line_shipped'>>(
    database,
    orderNumber,
    lineNumber,
    'amend',
    change,
    async (tx, _order, line) => {
      if (line.shipped) return { refused: 'line_shipped' }
      const hold = step(lineHolds, line.production.held ? 'HELD' : 'FREE', 'hold')
      if ('refused' in hold) return hold
      const standing = step(productionSteps, line.production.at, 'hold')
      if ('refused' in standing) return standing
      await moveProduction(tx, line, { at: standing.to, held: true }, change.now)
      return {
        done: { heldAt: standing.to },
        audit: { action: 'line.held', subject: lineSubject(line), detail: { at: standing.to } },
      }
    },
  )
}

/** Lets a held line go on from where it stood. */
export function releaseLine(database: Database, orderNumber: number, lineNumber: number, change: Change) {
  return changeLine<{ productionStatus: Standing }, Refused<HoldRefusal>>(
    database,
    orderNumber,
    lineNumber,
    'amend',
    change,
    async (tx, _order, line) => {
      const { at, held } = line.production
      const release = step(lineHolds, held ? 'HELD' : 'FREE', 'release')
      if ('refused' in release) return release
      await moveProduction(tx, line, { at, held: false }, change.now)
      return {
        done: { productionStatus: at },
        audit: { action: 'line.released', subject: lineSubject(line), detail: { to: at } },
      }
    },
  )
}
