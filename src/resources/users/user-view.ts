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
  user_id: number
  site_id: number
  username: string | null
  email: string | null
  first_name: string | null
  last_name: string | null
  company: string | null
  phone: string | null
  active: boolean
  division_id: number | null
  created_on: string
  updated_on: string
  last_signin_on: string | null
  orders_require_approval: boolean
  all_segments_visible: boolean
  tax_exempt: boolean
}

export function userView(row: UserRow): Static<typeof User> {
  return {
    userId: row.user_id,
    siteId: row.site_id,
    username: row.username,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    company: row.company,
    phone: row.phone,
    active: row.active,
    divisionId: row.division_id,
    createdOn: row.created_on,
    updatedOn: row.updated_on,
    lastSigninOn: row.last_signin_on,
    ordersRequireApproval: row.orders_require_approval,
    allSegmentsVisible: row.all_segments_visible,
    taxExempt: row.tax_exempt,
  }
}
