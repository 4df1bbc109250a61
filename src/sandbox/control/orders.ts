import type { Handler } from '../../contract/operation.ts'
import { sql } from '../../database/sql.ts'
import { inTime as withinTime } from '../../vocabulary/in-time.ts'
import { magicInputs } from '../magic-inputs.ts'
import { misbehaviours } from '../misbehaviour.ts'
import { plan } from '../plan.ts'
import { resetPartner } from '../reset-partner.ts'
import { readSimulatedOrder, type SimulatedOrder } from '../simulated-order.ts'
import { dueChannel, simulatorActor } from '../simulator.ts'
import { stepNames, steps } from '../steps.ts'
import type { control } from './contract.ts'
import type { ControlParts } from './parts.ts'

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

/** The change's actor is the simulator; its request identifies the partner that asked. */
export function takeOrderStep(parts: ControlParts): Handler<typeof control.takeOrderStep> {
  const { database, meaningOf } = parts
  return ({ siteIds, path, body, change, inTime, refuse }) => {
    const { orderNumber } = path
    const step = steps[body.step]
    return 'draws' in step ? withinTime(taken(), drawnMilliseconds, 'the drawing of a proof') : inTime(taken())

    async function taken() {
      const granted = await database.reads.row<object>(sql`
        select from orders where order_number = ${orderNumber} and site_id = any(${siteIds}::int[])`)
      const order = granted ? await readSimulatedOrder(database.reads, orderNumber) : undefined
      if (!order) throw refuse('order_not_found')
      const of = { ...parts, order, change: { ...change, actor: simulatorActor } }
      const outcome = step.ofLine ? await step.take(of, await lineOf(order, body.itemNumber!)) : await step.take(of)
      database.hint(dueChannel, '')
      if ('refused' in outcome) {
        const reason = ownMeanings[outcome.refused] ?? meaningOf(outcome.refused)
        throw refuse('step_not_possible', reason && `The order's status does not allow this step. ${reason}`)
      }
      const after = await database.reads.row<{ status: string }>(sql`
        select status from orders where order_number = ${orderNumber}`)
      return {
        status: 200 as const,
        body: {
          orderNumber,
          itemNumber: body.itemNumber ?? null,
          step: body.step,
          orderStatus: after?.status ?? order.status,
        },
      }
    }

    async function lineOf({ lines }: SimulatedOrder, itemNumber: number) {
      const visible = await database.reads.row<{ lineNumber: number }>(sql`
        select line_number from visible_order_line
        where order_number = ${orderNumber} and item_number = ${itemNumber}`)
      const line = lines.find((each) => each.lineNumber === visible?.lineNumber)
      if (!line) throw refuse('order_item_not_found')
      return line
    }
  }
}

export function listScenarios(): Handler<typeof control.listScenarios> {
  const body = {
    steps: stepNames.map((step) => ({ step, ofLine: steps[step].ofLine, says: steps[step].says })),
    plan: plan.map((planned) => ({ ...planned })),
    magicInputs: magicInputs.map(({ field, value, effect }) => ({ field, value, effect })),
    misbehaviours: misbehaviours.map((each) => ({ ...each })),
  }
  return async () => ({ status: 200, body })
}

export function resetSandbox({ database, forgetUsage }: ControlParts): Handler<typeof control.resetSandbox> {
  return async ({ caller, change }) => {
    const { done } = await database.change((tx) => resetPartner(tx, change, caller.partnerId, forgetUsage))
    return { status: 200, body: done }
  }
}
