import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import type { proofs } from './contract.ts'
import { denialReasonsOfVisibleLine } from './visible-line.ts'

export function listDenialReasons(database: Database): Handler<typeof proofs.listDenialReasons> {
  return async ({ siteIds, path, refuse }) => {
    const line = await denialReasonsOfVisibleLine(database.lists, siteIds, path)
    if (!line) throw refuse('order_item_not_found')
    return { status: 200, body: { ...path, reasons: line.reasons } }
  }
}
