import type { Transaction } from '../../database/database.ts'
import type { Change } from '../../vocabulary/change.ts'
import { no, step } from '../order-changes/state-table.ts'
import { changeLine, lineSubject } from './change-line.ts'
import { moveProduction } from './move-production.ts'
import { prepressObstacles } from './prepress-guards.ts'
import { holdOf, lineHolds, productionSteps, type Station } from './production-states.ts'

/**
 * Moves a line one station on, or to a station further on. It stays in prepress while something is missing that it must
 * have to be printed: an approved proof (PRF-18), accepted artwork, its variables. {@link prepressObstacles} says what.
 */
export function advanceProduction(
  tx: Transaction,
  change: Change,
  orderNumber: number,
  lineNumber: number,
  goal?: Goal,
) {
  return changeLine(tx, change, orderNumber, lineNumber, 'work', async (line) => {
    const { station, held } = line.production
    const free = step(lineHolds, holdOf(line.production), 'move')
    if ('refused' in free) return free
    const next = wayOn(station, goal)
    if ('refused' in next) return next
    const [obstacle] = next.leavesPrepress ? await prepressObstacles(tx, line) : []
    if (obstacle) return { refused: obstacle }
    await moveProduction(tx, line, { station: next.to, held }, change.now)
    return {
      done: { productionStatus: next.to },
      audit: { action: 'line.advanced', subject: lineSubject(line), detail: { from: station, to: next.to } },
    }
  })
}

export type Goal = Exclude<Station, null | 'UNKNOWN'>

/** In their order. */
const stations: readonly Station[] = [null, 'PREPRESS', 'QUEUED', 'PRINTING', 'FINISHING', 'PACKING', 'COMPLETE']

/** The station that a line comes to, by the steps of production, and whether it leaves prepress on the way. */
function wayOn(station: Station, goal: Goal | undefined) {
  if (goal !== undefined && stations.indexOf(goal) <= stations.indexOf(station) && station !== 'COMPLETE') {
    return no('station_reached')
  }
  let at = station
  let leavesPrepress = false
  do {
    const next = step(productionSteps, at, 'advance')
    if ('refused' in next) return next
    leavesPrepress ||= at === 'PREPRESS'
    at = next.to
  } while (goal !== undefined && at !== goal)
  return { to: at, leavesPrepress }
}
