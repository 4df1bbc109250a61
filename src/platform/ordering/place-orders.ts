import { breaksConstraint, type Database, type Transaction } from '../../database/database.ts'
import { writtenTogether } from '../../database/written-together.ts'
import { Outage } from '../../vocabulary/outage.ts'
import { discard, fetchArtwork, type FetchedFile } from './fetch-artwork.ts'
import type { OrderProblem, OrderRequest } from './order-request.ts'
import { planOrder, type Suppliers } from './plan-order.ts'
import { takeStock } from './take-stock.ts'
import {
  drawCredit,
  placedOrder,
  writeOrders,
  type PlacedOrder,
  type Placing,
  type PlacingContext,
} from './write-orders.ts'

/**
 * Makes orders real: stock taken, credit drawn, order, lines, shipments, event and audit record in one transaction, or
 * nothing at all and the reasons. It owns the rows of a new order; their later life is production's. Orders that are
 * ready at the same time share a transaction.
 */
export type OrderPlacer<Ticket, Outcome> = (
  request: OrderRequest,
  context: PlacingContext,
  ticket: Ticket,
) => Promise<Placement<Outcome>>

export type Placement<Outcome> = { placed: Outcome } | { problems: OrderProblem[] }

const triesMax = 5
/** One transaction at a time: the larger the group that gathers behind it, the less work each order is. */
const groups = { groupMax: 24, atOnceMax: 1 }

export function orderPlacer<Ticket, Outcome>(parts: {
  database: Database
  suppliers: Suppliers
  /** writes what else belongs into the orders' transaction, once they are written; answers what becomes of each */
  alongside: (
    tx: Transaction,
    placed: readonly { ticket: Ticket; order: PlacedOrder; now: Date }[],
  ) => Promise<Outcome[]>
}): OrderPlacer<Ticket, Outcome> {
  const { database, suppliers } = parts

  type Ticketed = Placing & { ticket: Ticket }

  function write(placings: readonly Ticketed[]): Promise<Outcome[]> {
    const placed = placings.map(({ plan, context, ticket }) => ({ ticket, order: placedOrder(plan), now: context.now }))
    return database.transaction(async (tx) => {
      const drawn = await Promise.all(placings.map((placing) => drawCredit(tx, placing)))
      const [, outcomes] = await Promise.all([writeOrders(tx, placings, drawn), parts.alongside(tx, placed)])
      await takeStock(tx, placings)
      return outcomes
    })
  }

  const writeTogether = writtenTogether(write, groups)

  /** What one order leaves on a credit account the next must see: orders that draw on one are written alone. */
  async function writePlacing(placing: Ticketed): Promise<Outcome> {
    return placing.plan.facts.hasCredit ? (await write([placing]))[0]! : writeTogether(placing)
  }

  return async (request, context, ticket) => {
    let files: FetchedFile[] | undefined
    let isKept = false
    try {
      for (let tries = triesMax; ; tries--) {
        const planned = await planOrder(database.reads, suppliers, context.orderingUserId, request, context.now)
        if ('problems' in planned) return planned
        // Fetched for an order that stands in every other respect, and once however often it is planned.
        const fetched = files ? { files } : await fetchArtwork(database.statements, suppliers.artwork, request.lines)
        if ('problems' in fetched) return fetched
        files = fetched.files
        try {
          const placed = await writePlacing({ plan: planned.plan, files, context, ticket })
          isKept = true
          return { placed }
        } catch (error) {
          // A connection lost at the commit leaves open whether the order is there: its files must be, then. If it is not,
          // they are strays.
          isKept = error instanceof Outage
          // Others took the last pieces since the plan: a new plan sees what is left, and says so if it is too little.
          if (tries > 1 && breaksConstraint(error, 'variant_stock_not_negative')) continue
          throw error
        }
      }
    } finally {
      if (!isKept) await discard(suppliers.artwork.objectStore, files ?? [])
    }
  }
}
