import type { IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import { methodOf, pathOf } from '../contract/operation.ts'
import { Refusal } from '../contract/refusal.ts'
import { answer, answerFile, answerJson, beginExchange, type Answering, type Frame } from '../http/answering/answer.ts'
import { bytes, missedAnswer, plainAnswer } from '../http/answering/plain.ts'
import { writtenProblem } from '../http/answering/problem.ts'
import { createFront, type Door, type Front, type FrontParts } from '../http/front.ts'
import { body, httpInputs, nothingRead, path, query } from '../http/perform.ts'
import type { PlainRoute } from '../http/plain-route.ts'
import type { Clock } from '../vocabulary/clock.ts'
import { isUnsafe, type StaffOperation } from './operation.ts'
import { cursor, handler, permission, type ReadyStaffOperation, type StaffVisit } from './perform.ts'
import type { ProblemTable } from './problems.ts'
import { securityHeaders } from './security-headers.ts'
import { isOwnRequest, presentedSession } from './session-transport.ts'
import { useSession, type Session } from './session/sessions.ts'
import type { StaffWorlds } from './world.ts'

/** The host of the staff API and of the pages beside it. */

/** What a request meets at each kind of door, in this order. */
// oxfmt-ignore
const grid = {
  read:     [session,         permission, path, query, cursor, body, handler, answerJson],
  download: [session,         permission, path, query, cursor, body, handler, answerFile],
  change:   [session, origin, permission, path, query, cursor, body, handler, answerJson],
  /** signing in */
  open:     [         origin,             path, query,         body, handler, answerJson],
  page:     [                                                  bytes,         plainAnswer],
  /** no door at the path, or none for the method */
  missed:   [                                                                 missedAnswer],
}

function stepsOf(entry: StaffOperation) {
  if (entry.open) return grid.open
  if (isUnsafe(entry)) return grid.change
  return entry.download ? grid.download : grid.read
}

export type StaffHostParts = {
  operations: readonly ReadyStaffOperation[]
  problems: ProblemTable
  /** documents and pages, for anybody who can reach the host */
  pages: readonly PlainRoute[]
  /** accounts and sessions are in production */
  worlds: StaffWorlds
  /** the host's own URL, as browsers reach it; known once it listens */
  ownUrl: () => string
  sourceAddress: (request: IncomingMessage) => string
  clock: Clock
  log: Logger
  observe: (operation: string, status: number, milliseconds: number) => void
} & Pick<FrontParts, 'closingGraceMilliseconds'>

/** A request to the host. */
type Arrival = Answering & { session?: Session | undefined }

/** A request for an operation. */
type PersonArrival = StaffVisit & Arrival & { host: Host }

type Host = StaffHostParts & { sessionKey: Buffer }

export function createStaffHost(parts: StaffHostParts): Front {
  const host: Host = { ...parts, sessionKey: parts.worlds.PRODUCTION.key('session') }
  const frame: Frame<Arrival> = {
    clock: parts.clock,
    sourceAddress: parts.sourceAddress,
    headers: () => securityHeaders(parts.ownUrl()),
    problem: (code, requestId, detail) => {
      const [status, meaning] = parts.problems[code]!
      return writtenProblem(code, status, detail ?? meaning, requestId)
    },
    asker: (arrival) => ({ staff: arrival.session?.username }),
    observe: parts.observe,
    log: parts.log,
  }
  return createFront({
    closingGraceMilliseconds: parts.closingGraceMilliseconds,
    log: parts.log,
    doors: [...parts.operations.map(operationDoor), ...parts.pages.map(pageDoor)],
    answerMissed: (request, response, allow) =>
      answer({ http: beginExchange(request, response, 'none', frame), allow }, grid.missed, frame),
  })

  function operationDoor(operation: ReadyStaffOperation): Door {
    const { entry } = operation
    const steps = stepsOf(entry)
    return {
      method: methodOf(entry),
      path: pathOf(entry),
      answer: (request, response, texts) => {
        const http = beginExchange(request, response, entry.id, frame)
        const visit: PersonArrival = {
          http,
          host,
          operation,
          raw: httpInputs(http, entry, texts),
          read: nothingRead(),
          session: undefined,
          worlds: parts.worlds,
          sourceAddress: http.sourceAddress,
          now: http.now,
          requestId: http.requestId,
          inTime: http.deadline.inTime,
          answered: undefined,
        }
        return answer(visit, steps, frame)
      },
    }
  }

  function pageDoor(route: PlainRoute): Door {
    return {
      ...route,
      answer: (request, response) => {
        const http = beginExchange(request, response, route.name, frame)
        return answer({ http, route, bytes: undefined }, grid.page, frame)
      },
    }
  }
}

/** 401 is the same for every cause. */
async function session(arrival: PersonArrival): Promise<void> {
  const { http, worlds } = arrival
  const presented = presentedSession(http.request)
  const { database } = worlds.PRODUCTION
  arrival.session =
    presented && (await http.deadline.inTime(useSession(database, presented.secret, presented.transport, http.now)))
  if (!arrival.session) throw new Refusal<string>('not_signed_in', undefined, { 'www-authenticate': 'Bearer' })
}

/** A change is asked for by the console or by a tool, not by a page of somebody else. */
function origin({ http, host, session: known }: PersonArrival): void {
  if (isOwnRequest(http.request, new URL(host.ownUrl()).origin, host.sessionKey, known)) return
  throw new Refusal<string>('request_forged')
}
