import type { Refusal } from '../../contract/refusal.ts'
import { assignLine, type Assignee } from '../../platform/lines/assign-line.ts'
import { setOrderPriority, setPriority } from '../../platform/lines/set-priority.ts'
import { linkToObject } from '../../platform/files/link-to-object.ts'
import { readStaffAccount, usernamesOf } from '../accounts/staff-accounts.ts'
import type { StaffEnvironment } from '../environment.ts'
import type { StaffHandlers } from '../operation.ts'
import { changedOrder, lineVerb } from '../orders/change-order.ts'
import type { works } from './contract.ts'
import { readToday } from './read-today.ts'
import { keyOf, listLines, type LineRow } from './list-lines.ts'

export const workHandlers: StaffHandlers<typeof works> = {
  listLines: async ({ environment, query, session, after, page, now }) => {
    const { assignee, ...rest } = query
    const wish = { ...rest, assignee: assignee === 'me' ? session.staffId : assignee }
    const found = await listLines(environment.database.longReads, wish, { after, limit: query.limit + 1, now })
    const { rows, nextCursor } = page(found, (line) => keyOf(wish, line))
    const lines = await shown(environment, rows, now)
    return { status: 200, body: { lines, nextCursor }, links: lines.map(({ preview }) => preview) }
  },
  readToday: async ({ environment, query, now }) => ({
    status: 200,
    body: await readToday(environment.database.longReads, query, now),
  }),
  assignLine: async (call) => {
    const { environment, path, body, refuse } = call
    const assignee = await findAssignee(environment, body.staffId, refuse)
    return changedOrder(call, (change) =>
      environment.database.change((tx) => assignLine(tx, change, path.orderNumber, path.lineNumber, assignee)),
    )
  },
  setPriority: lineVerb(setPriority, ({ priority }) => priority),
  setOrderPriority: (call) =>
    changedOrder(call, (change) =>
      call.environment.database.change((tx) => setOrderPriority(tx, change, call.path.orderNumber, call.body.priority)),
    ),
}

/** The person of an enabled account; null = nobody. @throws Refusal */
export async function findAssignee(
  { accounts }: StaffEnvironment,
  staffId: string | null,
  refuse: (code: 'assignee_not_found' | 'assignee_disabled') => Refusal<string>,
): Promise<Assignee | null> {
  if (staffId === null) return null
  const account = await readStaffAccount(accounts, staffId)
  if (!account) throw refuse('assignee_not_found')
  if (account.disabledOn !== null) throw refuse('assignee_disabled')
  return account
}

const dayMilliseconds = 86_400_000

/** @param now real time, for signed links too */
async function shown({ accounts, objectStore }: StaffEnvironment, rows: readonly LineRow[], now: Date) {
  const usernames = await usernamesOf(
    accounts,
    rows.flatMap(({ assigneeId }) => assigneeId ?? []),
  )
  return Promise.all(
    rows.map(async ({ dueOn, priorityKey: _key, previewKey, ...line }) => {
      const late = dueOn === null ? -1 : now.getTime() - Date.parse(dueOn)
      return {
        ...line,
        due: dueOn,
        daysLate: late > 0 ? Math.floor(late / dayMilliseconds) : null,
        assignee: line.assigneeId && (usernames.get(line.assigneeId) ?? null),
        preview: previewKey && (await linkToObject(objectStore, previewKey, now, { contentType: 'image/png' })),
      }
    }),
  )
}
