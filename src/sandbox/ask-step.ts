import type { CallOf, AnyOperation } from '../contract/operation.ts'
import { sql } from '../database/sql.ts'
import type { Stores } from '../platform/files/stores.ts'
import { inTime as withinTime } from '../vocabulary/in-time.ts'
import type { Change } from '../vocabulary/change.ts'
import type { Done, Refused } from '../vocabulary/outcome.ts'
import { readSimulatedOrder } from './simulated-order.ts'
import { dueChannel } from './simulator.ts'
import { type StepName, steps } from './steps.ts'

/** Why the sandbox's own steps refuse, where the verbs of staff do not say it. */
const ownMeanings: Readonly<Record<string, string>> = {
  no_open_shipment: 'The order has no open shipment.',
  no_proof_yet: 'The line has no proof yet.',
  artwork_being_inspected: "The line's artwork is still being inspected.",
  artwork_needs_changes: "The line's artwork needs changes. Attach another file.",
  proof_outdated: "The line's proof is older than its newest file. Publish another.",
  denial_reason_not_available: 'The line offers no reason to decline its proof.',
}

/** How long a step that draws is waited for. */
const drawnMilliseconds = 20_000

export type AskedStep = {
  orderNumber: number
  step: StepName
  /** null = the step is of the whole order */
  lineNumber: number | null
}

type NotTaken =
  | Refused<'order_not_found' | 'line_not_found'>
  | (Refused<'step_not_possible'> & { detail: string | undefined })

/**
 * Takes a step with an order of the sandbox at once.
 * @param meaningOf what a code with which a verb of staff refuses means, as a sentence
 * @param inTime bounds a step that does not draw
 */
export function askStep(
  { database, objectStore, meaningOf }: Stores & { meaningOf: (code: string) => string | undefined },
  { orderNumber, step, lineNumber }: AskedStep,
  change: Change,
  inTime: CallOf<AnyOperation, object>['inTime'],
): Promise<Done<{ orderStatus: string }> | NotTaken> {
  const asked = steps[step]
  return 'draws' in asked ? withinTime(taken(), drawnMilliseconds, 'the drawing of a proof') : inTime(taken())

  async function taken(): Promise<Done<{ orderStatus: string }> | NotTaken> {
    const order = await readSimulatedOrder(database.reads, orderNumber)
    if (!order) return { refused: 'order_not_found' }
    const of = { database, objectStore, order, change }
    const line = order.lines.find((each) => each.lineNumber === lineNumber)
    if (asked.ofLine && !line) return { refused: 'line_not_found' }
    const outcome = asked.ofLine ? await asked.take(of, line!) : await asked.take(of)
    database.hint(dueChannel, '')
    if ('refused' in outcome) {
      const reason = ownMeanings[outcome.refused] ?? meaningOf(outcome.refused)
      const detail = reason && `The order's status does not allow this step. ${reason}`
      return { refused: 'step_not_possible', detail }
    }
    const after = await database.reads.row<{ status: string }>(sql`
      select status from orders where order_number = ${orderNumber}`)
    return { done: { orderStatus: after?.status ?? order.status } }
  }
}
