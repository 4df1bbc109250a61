import { isJsonObject, JsonRefused, type JsonObject, readJson } from '../vocabulary/json.ts'
import { Outage } from '../vocabulary/outage.ts'
import type { Egress, EgressAnswer } from './egress/guarded-request.ts'

/**
 * A company whose service is asked over HTTP. That it cannot be asked, or answers what is not understood, is an outage: one
 * whose answers are wrong today may be right again tomorrow.
 * @param name as it stands in the middle of a sentence
 */
export function companyNamed(name: string) {
  function notUnderstood(cause?: unknown): Outage {
    return new Outage(`${name} answered what the service does not understand`, cause)
  }
  return {
    /** @throws Outage */
    async request(
      egress: Pick<Egress, 'request'>,
      target: string,
      options: Parameters<Egress['request']>[1],
    ): Promise<EgressAnswer> {
      try {
        return await egress.request(target, options)
      } catch (error) {
        throw new Outage(`${name} cannot be asked`, error)
      }
    },

    /** The JSON object of a body. @throws Outage */
    objectIn(body: Buffer): JsonObject {
      let answer: unknown
      try {
        answer = readJson(body)
      } catch (error) {
        if (error instanceof JsonRefused) throw notUnderstood(error)
        throw error
      }
      if (!isJsonObject(answer)) throw notUnderstood()
      return answer
    },

    notUnderstood,
  }
}
