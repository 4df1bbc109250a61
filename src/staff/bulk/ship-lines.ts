import type { Static } from 'typebox'
import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { ship } from '../../platform/shipments/ship.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Refused } from '../../vocabulary/outcome.ts'
import { expected, fatesOfLines, ordersAtOnce, unlessOutage, type BulkCall } from './each-line.ts'
import type { BulkLine } from './records.ts'

export type Parcel = { shipmentNumber: number; trackingNumber: string | null; weightOunces: string | null }

type Line = Static<typeof BulkLine>
/** A line with what of it waits in its open shipment; null = it has none. */
export type WaitingLine = Line & { waiting: { shipmentNumber: number; quantity: number } | null }

/** Where the lines wait to leave. All unshipped pieces of a line are in one open shipment. */
export async function findWaiting(queries: Queries, lines: readonly Line[]): Promise<WaitingLine[]> {
  // shipment_line_by_order
  const rows = await queries.rows<Line & { shipmentNumber: number; quantity: number }>(sql`
    select shipment_line.order_number, shipment_line.line_number, shipment_number, shipment_line.quantity
    from shipment_line join shipment using (shipment_number)
    where shipment_line.order_number = any(${lines.map((line) => line.orderNumber)}::bigint[]) and status = 'OPEN'`)
  return lines.map((line) => {
    const found = rows.find((row) => row.orderNumber === line.orderNumber && row.lineNumber === line.lineNumber)
    return { ...line, waiting: found ? { shipmentNumber: found.shipmentNumber, quantity: found.quantity } : null }
  })
}

/** Ships what waits of the lines, by shipment, each in one package. A line that cannot leave keeps no other back. */
export function shipLines(call: BulkCall, lines: readonly WaitingLine[], parcels: readonly Parcel[]) {
  return fatesOfLines(call, lines, ordersAtOnce, async (change, ofOrder) => {
    const fates = new Map<WaitingLine, { done: unknown } | Refused>()
    for (const [shipmentNumber, together] of Map.groupBy(ofOrder, ({ waiting }) => waiting?.shipmentNumber ?? null)) {
      if (shipmentNumber === null) {
        for (const line of together) fates.set(line, await withoutShipment(call, line))
      } else {
        const parcel = parcels.find((each) => each.shipmentNumber === shipmentNumber)
        for (const [line, fate] of await shipTogether(call, change, shipmentNumber, together, parcel))
          fates.set(line, fate)
      }
    }
    return ofOrder.map((line) => fates.get(line)!)
  })
}

async function shipTogether(
  { environment }: BulkCall,
  change: Change,
  shipmentNumber: number,
  together: readonly WaitingLine[],
  parcel: Parcel | undefined,
): Promise<Map<WaitingLine, { done: unknown } | Refused>> {
  const fates = new Map<WaitingLine, { done: unknown } | Refused>()
  const { trackingNumber = null, weightOunces = null } = parcel ?? {}
  let left = [...together]
  while (left.length > 0) {
    const { orderNumber } = left[0]!
    const items = left.map(({ lineNumber, waiting }) => ({ lineNumber, quantity: waiting!.quantity }))
    const leaving = left
    const outcome = await unlessOutage(
      environment.database.change(async (tx) => {
        for (const line of leaving) {
          const moved = await expected(tx, line)
          if (moved) return { ...moved, lineNumber: line.lineNumber }
        }
        return ship(tx, change, orderNumber, shipmentNumber, { items, packages: [{ trackingNumber, weightOunces }] })
      }),
    )
    const stopped =
      'refused' in outcome && 'lineNumber' in outcome
        ? left.filter(({ lineNumber }) => lineNumber === outcome.lineNumber)
        : left
    for (const line of stopped) fates.set(line, outcome)
    left = left.filter((line) => !stopped.includes(line))
  }
  return fates
}

/** Why a line has no open shipment. */
async function withoutShipment({ environment }: BulkCall, { orderNumber, lineNumber }: Line): Promise<Refused> {
  const line = await environment.database.statements.row<{ orderExists: boolean; lineExists: boolean }>(sql`
    select exists (select from orders where order_number = ${orderNumber}) as order_exists,
      exists (select from order_line where order_number = ${orderNumber} and line_number = ${lineNumber}) as line_exists`)
  if (!line!.orderExists) return { refused: 'order_not_found' }
  return { refused: line!.lineExists ? 'no_open_shipment' : 'line_not_found' }
}
