import type { Handler } from '../../contract/operation.ts'
import { sql } from '../../database/sql.ts'
import { askStep } from '../ask-step.ts'
import { resetPartner } from '../reset-partner.ts'
import { scenarios } from '../scenarios.ts'
import { simulatorActor } from '../simulator.ts'
import type { control } from './contract.ts'
import type { ControlParts } from './parts.ts'

/** The change's actor is the simulator; its request identifies the partner that asked. */
export function takeOrderStep(parts: ControlParts): Handler<typeof control.takeOrderStep> {
  const { database } = parts
  return async ({ siteIds, path, body, change, inTime, refuse }) => {
    const { orderNumber } = path
    const { step, itemNumber = null } = body
    const granted = await inTime(
      database.reads.row<object>(sql`
        select from orders where order_number = ${orderNumber} and site_id = any(${siteIds}::int[])`),
    )
    if (!granted) throw refuse('order_not_found')
    const lineNumber = itemNumber === null ? null : await inTime(lineOf(orderNumber, itemNumber))
    if (lineNumber === undefined) throw refuse('order_item_not_found')
    const asked = { orderNumber, step, lineNumber }
    const outcome = await askStep(parts, asked, { ...change, actor: simulatorActor }, inTime)
    if (!('refused' in outcome)) return { status: 200, body: { orderNumber, itemNumber, step, ...outcome.done } }
    if (outcome.refused === 'step_not_possible') throw refuse(outcome.refused, outcome.detail)
    throw refuse(outcome.refused === 'line_not_found' ? 'order_item_not_found' : outcome.refused)
  }

  async function lineOf(orderNumber: number, itemNumber: number): Promise<number | undefined> {
    const visible = await database.reads.row<{ lineNumber: number }>(sql`
      select line_number from visible_order_line
      where order_number = ${orderNumber} and item_number = ${itemNumber}`)
    return visible?.lineNumber
  }
}

export function listScenarios(): Handler<typeof control.listScenarios> {
  return async () => ({ status: 200, body: scenarios })
}

export function resetSandbox({ database, forgetUsage }: ControlParts): Handler<typeof control.resetSandbox> {
  return async ({ caller, change }) => {
    const { done } = await database.change((tx) => resetPartner(tx, change, caller.partnerId, forgetUsage))
    return { status: 200, body: done }
  }
}
