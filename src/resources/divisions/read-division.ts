import type { Static } from 'typebox'
import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Division } from './contract.ts'
import { divisionColumns, type DivisionRow, divisionView } from './division-view.ts'

/** The division on one of the sites; undefined where there is none to be seen. */
export async function readDivision(
  queries: Queries,
  siteIds: readonly number[],
  divisionId: number,
): Promise<Static<typeof Division> | undefined> {
  // Served by the primary key.
  const row = await queries.row<DivisionRow>(sql`
    select ${divisionColumns} from division
    where division.division_id = ${divisionId} and division.site_id = any(${siteIds}::int[])`)
  return row && divisionView(row)
}
