import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { updateDivision as update } from '../../platform/customers/divisions.ts'
import type { divisions } from './contract.ts'
import { readDivision } from './read-division.ts'

export function updateDivision(database: Database): Handler<typeof divisions.updateDivision> {
  return async ({ siteIds, path, body, change, guarded, refuse }) => {
    const updated = await database.change(guarded((tx) => update(tx, change, siteIds, path.divisionId, body)))
    if ('refused' in updated) {
      if (updated.refused === 'division_not_usable') throw refuse('invalid_request', updated.detail)
      throw refuse(updated.refused === 'division_vanished' ? 'monolith_target_missing' : updated.refused)
    }
    const division = await readDivision(database.reads, siteIds, path.divisionId)
    if (!division) throw refuse('monolith_target_missing')
    return { status: 200, body: division }
  }
}
