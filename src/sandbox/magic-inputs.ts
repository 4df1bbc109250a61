import type { OrderProblem, OrderRequest } from '../platform/ordering/order-request.ts'

/**
 * Values of ordinary fields that trigger rare behaviour in the sandbox, and only there. A test compares the
 * documentation with this table.
 */
export const magicInputs = [
  {
    name: 'reject',
    field: 'jobName',
    value: 'sandbox:reject',
    effect:
      'the submission ends as `failed`, with one `order_rejected` for each line of that name; a quote of the order names them too',
  },
  {
    name: 'slow',
    field: 'jobName',
    value: 'sandbox:slow',
    effect: 'the submission takes longer than the 20 seconds that the call waits, then continues',
  },
  {
    name: 'template-outage',
    field: 'jobName',
    value: 'sandbox:template-outage',
    effect: 'the template vendor is out for half a minute: the submission waits, and template reads answer 503',
  },
  {
    name: 'reproof',
    field: 'jobName',
    value: 'sandbox:reproof',
    effect: 'the simulator declines the first proof of the line and publishes a second revision',
  },
  {
    name: 'no-link',
    field: 'jobName',
    value: 'sandbox:no-link',
    effect: "the line's proof files have a null `link`, and `visualUrl` is null",
  },
  {
    name: 'split',
    field: 'jobName',
    value: 'sandbox:split',
    effect: 'the shipment leaves in two parts: half of each line first, the rest later as its own shipment',
  },
  {
    name: 'too-many-requests',
    field: 'quantity',
    value: 900_429,
    effect: 'an order, a quote of it or a product quote answers 429 `rate_limit_exceeded` with `Retry-After`',
  },
  {
    name: 'unavailable',
    field: 'quantity',
    value: 900_503,
    effect: 'an order, a quote of it or a product quote answers 503 `service_unavailable`',
  },
  {
    name: 'too-many-requests',
    field: 'postalCode',
    value: '00429',
    effect:
      'an order, a quote of it or a shipping quote to this postal code answers 429 `rate_limit_exceeded` with `Retry-After`',
  },
  {
    name: 'unavailable',
    field: 'postalCode',
    value: '00503',
    effect: 'an order, a quote of it or a shipping quote to this postal code answers 503 `service_unavailable`',
  },
] as const satisfies readonly MagicInput[]

export type MagicInput = {
  name: string
  field: 'jobName' | 'quantity' | 'postalCode'
  value: string | number
  effect: string
}

export type MagicName = (typeof magicInputs)[number]['name']

/** The effect that a field's value asks for. */
export function magicOf(field: MagicInput['field'], value: unknown): MagicName | undefined {
  return magicInputs.find((input) => input.field === field && input.value === value)?.name
}

type Goods = { quantity?: unknown; shipTo?: { postalCode?: unknown } }

/** The refusal that the fields of a request or of its lines ask for. */
export function forcedRefusal(body: unknown): 'too-many-requests' | 'unavailable' | undefined {
  const { lines = [], ...whole } = (body ?? {}) as Goods & { lines?: Goods[] }
  for (const { quantity, shipTo } of [whole, ...lines]) {
    const name = magicOf('quantity', quantity) ?? magicOf('postalCode', shipTo?.postalCode)
    if (name === 'too-many-requests' || name === 'unavailable') return name
  }
  return undefined
}

/** Longer than the 20 s that a call waits for a submission. */
export const slowSeconds = 22
export const templateOutageSeconds = 30

/** What happens to a submission instead of processing. A delay happens once, at the first claim. */
export function interceptSubmission(claim: {
  body: OrderRequest
  claims: number
}): { problems: OrderProblem[] } | { postponeSeconds: number } | undefined {
  const names = claim.body.lines.map((line) => magicOf('jobName', line.jobName))
  const problems = claim.body.lines.flatMap((line, index): OrderProblem[] =>
    names[index] === 'reject'
      ? [
          {
            reason: 'scenario',
            detail: 'The sandbox rejects lines with this jobName.',
            field: `lines[${index}].jobName`,
            partnerLineId: line.partnerLineId,
          },
        ]
      : [],
  )
  if (problems.length > 0) return { problems }
  if (claim.claims > 1) return undefined
  if (names.includes('template-outage')) return { postponeSeconds: templateOutageSeconds }
  if (names.includes('slow')) return { postponeSeconds: slowSeconds }
  return undefined
}
