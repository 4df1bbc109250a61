import { isDeepStrictEqual } from 'node:util'
import type { Queries, Transaction } from '../../database/database.ts'
import { sql, sqlText } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { inUse, type InUse, namesCountedMax } from '../../vocabulary/named-by.ts'
import type { Done, Refused } from '../../vocabulary/outcome.ts'
import { regionProblem } from '../../vocabulary/region-problem.ts'
import { hasSubdivisions, postalCodeMatches, postalCodeRule, withRegionCodes } from '../../vocabulary/regions.ts'
import { nameFault } from '../../vocabulary/text.ts'
import type { Weekday } from '../../vocabulary/weekdays.ts'
import { isTimeZone } from '../sites/site-settings.ts'
import { recordAudit } from '../audit/audit.ts'

/** Fulfilment centers make goods and ship them. */
export type FulfilmentCenter = {
  name: string
  countryCode: string
  /** the part of the ISO 3166-2 code after the hyphen; '' where the country has none */
  stateCode: string
  postalCode: string
  /** null = not known: labels of carriers cannot be bought for what leaves from here */
  address: CenterAddress | null
  /** false: no carrier contract, so nothing leaving from here can be priced */
  priceable: boolean
  /** IANA name */
  timeZone: string
  /** hour of the local day by which that day's goods have left; orders from then on count as the next day's */
  cutOffHour: number
  /** of weekdays that have another cut-off hour */
  cutOffHours: Partial<Record<Weekday, number>>
  /** null = those that are usual in its country */
  workingWeekdays: Weekday[] | null
}

/** Where a center stands within its place, as carriers want it of a sender. */
export type CenterAddress = { address1: string; address2: string | null; city: string; phone: string | null }

export type FulfilmentCenterRecord = FulfilmentCenter & {
  fulfilmentCenterId: number
  /** on which it does not work, beside weekends and public holidays; ascending, as `2026-12-24` */
  closedDays: string[]
  /** on which it works, though they are a free weekday or a public holiday; ascending */
  workingDays: string[]
  /** null = it is not archived */
  archivedOn: string | null
}

const columns = sqlText`fulfilment_center_id, name, country_code, state_code, postal_code, address, priceable,
  time_zone, cut_off_hour, cut_off_hours, working_weekdays,
  closed_days::text[] as closed_days, working_days::text[] as working_days,
  archived_on`

/** By id. */
export function fulfilmentCenters(queries: Queries): Promise<FulfilmentCenterRecord[]> {
  return queries.rows<FulfilmentCenterRecord>(sql`
    select ${columns} from fulfilment_center order by fulfilment_center_id`)
}

export function readFulfilmentCenter(
  queries: Queries,
  fulfilmentCenterId: number,
): Promise<FulfilmentCenterRecord | undefined> {
  return queries.row<FulfilmentCenterRecord>(sql`
    select ${columns} from fulfilment_center where fulfilment_center_id = ${fulfilmentCenterId}`)
}

function centerProblem(center: FulfilmentCenter): string | undefined {
  const wrong =
    nameFault('name', center.name, 200) ??
    regionProblem(center.countryCode, center.stateCode === '' ? null : center.stateCode)
  if (wrong) return wrong
  if (center.stateCode === '' && hasSubdivisions(center.countryCode))
    return 'The field stateCode is required in this country.'
  if (!postalCodeMatches(center.countryCode, center.postalCode, center.stateCode))
    return `The field postalCode must be ${postalCodeRule(center.countryCode, center.stateCode)}.`
  const unusable = center.address && addressFault(center.address)
  if (unusable) return unusable
  if (center.workingWeekdays?.length === 0) return 'The field workingWeekdays must name a weekday, or be null.'
  if (!isTimeZone(center.timeZone)) return 'The field timeZone must be an IANA name such as America/New_York.'
  return undefined
}

function addressFault({ address1, address2, city, phone }: CenterAddress): string | undefined {
  return (
    nameFault('address.address1', address1, 100) ??
    (address2 === null ? undefined : nameFault('address.address2', address2, 100)) ??
    nameFault('address.city', city, 100) ??
    (phone === null ? undefined : nameFault('address.phone', phone, 30))
  )
}

type NotUsable = Refused<'fulfilment_center_not_usable'> & { detail: string }

export async function createFulfilmentCenter(
  tx: Transaction,
  change: Change,
  wish: FulfilmentCenter,
): Promise<Done<FulfilmentCenterRecord> | NotUsable> {
  const center = withRegionCodes(wish)
  const detail = centerProblem(center)
  if (detail) return { refused: 'fulfilment_center_not_usable', detail }
  const created = await tx.row<{ fulfilmentCenterId: number }>(sql`
    insert into fulfilment_center (name, country_code, state_code, postal_code, address, priceable, time_zone, cut_off_hour,
      cut_off_hours, working_weekdays)
    values (${center.name}, ${center.countryCode}, ${center.stateCode}, ${center.postalCode}, ${center.address}, ${center.priceable},
      ${center.timeZone}, ${center.cutOffHour}, ${center.cutOffHours}, ${center.workingWeekdays}::text[])
    returning fulfilment_center_id`)
  const { fulfilmentCenterId } = created!
  await recordAudit(tx, change, {
    action: 'fulfilment_center.created',
    subject: { kind: 'fulfilment_center', id: fulfilmentCenterId },
    siteId: null,
    detail: center,
  })
  return { done: { fulfilmentCenterId, ...center, closedDays: [], workingDays: [], archivedOn: null } }
}

export async function changeFulfilmentCenter(
  tx: Transaction,
  change: Change,
  fulfilmentCenterId: number,
  wish: Partial<FulfilmentCenter>,
): Promise<Done<FulfilmentCenterRecord> | NotUsable | Refused<'fulfilment_center_not_found'>> {
  const current = await lockCenter(tx, fulfilmentCenterId)
  if (!current) return { refused: 'fulfilment_center_not_found' }
  const next = withRegionCodes({ ...current, ...wish })
  const detail = centerProblem(next)
  if (detail) return { refused: 'fulfilment_center_not_usable', detail }
  if (isDeepStrictEqual(next, current)) return { done: current }
  await Promise.all([
    tx.rows(sql`
      update fulfilment_center
      set name = ${next.name}, country_code = ${next.countryCode}, state_code = ${next.stateCode},
        postal_code = ${next.postalCode}, address = ${next.address}, priceable = ${next.priceable}, time_zone = ${next.timeZone},
        cut_off_hour = ${next.cutOffHour}, cut_off_hours = ${next.cutOffHours},
        working_weekdays = ${next.workingWeekdays}::text[]
      where fulfilment_center_id = ${fulfilmentCenterId}`),
    recordAudit(tx, change, {
      action: 'fulfilment_center.updated',
      subject: { kind: 'fulfilment_center', id: fulfilmentCenterId },
      siteId: null,
      detail: { before: current, after: next },
    }),
  ])
  return { done: next }
}

export const daysMax = 1_000

type Replaced<Code extends string> =
  | Done<FulfilmentCenterRecord>
  | Refused<'fulfilment_center_not_found'>
  | (Refused<Code> & { detail: string })

/** Replaces the days on which a center does not work. Estimates of later orders count without them. */
export async function replaceClosedDays(
  tx: Transaction,
  change: Change,
  fulfilmentCenterId: number,
  days: readonly string[],
): Promise<Replaced<'closed_days_not_usable'>> {
  const detail = dayProblem('A closed day', days)
  if (detail) return { refused: 'closed_days_not_usable', detail }
  const current = await lockCenter(tx, fulfilmentCenterId)
  if (!current) return { refused: 'fulfilment_center_not_found' }
  const closedDays = [...new Set(days)].toSorted()
  const both = closedDays.find((day) => current.workingDays.includes(day))
  if (both) return { refused: 'closed_days_not_usable', detail: `The day ${both} is one of its working days.` }
  await Promise.all([
    tx.rows(sql`
      update fulfilment_center set closed_days = ${closedDays}::date[]
      where fulfilment_center_id = ${fulfilmentCenterId}`),
    recordAudit(tx, change, {
      action: 'fulfilment_center.closed_days_replaced',
      subject: { kind: 'fulfilment_center', id: fulfilmentCenterId },
      siteId: null,
      detail: { before: current.closedDays, after: closedDays },
    }),
  ])
  return { done: { ...current, closedDays } }
}

/** Replaces the free weekdays and public holidays on which a center works all the same. */
export async function replaceWorkingDays(
  tx: Transaction,
  change: Change,
  fulfilmentCenterId: number,
  days: readonly string[],
): Promise<Replaced<'working_days_not_usable'>> {
  const detail = dayProblem('A working day', days)
  if (detail) return { refused: 'working_days_not_usable', detail }
  const current = await lockCenter(tx, fulfilmentCenterId)
  if (!current) return { refused: 'fulfilment_center_not_found' }
  const workingDays = [...new Set(days)].toSorted()
  const both = workingDays.find((day) => current.closedDays.includes(day))
  if (both) return { refused: 'working_days_not_usable', detail: `The day ${both} is one of its closed days.` }
  await Promise.all([
    tx.rows(sql`
      update fulfilment_center set working_days = ${workingDays}::date[]
      where fulfilment_center_id = ${fulfilmentCenterId}`),
    recordAudit(tx, change, {
      action: 'fulfilment_center.working_days_replaced',
      subject: { kind: 'fulfilment_center', id: fulfilmentCenterId },
      siteId: null,
      detail: { before: current.workingDays, after: workingDays },
    }),
  ])
  return { done: { ...current, workingDays } }
}

/** Deletes a center that nothing names, with its zones. */
export async function deleteFulfilmentCenter(
  tx: Transaction,
  change: Change,
  fulfilmentCenterId: number,
): Promise<Done | Refused<'fulfilment_center_not_found'> | InUse> {
  const center = await tx.row<{ name: string }>(sql`
    select name from fulfilment_center where fulfilment_center_id = ${fulfilmentCenterId} for update`)
  if (!center) return { refused: 'fulfilment_center_not_found' }
  const named = await tx.row<Record<string, number>>(sql`
    select
      (select count(*)::int from product where fulfilment_center_id = ${fulfilmentCenterId}) as "product",
      (select count(*)::int from (
        select from order_line where fulfilment_center_id = ${fulfilmentCenterId} limit ${namesCountedMax}::int) one)
        as "order line",
      (select count(*)::int from (
        select from shipment where fulfilment_center_id = ${fulfilmentCenterId} limit ${namesCountedMax}::int) one)
        as "shipment"`)
  const used = inUse(named!)
  if (used) return used
  await Promise.all([
    tx.rows(sql`delete from shipping_zone where fulfilment_center_id = ${fulfilmentCenterId}`),
    tx.rows(sql`delete from fulfilment_center where fulfilment_center_id = ${fulfilmentCenterId}`),
    recordAudit(tx, change, {
      action: 'fulfilment_center.deleted',
      subject: { kind: 'fulfilment_center', id: fulfilmentCenterId },
      siteId: null,
      detail: center,
    }),
  ])
  return { done: {} }
}

/** Archives a center at which no active product is made, or brings it back. Lists leave archived ones out. */
export async function archiveFulfilmentCenter(
  tx: Transaction,
  change: Change,
  fulfilmentCenterId: number,
  archived: boolean,
): Promise<
  | Done<FulfilmentCenterRecord>
  | Refused<'fulfilment_center_not_found'>
  | (Refused<'products_made_here'> & { detail: string })
> {
  // Against products that are about to name it.
  await tx.rows(sql`
    select from fulfilment_center where fulfilment_center_id = ${fulfilmentCenterId} for update`)
  const current = await lockCenter(tx, fulfilmentCenterId)
  if (!current) return { refused: 'fulfilment_center_not_found' }
  if ((current.archivedOn !== null) === archived) return { done: current }
  const made = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from product where fulfilment_center_id = ${fulfilmentCenterId} and active`)
  if (archived && made!.count > 0) {
    const products = made!.count === 1 ? '1 active product is' : `${made!.count} active products are`
    return { refused: 'products_made_here', detail: `Still ${products} made there.` }
  }
  const archivedOn = archived ? change.now : null
  await Promise.all([
    tx.rows(sql`
      update fulfilment_center set archived_on = ${archivedOn} where fulfilment_center_id = ${fulfilmentCenterId}`),
    recordAudit(tx, change, {
      action: archived ? 'fulfilment_center.archived' : 'fulfilment_center.restored',
      subject: { kind: 'fulfilment_center', id: fulfilmentCenterId },
      siteId: null,
    }),
  ])
  return { done: { ...current, archivedOn: archivedOn && archivedOn.toISOString() } }
}

function lockCenter(tx: Transaction, fulfilmentCenterId: number): Promise<FulfilmentCenterRecord | undefined> {
  return tx.row<FulfilmentCenterRecord>(sql`
    select ${columns} from fulfilment_center where fulfilment_center_id = ${fulfilmentCenterId} for no key update`)
}

function dayProblem(noun: string, days: readonly string[]): string | undefined {
  const wrong = days.find((day) => !isDay(day))
  if (wrong === undefined) return undefined
  return `${noun} is a day of the calendar, written as 2026-12-24. This one is not: ${JSON.stringify(wrong)}.`
}

/** Whether a text is a day of the calendar, as `2026-12-24`. */
export function isDay(text: string): boolean {
  if (!/^[12]\d{3}-\d{2}-\d{2}$/.test(text)) return false
  try {
    return Temporal.PlainDate.from(text).toString() === text
  } catch {
    return false
  }
}
