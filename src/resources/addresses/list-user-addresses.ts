import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import type { addresses } from './contract.ts'
import { readUserAddresses } from './read-user-addresses.ts'

/** Whether the user exists is not asked: a user that cannot be seen has no addresses to be seen either (USR-17). */
export function listUserAddresses(database: Database): Handler<typeof addresses.listUserAddresses> {
  return async ({ siteIds, path, query, after, page }) => {
    const place = { afterId: Number(after?.[0] ?? 0), limit: query.limit + 1 }
    const found = await readUserAddresses(database.reads, siteIds, path.userId, place)
    const { rows, nextCursor } = page(found, ({ id }) => [id])
    return { status: 200, body: { addresses: rows, nextCursor } }
  }
}
