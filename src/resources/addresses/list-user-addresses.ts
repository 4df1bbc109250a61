import type { Static } from 'typebox'
import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Address, addresses } from './contract.ts'

type Row = {
  address_id: number
  site_id: number
  address_type: string | null
  company: string | null
  first_name: string | null
  last_name: string | null
  phone: string | null
  address1: string | null
  address2: string | null
  city: string | null
  zip: string | null
  country: string | null
  country_code: string | null
  state: string | null
  state_code: string | null
}

/** Whether the user exists is not asked: a user that cannot be seen has no addresses to be seen either (USR-17). */
export function listUserAddresses(database: Database): Handler<typeof addresses.listUserAddresses> {
  return async ({ siteIds, path, query, after, page }) => {
    // Served by user_address_by_user.
    const found = await database.reads.rows<Row>(sql`
      select address_id, site_id, address_type, company, first_name, last_name, phone, address1, address2, city, zip,
        country, country_code, state, state_code
      from user_address
      where user_id = ${path.userId} and address_id > ${after?.[0] ?? 0} and site_id = any(${siteIds}::int[])
      order by address_id
      limit ${query.limit + 1}`)
    const { rows, nextCursor } = page(found, (row) => [row.address_id])
    return { status: 200, body: { addresses: rows.map(addressView), nextCursor } }
  }
}

function addressView(row: Row): Static<typeof Address> {
  return {
    id: row.address_id,
    siteId: row.site_id,
    addressType: row.address_type,
    company: row.company,
    firstName: row.first_name,
    lastName: row.last_name,
    phone: row.phone,
    address1: row.address1,
    address2: row.address2,
    city: row.city,
    zip: row.zip,
    country: row.country,
    countryCode: row.country_code,
    state: row.state,
    stateCode: row.state_code,
  }
}
