import type { IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import { createCursors } from '../http/answering/cursors.ts'
import type { Front } from '../http/front.ts'
import type { Hosts } from '../publish/openapi.ts'
import type { Clock } from '../vocabulary/clock.ts'
import { staffApi, staffProblems } from './api.ts'
import { staffHandlers } from './handlers.ts'
import { createStaffHost } from './host.ts'
import { documentPages } from './pages.ts'
import { staffPerformer } from './perform.ts'
import type { StaffWorlds } from './world.ts'

/** The staff API put together; it is for the caller to let it listen, and to close it. */
export function openStaffHost(parts: {
  worlds: StaffWorlds
  /** as browsers and partners reach them; known once all listen */
  hosts: () => Hosts & { consoleUrl: string }
  sourceAddress: (request: IncomingMessage) => string
  clock: Clock
  log: Logger
  observe: (operation: string, status: number, milliseconds: number) => void
  closingGraceMilliseconds: number
}): Front {
  const { worlds, hosts } = parts
  const home = worlds.PRODUCTION
  const performs = { worlds, cursors: createCursors(home.key('cursor')) }
  return createStaffHost({
    ...parts,
    home,
    ownUrl: () => hosts().consoleUrl,
    problems: staffProblems,
    pages: documentPages(hosts),
    operations: Object.entries(staffApi).map(([id, entry]) => ({
      entry,
      perform: staffPerformer(entry, staffHandlers[id]!, performs),
    })),
  })
}
