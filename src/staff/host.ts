import type { IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import { methodOf, pathOf } from '../contract/operation.ts'
import { Refusal } from '../contract/refusal.ts'
import {
  answer,
  answerFile,
  answerJson,
  beginExchange,
  type AnswerContext,
  type Frame,
} from '../http/answering/answer.ts'
import { createStreams, sendEvents, type Streams } from '../http/answering/event-stream.ts'
import { bytes, missedAnswer, plainAnswer } from '../http/answering/plain.ts'
import { writtenProblem } from '../http/answering/problem.ts'
import { createFront, type Door, type Front, type FrontParts } from '../http/front.ts'
import { body, httpInputs, nothingRead, path, query } from '../http/perform.ts'
import type { PlainRoute } from '../http/plain-route.ts'
import { isOwnHost } from '../http/reading/own-host.ts'
import type { Clock } from '../vocabulary/clock.ts'
import type { Tracing } from '../vocabulary/tracing.ts'
import type { StaffEnvironments } from './environment.ts'
import { faultTold } from './field-faults.ts'
import { isUnsafe, type StaffOperation } from './operation.ts'
import {
  cursor,
  handler,
  permission,
  sessionOf,
  streamOf,
  type ReadyStaffOperation,
  type StaffContext,
} from './perform.ts'
import type { ProblemTable } from './problems.ts'
import { securityHeaders } from './security-headers.ts'
import { isOwnRequest, presentedSession } from './session-transport.ts'
import { isStillLive, useSession, type Session } from './session/sessions.ts'
import type { KeyRing } from '../vocabulary/keys.ts'

/** The host of the staff API and of the pages beside it. */

/** The steps of each kind of request, in the order in which a caller meets their refusals. */
// oxfmt-ignore
const grid = {
  read:     [ownHost, session,         permission, path, query, cursor, body, handler, answerJson],
  download: [ownHost, session,         permission, path, query, cursor, body, handler, answerFile],
  /** events that go on */
  stream:   [ownHost, session,         permission, path, query, stream,       handler, answerStream],
  change:   [ownHost, session, origin, permission, path, query, cursor, body, handler, answerJson],
  /** a file for which a body asks, such as the documents of many lines */
  fileFor:  [ownHost, session, origin, permission, path, query, cursor, body, handler, answerFile],
  /** signing in */
  open:     [ownHost,          origin,             path, query,         body, handler, answerJson],
  page:     [ownHost,                                                   bytes,         plainAnswer],
  /** an unknown path, or a method that the path does not have */
  missed:   [ownHost,                                                                  missedAnswer],
}

function stepsOf(entry: StaffOperation) {
  if (entry.open) return grid.open
  if (isUnsafe(entry)) return entry.download ? grid.fileFor : grid.change
  if (entry.download?.goesOn) return grid.stream
  return entry.download ? grid.download : grid.read
}

export type StaffHostParts = {
  operations: readonly ReadyStaffOperation[]
  problems: ProblemTable
  /** documents and pages, which need no session */
  pages: readonly PlainRoute[]
  /** production also has the accounts and sessions */
  environments: StaffEnvironments
  /** the host's own URL, as browsers reach it; known once it listens */
  ownUrl: () => string
  sourceAddress: (request: IncomingMessage) => string
  clock: Clock
  log: Logger
  tracing: Tracing
  observe: Frame<never>['observe']
  /** how often a stream shows that it is there, and looks whether its reader may go on */
  streamPulseMilliseconds: number
} & Pick<FrontParts, 'closingGraceMilliseconds'>

/** A request to the host. */
type HostContext = AnswerContext & { host: Host; session?: Session | undefined }

/** A request for an operation. */
type PersonContext = StaffContext & HostContext

type Host = StaffHostParts & { sessionKeys: KeyRing; streams: Streams }

const streamsMax = { ofOne: 10, inAll: 200 }

export function createStaffHost(parts: StaffHostParts): Front {
  const streams = createStreams(streamsMax)
  const host: Host = { ...parts, sessionKeys: parts.environments.PRODUCTION.keys('session'), streams }
  const frame: Frame<HostContext> = {
    clock: parts.clock,
    sourceAddress: parts.sourceAddress,
    tracing: parts.tracing,
    headers: () => ({ ...securityHeaders }),
    problem: ({ code, detail, errors }, requestId) => {
      const [status, meaning] = parts.problems[code]!
      const says = detail ?? meaning
      return writtenProblem(code, status, says, requestId, errors ?? faultTold(code, says))
    },
    asker: (context) => ({ staff: context.session?.username }),
    observe: parts.observe,
    log: parts.log,
  }
  const front = createFront({
    ownUrl: parts.ownUrl,
    closingGraceMilliseconds: parts.closingGraceMilliseconds,
    log: parts.log,
    doors: [...parts.operations.map(operationDoor), ...parts.pages.map(pageDoor)],
    answerMissed: (request, response, allow) =>
      answer({ http: beginExchange(request, response, 'none', frame), host, allow }, grid.missed, frame),
  })

  return {
    ...front,
    close: () => {
      // Nobody else ends them, and the front waits for every answer.
      streams.close()
      return front.close()
    },
  }

  function operationDoor(operation: ReadyStaffOperation): Door {
    const { entry } = operation
    const steps = stepsOf(entry)
    return {
      method: methodOf(entry),
      path: pathOf(entry),
      answer: (request, response, texts) => {
        const http = beginExchange(request, response, entry.id, frame, pathOf(entry))
        const context: PersonContext = {
          http,
          host,
          operation,
          raw: httpInputs(http, entry, texts),
          read: nothingRead(),
          session: undefined,
          stream: undefined,
          environments: parts.environments,
          sourceAddress: http.sourceAddress,
          now: http.now,
          requestId: http.requestId,
          traceContext: http.traceContext,
          inTime: http.deadline.inTime,
          answered: undefined,
        }
        return answer(context, steps, frame)
      },
    }
  }

  function pageDoor(route: PlainRoute): Door {
    return {
      ...route,
      answer: (request, response) => {
        const http = beginExchange(request, response, route.name, frame, route.path)
        return answer({ http, host, route, bytes: undefined }, grid.page, frame)
      },
    }
  }
}

/** A page that was led here under its own name could read what it asks for, and call without an origin of its own. */
function ownHost({ http, host }: HostContext): void {
  const { headers, socket } = http.request
  const called = { host: headers.host, localAddress: socket.localAddress }
  // HTTP/1.0 has no Host; browsers always send one.
  if (headers.host !== undefined && !isOwnHost([host.ownUrl()], called)) throw new Refusal<string>('host_not_served')
}

/** The 401 is the same for every cause. */
async function session(context: PersonContext): Promise<void> {
  const { http, environments } = context
  const presented = presentedSession(http.request)
  const { database } = environments.PRODUCTION
  context.session =
    presented && (await http.deadline.inTime(useSession(database, presented.secret, presented.transport, http.now)))
  if (!context.session) throw new Refusal<string>('not_signed_in', undefined, { 'www-authenticate': 'Bearer' })
}

/** Changes come from the console or from a tool, never from another site's page. */
function origin({ http, host, session: known }: PersonContext): void {
  if (isOwnRequest(http.request, new URL(host.ownUrl()).origin, host.sessionKeys, known)) return
  throw new Refusal<string>('request_forged')
}

/** The 503 comes from the streams themselves. */
function stream(context: PersonContext): void {
  const { http, host } = context
  const { staffId } = sessionOf(context)
  context.stream = host.streams.open(
    staffId,
    http.response,
    http.request.headers['last-event-id'] as string | undefined,
  )
  if (!context.stream) throw new Refusal<string>('too_many_streams', undefined, { 'retry-after': '60' })
}

function answerStream(context: PersonContext): Promise<void> {
  const { host, answered } = context
  const known = sessionOf(context)
  return sendEvents(context, streamOf(context), answered!.body as AsyncIterable<string>, {
    pulseMilliseconds: host.streamPulseMilliseconds,
    mayGoOn: () => isStillLive(host.environments.PRODUCTION.database, known, host.clock()),
  })
}
