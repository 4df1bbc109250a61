import type { Static } from 'typebox'
import { jsonList, listedRecord, type View } from '../../database/view.ts'
import { User, type UserDetail } from './contract.ts'

/** What is published of a stored user: what is not named here does not leave (USR-09). */
export const userView: View<Static<typeof User>> = {
  userId: 'site_user.user_id',
  siteId: 'site_user.site_id',
  username: 'site_user.username',
  email: 'site_user.email',
  firstName: 'site_user.first_name',
  lastName: 'site_user.last_name',
  company: 'site_user.company',
  phone: 'site_user.phone',
  active: 'site_user.active',
  divisionId: 'site_user.division_id',
  createdOn: 'site_user.created_on',
  updatedOn: 'site_user.updated_on',
  lastSigninOn: 'site_user.last_signin_on',
  ordersRequireApproval: 'site_user.orders_require_approval',
  allSegmentsVisible: 'site_user.all_segments_visible',
  taxExempt: 'site_user.tax_exempt',
}

export const userRecord = listedRecord(userView, User)

type Detail = Static<typeof UserDetail>

export const userDetailView: View<Detail> = {
  ...userView,
  // Served by the primary keys of user_segment and segment.
  segments: jsonList<Detail['segments'][number]>(
    { segmentId: 'segment.segment_id', name: 'segment.name', autoAssigned: 'user_segment.auto_assigned' },
    `from user_segment
    join segment on segment.segment_id = user_segment.segment_id and segment.site_id = site_user.site_id
    where user_segment.user_id = site_user.user_id`,
    'segment.segment_id',
  ),
}
