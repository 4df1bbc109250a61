import { sqlText, type SqlPart } from '../database/sql.ts'
import type { OrderRequest } from '../platform/ordering/order-request.ts'
import type { Done, Refused } from '../vocabulary/outcome.ts'
import { recordId } from '../vocabulary/whole-number.ts'

/**
 * For whom a partner's order is placed, and what keeps it from being looked at further. Submitting and quoting ask alike,
 * each in a statement of its own.
 */
export type OrderingAt = {
  /** of the site, if the partner may order there */
  orderingUserId: number | null
  /** whether the site has the division of the order, and it is active; of an order without one it means nothing */
  divisionIsActive: boolean
}

export type OrderingRefused = Refused<'invalid_site_id' | 'ordering_not_provisioned' | 'division_not_active'>

/** What `division_not_active` means to who sent it. */
export const divisionNotActive = 'The field divisionId must name an active division of the site.'

type Ordering = Pick<OrderRequest, 'siteId' | 'divisionId'>

/** The columns of `OrderingAt`, from a `site` that is joined by `orderingSite`. Served by the primary keys of site and division. */
export function orderingColumns({ divisionId }: Ordering): SqlPart {
  return sqlText`
    site.ordering_user_id,
    exists (
      select from division
      where division.site_id = site.site_id and division.active
        and division.division_id = ${divisionId === undefined ? null : recordId(divisionId)}::int
    ) as division_is_active`
}

export function orderingSite({ siteId }: Ordering, siteIds: readonly number[]): SqlPart {
  return sqlText`site.site_id = ${recordId(siteId)} and site.site_id = any(${siteIds}::int[])`
}

/** @param found undefined = the site was not found */
export function orderingUserOf(
  found: OrderingAt | undefined,
  { siteId, divisionId }: Ordering,
  siteIds: readonly number[],
): Done<{ orderingUserId: number }> | OrderingRefused {
  if (!siteIds.includes(siteId)) return { refused: 'invalid_site_id' }
  const orderingUserId = found?.orderingUserId ?? null
  if (orderingUserId === null) return { refused: 'ordering_not_provisioned' }
  if (divisionId !== undefined && !found?.divisionIsActive) return { refused: 'division_not_active' }
  return { done: { orderingUserId } }
}
