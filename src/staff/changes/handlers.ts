import { permissionsOf } from '../../vocabulary/staff-roles.ts'
import type { StaffHandlers } from '../operation.ts'
import type { changes } from './contract.ts'
import { toldKinds } from './told-kinds.ts'

export const changeHandlers: StaffHandlers<typeof changes> = {
  watchChanges: async ({ environment, session, stream, query }) => {
    if (query.seconds !== undefined) {
      const over = setTimeout(stream.end, query.seconds * 1_000)
      stream.ending.addEventListener('abort', () => clearTimeout(over))
    }
    const allowed = permissionsOf(session.roles)
    return { status: 200, body: await environment.changes.follow(stream, (kind) => allowed.has(toldKinds[kind])) }
  },
}
