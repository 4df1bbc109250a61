import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import type { divisions } from './contract.ts'
import { readDivision } from './read-division.ts'

export function getDivision(database: Database): Handler<typeof divisions.getDivision> {
  return async ({ siteIds, path, refuse }) => {
    const division = await readDivision(database.reads, siteIds, path.divisionId)
    if (!division) throw refuse('division_not_found')
    return { status: 200, body: division }
  }
}
