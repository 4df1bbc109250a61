import { randomUUID } from 'node:crypto'
import type { Queries, Transaction } from '../../database/database.ts'
import { nothing, sql, sqlText } from '../../database/sql.ts'
import { recordAudit } from '../../platform/audit/audit.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Done, Refused } from '../../vocabulary/outcome.ts'

/**
 * Saved views: lists with their filters, each under a name of its author's. A shared one is seen by all, and changed by its
 * author or an ADMIN. Audit records leave out the query, in which somebody may have searched for a person.
 */
export type SavedView = {
  viewId: string
  page: string
  name: string
  query: string
  shared: boolean
  own: boolean
  author: string
  createdOn: string
  updatedOn: string
}

export type ViewBody = Pick<SavedView, 'page' | 'name' | 'query' | 'shared'>

/** Who asks. */
export type Viewer = { staffId: string; isAdmin: boolean }

/** More than anybody finds again. */
export const viewsMax = 100

type NotChanged = Refused<'view_not_found' | 'not_the_author'>

/** At most `limit` of the views that a person sees, by name. Served by staff_view_name_unique and staff_view_shared. */
export function listViews(
  reads: Queries,
  { staffId }: Viewer,
  wish: { page: string | undefined; after: { name: string; viewId: string } | undefined; limit: number },
): Promise<(SavedView & { folded: string })[]> {
  const { page, after, limit } = wish
  return reads.rows(sql`
    select ${columnsFor(staffId)}, lower(name) as folded
    from staff_view join staff_account using (staff_id)
    where (staff_id = ${staffId} or shared)
      ${page === undefined ? nothing : sqlText`and page = ${page}`}
      ${after ? sqlText`and (lower(name), view_id) > (${after.name}::text, ${after.viewId}::uuid)` : nothing}
    order by lower(name), view_id
    limit ${limit}`)
}

/** A view that the person sees. */
export function readView(reads: Queries, { staffId }: Viewer, viewId: string): Promise<SavedView | undefined> {
  return reads.row<SavedView>(sql`
    select ${columnsFor(staffId)} from staff_view join staff_account using (staff_id)
    where view_id = ${viewId} and (staff_id = ${staffId} or shared)`)
}

export async function saveView(
  tx: Transaction,
  change: Change,
  { staffId }: Viewer,
  { page, name, query, shared }: ViewBody,
): Promise<Done<{ viewId: string }> | Refused<'too_many_views' | 'view_name_taken'>> {
  // Locked, so that the count holds until the end.
  await tx.rows(sql`select from staff_account where staff_id = ${staffId} for no key update`)
  const counted = await tx.row<{ views: number }>(sql`
    select count(*)::int as views from staff_view where staff_id = ${staffId}`)
  if (counted!.views >= viewsMax) return { refused: 'too_many_views' }
  const viewId = randomUUID()
  const made = await tx.row(sql`
    insert into staff_view (view_id, staff_id, page, name, query, shared, created_on, updated_on)
    values (${viewId}, ${staffId}, ${page}, ${name}, ${query}, ${shared}, ${change.now}, ${change.now})
    on conflict (staff_id, page, lower(name)) do nothing
    returning view_id`)
  if (!made) return { refused: 'view_name_taken' }
  await audit(tx, change, viewId, 'saved', { page, shared })
  return { done: { viewId } }
}

export async function changeView(
  tx: Transaction,
  change: Change,
  viewer: Viewer,
  viewId: string,
  { page, name, query, shared }: ViewBody,
): Promise<Done | NotChanged | Refused<'view_name_taken'>> {
  const locked = await lockView(tx, viewer, viewId)
  if ('refused' in locked) return locked
  // Its author may rename another view at the same moment.
  await tx.rows(sql`select from staff_account where staff_id = ${locked.staffId} for no key update`)
  const namesake = await tx.row(sql`
    select from staff_view
    where staff_id = ${locked.staffId} and page = ${page} and lower(name) = lower(${name}) and view_id <> ${viewId}`)
  if (namesake) return { refused: 'view_name_taken' }
  await tx.rows(sql`
    update staff_view set page = ${page}, name = ${name}, query = ${query}, shared = ${shared}, updated_on = ${change.now}
    where view_id = ${viewId}`)
  await audit(tx, change, viewId, 'changed', { page, shared })
  return { done: {} }
}

export async function removeView(
  tx: Transaction,
  change: Change,
  viewer: Viewer,
  viewId: string,
): Promise<Done | NotChanged> {
  const locked = await lockView(tx, viewer, viewId)
  if ('refused' in locked) return locked
  await tx.rows(sql`delete from staff_view where view_id = ${viewId}`)
  await audit(tx, change, viewId, 'removed', { page: locked.page })
  return { done: {} }
}

type Locked = { staffId: string; page: string; name: string }

/** The view, if the person may change it. What the person does not see is not found. */
async function lockView(tx: Transaction, viewer: Viewer, viewId: string): Promise<Locked | NotChanged> {
  const view = await tx.row<Locked>(sql`
    select staff_id, page, name from staff_view
    where view_id = ${viewId} and (staff_id = ${viewer.staffId} or shared)
    for update`)
  if (!view) return { refused: 'view_not_found' }
  return view.staffId === viewer.staffId || viewer.isAdmin ? view : { refused: 'not_the_author' }
}

const columnsFor = (staffId: string) => sqlText`view_id, page, name, query, shared, staff_id = ${staffId} as own,
  username as author, staff_view.created_on, staff_view.updated_on`

function audit(tx: Transaction, change: Change, viewId: string, done: string, detail: object): Promise<void> {
  return recordAudit(tx, change, {
    action: `staff_view.${done}`,
    subject: { kind: 'staff_view', id: viewId },
    siteId: null,
    detail: { ...detail },
  })
}
