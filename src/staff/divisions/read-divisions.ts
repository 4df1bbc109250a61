import type { Static } from 'typebox'
import type { Queries } from '../../database/database.ts'
import { nothing, sql, sqlText } from '../../database/sql.ts'
import { columns, jsonList, jsonObject, type View } from '../../database/view.ts'
import { divisionView } from '../../resources/divisions/division-view.ts'
import type { StaffDivision, StaffDivisionDetail } from './contract.ts'

/** Divisions as staff read them: what partners see, on every site, their position in the tree, and their address. */

// Served by division_by_parent and site_user_by_division.
const staffDivisionView: View<Static<typeof StaffDivision>> = {
  ...divisionView,
  divisionsBelow: `(
    select count(*)::int from division below
    where below.site_id = division.site_id and below.parent_id = division.division_id
  )`,
  usersInIt: `(
    select count(*)::int from site_user
    where site_user.site_id = division.site_id and site_user.division_id = division.division_id
  )`,
}

type Detail = Static<typeof StaffDivisionDetail>

const addressView: View<NonNullable<Detail['address']>> = {
  company: 'division.address_company',
  firstName: 'division.address_first_name',
  lastName: 'division.address_last_name',
  street: 'division.address_street',
  street2: 'division.address_street2',
  city: 'division.address_city',
  zip: 'division.address_zip',
  country: 'division.address_country',
  state: 'division.address_state',
}

/** Of `division`, and of `above`, what it stands under. */
const staffDivisionDetailView: View<Detail> = {
  ...staffDivisionView,
  above: jsonList<Detail['above'][number]>(
    { divisionId: 'above.division_id', name: 'above.name', code: 'above.code' },
    'from above where above.steps > 0',
    'above.steps desc',
  ),
  address: `case when num_nonnulls(${Object.values(addressView).join(', ')}) > 0 then ${jsonObject(addressView)} end`,
}

export type DivisionSearch = {
  siteId: number | undefined
  parentId: number | undefined
  root: boolean | undefined
  active: boolean | undefined
}

/** At most `limit` divisions after `afterId`, by id. */
export function findDivisions(
  queries: Queries,
  { siteId, parentId, root, active }: DivisionSearch,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<Static<typeof StaffDivision>[]> {
  return queries.rows(sql`
    select ${columns(staffDivisionView)} from division
    where division_id > ${afterId}
      ${siteId === undefined ? nothing : sqlText`and site_id = ${siteId}`}
      ${parentId === undefined ? nothing : sqlText`and parent_id = ${parentId}`}
      ${root === undefined ? nothing : sqlText`and (parent_id is null) = ${root}`}
      ${active === undefined ? nothing : sqlText`and active = ${active}`}
    order by division_id
    limit ${limit}`)
}

export function readStaffDivision(queries: Queries, divisionId: number): Promise<Detail | undefined> {
  return queries.row(sql`
    with recursive above as (
      select parent_id, 0 as steps, null::int as division_id, null::text as name, null::text as code
      from division where division_id = ${divisionId}
      union all
      select parent.parent_id, above.steps + 1, parent.division_id, parent.name, parent.code
      from above join division parent on parent.division_id = above.parent_id
    )
    select ${columns(staffDivisionDetailView)}
    from division where division.division_id = ${divisionId}`)
}
