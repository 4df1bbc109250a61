import * as accountsOf from './staff-accounts.ts'
import { foldForUniqueness } from '../../vocabulary/text.ts'
import { makeChange } from '../make-change.ts'
import type { StaffHandlers } from '../operation.ts'
import type { StaffWorld } from '../world.ts'
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
  createStaffAccount: async (call) => {
    const { staffId } = await makeChange(call, (tx, change) => accountsOf.createStaffAccount(tx, change, call.body))
    return { status: 201, body: await changed(call.world, staffId) }
  },
  setStaffRoles: async (call) => {
    const { world, path, body } = call
    await makeChange(call, (tx, change) => accountsOf.setStaffRoles(tx, change, path.staffId, body.roles))
    return { status: 200, body: await changed(world, path.staffId) }
  },
  setStaffPassword: async (call) => {
    const { world, path, body } = call
    await makeChange(call, (tx, change) => accountsOf.setStaffPassword(tx, change, path.staffId, body.password, null))
    return { status: 200, body: await changed(world, path.staffId) }
  },
  disableStaffAccount: async (call) => {
    const { world, path } = call
    await makeChange(call, (tx, change) => accountsOf.setStaffAccountEnabled(tx, change, path.staffId, false))
    return { status: 200, body: await changed(world, path.staffId) }
  },
  enableStaffAccount: async (call) => {
    const { world, path } = call
    await makeChange(call, (tx, change) => accountsOf.setStaffAccountEnabled(tx, change, path.staffId, true))
    return { status: 200, body: await changed(world, path.staffId) }
  },
}

/** The account after a change. Accounts are never deleted. */
async function changed({ database }: StaffWorld, staffId: string): Promise<accountsOf.StaffAccount> {
  return (await accountsOf.readStaffAccount(database.reads, staffId))!
}
