import { breaksConstraint, type Database, type Transaction } from '../../database/database.ts'
import { writtenTogether } from '../../database/written-together.ts'
import { Outage } from '../../vocabulary/outage.ts'
import type { Tracing } from '../../vocabulary/tracing.ts'
import { askOnce } from './ask-once.ts'
import { drawnCredit } from './credit-to-draw.ts'
import { discard, fetchArtwork, type FetchedFile } from './fetch-artwork.ts'
import type { OrderProblem, OrderRequest } from './order-request.ts'
import { planOrder, type PlannedLine, type Suppliers } from './plan-order.ts'
import { renderTemplates, templateToRender } from './render-templates.ts'
import { withTidyTexts } from './tidy-texts.ts'
import { stockToTake } from './take-stock.ts'
import { placedOrder, writeOrders, type PlacedOrder, type Placing, type PlacingContext } from './write-orders.ts'

/**
 * Places orders: one transaction takes the stock, draws the credit, and writes order, lines, shipments, event and audit
 * record; otherwise nothing is written and the answer gives the reasons. This folder inserts the rows of a new order;
 * `orders/` and its siblings own their changes. Orders that are ready at the same time share a transaction.
 */
export type OrderPlacer<Ticket, Outcome> = (
  request: OrderRequest,
  origin: PlacingOrigin,
  ticket: Ticket,
) => Promise<Placement<Outcome>>

/** Who places an order, and the time there: an order is dated when it is placed, not when that begins. */
export type PlacingOrigin = Omit<PlacingContext, 'now'> & { time: () => Promise<Date> }

export type Placement<Outcome> = { placed: Outcome } | { problems: OrderProblem[] }

const triesMax = 5
const changedMeanwhile = [
  'variant_stock_not_negative',
  'order_line_product_number_fkey',
  'order_line_variant_id_fkey',
  'orders_shipping_service_id_fkey',
  'shipment_shipping_service_id_fkey',
  'shipment_fulfilment_center_id_fkey',
]
/** One transaction at a time: the more orders collect while it runs, the less each of them costs. */
const groups = { groupMax: 24, atOnceMax: 1 }

export function orderPlacer<Ticket, Outcome>(parts: {
  database: Database
  tracing: Tracing
  suppliers: Suppliers
  /** further writes in the orders' transaction; answers the result for each order */
  alongside: (
    tx: Transaction,
    placed: readonly { ticket: Ticket; order: PlacedOrder; now: Date }[],
  ) => Promise<Outcome[]>
}): OrderPlacer<Ticket, Outcome> {
  const { database, tracing, suppliers } = parts
  const { objectStore } = suppliers.artwork

  type Ready = Omit<Placing, 'context'> & { origin: PlacingOrigin; ticket: Ticket }

  async function write(ready: readonly Ready[]): Promise<Outcome[]> {
    const placings = await Promise.all(
      ready.map(async ({ origin: { time, ...by }, ...rest }) => ({ ...rest, context: { ...by, now: await time() } })),
    )
    const placed = placings.map(({ plan, context, ticket }) => ({ ticket, order: placedOrder(plan), now: context.now }))
    const [first, ...others] = placings.map(({ context }) => context.traceContext ?? null)
    const traced = { kind: 'INTERNAL', name: 'place orders', parent: first!, others } as const
    return tracing.goOn(traced, () =>
      database.transaction(async (tx) => {
        const drawn = await Promise.all(placings.map((placing) => drawnCredit(tx, placing.plan, placing.context.now)))
        const [, outcomes] = await Promise.all([writeOrders(tx, placings, drawn), parts.alongside(tx, placed)])
        const stock = stockToTake(placings)
        if (stock) await Promise.all([tx.rows(stock.lock), tx.finish(stock.take)])
        return outcomes
      }),
    )
  }

  const writeTogether = writtenTogether(write, groups)

  /** Each order must see the balance that the order before it left, so orders that draw on credit are written alone. */
  async function writePlacing(placing: Ready): Promise<Outcome> {
    return placing.plan.facts.hasCredit ? (await write([placing]))[0]! : writeTogether(placing)
  }

  return async (submitted, origin, ticket) => {
    const request = withTidyTexts(submitted)
    const templateVendor = askOnce(suppliers.templateVendor)
    let files: FetchedFile[] | undefined
    let isKept = false
    try {
      for (let tries = triesMax; ;) {
        const planned = await planOrder(
          database.reads,
          { ...suppliers, templateVendor },
          origin.orderingUserId,
          request,
          await origin.time(),
        )
        if ('problems' in planned) return planned
        if (!files) {
          files = []
          const { lines } = planned.plan
          if (lines.some(hasFileToMake)) {
            // Files are made only for an order without other problems, and only once. Prices, stock and dates may have
            // changed meanwhile, so the order is planned again.
            const rendered = await renderTemplates(database.statements, { templateVendor, objectStore }, lines)
            if ('problems' in rendered) return rendered
            files = rendered.files
            const fetched = await fetchArtwork(database.statements, suppliers.artwork, lines)
            if ('problems' in fetched) return fetched
            files = [...files, ...fetched.files]
            continue
          }
        }
        try {
          const placed = await writePlacing({ plan: planned.plan, files, origin, ticket })
          isKept = true
          return { placed }
        } catch (error) {
          // If the connection is lost at the commit, the order may exist and need its files. If it does not exist, they
          // are strays.
          isKept = error instanceof Outage
          // Other orders took the last pieces after this one was planned, or staff deleted what it names. A new plan sees
          // what is left.
          if (--tries > 0 && changedMeanwhile.some((constraint) => breaksConstraint(error, constraint))) continue
          throw error
        }
      }
    } finally {
      if (!isKept) await discard(objectStore, files ?? [])
    }
  }
}

function hasFileToMake(line: PlannedLine): boolean {
  return line.asked.artworkUrl !== undefined || templateToRender(line) !== null
}
