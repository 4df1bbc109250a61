import type { Transaction } from '../../database/database.ts'
import { type Row, updateRows } from '../../database/rows.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Done } from '../../vocabulary/outcome.ts'
import { countryCodeOf, stateCodeOf } from '../../vocabulary/regions.ts'
import { recordAudit } from '../audit/audit.ts'
import { fitForm, unfitText, withTidyTexts } from './address-texts.ts'
import { regionFault, type RegionFault } from './region-fault.ts'

/** The postal address of a division, on sites that store them. Only staff see and set it. */
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

/** The column of each field. */
export const addressColumns = {
  company: 'addressCompany',
  firstName: 'addressFirstName',
  lastName: 'addressLastName',
  street: 'addressStreet',
  street2: 'addressStreet2',
  city: 'addressCity',
  zip: 'addressZip',
  country: 'addressCountry',
  state: 'addressState',
} as const satisfies Record<keyof DivisionAddress, string>

export const addressFields = Object.keys(addressColumns) as readonly (keyof DivisionAddress)[]

/** The address as the columns of a division's row. */
export function divisionAddressRow(address: DivisionAddress | null): Row {
  return Object.fromEntries(addressFields.map((field) => [addressColumns[field], address?.[field] ?? null]))
}

/** The address as it is kept. */
export function tidyDivisionAddress(given: DivisionAddress): DivisionAddress {
  const address = withTidyTexts(given, ['street', 'city', 'zip', 'country'])
  const country = countryCodeOf(address.country)
  return { ...address, country, state: address.state === null ? null : stateCodeOf(country, address.state) }
}

export type DivisionAddressFault = { refused: RegionFault } | { refused: 'address_not_usable'; detail: string }

const requiredTexts = ['street', 'city'] as const

/** @param address as {@link tidyDivisionAddress} gives it */
export function divisionAddressFault(address: DivisionAddress): DivisionAddressFault | undefined {
  const unfit = unfitText(address, requiredTexts)
  if (unfit)
    return {
      refused: 'address_not_usable',
      detail: fitForm(
        unfit,
        requiredTexts.some((each) => each === unfit),
      ),
    }
  const refused = regionFault({ countryCode: address.country, stateCode: address.state, zip: address.zip })
  return refused && { refused }
}

export async function setDivisionAddress(
  tx: Transaction,
  change: Change,
  divisionId: number,
  given: DivisionAddress,
): Promise<Done | DivisionAddressFault | { refused: 'division_not_found' | 'site_stores_no_addresses' }> {
  const address = tidyDivisionAddress(given)
  const fault = divisionAddressFault(address)
  if (fault) return fault
  const site = await tx.row<{ siteId: number; storesDivisionAddresses: boolean }>(sql`
    select site.site_id, site.stores_division_addresses
    from division
    join site using (site_id)
    where division_id = ${divisionId}
    for no key update of site`)
  if (!site) return { refused: 'division_not_found' }
  if (!site.storesDivisionAddresses) return { refused: 'site_stores_no_addresses' }
  await Promise.all([
    updateRows(tx, 'division', 'divisionId', [{ divisionId, ...divisionAddressRow(address), updatedOn: change.now }]),
    recordAudit(tx, change, {
      action: 'division.address_set',
      subject: { kind: 'division', id: divisionId },
      siteId: site.siteId,
    }),
  ])
  return { done: {} }
}
