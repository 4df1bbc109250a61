import * as accountsOf from './staff-accounts.ts'
import { foldForUniqueness } from '../../vocabulary/text.ts'
import type { StaffEnvironment } from '../environment.ts'
import { makeChange } from '../make-change.ts'
import type { StaffHandlers } from '../operation.ts'
import type { accounts } from './contract.ts'

export const accountHandlers: StaffHandlers<typeof accounts> = {
  listStaffAccounts: async ({ environment, query, after, page }) => {
    const found = await accountsOf.listStaffAccounts(environment.database.longReads, {
      after: String(after?.[0] ?? ''),
      limit: query.limit + 1,
    })
    const { rows, nextCursor } = page(found, ({ username }) => [foldForUniqueness(username)])
    return { status: 200, body: { accounts: rows, nextCursor } }
  },
  createStaffAccount: async (call) => {
    const { staffId } = await makeChange(call, (tx, change) => accountsOf.createStaffAccount(tx, change, call.body))
    return { status: 201, body: await changed(call.environment, staffId) }
  },
  setStaffRoles: async (call) => {
    const { environment, path, body } = call
    await makeChange(call, (tx, change) => accountsOf.setStaffRoles(tx, change, path.staffId, body.roles))
    return { status: 200, body: await changed(environment, path.staffId) }
  },
  setStaffPassword: async (call) => {
    const { environment, path, body } = call
    await makeChange(call, (tx, change) => accountsOf.setStaffPassword(tx, change, path.staffId, body.password, null))
    return { status: 200, body: await changed(environment, path.staffId) }
  },
  disableStaffAccount: async (call) => {
    const { environment, path } = call
    await makeChange(call, (tx, change) => accountsOf.setStaffAccountEnabled(tx, change, path.staffId, false))
    return { status: 200, body: await changed(environment, path.staffId) }
  },
  enableStaffAccount: async (call) => {
    const { environment, path } = call
    await makeChange(call, (tx, change) => accountsOf.setStaffAccountEnabled(tx, change, path.staffId, true))
    return { status: 200, body: await changed(environment, path.staffId) }
  },
}

/** The account after a change. Accounts are never deleted. */
async function changed({ database }: StaffEnvironment, staffId: string): Promise<accountsOf.StaffAccount> {
  return (await accountsOf.readStaffAccount(database.reads, staffId))!
}
