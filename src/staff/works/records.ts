import { Type, type TProperties } from 'typebox'
import {
  described,
  instant,
  int32,
  longNumber,
  nullable,
  oneOf,
  productId,
  record,
  text,
  uuid,
  whole,
} from '../../contract/fields.ts'
import { artworkSources } from '../../vocabulary/product-kinds.ts'
import { linePriorities, orderStatuses, productionStatuses, proofStatuses } from '../../vocabulary/statuses.ts'

/** A production status, or `NOT_STARTED` for a line that is not in production. */
export const stationWords = ['NOT_STARTED', ...productionStatuses] as const

export type StationWord = (typeof stationWords)[number]

/** A line as the people see it who have work with it. */
export const LineInWork = record('LineInWork', {
  orderNumber: longNumber,
  lineNumber: whole,
  itemNumber: nullable(longNumber),
  siteId: int32,
  orderStatus: described(oneOf(orderStatuses), 'the status of its order'),
  placedOn: instant,
  partnerId: nullable(described(uuid, 'null = a storefront order')),
  partnerName: nullable(text),
  partnerOrderId: nullable(text),
  recordKind: described(oneOf(['SALE', 'REWORK', 'PROOF']), 'SALE = the customer bought it; others record production'),
  productId,
  productName: text,
  productCode: text,
  jobName: nullable(text),
  quantity: whole,
  backorderQuantity: nullable(described(whole, 'null = not computed')),
  productionStatus: nullable(described(oneOf(productionStatuses), 'null = not in production')),
  station: nullable(described(oneOf(productionStatuses), 'where the line is, also while it is on hold there')),
  held: nullable(described(oneOf(['LINE', 'ORDER']), 'what is on hold: the line, or its whole order')),
  heldReason: nullable(described(text, 'as the list of reasons says it now')),
  heldComment: nullable(described(text, 'what was said when it was held')),
  proofStatus: nullable(described(oneOf(proofStatuses), 'null = not in proofing')),
  proofSince: nullable(described(instant, 'when its current proof was published')),
  problem: nullable(described(text, 'the reported problem; null = none')),
  due: nullable(described(instant, 'shipBy or, without one, estimatedShipBy')),
  daysLate: nullable(described(whole, 'whole days since it was due; null = not late')),
  priority: described(oneOf(linePriorities), 'what is worked on first among lines that are due at the same time'),
  assigneeId: nullable(described(uuid, 'the staff account of the person who sees to it')),
  assignee: nullable(described(text, 'the same as a username')),
  fulfilmentCenterId: nullable(described(int32, 'the plant that makes it')),
  artworkSource: oneOf(artworkSources),
  artwork: nullable(
    described(
      oneOf(['inspecting', 'blocked', 'ready']),
      'how its print files stand; blocked = the newest has errors that nobody waived; null = it has none',
    ),
  ),
  preview: nullable(
    Type.String({
      format: 'uri',
      description:
        'a small picture of its newest print file or its proof, signed and good for five minutes; null = there is none now',
    }),
  ),
  shipmentNumber: nullable(described(longNumber, 'the open shipment it leaves with')),
  updatedOn: instant,
})

const oldest = nullable(described(instant, 'since when the longest waits; null = nothing waits'))
const list = described(text, 'what lists it: path and query below /staff/v1/{environment}/')

const counter = { count: described(whole, 'how many wait'), oldest, list }

function told<Properties extends TProperties>(description: string, name: string, properties: Properties) {
  return record(name, properties, description)
}

/** Without a name in the documents, where each of them says what it counts. */
function queue(description: string) {
  return Type.Object(counter, { additionalProperties: false, description })
}

/** The same for queues whose oldest is what was due first. */
function dueQueue(description: string) {
  return Type.Object(
    { ...counter, oldest: nullable(described(instant, 'the earliest due date')) },
    { additionalProperties: false, description },
  )
}

const recent = {
  lastDay: described(whole, 'in the last 24 hours'),
  lastWeek: described(whole, 'in the last seven days'),
  oldest: nullable(described(instant, 'the first of the last seven days')),
  list: described(text, 'what lists those of the last seven days: path and query below /staff/v1/{environment}/'),
  listOfLastDay: described(text, 'the same of the last 24 hours'),
}

/** What waits for whom. */
export const Today = record('Today', {
  at: described(instant, 'when it was counted'),
  ordersToApprove: queue('orders that wait for approval'),
  proofsToEnter: queue('lines whose product needs a proof, and that are not in proofing'),
  proofsToDraw: queue('lines in proofing without a published proof'),
  proofsWaiting: told('lines whose proof waits for its customer', 'WaitingProofs', {
    ...counter,
    byDays: told('the same by how long they wait', 'WaitingDays', {
      upTo1: described(whole, 'waiting for less than two days'),
      from2To3: described(whole, 'waiting for two or three days'),
      from4To7: described(whole, 'waiting for four to seven days'),
      over7: described(whole, 'waiting for more than seven days'),
    }),
    listsByDays: told('what lists each of them', 'WaitingDaysLists', {
      upTo1: list,
      from2To3: list,
      from4To7: list,
      over7: list,
    }),
  }),
  proofsDeclined: queue('lines whose proof was declined'),
  artworkMissing: queue('lines up to prepress that wait for a file that passes'),
  artworkFaulty: queue('lines up to prepress whose newest file needs changes'),
  problems: queue('lines with a reported problem'),
  held: queue('lines on hold, or of an order on hold'),
  late: dueQueue('lines that were due by now'),
  dueToday: dueQueue('lines due later today'),
  readyToShip: dueQueue('lines at PACKING, or COMPLETE and not shipped, that may be worked on'),
  unassigned: queue('lines that may be worked on and that nobody sees to'),
  stations: Type.Array(
    record('StationQueue', {
      station: described(oneOf(stationWords), 'NOT_STARTED = not in production'),
      ...counter,
      oldest: nullable(described(instant, 'the earliest due date')),
    }),
    { description: 'lines that may be worked on, by station' },
  ),
  failedSubmissions: told('submissions that became no order', 'FailedSubmissions', recent),
  failedDeliveries: told('webhook deliveries that failed', 'FailedDeliveries', recent),
  failingEndpoints: queue('webhook endpoints in use whose newest delivery failed'),
  certificatesEnding: told('certificates of partners that are about to end', 'EndingCertificates', {
    count: described(whole, "partners' certificates that end within 30 days, or have ended, and have no successor"),
    oldest: nullable(described(instant, 'when the first of them ends')),
    list,
  }),
  lowStock: told('variants to order or to make again', 'LowStock', {
    count: described(whole, 'active variants whose stock is low'),
    list,
  }),
  days: Type.Array(
    record('DayShipped', {
      day: described(text, 'a date, by the clock of the plant'),
      shipped: described(whole, 'lines that shipped'),
      shippedLate: described(whole, 'those of them that shipped after they were due'),
      list,
      listOfLate: described(text, 'what lists those that shipped late'),
    }),
    { description: 'the last 14 days, today last' },
  ),
})
