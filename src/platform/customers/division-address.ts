import type { Database, Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Change } from '../../vocabulary/change.ts'
import { placeFault, type PlaceFault } from './place-fault.ts'

/** The postal address of a division, on sites that store them; staff alone see and set it. */
export type DivisionAddress = {
  company: string | null
  firstName: string | null
  lastName: string | null
  street: string
  street2: string | null
  city: string
  zip: string
  /** ISO 3166-1 alpha-2 */
  country: string
  /** ISO 3166-2 without the country; null where the country is not divided */
  state: string | null
}

export type DivisionAddressFault = { refused: PlaceFault | 'address_not_usable' }

const lengthMax = 255

export function divisionAddressFault(address: DivisionAddress): DivisionAddressFault | undefined {
  const isTooLong = Object.values(address).some((text) => text !== null && Array.from(text).length > lengthMax)
  if (isTooLong || address.street.trim() === '' || address.city.trim() === '') return { refused: 'address_not_usable' }
  const refused = placeFault({ countryCode: address.country, stateCode: address.state, zip: address.zip })
  return refused && { refused }
}

export async function setDivisionAddress(
  database: Database,
  divisionId: number,
  address: DivisionAddress,
  change: Change,
): Promise<
  { divisionId: number } | DivisionAddressFault | { refused: 'division_not_found' | 'site_stores_no_addresses' }
> {
  const fault = divisionAddressFault(address)
  if (fault) return fault
  return database.transaction(async (tx) => {
    const site = await tx.row<{ siteId: number; storesDivisionAddresses: boolean }>(sql`
      select site.site_id, site.stores_division_addresses
      from division
      join site using (site_id)
      where division_id = ${divisionId}
      for no key update of site`)
    if (!site) return { refused: 'division_not_found' }
    if (!site.storesDivisionAddresses) return { refused: 'site_stores_no_addresses' }
    await writeDivisionAddress(tx, divisionId, address)
    await tx.rows(sql`update division set updated_on = ${change.now} where division_id = ${divisionId}`)
    await recordAudit(tx, change, {
      action: 'division.address_set',
      subject: { kind: 'division', id: divisionId },
      siteId: site.siteId,
    })
    return { divisionId }
  })
}

/** The site's row is held, and stores addresses. */
export async function writeDivisionAddress(
  tx: Transaction,
  divisionId: number,
  address: DivisionAddress,
): Promise<void> {
  await tx.rows(sql`
    update division
    set address_company = ${address.company}, address_first_name = ${address.firstName},
      address_last_name = ${address.lastName}, address_street = ${address.street}, address_street2 = ${address.street2},
      address_city = ${address.city}, address_zip = ${address.zip}, address_country = ${address.country},
      address_state = ${address.state}
    where division_id = ${divisionId}`)
}
