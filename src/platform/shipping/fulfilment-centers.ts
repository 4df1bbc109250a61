import { isDeepStrictEqual } from 'node:util'
import type { Queries, Transaction } from '../../database/database.ts'
import { sql, sqlText } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Done, Refused } from '../../vocabulary/outcome.ts'
import { regionProblem } from '../../vocabulary/region-problem.ts'
import { hasSubdivisions, postalCodeMatches, withRegionCodes } from '../../vocabulary/regions.ts'
import { nameFault } from '../../vocabulary/text.ts'
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
}

export type FulfilmentCenterRecord = FulfilmentCenter & { fulfilmentCenterId: number }

const columns = sqlText`fulfilment_center_id, name, country_code, state_code, postal_code, priceable`

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
    return 'The field postalCode must have the form of its country.'
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
    insert into fulfilment_center (name, country_code, state_code, postal_code, priceable)
    values (${center.name}, ${center.countryCode}, ${center.stateCode}, ${center.postalCode}, ${center.priceable})
    returning fulfilment_center_id`)
  const { fulfilmentCenterId } = created!
  await recordAudit(tx, change, {
    action: 'fulfilment_center.created',
    subject: { kind: 'fulfilment_center', id: fulfilmentCenterId },
    siteId: null,
    detail: center,
  })
  return { done: { fulfilmentCenterId, ...center } }
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
        postal_code = ${next.postalCode}, priceable = ${next.priceable}
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
