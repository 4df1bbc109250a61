import { sqlText } from '../../database/sql.ts'

/**
 * The lines that are still to be made or to ship, and the order in which they are worked on. All of it is about a row
 * `line` of order_line, in the words of its partial indexes: a condition in other words would not be served by them.
 */

/** Whether a line is still to be made or to ship. A line of a cancelled order is cancelled itself. */
export const isOpen = sqlText`line.cancelled_on is null and line.shipped_on is null
  and (line.shippable or line.production_status is distinct from 'COMPLETE')`

/** Whether `orders`, the order of the line, leaves it open: one that is completed goes on only with its reprints. */
export const orderGoesOn = sqlText`(orders.completed_on is null or line.record_kind = 'REWORK')`

/** The production status; `NOT_STARTED` for null, since lists look for several at once. */
export const statusKey = sqlText`coalesce(line.production_status, 'NOT_STARTED')`

/** By when a line must ship, or is expected to: its deadline, where it has one. */
export const dueOn = sqlText`coalesce(line.ship_by, line.estimated_ship_by)`

/** The same to sort by: a line without a date comes last. */
export const dueKey = sqlText`coalesce(line.ship_by, line.estimated_ship_by, 'infinity'::timestamptz)`

/** The place of the line's priority in `linePriorities`. */
export const priorityKey = sqlText`(case line.priority when 'RUSH' then 0 when 'HIGH' then 1 when 'NORMAL' then 2 else 3 end)`

/** The station that a line has reached, also while it is on hold there. */
export const station = sqlText`(case when line.production_status = 'ON_HOLD' then line.held_production_status
  else line.production_status end)`
