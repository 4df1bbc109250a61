import type { Database } from '../../database/database.ts'
import * as accountsOf from './staff-accounts.ts'
import { foldForUniqueness } from '../../vocabulary/text.ts'
import type { StaffHandlers } from '../operation.ts'
import type { accounts } from './contract.ts'

export const accountHandlers: StaffHandlers<typeof accounts> = {
  listStaffAccounts: async ({ world, query, after, page }) => {
    const found = await accountsOf.listStaffAccounts(world.database.reads, {
      after: String(after?.[0] ?? ''),
      limit: query.limit + 1,
    })
    const { rows, nextCursor } = page(found, ({ username }) => [foldForUniqueness(username)])
    return { status: 200, body: { accounts: rows, nextCursor } }
  },
  createStaffAccount: async ({ world, body, change, refuse }) => {
    const created = await accountsOf.createStaffAccount(world.database, body, change)
    if ('refused' in created) throw refuse(created.refused)
    return { status: 201, body: await account(world.database, created.staffId) }
  },
  setStaffRoles: async ({ world, path, body, change, refuse }) => {
    const set = await accountsOf.setStaffRoles(world.database, path.staffId, body.roles, change)
    if ('refused' in set) throw refuse(set.refused)
    return { status: 200, body: await account(world.database, path.staffId) }
  },
  setStaffPassword: async ({ world, path, body, change, refuse }) => {
    const set = await accountsOf.setStaffPassword(world.database, path.staffId, body.password, null, change)
    if ('refused' in set) throw refuse(set.refused)
    return { status: 200, body: await account(world.database, path.staffId) }
  },
  disableStaffAccount: async ({ world, path, change, refuse }) => {
    const disabled = await accountsOf.disableStaffAccount(world.database, path.staffId, change)
    if ('refused' in disabled) throw refuse(disabled.refused)
    return { status: 200, body: await account(world.database, path.staffId) }
  },
  enableStaffAccount: async ({ world, path, change, refuse }) => {
    const enabled = await accountsOf.enableStaffAccount(world.database, path.staffId, change)
    if ('refused' in enabled) throw refuse(enabled.refused)
    return { status: 200, body: await account(world.database, path.staffId) }
  },
}

async function account(database: Database, staffId: string): Promise<accountsOf.StaffAccount> {
  // Accounts are never deleted.
  return (await accountsOf.readStaffAccount(database.reads, staffId))!
}
