import type { Static } from 'typebox'
import type { Queries } from '../../database/database.ts'
import { nothing, sql, sqlText } from '../../database/sql.ts'
import type { DivisionAddress } from '../../platform/customers/division-address.ts'
import { divisionColumns, type DivisionRow, divisionView } from '../../resources/divisions/division-view.ts'
import type { StaffDivision, StaffDivisionDetail } from './contract.ts'

/** Divisions as staff read them: what partners see, on every site, their position in the tree, and their address. */

type CountedRow = DivisionRow & { divisionsBelow: number; usersInIt: number }

// Served by division_by_parent and site_user_by_division.
const countColumns = sqlText`
  (select count(*)::int from division below
   where below.site_id = division.site_id and below.parent_id = division.division_id) as divisions_below,
  (select count(*)::int from site_user
   where site_user.site_id = division.site_id and site_user.division_id = division.division_id) as users_in_it`

export type DivisionSearch = {
  siteId: number | undefined
  parentId: number | undefined
  root: boolean | undefined
  active: boolean | undefined
}

/** At most `limit` divisions after `afterId`, by id. */
export async function findDivisions(
  queries: Queries,
  { siteId, parentId, root, active }: DivisionSearch,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<Static<typeof StaffDivision>[]> {
  const rows = await queries.rows<CountedRow>(sql`
    select ${divisionColumns}, ${countColumns} from division
    where division_id > ${afterId}
      ${siteId === undefined ? nothing : sqlText`and site_id = ${siteId}`}
      ${parentId === undefined ? nothing : sqlText`and parent_id = ${parentId}`}
      ${root === undefined ? nothing : sqlText`and (parent_id is null) = ${root}`}
      ${active === undefined ? nothing : sqlText`and active = ${active}`}
    order by division_id
    limit ${limit}`)
  return rows.map(countedView)
}

type DetailRow = CountedRow & {
  above: { divisionId: number; name: string; code: string }[] | null
  address: Record<keyof DivisionAddress, string | null>
}

export async function readStaffDivision(
  queries: Queries,
  divisionId: number,
): Promise<Static<typeof StaffDivisionDetail> | undefined> {
  const row = await queries.row<DetailRow>(sql`
    with recursive above as (
      select parent_id, 0 as steps, null::int as division_id, null::text as name, null::text as code
      from division where division_id = ${divisionId}
      union all
      select parent.parent_id, above.steps + 1, parent.division_id, parent.name, parent.code
      from above join division parent on parent.division_id = above.parent_id
    )
    select ${divisionColumns}, ${countColumns}, (
        select json_agg(json_build_object('divisionId', division_id, 'name', name, 'code', code) order by steps desc)
        from above where steps > 0
      ) as above,
      json_build_object('company', address_company, 'firstName', address_first_name, 'lastName', address_last_name,
        'street', address_street, 'street2', address_street2, 'city', address_city, 'zip', address_zip,
        'country', address_country, 'state', address_state) as address
    from division where division.division_id = ${divisionId}`)
  return row && { ...countedView(row), above: row.above ?? [], address: addressOf(row.address) }
}

function countedView(row: CountedRow): Static<typeof StaffDivision> {
  return { ...divisionView(row), divisionsBelow: row.divisionsBelow, usersInIt: row.usersInIt }
}

function addressOf(address: DetailRow['address']): DetailRow['address'] | null {
  return Object.values(address).some((text) => text !== null) ? address : null
}
