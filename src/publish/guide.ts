import { problemCodes, problemMeaning, problemStatus } from '../contract/problems.ts'

/** What a reader of the published documents must know before any single operation. */
export function guide(): string {
  return `${conventions}\n\n## Problem codes\n\n${problemTable()}`
}

const conventions = `
The partner API of a print-and-fulfilment commerce platform: orders, proofs and artwork, catalog, quotes, users,
divisions and credit of the storefront sites granted to a partner.

## Conventions

- Bodies are JSON. Unknown keys and unknown query parameters are refused. A field that cannot be cleared refuses null.
- A record on a site you were not granted answers exactly like one that does not exist.
- Money is an exact decimal string; null means not priced, which is not zero. Never parse it as a float. The two
  amounts of a submission's order that are JSON numbers say so.
- Instants are ISO 8601 in UTC.
- Lists are pages: send \`nextCursor\` back as \`cursor\`, exactly as received and to the same operation with the same
  filters, until it is null. A page may be short, or empty, with more behind it.
- There is no change feed: \`updatedSince\` is refused and \`updatedOn\` is not a watermark.
- Enumerations marked \`x-extensible-enum\` may grow: tolerate values you do not know.

## Errors, and when to try again

Every error is a problem document; branch on its \`code\`. The one exception is the edge firewall's 403, which has no body
(more than 2,000 requests from one address within five minutes, or a request that looks like an attack).

| status | what to do |
|---|---|
| 400, 403, 404, 409, 422 | do not repeat the request unchanged. \`proof_not_pending_review\` on a decision you already made means it succeeded |
| 401 | get a fresh token and try once more |
| 429, 503 | try again with exponential backoff and jitter, a limited number of times, and not before \`Retry-After\` |
| 500 | quote \`requestId\` to support |

A submission that timed out is safe to send again: the same \`partnerOrderId\` with the same body never orders twice.
A path that does not exist answers 404 \`route_not_found\`, one that does not accept the method 405 \`method_not_allowed\`.

## Limits

A token bucket and a daily quota, both shared by all credentials of a partner. \`RateLimit\` and \`RateLimit-Policy\` tell
where you stand; the quota starts anew at 00:00 UTC.

| tier | requests per second | burst | requests per day |
|---|---|---|---|
| Trial | 2 | 5 | 10,000 |
| Standard | 10 | 20 | 100,000 |
| Enterprise | 50 | 100 | 1,000,000 |

Bodies are at most 256 KB.
`.trim()

/** What a receiver of webhooks must know and do. */
export const webhookGuide = `
A webhook tells that something changed and names what to read again. It carries no order contents. Only these four changes
are told; silence does not mean that nothing changed, so read \`GET /v1/orders\` on a schedule too. Endpoints are registered
by staff; in the sandbox you register your own, by its control API.

- Take it in, put it aside and answer 2xx at once. An answer later than 5 seconds, another status (a redirect too) or no
  connection makes the delivery fail for good: it is not tried again.
- The same event may come more than once: \`eventId\`, repeated in \`Platform-Event-Id\`, tells. Events may come in any order:
  what counts is what you read last, not what arrived last.
- Log or ignore a \`type\` you do not know; never fail on it.
- An endpoint without a signing secret gets no signature. Such a delivery is a hint and proves nothing.
- A test ping may come at any time: its \`eventId\` starts with \`test_\`, \`siteId\` and \`orderNumber\` are 0. Verify it, if you
  verify, and drop it.

To verify \`Platform-Signature: t=…,v1=…\`:

1. refuse it when \`t\` or \`v1\` is missing;
2. refuse it when \`t\` (seconds since 1970) is more than 300 seconds away from your clock, in either direction;
3. compute HMAC-SHA-256 with your signing secret over \`t\`, a full stop and the body's bytes as they came in, not parsed and
   written again; write it as lower-case hexadecimal;
4. compare it with \`v1\` in constant time.
`.trim()

function problemTable(): string {
  const rows = problemCodes.map((code) => `| \`${code}\` | ${problemStatus(code)} | ${problemMeaning(code)} |`)
  return ['| code | status | meaning |', '|---|---|---|', ...rows].join('\n')
}
