const elsewise = 'For a receiver on your machine: partner-commerce listen --check --forward-to URL.'

/**
 * What an integration should have shown in the sandbox before it meets real orders. Each item is scored from what the
 * service has seen of the partner's own traffic, never from what somebody says. Only the answers of a receiver that the
 * sandbox cannot reach are told by the program that carries deliveries to it (`webhook-check.ts`).
 */
export const goLiveItems = [
  {
    key: 'order_completed',
    title: 'A first order is completed',
    toDo: 'Submit an order, approve its proof if it has one, and advance your clock by some days: it is made, ships and completes by itself.',
    guide: '/guides/first-order/',
  },
  {
    key: 'submission_repeated',
    title: 'A submission that is sent again makes no second order',
    toDo: 'Send a submission again with the same partnerOrderId and the same body, as after a lost answer: it answers 200.',
    guide: '/guides/idempotency-and-retries/',
  },
  {
    key: 'rate_limit_waited_for',
    title: '429 is tried again after the time it asks for',
    toDo: 'Quote a product or submit an order with the quantity 900429, and let your program repeat the call after Retry-After. It never succeeds: one repetition is enough.',
    guide: '/guides/limits/',
  },
  {
    key: 'outage_waited_for',
    title: '503 is tried again after the time it asks for',
    toDo: 'Quote a product or submit an order with the quantity 900503, and let your program repeat the call after Retry-After. It never succeeds: one repetition is enough.',
    guide: '/guides/idempotency-and-retries/',
  },
  {
    key: 'webhooks_answered',
    title: 'Webhooks are answered with 2xx within five seconds',
    toDo: `Register a receiver and let orders move: the last five deliveries to your receivers must succeed. Pings do not count. ${elsewise}`,
    guide: '/guides/webhooks/',
  },
  {
    key: 'signatures_verified',
    title: 'A webhook with a wrong signature is refused',
    toDo: `Give a signed receiver the misbehaviour wrong_signature and ping it: it must not answer 2xx, as it does otherwise. ${elsewise}`,
    guide: '/guides/webhooks/',
  },
  {
    key: 'duplicates_accepted',
    title: 'An event that comes twice is answered with 2xx twice',
    toDo: `Give a receiver the misbehaviour duplicate and ping it, or resend a delivery that succeeded. ${elsewise}`,
    guide: '/guides/webhooks/',
  },
  {
    key: 'declined_proof_handled',
    title: 'A declined proof is handled: declined, new artwork, approved',
    toDo: 'Decline a proof, attach another file to the line, and approve the next revision of the proof.',
    guide: '/guides/proofs/',
  },
  {
    key: 'artwork_mended',
    title: 'Artwork that needs changes is replaced by a file that does not',
    toDo: 'Attach a file named status-needs_changes.pdf to a line, and after its inspection another one that passes.',
    guide: '/guides/artwork/',
  },
  {
    key: 'split_shipment_read',
    title: 'An order in several shipments is read after the first one',
    toDo: 'Take the step ship_part with an order, and read the order or its shipments when you are told of it.',
    guide: '/guides/webhooks/',
  },
  {
    key: 'cancellation_read',
    title: 'An order with a cancelled line is read after the cancellation',
    toDo: 'Take the step cancel_line or cancel_order, and read the order or its items when you are told of it.',
    guide: '/guides/webhooks/',
  },
  {
    key: 'orders_reconciled',
    title: 'Orders are compared with the list of orders',
    toDo: 'Read the list of orders, as your program does from time to time to find what it missed.',
    guide: '/guides/pagination/',
  },
  {
    key: 'pages_followed',
    title: 'A list is read beyond its first page',
    toDo: 'Read a list with a small limit, and go on with its nextCursor.',
    guide: '/guides/pagination/',
  },
  {
    key: 'calls_well_formed',
    title: 'Hardly any call is malformed',
    toDo:
      'Of your calls in the 24 hours before the last one, at least 20, not more than one in 20 may be refused as malformed ' +
      '(400, 405, unknown paths, missing scopes) or be refused a token. Calls of people and agents do not count.',
    guide: '/guides/going-live/',
  },
] as const satisfies readonly { key: string; title: string; toDo: string; guide: `/guides/${string}/` }[]

export type GoLiveKey = (typeof goLiveItems)[number]['key']

/**
 * `failed`: the latest that was seen is a fault. Other items stay done once they are, whatever is reset or forgotten; this
 * one is about the traffic of now.
 */
export const goLiveStates = ['done', 'not_yet', 'failed'] as const

export const neverEarned: GoLiveKey = 'calls_well_formed'

/** What was seen, and where to find it. */
export type Evidence = {
  /** what was seen, as a sentence */
  says: string
  /** when, as the record dates it */
  on: string
  requestId: string | null
  deliveryId: number | null
  orderNumber: number | null
}

export type Score = { state: (typeof goLiveStates)[number]; evidence: Evidence | null }

/** The items of which something was seen. */
export type Scores = Partial<Record<GoLiveKey, Score>>

export function seen(says: string, on: string, where: Partial<Omit<Evidence, 'says' | 'on'>>): Evidence {
  return { says, on, requestId: null, deliveryId: null, orderNumber: null, ...where }
}
