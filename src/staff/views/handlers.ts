import { makeChange } from '../make-change.ts'
import type { StaffHandlers } from '../operation.ts'
import type { Session } from '../session/sessions.ts'
import type { views } from './contract.ts'
import * as saved from './saved-views.ts'

export const viewHandlers: StaffHandlers<typeof views> = {
  listViews: async ({ environment, session, query, after, page }) => {
    const found = await saved.listViews(environment.database.longReads, viewerOf(session), {
      page: query.page,
      after: after && { name: String(after[0]), viewId: String(after[1]) },
      limit: query.limit + 1,
    })
    const { rows, nextCursor } = page(found, ({ folded, viewId }) => [folded, viewId])
    return { status: 200, body: { views: rows.map(({ folded: _folded, ...view }) => view), nextCursor } }
  },
  readView: async ({ environment, session, path, refuse }) => {
    const view = await saved.readView(environment.database.reads, viewerOf(session), path.viewId)
    if (!view) throw refuse('view_not_found')
    return { status: 200, body: view }
  },
  saveView: async (call) => {
    const viewer = viewerOf(call.session)
    const { viewId } = await makeChange(call, (tx, change) => saved.saveView(tx, change, viewer, call.body))
    return { status: 201, body: (await saved.readView(call.environment.database.reads, viewer, viewId))! }
  },
  changeView: async (call) => {
    const { environment, path, body } = call
    const viewer = viewerOf(call.session)
    const before = await saved.readView(environment.database.reads, viewer, path.viewId)
    await makeChange(call, (tx, change) => saved.changeView(tx, change, viewer, path.viewId, body))
    const after = await saved.readView(environment.database.reads, viewer, path.viewId)
    // An ADMIN who stops to share another person's view does not see it any more.
    return { status: 200, body: after ?? { ...before!, ...body, updatedOn: call.now.toISOString() } }
  },
  removeView: async (call) => {
    const { viewId } = call.path
    await makeChange(call, (tx, change) => saved.removeView(tx, change, viewerOf(call.session), viewId))
    return { status: 200, body: { viewId } }
  },
}

function viewerOf({ staffId, roles }: Session): saved.Viewer {
  return { staffId, isAdmin: roles.includes('ADMIN') }
}
