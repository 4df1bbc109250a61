import type { Static } from 'typebox'
import * as addressesOf from '../../platform/customers/user-addresses.ts'
import { readUserAddresses } from '../../resources/addresses/read-user-addresses.ts'
import type { StaffEnvironment } from '../environment.ts'
import type { StaffHandlers } from '../operation.ts'
import { readStaffUser } from '../users/read-users.ts'
import type { addresses } from './contract.ts'

export const addressHandlers: StaffHandlers<typeof addresses> = {
  listUserAddresses: async ({ environment, path, query, after, page, refuse }) => {
    const { reads } = environment.database
    const user = await readStaffUser(reads, path.userId)
    if (!user) throw refuse('user_not_found')
    const range = { afterId: Number(after?.[0] ?? 0), limit: query.limit + 1 }
    const found = await readUserAddresses(environment.database.longReads, [user.siteId], path.userId, range)
    const { rows, nextCursor } = page(found, ({ id }) => [id])
    return { status: 200, body: { addresses: rows, nextCursor } }
  },
  addUserAddress: async ({ environment, path, body, change, refuse }) => {
    const added = await environment.database.change((tx) =>
      addressesOf.addUserAddress(tx, change, path.userId, wholeAddress(body)),
    )
    if ('field' in added) throw refuse(added.refused, addressesOf.addressTextForm(added.field))
    if ('refused' in added) throw refuse(added.refused)
    const address = await readAddress(environment, path.userId, added.done.addressId)
    if (!address) throw refuse('address_not_found')
    return { status: 201, body: address }
  },
  replaceUserAddress: async ({ environment, path, body, change, refuse }) => {
    const replaced = await environment.database.change((tx) =>
      addressesOf.replaceUserAddress(tx, change, path.userId, path.addressId, wholeAddress(body)),
    )
    if ('field' in replaced) throw refuse(replaced.refused, addressesOf.addressTextForm(replaced.field))
    if ('refused' in replaced) throw refuse(replaced.refused)
    const address = await readAddress(environment, path.userId, path.addressId)
    if (!address) throw refuse('address_not_found')
    return { status: 200, body: address }
  },
  removeUserAddress: async ({ environment, path, change, refuse }) => {
    const removed = await environment.database.change((tx) =>
      addressesOf.removeUserAddress(tx, change, path.userId, path.addressId),
    )
    if ('refused' in removed) throw refuse(removed.refused)
    return { status: 200, body: { removed: true } }
  },
}

type Sent = Static<(typeof addresses)['operations']['addUserAddress']['body']['schema']>

/** Fields left out are null. */
function wholeAddress(sent: Sent): addressesOf.UserAddress {
  const { addressType = null, company = null, firstName = null, lastName = null, phone = null } = sent
  const { address2 = null, stateCode = null } = sent
  return { ...sent, addressType, company, firstName, lastName, phone, address2, stateCode }
}

/** undefined = another call has just removed it */
async function readAddress({ database }: StaffEnvironment, userId: number, addressId: number) {
  const user = await readStaffUser(database.reads, userId)
  const range = { afterId: addressId - 1, limit: 1 }
  const [address] = await readUserAddresses(database.reads, [user!.siteId], userId, range)
  return address?.id === addressId ? address : undefined
}
