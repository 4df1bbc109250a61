import type { Transaction } from '../../database/database.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Refused } from '../../vocabulary/outcome.ts'
import { reasonDetail, recordDecision } from '../order-changes/decisions.ts'
import { step } from '../order-changes/state-table.ts'
import { givenReason, refuseReason, type Why } from '../reasons/reasons.ts'
import { changeLine, lineSubject } from './change-line.ts'
import { moveProduction } from './move-production.ts'
import { prepressGuards, prepressObstacles, type PrepressGuard } from './prepress-guards.ts'
import { holdOf, lineHolds, productionSteps } from './production-states.ts'

/** An inspection under way is not passed over: it ends by itself, and nobody knows yet what it finds. */
const overridable: readonly PrepressGuard[] = prepressGuards.filter((guard) => guard !== 'artwork_being_inspected')

/**
 * Sends a line out of prepress although something is missing, on the record. It counts once: a line that comes back to
 * prepress is kept there again.
 * @param why its reason is of the list `override`
 * @param passable the guards that may be passed over; any other refuses
 */
export function overrideGuards(
  tx: Transaction,
  change: Change,
  orderNumber: number,
  lineNumber: number,
  why: Why,
  passable: readonly PrepressGuard[] = overridable,
) {
  return changeLine(tx, change, orderNumber, lineNumber, 'work', async (line) => {
    const { station, held } = line.production
    const free = step(lineHolds, holdOf(line.production), 'move')
    if ('refused' in free) return free
    if (station !== 'PREPRESS') return { refused: 'not_in_prepress' }
    const overridden = await prepressObstacles(tx, line)
    const kept = overridden.find((guard) => !passable.includes(guard))
    if (kept) return { refused: kept } as Refused<PrepressGuard>
    if (overridden.length === 0) return { refused: 'nothing_to_override' }
    const given = givenReason(why)
    const refused = await refuseReason(tx, 'override', given.reason)
    if (refused) return refused
    const next = productionSteps.PREPRESS.advance.to
    await Promise.all([
      moveProduction(tx, line, { station: next, held }, change.now),
      recordDecision(tx, change, line, 'override', given, overridden),
    ])
    return {
      done: { productionStatus: next },
      audit: {
        action: 'line.guards_overridden',
        subject: lineSubject(line),
        detail: { from: station, to: next, overridden, ...reasonDetail(given) },
      },
    }
  })
}
