import { Refusal } from '../../contract/refusal.ts'
import type { PlainRoute } from '../plain-route.ts'
import { BodyRefused, readBytes } from '../reading/read-body.ts'
import { pathOfRequest, queryOf } from '../reading/request-line.ts'
import { answerPlain, EarlyAnswer, type AnswerContext } from './answer.ts'

/** The steps of paths outside the contract. */

export type PlainAnswering = Pick<PlainRoute, 'name' | 'bytesMax' | 'answer' | 'refuseBody' | 'noted'>

/** A request for a plain route. */
type PlainContext = AnswerContext & { route: PlainAnswering; bytes: Buffer | undefined }

export async function bytes(context: PlainContext): Promise<void> {
  const { http, route } = context
  try {
    context.bytes = await http.deadline.apart(() => readBytes(http.request, route.bytesMax))
  } catch (error) {
    if (!(error instanceof BodyRefused)) throw error
    if (route.refuseBody) throw new EarlyAnswer(route.refuseBody(error.message))
    throw new Refusal('invalid_request', error.message)
  }
}

export async function plainAnswer({ http, route, bytes: read }: PlainContext): Promise<void> {
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
  await answerPlain(http, answer)
}

/** Refuses what no door answers. @param context `allow` names the methods that the path has, if any */
export function missedAnswer({ allow }: { allow: string | undefined }): void {
  throw allow ? new Refusal('method_not_allowed', undefined, { allow }) : new Refusal('route_not_found')
}
