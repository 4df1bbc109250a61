import type { Refusal } from '../../contract/refusal.ts'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { OrderGateRefusal } from '../../platform/orders/production.ts'
import type { StaffWorld } from '../world.ts'
import { readOrder, type Detail } from './read-order.ts'

/**
 * A call that changes an order by a verb that refuses with these words. Its contract must declare all of them, but for
 * those of the order's gate: verbs name them even where the gate is not asked.
 */
type OrderCall<Refused extends string> = {
  world: StaffWorld
  path: { orderNumber: number }
  now: Date
  change: Change
  refuse: (code: Exclude<Refused, OrderGateRefusal> | 'order_not_found', detail?: string) => Refusal<string>
}

type LineCall<Refused extends string> = OrderCall<Refused> & { path: { lineNumber: number } }

type Outcome<Refused extends string> = { done: unknown } | { refused: Refused }

/** A sandbox partner's orders are dated by the partner's own clock, whoever changes them. */
export async function orderChange(call: Pick<OrderCall<never>, 'world' | 'path' | 'change'>): Promise<Change> {
  const { world, path, change } = call
  if (!world.partnerTime) return change
  const order = await world.database.reads.row<{ partnerId: string | null }>(sql`
    select partner_id from orders where order_number = ${path.orderNumber}`)
  if (!order?.partnerId) return change
  return { ...change, now: await world.partnerTime(order.partnerId, change.now) }
}

/** The order as it stands after a verb, or the verb's refusal. */
export async function changedOrder<Refused extends string>(
  call: OrderCall<Refused>,
  outcome: Outcome<Refused>,
  detail?: string,
): Promise<{ status: 200; body: Detail }> {
  if ('refused' in outcome) throw call.refuse(outcome.refused as Exclude<Refused, OrderGateRefusal>, detail)
  const body = await readOrder(call.world, call.path.orderNumber, call.now)
  // A sandbox that starts over may have removed it since.
  if (!body) throw call.refuse('order_not_found')
  return { status: 200, body }
}

/** The handler of a verb that needs to know the order and nothing else. */
export function orderVerb<Refused extends string>(
  verb: (database: Database, orderNumber: number, change: Change) => Promise<Outcome<Refused>>,
) {
  return async (call: OrderCall<Refused>) =>
    changedOrder(call, await verb(call.world.database, call.path.orderNumber, await orderChange(call)))
}

/** The same of a line. */
export function lineVerb<Refused extends string>(
  verb: (database: Database, orderNumber: number, lineNumber: number, change: Change) => Promise<Outcome<Refused>>,
) {
  return async (call: LineCall<Refused>) => {
    const { orderNumber, lineNumber } = call.path
    return changedOrder(call, await verb(call.world.database, orderNumber, lineNumber, await orderChange(call)))
  }
}
