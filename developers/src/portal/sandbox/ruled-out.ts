/** Why a step cannot be taken, as far as the page knows. The service has the last word, so a step of which nothing is said may be refused. */

/** What of an order and of a line tells it. */
type Order = { status: string; shippedItemCount: number }
type Line = {
  cancelled: boolean
  problem: boolean
  productionStatus: string | null
  proofStatus: string | null
  shipped: boolean
}

const pending = 'The order waits for approval.'
const held = 'The order is on hold.'

/** Nothing more happens to these orders. */
const ended: Readonly<Record<string, string>> = {
  COMPLETED: 'The order is completed.',
  CANCELLED: 'The order is cancelled.',
}

/** The stations behind prepress: a line enters proofing before them. */
const inProduction: ReadonlySet<string> = new Set(['QUEUED', 'PRINTING', 'FINISHING', 'PACKING', 'COMPLETE'])

/** What moves goods on waits for these. */
const stopped: Readonly<Record<string, string>> = { PENDING_APPROVAL: pending, ON_HOLD: held }

/** @returns undefined = it may be taken */
export function orderStepRuledOut(step: string, { status, shippedItemCount }: Order): string | undefined {
  const hasShippedPart = status === 'PARTIALLY_SHIPPED' || shippedItemCount > 0
  if (ended[status]) return ended[status]
  switch (step) {
    case 'approve_order':
      return status === 'PENDING_APPROVAL' ? undefined : 'The order does not wait for approval.'
    case 'release_order':
      return status === 'ON_HOLD' ? undefined : 'The order is not on hold.'
    case 'hold_order':
      return stopped[status]
    case 'ship_part':
    case 'ship_all':
      return status === 'SHIPPED' ? 'Everything has shipped.' : stopped[status]
    case 'cancel_order':
      return hasShippedPart ? 'A part of the order has shipped.' : undefined
    case 'complete':
      return status === 'PARTIALLY_SHIPPED' ? 'Not everything has shipped.' : stopped[status]
    default:
      return undefined
  }
}

/** @returns undefined = it may be taken */
export function lineStepRuledOut(step: string, { status }: Order, line: Line): string | undefined {
  if (ended[status]) return ended[status]
  if (line.cancelled) return 'The line is cancelled.'
  switch (step) {
    case 'advance':
      return line.productionStatus === 'COMPLETE' ? 'The line is finished.' : stopped[status]
    case 'publish_proof':
      return line.proofStatus === null && inProduction.has(String(line.productionStatus))
        ? 'The line is already in production.'
        : undefined
    case 'reproof':
      return line.proofStatus === null || line.proofStatus === 'NOT_CREATED' ? 'The line has no proof yet.' : undefined
    case 'clear_problem':
      return line.problem ? undefined : 'The line has no problem.'
    case 'cancel_line':
      return line.shipped ? 'The line has shipped.' : undefined
    default:
      return undefined
  }
}
