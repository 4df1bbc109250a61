import { sql, type Sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { OrderPlan } from './plan-order.ts'

/**
 * The statements that take from stock what the lines need and write its movements, `lock` first; undefined where no line counts stock. Many
 * orders want the same variant's stock, so it is taken last, together with the commit, to keep the lock short. Rows are
 * locked by ascending id, so two transactions cannot deadlock, in a mode that does not conflict with the foreign keys
 * of order lines. Stock that may go below zero owes pieces, and its lines record how many; stock that may not violates
 * variant_stock_not_negative.
 */
export function stockToTake(
  placings: readonly { plan: OrderPlan; context: Change }[],
): { lock: Sql; take: Sql } | undefined {
  const needed = new Map<number, number>()
  for (const { variant, asked } of placings.flatMap(({ plan }) => plan.lines)) {
    if (variant) needed.set(variant.stockVariantId, (needed.get(variant.stockVariantId) ?? 0) + asked.quantity)
  }
  if (needed.size === 0) return undefined
  const orderNumbers = placings.map(({ plan }) => plan.numbers.orderNumber)
  const actors = placings.map(({ context }) => context.actor)
  const now = placings.at(-1)!.context.now
  const variantIds = [...needed.keys()]
  // Arrays are read from a select because a plan that can see how short they are looks cheaper than the cached one, so
  // PostgreSQL would plan anew each time.
  // The lock is a statement of its own: two statements that both lock and update can deadlock on a busy variant.
  return {
    lock: sql`
      select variant_id from variant where variant_id = any(array(select unnest(${variantIds}::int[])))
      order by variant_id
      for no key update`,
    take: sql`
      with taken as (
        update variant set stock_quantity = variant.stock_quantity - needed.quantity, updated_on = ${now}
        from unnest((select ${variantIds}::int[]), (select ${[...needed.values()]}::bigint[]))
          as needed(variant_id, quantity)
        where variant.variant_id = needed.variant_id and variant.stock_quantity is not null
        returning variant.variant_id, variant.stock_quantity as left_over
      ), share as (
        select order_line.order_number, order_line.line_number, order_line.quantity, taken.variant_id, taken.left_over,
          taken.left_over + coalesce(sum(order_line.quantity) over (partition by taken.variant_id
            order by order_line.order_number, order_line.line_number
            rows between 1 following and unbounded following), 0) as stock_after
        from taken
        join order_line on order_line.order_number = any(array(select unnest(${orderNumbers}::bigint[])))
          and order_line.stock_variant_id = taken.variant_id
      ), moved as (
        insert into stock_movement
          (variant_id, kind, pieces, stock_after, order_number, line_number, actor_kind, actor_id, moved_on)
        select share.variant_id, 'ORDERED', -share.quantity, share.stock_after, share.order_number, share.line_number,
          placed.actor_kind, placed.actor_id, ${now}
        from share
        join unnest((select ${orderNumbers}::bigint[]), (select ${actors.map(({ kind }) => kind)}::text[]),
          (select ${actors.map(({ id }) => id)}::text[])) as placed(order_number, actor_kind, actor_id) using (order_number)
        order by share.order_number, share.line_number
      )
      update order_line set backorder_quantity = greatest(least(-share.stock_after, share.quantity), 0)
      from share
      where share.left_over < 0
        and order_line.order_number = share.order_number and order_line.line_number = share.line_number`,
  }
}
