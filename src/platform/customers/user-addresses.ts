import type { Transaction } from '../../database/database.ts'
import { insertRows, type Row, updateRows } from '../../database/rows.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Done } from '../../vocabulary/outcome.ts'
import { countryByCode, subdivision, withRegionCodes } from '../../vocabulary/regions.ts'
import { recordAudit } from '../audit/audit.ts'
import { fitForm, unfitText, withTidyTexts } from './address-texts.ts'
import { regionFault, type RegionFault } from './region-fault.ts'

/**
 * The saved addresses of a user. Codes identify country and state; the stored names are ISO's. Audit records contain
 * the id of the address and never its content.
 */

export const addressTypes = ['SHIP_TO', 'BLIND_FROM'] as const

const addressesMax = 1_000
const required = ['address1', 'city', 'zip', 'countryCode'] as const

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

type AddressRefusal = { refused: RegionFault } | { refused: 'address_not_usable'; field: keyof UserAddress }

export async function addUserAddress(
  tx: Transaction,
  change: Change,
  userId: number,
  given: UserAddress,
): Promise<Done<{ addressId: number }> | AddressRefusal | { refused: 'user_not_found' | 'addresses_full' }> {
  const address = tidied(given)
  const refusal = addressRefusal(address)
  if (refusal) return refusal
  const user = await lockUser(tx, userId)
  if (!user) return { refused: 'user_not_found' }
  // Served by user_address_by_user.
  const present = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from user_address where user_id = ${userId}`)
  if (present!.count >= addressesMax) return { refused: 'addresses_full' }
  const row = { siteId: user.siteId, userId, ...addressRow(address) }
  const [added] = await insertRows<{ addressId: number }>(tx, 'user_address', [row], ['addressId'])
  await audit(tx, change, 'user.address_added', { userId, siteId: user.siteId, ...added! })
  return { done: added! }
}

/** Replaces all fields of an address. */
export async function replaceUserAddress(
  tx: Transaction,
  change: Change,
  userId: number,
  addressId: number,
  given: UserAddress,
): Promise<Done | AddressRefusal | { refused: 'address_not_found' }> {
  const address = tidied(given)
  const refusal = addressRefusal(address)
  if (refusal) return refusal
  const user = await lockUser(tx, userId)
  // Served by user_address's primary key. The user is locked, so nobody can remove the address meanwhile.
  const present = await tx.row(sql`
    select from user_address where address_id = ${addressId} and user_id = ${userId}`)
  if (!user || !present) return { refused: 'address_not_found' }
  await updateRows(tx, 'user_address', 'addressId', [{ addressId, ...addressRow(address) }])
  await audit(tx, change, 'user.address_replaced', { userId, siteId: user.siteId, addressId })
  return { done: {} }
}

/** Removes an address. Orders keep a copy of the address they were sent to. */
export async function removeUserAddress(
  tx: Transaction,
  change: Change,
  userId: number,
  addressId: number,
): Promise<Done | { refused: 'address_not_found' }> {
  const user = await lockUser(tx, userId)
  const removed = await tx.row(sql`
    delete from user_address where address_id = ${addressId} and user_id = ${userId} returning address_id`)
  if (!user || !removed) return { refused: 'address_not_found' }
  await audit(tx, change, 'user.address_removed', { userId, siteId: user.siteId, addressId })
  return { done: {} }
}

function lockUser(tx: Transaction, userId: number): Promise<{ siteId: number } | undefined> {
  return tx.row(sql`select site_id from site_user where user_id = ${userId} for no key update`)
}

/** The address as the columns of its row: country and state by code and by name. */
function addressRow(address: UserAddress): Row {
  const { addressType, company, firstName, lastName, phone, address1, address2, city, zip, countryCode, stateCode } =
    address
  const state = stateCode === null ? undefined : subdivision(countryCode, stateCode)
  return {
    addressType,
    company,
    firstName,
    lastName,
    phone,
    address1,
    address2,
    city,
    zip,
    countryCode,
    country: countryByCode(countryCode)!.name,
    stateCode,
    state: state?.name ?? null,
  }
}

function tidied(given: UserAddress): UserAddress {
  return withRegionCodes(withTidyTexts(given, required))
}

/** What a text of an address must be, as a sentence. */
export function addressTextForm(field: keyof UserAddress): string {
  return fitForm(
    field,
    required.some((each) => each === field),
  )
}

function addressRefusal(address: UserAddress): AddressRefusal | undefined {
  const field = unfitText(address, ['address1', 'city'])
  if (field) return { refused: 'address_not_usable', field }
  const refused = regionFault(address)
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
