import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { createDivision as create } from '../../platform/customers/divisions.ts'
import type { divisions } from './contract.ts'

export function createDivision(database: Database): Handler<typeof divisions.createDivision> {
  return async ({ siteIds, body, change, refuse }) => {
    if (!siteIds.includes(body.siteId)) throw refuse('invalid_site_id')
    const division = { ...body, parentId: body.parentId ?? null }
    const created = await database.change((tx) => create(tx, change, division))
    if ('refused' in created) {
      switch (created.refused) {
        case 'division_not_usable':
          throw refuse('invalid_request', created.detail)
        case 'site_stores_addresses':
          throw refuse('division_create_requires_address')
        case 'parent_not_on_site':
        case 'division_parent_invalid':
        case 'division_code_conflict':
          throw refuse(created.refused)
        default:
          throw new Error(`without an address, a division was refused as ${created.refused}`)
      }
    }
    const { divisionId } = created.done
    return { status: 201, body: { divisionId }, headers: { location: `/v1/divisions/${divisionId}` } }
  }
}
