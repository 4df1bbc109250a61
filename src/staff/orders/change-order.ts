import type { Refusal } from '../../contract/refusal.ts'
import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Outcome, Refused } from '../../vocabulary/outcome.ts'
import type { StaffEnvironment } from '../environment.ts'
import { readOrder, type Detail } from './read-order.ts'

type AnyOutcome = Outcome<unknown, Refused>

type RefusalIn<Result> = Extract<Result, Refused>

/** A call that changes an order by a verb with this outcome. Its contract must declare all that the verb refuses with. */
type OrderCall<Result> = {
  environment: StaffEnvironment
  path: { orderNumber: number }
  now: Date
  change: Change
  refuse: (code: RefusalIn<Result>['refused'] | 'order_not_found', detail?: string) => Refusal<string>
}

type LineCall<Result> = OrderCall<Result> & { path: { lineNumber: number } }

type ChangedOrder = Promise<{ status: 200; body: Detail }>

/** The partner's own clock dates the orders of a sandbox partner, also when staff change them. */
export async function orderChange(call: Pick<OrderCall<unknown>, 'environment' | 'path' | 'change'>): Promise<Change> {
  const { environment, path, change } = call
  if (!environment.partnerTime) return change
  const order = await environment.database.reads.row<{ partnerId: string | null }>(sql`
    select partner_id from orders where order_number = ${path.orderNumber}`)
  if (!order?.partnerId) return change
  return { ...change, now: await environment.partnerTime(order.partnerId, change.now) }
}

/**
 * Changes an order and answers with the changed order.
 * @param detail what to say of a refusal beyond the meaning of its code; by default the refusal's own `detail`
 */
export async function changedOrder<Result extends AnyOutcome>(
  call: OrderCall<NoInfer<Result>>,
  make: (change: Change) => Promise<Result>,
  detail: (refusal: RefusalIn<Result>) => string | undefined = ownDetail,
): ChangedOrder {
  const outcome = await make(await orderChange(call))
  if ('refused' in outcome) {
    const refusal = outcome as RefusalIn<Result>
    throw call.refuse(refusal.refused, detail(refusal))
  }
  const body = await readOrder(call.environment, call.path.orderNumber, call.now)
  // A reset of the sandbox may have removed the order since.
  if (!body) throw call.refuse('order_not_found')
  return { status: 200, body }
}

function ownDetail(refusal: Refused): string | undefined {
  return 'detail' in refusal ? String(refusal.detail) : undefined
}

/** The handler of a verb that changes an order. @param inputOf what the verb takes besides the order, from the call's body */
export function orderVerb<Result extends AnyOutcome, Input = undefined, Body = unknown>(
  verb: (tx: Transaction, change: Change, orderNumber: number, input: Input) => Promise<Result>,
  inputOf: (body: Body) => Input = () => undefined as Input,
) {
  return (call: OrderCall<Result> & { body: Body }): ChangedOrder => {
    const input = inputOf(call.body)
    return changedOrder(call, (change) =>
      call.environment.database.change((tx) => verb(tx, change, call.path.orderNumber, input)),
    )
  }
}

type LineVerb<Result, Input> = (
  tx: Transaction,
  change: Change,
  orderNumber: number,
  lineNumber: number,
  input: Input,
) => Promise<Result>

/** The handler of a verb that changes a line. @param inputOf what the verb takes besides the line, from the call's body */
export function lineVerb<Result extends AnyOutcome, Input = undefined, Body = unknown>(
  verb: LineVerb<Result, Input>,
  inputOf: (body: Body) => Input = () => undefined as Input,
) {
  return (call: LineCall<Result> & { body: Body }): ChangedOrder => {
    const { orderNumber, lineNumber } = call.path
    const input = inputOf(call.body)
    return changedOrder(call, (change) =>
      call.environment.database.change((tx) => verb(tx, change, orderNumber, lineNumber, input)),
    )
  }
}
