import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import type { addresses } from './contract.ts'
import { readUserAddresses } from './read-user-addresses.ts'

/**
 * Does not check whether the user exists: the addresses of a user that the caller cannot see are not found either
 * (USR-17).
 */
export function listUserAddresses(database: Database): Handler<typeof addresses.listUserAddresses> {
  return async ({ siteIds, path, query, after, page }) => {
    const place = { afterId: Number(after?.[0] ?? 0), limit: query.limit + 1 }
    const found = await readUserAddresses(database.lists, siteIds, path.userId, place)
    const { rows, nextCursor } = page(found, ({ id }) => [id])
    return { status: 200, body: { addresses: rows, nextCursor } }
  }
}
