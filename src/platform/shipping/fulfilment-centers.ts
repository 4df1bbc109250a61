import { isDeepStrictEqual } from 'node:util'
import type { Queries, Transaction } from '../../database/database.ts'
import { sql, sqlText } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Done, Refused } from '../../vocabulary/outcome.ts'
import { regionProblem } from '../../vocabulary/region-problem.ts'
import { hasSubdivisions, postalCodeMatches, postalCodeRule, withRegionCodes } from '../../vocabulary/regions.ts'
import { nameFault } from '../../vocabulary/text.ts'
import { isTimeZone } from '../sites/site-settings.ts'
import { recordAudit } from '../audit/audit.ts'

/** Fulfilment centers make goods and ship them. */
export type FulfilmentCenter = {
  name: string
  countryCode: string
  /** the part of the ISO 3166-2 code after the hyphen; '' where the country has none */
  stateCode: string
  postalCode: string
  /** false: no carrier contract, so nothing leaving from here can be priced */
  priceable: boolean
  /** IANA name */
  timeZone: string
  /** hour of the local day by which that day's goods have left; orders from then on count as the next day's */
  cutOffHour: number
}

export type FulfilmentCenterRecord = FulfilmentCenter & {
  fulfilmentCenterId: number
  /** on which it does not work, beside weekends and public holidays; ascending, as `2026-12-24` */
  closedDays: string[]
}

const columns = sqlText`fulfilment_center_id, name, country_code, state_code, postal_code, priceable,
  time_zone, cut_off_hour, closed_days::text[] as closed_days`

/** By id. */
export function fulfilmentCenters(queries: Queries): Promise<FulfilmentCenterRecord[]> {
  return queries.rows<FulfilmentCenterRecord>(sql`
    select ${columns} from fulfilment_center order by fulfilment_center_id`)
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
  if (!isTimeZone(center.timeZone)) return 'The field timeZone must be an IANA name such as America/New_York.'
  return undefined
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
    insert into fulfilment_center (name, country_code, state_code, postal_code, priceable, time_zone, cut_off_hour)
    values (${center.name}, ${center.countryCode}, ${center.stateCode}, ${center.postalCode}, ${center.priceable},
      ${center.timeZone}, ${center.cutOffHour})
    returning fulfilment_center_id`)
  const { fulfilmentCenterId } = created!
  await recordAudit(tx, change, {
    action: 'fulfilment_center.created',
    subject: { kind: 'fulfilment_center', id: fulfilmentCenterId },
    siteId: null,
    detail: center,
  })
  return { done: { fulfilmentCenterId, ...center, closedDays: [] } }
}

export async function changeFulfilmentCenter(
  tx: Transaction,
  change: Change,
  fulfilmentCenterId: number,
  wish: Partial<FulfilmentCenter>,
): Promise<Done<FulfilmentCenterRecord> | NotUsable | Refused<'fulfilment_center_not_found'>> {
  const current = await tx.row<FulfilmentCenterRecord>(sql`
    select ${columns} from fulfilment_center where fulfilment_center_id = ${fulfilmentCenterId} for no key update`)
  if (!current) return { refused: 'fulfilment_center_not_found' }
  const next = withRegionCodes({ ...current, ...wish })
  const detail = centerProblem(next)
  if (detail) return { refused: 'fulfilment_center_not_usable', detail }
  if (isDeepStrictEqual(next, current)) return { done: current }
  await Promise.all([
    tx.rows(sql`
      update fulfilment_center
      set name = ${next.name}, country_code = ${next.countryCode}, state_code = ${next.stateCode},
        postal_code = ${next.postalCode}, priceable = ${next.priceable}, time_zone = ${next.timeZone},
        cut_off_hour = ${next.cutOffHour}
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

export const closedDaysMax = 1_000

/** Replaces the days on which a center does not work. Estimates of later orders count without them. */
export async function replaceClosedDays(
  tx: Transaction,
  change: Change,
  fulfilmentCenterId: number,
  days: readonly string[],
): Promise<
  | Done<FulfilmentCenterRecord>
  | Refused<'fulfilment_center_not_found'>
  | (Refused<'closed_days_not_usable'> & { detail: string })
> {
  const wrong = days.find((day) => !isDay(day))
  if (wrong !== undefined) {
    const detail = `A closed day is a day of the calendar, written as 2026-12-24. This one is not: ${JSON.stringify(wrong)}.`
    return { refused: 'closed_days_not_usable', detail }
  }
  const closedDays = [...new Set(days)].toSorted()
  const current = await tx.row<FulfilmentCenterRecord>(sql`
    select ${columns} from fulfilment_center where fulfilment_center_id = ${fulfilmentCenterId} for no key update`)
  if (!current) return { refused: 'fulfilment_center_not_found' }
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

function isDay(text: string): boolean {
  if (!/^[12]\d{3}-\d{2}-\d{2}$/.test(text)) return false
  try {
    return Temporal.PlainDate.from(text).toString() === text
  } catch {
    return false
  }
}
