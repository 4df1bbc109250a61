import type { IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import { createCursors } from '../http/answering/cursors.ts'
import type { Front } from '../http/front.ts'
import { readyOperations } from '../http/perform.ts'
import type { Hosts } from '../publish/openapi.ts'
import type { Clock } from '../vocabulary/clock.ts'
import { staffProblems } from './api.ts'
import type { StaffEnvironments } from './environment.ts'
import { staffOperations } from './handlers.ts'
import { consolePages } from './console-pages.ts'
import { createStaffHost, type StaffHostParts } from './host.ts'
import { documentPage } from './pages.ts'
import { staffPathParameters } from './parameters.ts'

/** The assembled staff API. The caller lets it listen, and closes it. */
export function openStaffHost(parts: {
  environments: StaffEnvironments
  /** as browsers and partners reach them; known once all listen */
  hosts: () => Hosts & { consoleUrl: string; storageUrl: string }
  sourceAddress: (request: IncomingMessage) => string
  clock: Clock
  log: Logger
  tracing: StaffHostParts['tracing']
  observe: StaffHostParts['observe']
  closingGraceMilliseconds: number
  streamPulseMilliseconds: number
}): Front {
  const { environments, hosts } = parts
  return createStaffHost({
    ...parts,
    ownUrl: () => hosts().consoleUrl,
    problems: staffProblems,
    pages: [documentPage(() => hosts().consoleUrl), ...consolePages(() => hosts().storageUrl)],
    operations: readyOperations(staffOperations, {
      pathParameters: staffPathParameters,
      cursors: createCursors(environments.PRODUCTION.keys('cursor')),
      malformed: 'invalid_request',
    }),
  })
}
