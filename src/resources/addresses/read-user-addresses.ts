import type { Static } from 'typebox'
import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Address } from './contract.ts'

type Row = {
  addressId: number
  siteId: number
  addressType: string | null
  company: string | null
  firstName: string | null
  lastName: string | null
  phone: string | null
  address1: string | null
  address2: string | null
  city: string | null
  zip: string | null
  country: string | null
  countryCode: string | null
  state: string | null
  stateCode: string | null
}

/** At most `limit` addresses of a user on one of the sites, behind `afterId`, by id. */
export async function readUserAddresses(
  queries: Queries,
  siteIds: readonly number[],
  userId: number,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<Static<typeof Address>[]> {
  // Served by user_address_by_user.
  const rows = await queries.rows<Row>(sql`
    select address_id, site_id, address_type, company, first_name, last_name, phone, address1, address2, city, zip,
      country, country_code, state, state_code
    from user_address
    where user_id = ${userId} and address_id > ${afterId} and site_id = any(${siteIds}::int[])
    order by address_id
    limit ${limit}`)
  return rows.map(addressView)
}

function addressView(row: Row): Static<typeof Address> {
  return {
    id: row.addressId,
    siteId: row.siteId,
    addressType: row.addressType,
    company: row.company,
    firstName: row.firstName,
    lastName: row.lastName,
    phone: row.phone,
    address1: row.address1,
    address2: row.address2,
    city: row.city,
    zip: row.zip,
    country: row.country,
    countryCode: row.countryCode,
    state: row.state,
    stateCode: row.stateCode,
  }
}
