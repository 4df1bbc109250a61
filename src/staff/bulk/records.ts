import { Type, type Static } from 'typebox'
import { bodyObject, described, flag, longNumber, nullable, oneOf, record, text, whole } from '../../contract/fields.ts'
import type { BodyFault } from '../../contract/refusal.ts'
import { isJsonObject, type JsonObject } from '../../vocabulary/json.ts'
import { orderStatuses, productionStatuses } from '../../vocabulary/statuses.ts'
import { orders } from '../orders/contract.ts'
import { mergedProblems } from '../problems.ts'
import { linesInProduction, seenStatus } from '../production/contract.ts'
import { proofs } from '../proofs/contract.ts'
import { shipments } from '../shipments/contract.ts'

/** The lines or orders of a bulk call, and what became of each. */

export const bulkMax = 200

export const BulkLine = bodyObject({
  orderNumber: longNumber,
  lineNumber: described(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), "the line's position in its order"),
  expects: seenStatus,
})

export const bulkLines = Type.Array(BulkLine, { minItems: 1, maxItems: bulkMax })
export const bulkOrders = Type.Array(longNumber, {
  minItems: 1,
  maxItems: bulkMax,
  description: 'each named once',
})

const outcome = {
  done: described(flag, 'false = refused, and nothing was changed'),
  code: nullable(described(text, 'why it was refused: a code of the single operation; null = done')),
  detail: nullable(described(text, 'the same as a sentence')),
}

const LineOutcome = record('LineOutcome', {
  orderNumber: longNumber,
  lineNumber: whole,
  ...outcome,
  productionStatus: nullable(described(oneOf(productionStatuses), 'now; null = not in production')),
})
export type LineOutcome = Static<typeof LineOutcome>

const OrderOutcome = record('OrderOutcome', {
  orderNumber: longNumber,
  ...outcome,
  status: nullable(described(oneOf(orderStatuses), 'now; null = no such order')),
})
export type OrderOutcome = Static<typeof OrderOutcome>

const counts = { done: described(whole, 'how many were done'), refused: described(whole, 'how many were not') }

export const LineOutcomes = record('LineOutcomes', {
  lines: Type.Array(LineOutcome, { description: 'in the order in which they were sent' }),
  ...counts,
})

export const OrderOutcomes = record('OrderOutcomes', {
  orders: Type.Array(OrderOutcome, { description: 'in the order in which they were sent' }),
  ...counts,
})

/** What a line or an order can be refused with, and what it means. */
export const bulkProblems = mergedProblems([
  orders.problems,
  linesInProduction.problems,
  proofs.problems,
  shipments.problems,
])

/** A line or an order that is named twice would be changed twice. */
export function checkNamedOnce(body: JsonObject): BodyFault[] {
  return [
    ...repeated(body.lines, 'lines', (line) => isJsonObject(line) && `${line.orderNumber}/${line.lineNumber}`),
    ...repeated(body.orderNumbers, 'orderNumbers', (orderNumber) => String(orderNumber)),
  ]
}

function repeated(list: unknown, name: string, keyOf: (item: unknown) => string | false): BodyFault[] {
  if (!Array.isArray(list)) return []
  const keys = list.map(keyOf)
  return keys.flatMap((key, index) => {
    if (key === false || keys.indexOf(key) === index) return []
    const path = `${name}[${index}]`
    return [{ path, rule: 'uniqueItems', detail: `The field ${path} names ${key} a second time.` }]
  })
}
