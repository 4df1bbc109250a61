import { Refusal } from '../../contract/refusal.ts'
import type { PlainRoute } from '../plain-route.ts'
import { BodyRefused, readBytes } from '../reading/read-body.ts'
import { pathOfRequest, queryOf } from '../reading/request-line.ts'
import { answerPlain, OwnAnswer, type Answering } from './answer.ts'

/** The steps of paths outside the contract, on every host. */

export type PlainAnswering = Pick<PlainRoute, 'name' | 'bytesMax' | 'answer' | 'refuseBody'>

/** A request for a plain route, with its body once it is read. */
type PlainVisit = Answering & { route: PlainAnswering; bytes: Buffer | undefined }

export async function bytes(visit: PlainVisit): Promise<void> {
  const { http, route } = visit
  try {
    visit.bytes = await http.deadline.apart(() => readBytes(http.request, route.bytesMax))
  } catch (error) {
    if (!(error instanceof BodyRefused)) throw error
    if (route.refuseBody) throw new OwnAnswer(route.refuseBody(error.message))
    throw new Refusal('invalid_request', error.message)
  }
}

export async function plainAnswer({ http, route, bytes: read }: PlainVisit): Promise<void> {
  const { request, sourceAddress, now, requestId } = http
  const answer = await http.deadline.inTime(
    route.answer({
      path: pathOfRequest(request),
      headers: request.headers,
      query: queryOf(request),
      body: read!,
      sourceAddress,
      now,
      requestId,
    }),
  )
  answerPlain(http, answer)
}

/** @param allow the methods the path has, where there are any */
export function missedAnswer({ allow }: { allow: string | undefined }): void {
  throw allow ? new Refusal('method_not_allowed', undefined, { allow }) : new Refusal('route_not_found')
}
