import { problemCodes, problemMeaning, problemStatus } from '../contract/problems.ts'

/** The general part of the documents, before the operations. */
export function guide(): string {
  const chapters = Object.values(guideChapters).map(({ heading, text }) => `## ${heading}\n\n${text}`)
  return [intro, ...chapters, `## Problem codes\n\n${problemTable()}`].join('\n\n')
}

const intro = `
The partner API of a print-and-fulfilment commerce platform: orders, proofs and artwork, catalog, quotes, users,
divisions and credit for the storefront sites that are granted to a partner.
`.trim()

/** The chapters of the general part, by name; the developer site shows each in a guide of its own. */
export const guideChapters = {
  conventions: {
    heading: 'Conventions',
    text: `
- Bodies are JSON. The API refuses unknown keys and unknown query parameters. A field that cannot be cleared refuses null.
- A record on a site that is not granted to you gets the same answer as a record that does not exist.
- Money is an exact decimal string. Null means not priced, which is not zero. Never parse an amount as a float. The
  amounts of a submission's order that are JSON numbers say so.
- Instants are ISO 8601 in UTC.
- Lists are paged. For the next page, send \`nextCursor\` back as \`cursor\`, exactly as received, to the same operation
  with the same filters. \`nextCursor\` is null on the last page. A short or empty page may have a next page.
- There is no change feed: \`updatedSince\` is refused, and \`updatedOn\` is not a watermark.
- Answers may get new fields, and enumerations that also allow any string new values. Tolerate what you do not know.
`.trim(),
  },
  errors: {
    heading: 'Errors, and when to try again',
    text: `
Every error is a problem document. Branch on its \`code\`. The one exception is the edge firewall's 403, which has no body.
The firewall refuses more than 2,000 requests from one address within five minutes, and requests that look like attacks.

| status | what to do |
|---|---|
| 400, 403, 404, 409, 412, 422 | do not repeat the request unchanged. After a decision that you made, \`proof_not_pending_review\` means that it succeeded |
| 401 | get a fresh token and try once more |
| 429, 503 | try again with exponential backoff and jitter, a limited number of times, and not before \`Retry-After\` |
| 500 | quote \`requestId\` to support |

You can safely send a submission again after a timeout: the same \`partnerOrderId\` with the same body never orders twice.
A path that does not exist answers 404 \`route_not_found\`. A path that does not accept the method answers 405
\`method_not_allowed\`.
`.trim(),
  },
  conditionalRequests: {
    heading: 'Conditional requests',
    text: `
Every read answers an \`ETag\`. Send it back as \`If-None-Match\`, and the answer is 304 without a body as long as nothing in
it has changed. Some reads differ from call to call, so that their \`ETag\` changes with each: those of proofs, artwork,
artwork checks and artwork requirements, whose links are signed anew, \`GET /v1/me\`, which tells what is left of the
limits, and \`GET /v1/ping\`, which tells the time. Links to product images stay the same for six hours, and so do the tags
of their reads. Send it as \`If-Match\` with a PATCH or PUT, or with a decision on a proof, and the change is made only if nobody has
changed the record since you read it; otherwise the answer is 412 \`precondition_failed\`, and nothing has changed. Answers say
\`Cache-Control: no-store\`: keep them for yourself, and out of shared caches. Answers over 1 KB are compressed if you send
\`Accept-Encoding\` with \`gzip\` or \`br\`.
`.trim(),
  },
  limits: {
    heading: 'Limits',
    text: `
A partner has a token bucket and a daily quota, which all its credentials share. The headers \`RateLimit\` and
\`RateLimit-Policy\` show what is left. The quota resets at 00:00 UTC.

| tier | requests per second | burst | requests per day |
|---|---|---|---|
| Trial | 2 | 5 | 10,000 |
| Standard | 10 | 20 | 100,000 |
| Enterprise | 50 | 100 | 1,000,000 |

A body has at most 256 KB.
`.trim(),
  },
  surprises: {
    heading: 'What surprises',
    text: `
- A submission that ends as \`failed\` has used up its \`partnerOrderId\`: the same body gets the same failure again. Mend
  the order and send it under a new id. A submission that was refused with a 4xx has used up nothing.
- Money has two types. The amounts in \`order\` of a submission are JSON numbers; everywhere else they are decimal strings.
  Reconcile with the strings.
- The firewall counts addresses and knows no tier. 2,000 requests in five minutes are fewer than seven a second, so a
  Standard or Enterprise partner gets its sustained rate only from several addresses. The firewall's 403 has no
  \`Retry-After\`: wait five minutes.
- \`totalPrice\` is \`itemTotal\` − \`discountTotal\` + \`handlingTotal\` + \`shippingTotal\` + \`taxTotal\`, after adjustments and
  without cancelled lines. Credit pays a part of it (\`creditApplied\`) and is not subtracted. A line's \`lineTotal\` is
  without handling, delivery and tax.
- An order is a snapshot of what it was made from: names, codes, prices, tax percents and addresses stay as they were when it
  was placed, whatever happens to the product, the user or the rates later. A quote is of its moment and promises nothing.
- Of a submission, \`order.status\` and \`order.totalPrice\` are the order's own, now; \`order.lines\` stay as ordered.
- A webhook signing secret is used as it stands: the HMAC key is the whole text, \`whsec_\` included, and nothing in it is
  decoded. The chapter on webhooks has a test vector.
`.trim(),
  },
} as const

/**
 * A delivery and its signature, for those who write a verifier: the secret is used as it stands, `whsec_` included.
 */
export const signatureVector = {
  secret: 'whsec_5Qw0yZ1kV3nT8rB6mX2cL9pD4sJ7hF1gAbCdEfGhIjK',
  timestamp: 1_769_851_800,
  body: '{"eventId":"0c4f2d1e-6a3b-4f7d-9e25-1b8c7a60d3f4","type":"order.status_changed","occurredAt":"2026-01-31T09:30:00.000Z","siteId":101,"orderNumber":1010001}',
  v1: 'fe9b6d2138726a4d6b6340ae3f5a4a049c6daa61e09f4c9626d5b5ca898c20ab',
} as const

/** The part about receiving webhooks. */
export const webhookGuide = `
A webhook says that something changed and names what to read again. It carries no order contents. Webhooks report only
these five changes, and \`proof.pending_review\` only to an endpoint whose subscription names it: an endpoint that was
registered without naming types gets the other four. Silence does not mean that nothing changed, so
read \`GET /v1/orders\` on a schedule too. Staff register endpoints. In the sandbox you register your own,
with \`POST /sandbox/receivers\`.

- Store the delivery and answer 2xx at once; process it later. A delivery fails when the answer takes longer than 5
  seconds, when it has another status (a redirect too), or when there is no connection. A failed delivery is final: it is
  not sent again.
- The same event may arrive more than once. Compare \`eventId\`, which the header \`Platform-Event-Id\` repeats.
- A \`traceparent\` (W3C Trace Context) that your request had goes on to the webhooks that follow from it, so that your
  tracing shows both in one trace.
- Events may arrive in any order. Trust what you read last, not what arrived last.
- Log or ignore a \`type\` you do not know; never fail on it.
- An endpoint without a signing secret gets no signature. Such a delivery is a hint and proves nothing.
- A test ping may arrive at any time. Its \`eventId\` starts with \`test_\`, and its \`siteId\` and \`orderNumber\` are 0.
  Verify it if you verify deliveries, then drop it.

To verify \`Platform-Signature: t=…,v1=…\`:

1. Refuse the delivery when \`t\` or \`v1\` is missing.
2. Refuse it when \`t\` (seconds since 1970) is more than 300 seconds away from your clock, in either direction.
3. Compute HMAC-SHA-256 with your signing secret over \`t\`, a full stop and the body's bytes as they came in. Do not parse
   and serialize the body first. Write the result as lower-case hexadecimal.
4. Compare it with \`v1\` in constant time.

The secret is the key as it stands: its characters, \`whsec_\` included, and nothing decoded. Test your verifier with this
delivery (its \`t\` is long past):

| part | value |
|---|---|
| secret | \`${signatureVector.secret}\` |
| body | \`${signatureVector.body}\` |
| header | \`Platform-Signature: t=${signatureVector.timestamp},v1=${signatureVector.v1}\` |
`.trim()

function problemTable(): string {
  const rows = problemCodes.map((code) => `| \`${code}\` | ${problemStatus(code)} | ${problemMeaning(code)} |`)
  return ['| code | status | meaning |', '|---|---|---|', ...rows].join('\n')
}
