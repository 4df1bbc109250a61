import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { methodOf, pathOf } from '../contract/operation.ts'
import { Refusal } from '../contract/refusal.ts'
import { asRefusal } from '../http/answering/as-refusal.ts'
import { startDeadline } from '../http/answering/deadline.ts'
import { problemMediaType, writtenProblem } from '../http/answering/problem.ts'
import { sendPieces } from '../http/answering/send-pieces.ts'
import { send, sendPlain, type Headers } from '../http/answering/send.ts'
import { createFront, type Door, type Front, type FrontParts, type PathTexts } from '../http/front.ts'
import type { PlainRoute } from '../http/plain-route.ts'
import { CallerGone, readBytes } from '../http/reading/read-body.ts'
import { pathOfRequest, queryOf } from '../http/reading/request-line.ts'
import { useSession, type Session } from './session/sessions.ts'
import type { Clock } from '../vocabulary/clock.ts'
import { isUnsafe } from './operation.ts'
import type { PerformedStaffOperation } from './perform.ts'
import type { ProblemTable } from './problems.ts'
import { securityHeaders } from './security-headers.ts'
import { isOwnRequest, presentedSession } from './session-transport.ts'
import type { StaffWorld } from './world.ts'

/**
 * The host of the staff API and of the pages beside it. A caller meets, in this order: route, session (401, the same for
 * every cause), the origin of a change (403), and then what `perform.ts` checks.
 */
export type StaffHostParts = {
  operations: readonly PerformedStaffOperation[]
  problems: ProblemTable
  /** documents and pages, for anybody who can reach the host */
  pages: readonly PlainRoute[]
  /** where accounts and sessions are: production */
  home: StaffWorld
  /** the host's own URL, as browsers reach it; known once it listens */
  ownUrl: () => string
  sourceAddress: (request: IncomingMessage) => string
  clock: Clock
  log: Logger
  observe: (operation: string, status: number, milliseconds: number) => void
} & Pick<FrontParts, 'closingGraceMilliseconds'>

type Work = (told: { requestId: string; headers: Headers; deadline: ReturnType<typeof startDeadline> }) => Promise<{
  status: number
  username?: string | undefined
}>

export function createStaffHost(parts: StaffHostParts): Front {
  const { clock, log, home, closingGraceMilliseconds } = parts
  const sessionKey = home.key('session')
  return createFront({
    closingGraceMilliseconds,
    log,
    doors: [
      ...parts.operations.map((operation): Door => ({
        method: methodOf(operation.entry),
        path: pathOf(operation.entry),
        answer: (request, response, path) => serve(request, response, operation, path),
      })),
      ...parts.pages.map((page): Door => ({
        ...page,
        answer: (request, response) => servePage(request, response, page),
      })),
    ],
    answerMissed: (_request, response, allow) =>
      answer(response, 'none', async () => {
        throw allow ? new Refusal('method_not_allowed', undefined, { allow }) : new Refusal('route_not_found')
      }),
  })

  function serve(
    request: IncomingMessage,
    response: ServerResponse,
    operation: PerformedStaffOperation,
    path: PathTexts,
  ) {
    const { entry, perform } = operation
    return answer(response, entry.id, async ({ requestId, headers, deadline }) => {
      const now = clock()
      const session = entry.open ? undefined : await deadline.inTime(sessionOf(request, now))
      if (isUnsafe(entry) && !isOwnRequest(request, new URL(parts.ownUrl()).origin, sessionKey, session)) {
        throw new Refusal<string>('request_forged')
      }
      const answered = await perform({
        session,
        request,
        requestId,
        now,
        sourceAddress: parts.sourceAddress(request),
        path,
        query: queryOf(request),
        deadline,
      })
      if (entry.download) {
        const pieces = answered.body as AsyncIterable<string>
        const sent = { ...headers, 'content-type': entry.download.mediaType, ...answered.headers }
        await sendPieces(response, answered.status, sent, pieces, deadline)
      } else {
        const text = JSON.stringify(answered.body)
        send(response, answered.status, 'application/json', text, headers, answered.headers)
      }
      return { status: answered.status, username: session?.username }
    })
  }

  async function sessionOf(request: IncomingMessage, now: Date): Promise<Session> {
    const presented = presentedSession(request)
    const session = presented && (await useSession(home.database, presented.secret, presented.transport, now))
    if (!session) throw new Refusal<string>('not_signed_in', undefined, { 'www-authenticate': 'Bearer' })
    return session
  }

  function servePage(request: IncomingMessage, response: ServerResponse, page: PlainRoute): Promise<void> {
    return answer(response, page.name, async ({ requestId, headers, deadline }) => {
      const body = await deadline.apart(() => readBytes(request, page.bytesMax))
      const sourceAddress = parts.sourceAddress(request)
      const query = queryOf(request)
      const asked = {
        path: pathOfRequest(request),
        headers: request.headers,
        query,
        body,
        sourceAddress,
        now: clock(),
        requestId,
      }
      const answered = await deadline.inTime(page.answer(asked))
      sendPlain(response, answered, headers)
      return { status: answered.status }
    })
  }

  /** Does the work and answers it, or the problem it ends in; logs once. */
  async function answer(response: ServerResponse, name: string, work: Work): Promise<void> {
    const startedAt = performance.now()
    const requestId = randomUUID()
    const headers: Headers = { 'request-id': requestId, ...securityHeaders(parts.ownUrl()) }
    const deadline = startDeadline()
    let status = 500
    let code: string | undefined
    let username: string | undefined
    try {
      ;({ status, username } = await work({ requestId, headers, deadline }))
    } catch (error) {
      if (error instanceof CallerGone) return
      const refusal: Refusal<string> = asRefusal(error, requestId, name, log)
      const [problemStatus, meaning] = parts.problems[refusal.code]!
      const problem = writtenProblem(refusal.code, problemStatus, refusal.detail ?? meaning, requestId)
      status = problem.status
      code = problem.code
      send(response, status, problemMediaType, JSON.stringify(problem), headers, refusal.headers)
    } finally {
      deadline.end()
      const milliseconds = performance.now() - startedAt
      parts.observe(name, status, milliseconds)
      log.info(
        { requestId, operation: name, status, code, staff: username, milliseconds: Math.round(milliseconds * 10) / 10 },
        'answered',
      )
    }
  }
}
