import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { ProofStatus } from '../../vocabulary/statuses.ts'
import {
  type BusinessCalendar,
  cutOffHourDefault,
  leavesBy,
  turnaroundBusinessDaysDefault,
  usualWeek,
} from '../shipping/business-days.ts'
import type { LockedLine } from './change-line.ts'

type Key = Pick<LockedLine, 'orderNumber' | 'lineNumber'>

/**
 * Adds a record of production that makes pieces of a line anew. It has no SKU, takes no stock yet, and waits in prepress. The
 * caller holds the order's lock.
 * @param lineTotal what it is charged, taxed like the line; null = free of charge
 */
export async function addReworkLine(
  tx: Transaction,
  { orderNumber, lineNumber }: Key,
  {
    quantity,
    proofStatus,
    lineTotal,
    now,
  }: { quantity: number; proofStatus: ProofStatus | null; lineTotal: string | null; now: Date },
): Promise<{ lineNumber: number; estimatedShipBy: Date }> {
  const estimatedShipBy = await dueFrom(tx, { orderNumber, lineNumber }, now)
  const row = await tx.row<{ lineNumber: number }>(sql`
    insert into order_line (order_number, line_number, site_id, item_number, record_kind, product_number, product_id,
      product_name, product_code, variant_id, stock_variant_id, job_name, note, quantity, line_total, tax_percent,
      attributes, unit_weight_ounces, turnaround_business_days, estimated_ship_by, shippable, digital_delivery, artwork_source, template_variables,
      production_status, proof_status, backorder_quantity, fulfilment_center_id, priority, updated_on)
    select order_number, (select max(line_number) + 1 from order_line where order_number = ${orderNumber}), site_id,
      nextval('item_number_sequence'), 'REWORK', product_number, product_id, product_name, product_code, variant_id,
      stock_variant_id, job_name, note, ${quantity}, ${lineTotal}, tax_percent, attributes, unit_weight_ounces,
      turnaround_business_days, ${estimatedShipBy}, shippable, digital_delivery, artwork_source, template_variables, 'PREPRESS',
      ${proofStatus}, case when stock_variant_id is not null then 0 end, fulfilment_center_id, priority, ${now}
    from order_line where order_number = ${orderNumber} and line_number = ${lineNumber}
    returning line_number`)
  return { ...row!, estimatedShipBy }
}

/** By when a line leaves that is begun now, by the calendar of the plant that makes it. */
async function dueFrom(tx: Transaction, { orderNumber, lineNumber }: Key, now: Date): Promise<Date> {
  const row = await tx.row<{ calendar: BusinessCalendar; turnaroundBusinessDays: number | null }>(sql`
    select line.turnaround_business_days, json_build_object(
        'timeZone', coalesce(center.time_zone, site.time_zone),
        'countryCode', coalesce(center.country_code, site.country_code), 'stateCode', coalesce(center.state_code, ''),
        'cutOffHour', coalesce(center.cut_off_hour, ${cutOffHourDefault}),
        'cutOffHours', coalesce(center.cut_off_hours, ${JSON.stringify(usualWeek.cutOffHours)}::jsonb),
        'workingWeekdays', center.working_weekdays, 'closedDays', coalesce(center.closed_days, '{}'),
        'workingDays', coalesce(center.working_days, '{}')) as calendar
    from order_line line
    join orders using (order_number)
    join site on site.site_id = orders.site_id
    left join fulfilment_center center on center.fulfilment_center_id = line.fulfilment_center_id
    where line.order_number = ${orderNumber} and line.line_number = ${lineNumber}`)
  return leavesBy(row!.calendar, now, row!.turnaroundBusinessDays ?? turnaroundBusinessDaysDefault)
}
