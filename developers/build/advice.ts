import { problemStatus, type ProblemCode } from '../../src/contract/problems.ts'

/** What a program does with a problem: the rule of its status, and what only this code needs. */
export function adviceOn(code: ProblemCode): string {
  return [ofCode[code], ofStatus[problemStatus(code)]].filter(Boolean).join('\n\n')
}

const ofStatus: Readonly<Record<number, string>> = {
  400: 'Do not repeat the request unchanged: it gets the same answer. `detail` says what would be right; `errors` lists several faults where there are several.',
  401: 'Get a fresh token and try once more. If that is refused too, the credential itself is not good: look at it in the [portal](/portal/), or ask staff.',
  403: 'Do not repeat the request. The partner, or the person who signed in, may not do this.',
  404: 'Do not repeat the request unchanged. A record on a site that is not granted to you is answered in the same way.',
  405: 'Use one of the methods in the header `Allow`.',
  409: 'Do not repeat the request unchanged. Read the record, and decide anew.',
  412: 'Read the record again, decide whether your change still fits, and send it with the new `ETag`.',
  422: 'Do not repeat the request unchanged: the service understood it, and it cannot be done as asked.',
  429: 'Wait as long as `Retry-After` says, then try again; with each further refusal wait longer. See [limits](/guides/limits/).',
  500: 'Keep the `requestId` and quote it to support. Trying once more does no harm where the request may be repeated.',
  503: 'Nothing was decided. Wait as long as `Retry-After` says and try again, with longer waits each time. A submission is repeated with the same `partnerOrderId` and the same body.',
}

const ofCode: Partial<Record<ProblemCode, string>> = {
  proof_not_pending_review:
    'If the decision was yours and its answer was lost, it is made: count it as success. Otherwise read the proof: it is decided, or a new revision is on its way.',
  partner_order_id_reused:
    'Two purchases share an id, or the body changed between attempts. Send exactly the first body to learn its outcome; give a new purchase a new id.',
  invalid_cursor: 'A cursor belongs to the operation and the filters that it came with. Begin again without it.',
  artwork_reservation_not_usable:
    'Most often the upload had not ended, or its URL had gone stale: reserve again, send the file, and attach that. A reservation costs nothing.',
  ordering_not_provisioned:
    'Only staff can mend it. Keep the order, and send it again under the same id once they have.',
  insufficient_scope:
    '`GET /v1/me` lists the scopes that the credential has. Ask staff for more, or ask for them with the token.',
  updated_since_not_supported: 'Listen to [webhooks](/guides/webhooks/), and read open orders again on a schedule.',
  rate_limit_exceeded: 'The headers `RateLimit` and `RateLimit-Policy` show what is left before it comes to this.',
}
