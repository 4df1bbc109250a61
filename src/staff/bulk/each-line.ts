import type { Static } from 'typebox'
import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { expectStatus } from '../../platform/lines/expect-status.ts'
import { someAtOnce } from '../../platform/ordering/some-at-once.ts'
import type { Change } from '../../vocabulary/change.ts'
import { Outage } from '../../vocabulary/outage.ts'
import type { Done, Refused } from '../../vocabulary/outcome.ts'
import type { OrderStatus, ProductionStatus } from '../../vocabulary/statuses.ts'
import type { StaffEnvironment } from '../environment.ts'
import { orderChange } from '../orders/change-order.ts'
import { sharedStaffProblems } from '../problems.ts'
import { bulkProblems, type BulkLine, type LineOutcome, type OrderOutcome } from './records.ts'

/**
 * Does one thing to many lines or orders by the verb of the single operation. Each is a transaction of its own, so that its
 * locks are short and one refusal stops no other.
 */

export type BulkCall = { environment: StaffEnvironment; change: Change }

type Line = Static<typeof BulkLine>
type Key = Pick<Line, 'orderNumber' | 'lineNumber'>

/** What became of one line or order. */
type Fate = Done<unknown> | (Refused & { detail?: unknown })

/** Orders under way at once; the lines of one order follow each other. */
export const ordersAtOnce = 4

/** The lines by order, both ascending: the order in which two calls about the same lines meet them. */
function byOrder<Of extends Key>(lines: readonly Of[]): [orderNumber: number, lines: Of[]][] {
  const sorted = lines.toSorted((a, b) => a.orderNumber - b.orderNumber || a.lineNumber - b.lineNumber)
  return [...Map.groupBy(sorted, (line) => line.orderNumber)]
}

/** Calls a verb for each line, in a transaction that begins with the look whether the line is as the person saw it. */
export function eachLine(
  call: BulkCall,
  lines: readonly Line[],
  verb: (tx: Transaction, change: Change, orderNumber: number, lineNumber: number) => Promise<Fate>,
) {
  return eachLineOf(call, lines, ordersAtOnce, (change, line) =>
    call.environment.database.change(async (tx) => {
      const moved = await expected(tx, line)
      return moved ?? verb(tx, change, line.orderNumber, line.lineNumber)
    }),
  )
}

/** The same for a verb with transactions of its own. */
export async function eachLineOf(
  call: BulkCall,
  lines: readonly Line[],
  atOnce: number,
  verb: (change: Change, line: Line) => Promise<Fate>,
) {
  return fatesOfLines(call, lines, atOnce, async (change, ofOrder) => {
    const fates: Fate[] = []
    for (const line of ofOrder) fates.push(await unlessOutage(verb(change, line)))
    return fates
  })
}

/**
 * What became of the lines, in the order in which they were sent.
 * @param work what becomes of each of the lines of one order
 */
export async function fatesOfLines<Of extends Line>(
  call: BulkCall,
  lines: readonly Of[],
  atOnce: number,
  work: (change: Change, lines: readonly Of[]) => Promise<Fate[]>,
) {
  const fates = new Map<Of, Fate>()
  await someAtOnce(byOrder(lines), atOnce, async ([orderNumber, ofOrder]) => {
    const found = await work(await orderChange({ ...call, path: { orderNumber } }), ofOrder)
    ofOrder.forEach((line, index) => fates.set(line, found[index]!))
  })
  const statuses = await productionStatuses(call.environment, lines)
  const shown = lines.map((line): LineOutcome => ({
    orderNumber: line.orderNumber,
    lineNumber: line.lineNumber,
    ...told(fates.get(line)!),
    productionStatus: statuses.get(keyOf(line)) ?? null,
  }))
  return { status: 200 as const, body: { lines: shown, ...counted(shown) } }
}

/** Calls a verb for each order. */
export async function eachOrder(
  call: BulkCall,
  orderNumbers: readonly number[],
  verb: (tx: Transaction, change: Change, orderNumber: number) => Promise<Fate>,
) {
  const { database } = call.environment
  const sorted = orderNumbers.toSorted((a, b) => a - b)
  const fates = await someAtOnce(sorted, ordersAtOnce, async (orderNumber) => {
    const change = await orderChange({ ...call, path: { orderNumber } })
    return unlessOutage(database.change((tx) => verb(tx, change, orderNumber)))
  })
  const rows = await database.statements.rows<{ orderNumber: number; status: OrderStatus }>(sql`
    select order_number, status from orders where order_number = any(${orderNumbers}::bigint[])`)
  const statuses = new Map(rows.map((row) => [row.orderNumber, row.status]))
  const shown = orderNumbers.map((orderNumber): OrderOutcome => ({
    orderNumber,
    ...told(fates[sorted.indexOf(orderNumber)]!),
    status: statuses.get(orderNumber) ?? null,
  }))
  return { status: 200 as const, body: { orders: shown, ...counted(shown) } }
}

/** The refusal of a line that has moved on since the person saw it. */
export function expected(tx: Transaction, { orderNumber, lineNumber, expects }: Line): Promise<Refused | undefined> {
  return expectStatus(tx, orderNumber, lineNumber, expects)
}

/** An outage in the middle must not hide what has been done before it. */
export async function unlessOutage<Result>(work: Promise<Result>): Promise<Result | Refused> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Outage)) throw error
    return { refused: error.of === 'audit' ? 'audit_unavailable' : 'service_unavailable' }
  }
}

function told(fate: Fate): { done: boolean; code: string | null; detail: string | null } {
  if ('done' in fate) return { done: true, code: null, detail: null }
  const meanings: Readonly<Record<string, readonly [number, string]>> = { ...sharedStaffProblems, ...bulkProblems }
  const meaning = meanings[fate.refused]
  if (!meaning) throw new Error(`a bulk verb refuses with ${fate.refused}, whose meaning nobody says`)
  return { done: false, code: fate.refused, detail: typeof fate.detail === 'string' ? fate.detail : meaning[1] }
}

function counted(outcomes: readonly { done: boolean }[]): { done: number; refused: number } {
  const done = outcomes.filter((outcome) => outcome.done).length
  return { done, refused: outcomes.length - done }
}

async function productionStatuses({ database }: StaffEnvironment, lines: readonly Key[]) {
  const rows = await database.statements.rows<Key & { productionStatus: ProductionStatus | null }>(sql`
    select order_number, line_number, production_status
    from unnest(${lines.map((line) => line.orderNumber)}::bigint[], ${lines.map((line) => line.lineNumber)}::int[])
      as asked(order_number, line_number)
    join order_line using (order_number, line_number)`)
  return new Map(rows.map((row) => [keyOf(row), row.productionStatus]))
}

function keyOf({ orderNumber, lineNumber }: Key): string {
  return `${orderNumber}/${lineNumber}`
}
