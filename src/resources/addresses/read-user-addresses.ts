import type { Static } from 'typebox'
import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { columns, type View } from '../../database/view.ts'
import type { Address } from './contract.ts'

const addressView: View<Static<typeof Address>> = {
  id: 'user_address.address_id',
  siteId: 'user_address.site_id',
  addressType: 'user_address.address_type',
  company: 'user_address.company',
  firstName: 'user_address.first_name',
  lastName: 'user_address.last_name',
  phone: 'user_address.phone',
  address1: 'user_address.address1',
  address2: 'user_address.address2',
  city: 'user_address.city',
  zip: 'user_address.zip',
  country: 'user_address.country',
  countryCode: 'user_address.country_code',
  state: 'user_address.state',
  stateCode: 'user_address.state_code',
}

/** At most `limit` addresses of a user on one of the sites, after `afterId`, by id. */
export function readUserAddresses(
  queries: Queries,
  siteIds: readonly number[],
  userId: number,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<Static<typeof Address>[]> {
  // Served by user_address_by_user.
  return queries.rows(sql`
    select ${columns(addressView)}
    from user_address
    where user_id = ${userId} and address_id > ${afterId} and site_id = any(${siteIds}::int[])
    order by address_id
    limit ${limit}`)
}
