import type { Static } from 'typebox'
import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { columns } from '../../database/view.ts'
import type { Division } from './contract.ts'
import { divisionView } from './division-view.ts'

/** The division on one of the sites; undefined where there is none to be seen. */
export function readDivision(
  queries: Queries,
  siteIds: readonly number[],
  divisionId: number,
): Promise<Static<typeof Division> | undefined> {
  // Served by the primary key.
  return queries.row(sql`
    select ${columns(divisionView)} from division
    where division.division_id = ${divisionId} and division.site_id = any(${siteIds}::int[])`)
}
