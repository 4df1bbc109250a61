import type { Static } from 'typebox'
import { sqlText } from '../../database/sql.ts'
import type { User } from './contract.ts'

/** The allow-list between the stored user and the published one: what is not named here does not leave (USR-09). */
export const userColumns = sqlText`
  site_user.user_id, site_user.site_id, site_user.username, site_user.email, site_user.first_name, site_user.last_name,
  site_user.company, site_user.phone, site_user.active, site_user.division_id, site_user.created_on,
  site_user.updated_on, site_user.last_signin_on, site_user.orders_require_approval, site_user.all_segments_visible,
  site_user.tax_exempt`

export type UserRow = {
  userId: number
  siteId: number
  username: string | null
  email: string | null
  firstName: string | null
  lastName: string | null
  company: string | null
  phone: string | null
  active: boolean
  divisionId: number | null
  createdOn: string
  updatedOn: string
  lastSigninOn: string | null
  ordersRequireApproval: boolean
  allSegmentsVisible: boolean
  taxExempt: boolean
}

export function userView(row: UserRow): Static<typeof User> {
  return {
    userId: row.userId,
    siteId: row.siteId,
    username: row.username,
    email: row.email,
    firstName: row.firstName,
    lastName: row.lastName,
    company: row.company,
    phone: row.phone,
    active: row.active,
    divisionId: row.divisionId,
    createdOn: row.createdOn,
    updatedOn: row.updatedOn,
    lastSigninOn: row.lastSigninOn,
    ordersRequireApproval: row.ordersRequireApproval,
    allSegmentsVisible: row.allSegmentsVisible,
    taxExempt: row.taxExempt,
  }
}
