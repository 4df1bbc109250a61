import type { Database, Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { countryByCode, subdivision } from '../../vocabulary/places.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Change } from '../../vocabulary/change.ts'
import { placeFault, type PlaceFault } from './place-fault.ts'

/**
 * The saved addresses of a user. Country and state are known by their codes; the names beside them are ISO's. Audit
 * records name the address and never what stands in it.
 */

export const addressTypes = ['SHIP_TO', 'BLIND_FROM'] as const

const addressesMax = 1_000
const lengthMax = 255

export type UserAddress = {
  addressType: (typeof addressTypes)[number] | null
  company: string | null
  firstName: string | null
  lastName: string | null
  phone: string | null
  address1: string
  address2: string | null
  city: string
  zip: string
  /** ISO 3166-1 alpha-2 */
  countryCode: string
  /** ISO 3166-2 without the country; null where the country is not divided */
  stateCode: string | null
}

export type AddressRefusal = { refused: PlaceFault } | { refused: 'address_not_usable'; field: keyof UserAddress }

export async function addUserAddress(
  database: Database,
  userId: number,
  address: UserAddress,
  change: Change,
): Promise<{ addressId: number } | AddressRefusal | { refused: 'user_not_found' | 'addresses_full' }> {
  const refusal = addressRefusal(address)
  if (refusal) return refusal
  return database.transaction(async (tx) => {
    const user = await heldUser(tx, userId)
    if (!user) return { refused: 'user_not_found' }
    // Served by user_address_by_user.
    const kept = await tx.row<{ count: number }>(sql`
      select count(*)::int as count from user_address where user_id = ${userId}`)
    if (kept!.count >= addressesMax) return { refused: 'addresses_full' }
    const { country, state } = namesOf(address)
    const added = await tx.row<{ addressId: number }>(sql`
      insert into user_address (site_id, user_id, address_type, company, first_name, last_name, phone, address1, address2,
        city, zip, country, country_code, state, state_code)
      values (${user.siteId}, ${userId}, ${address.addressType}, ${address.company}, ${address.firstName},
        ${address.lastName}, ${address.phone}, ${address.address1}, ${address.address2}, ${address.city}, ${address.zip},
        ${country}, ${address.countryCode}, ${state}, ${address.stateCode})
      returning address_id`)
    const addressId = added!.addressId
    await audit(tx, change, 'user.address_added', { userId, siteId: user.siteId, addressId })
    return { addressId }
  })
}

/** Makes this the whole of an address. */
export async function replaceUserAddress(
  database: Database,
  userId: number,
  addressId: number,
  address: UserAddress,
  change: Change,
): Promise<{ addressId: number } | AddressRefusal | { refused: 'address_not_found' }> {
  const refusal = addressRefusal(address)
  if (refusal) return refusal
  return database.transaction(async (tx) => {
    const user = await heldUser(tx, userId)
    const { country, state } = namesOf(address)
    const replaced = await tx.row(sql`
      update user_address
      set address_type = ${address.addressType}, company = ${address.company}, first_name = ${address.firstName},
        last_name = ${address.lastName}, phone = ${address.phone}, address1 = ${address.address1},
        address2 = ${address.address2}, city = ${address.city}, zip = ${address.zip}, country = ${country},
        country_code = ${address.countryCode}, state = ${state}, state_code = ${address.stateCode}
      where address_id = ${addressId} and user_id = ${userId}
      returning address_id`)
    if (!user || !replaced) return { refused: 'address_not_found' }
    await audit(tx, change, 'user.address_replaced', { userId, siteId: user.siteId, addressId })
    return { addressId }
  })
}

/** Orders keep the address they were sent to: it is a copy. */
export async function removeUserAddress(
  database: Database,
  userId: number,
  addressId: number,
  change: Change,
): Promise<{ addressId: number } | { refused: 'address_not_found' }> {
  return database.transaction(async (tx) => {
    const user = await heldUser(tx, userId)
    const removed = await tx.row(sql`
      delete from user_address where address_id = ${addressId} and user_id = ${userId} returning address_id`)
    if (!user || !removed) return { refused: 'address_not_found' }
    await audit(tx, change, 'user.address_removed', { userId, siteId: user.siteId, addressId })
    return { addressId }
  })
}

function heldUser(tx: Transaction, userId: number): Promise<{ siteId: number } | undefined> {
  return tx.row(sql`select site_id from site_user where user_id = ${userId} for no key update`)
}

function namesOf({ countryCode, stateCode }: UserAddress): { country: string; state: string | null } {
  const state = stateCode === null ? undefined : subdivision(countryCode, stateCode)
  return { country: countryByCode(countryCode)!.name, state: state?.name ?? null }
}

function addressRefusal(address: UserAddress): AddressRefusal | undefined {
  const texts = Object.entries(address) as [keyof UserAddress, string | null][]
  const tooLong = texts.find(([, text]) => text !== null && Array.from(text).length > lengthMax)
  const blank = (['address1', 'city'] as const).find((field) => address[field].trim() === '')
  const field = tooLong?.[0] ?? blank
  if (field) return { refused: 'address_not_usable', field }
  const refused = placeFault(address)
  return refused && { refused }
}

function audit(
  tx: Transaction,
  change: Change,
  action: string,
  { userId, siteId, addressId }: { userId: number; siteId: number; addressId: number },
): Promise<void> {
  const subject = { kind: 'user', id: userId }
  return recordAudit(tx, change, { action, subject, siteId, detail: { addressId } })
}
