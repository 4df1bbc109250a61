import type { AnswerOf, Operation } from '../api/api.ts'
import { inWords } from '../kit/status.tsx'

/** What waits at the works, by whom it waits for. */

type Today = AnswerOf<'readToday'>

export type Queue = {
  name: string
  count: number
  oldest: string | null
  /** `oldest` is when the first is due, else since when it waits */
  isByDue: boolean
  /** the console's page of what was counted */
  to: string
  /** who may not read it is not led there */
  reads: Operation
}

export type QueueGroup = { name: string; queues: readonly Queue[] }

/** The pages of the lists that the service names, and what reads them. */
const pages: Readonly<Record<string, readonly [path: string, reads: Operation]>> = {
  orders: ['/orders', 'listOrders'],
  lines: ['/production', 'listLines'],
  submissions: ['/support', 'listSubmissions'],
  'failed-deliveries': ['/support', 'listFailedDeliveries'],
  'webhook-endpoints': ['/partners', 'listEndpoints'],
  certificates: ['/partners', 'listAllCertificates'],
  stock: ['/stock', 'listStock'],
}

/** The tabs on which these lists are. */
const tabs: Readonly<Record<string, string>> = {
  submissions: 'submissions',
  'failed-deliveries': 'deliveries',
  'webhook-endpoints': 'endpoints',
  certificates: 'certificates',
}

/** `lines?proofStatus=DECLINED` → `/proofs?proofStatus=DECLINED`: what prepress decides about stands on its own desk. */
export function placeOf(list: string): Pick<Queue, 'to' | 'reads'> {
  const [name = '', query = ''] = list.split('?', 2)
  const [path, reads] = pages[name] ?? (['/today', 'readToday'] as const)
  const search = new URLSearchParams(query)
  if (tabs[name]) search.set('tab', tabs[name])
  const isOfProofs = name === 'lines' && [...search.keys()].some((key) => key.startsWith('proof'))
  // The board calls it a station.
  const station = search.get('productionStatus')
  if (station !== null && name === 'lines' && !isOfProofs) {
    search.delete('productionStatus')
    search.set('station', station)
  }
  return { to: `${isOfProofs ? '/proofs' : path}?${search}`, reads }
}

/** What the bench shows of its own accord; the rest narrows it. */
const ofBench = ['productionStatus', 'workable']

/** What ships waits at the bench, not on the board. */
function benchOf(list: string): string {
  const search = new URLSearchParams(list.split('?', 2)[1])
  for (const name of ofBench) search.delete(name)
  return `/shipping?${search}`
}

type Counted = { count: number; oldest?: string | null; list: string }

function queue(name: string, { count, oldest, list }: Counted): Queue {
  return { name, count, oldest: oldest ?? null, isByDue: false, ...placeOf(list) }
}

/** Of these the service tells what was due first. */
const dueQueue = (name: string, counted: Counted): Queue => ({ ...queue(name, counted), isByDue: true })

export function queuesOf(today: Today): readonly QueueGroup[] {
  const { proofsWaiting: waiting, failedSubmissions: rejected, failedDeliveries: failed } = today
  const since = (name: string, count: number, list: string) => queue(name, { count, list })
  return [
    {
      name: 'Customer service',
      queues: [
        queue('Orders to approve', today.ordersToApprove),
        queue('Held', today.held),
        queue('Artwork missing', today.artworkMissing),
        queue('Artwork with faults', today.artworkFaulty),
      ],
    },
    {
      name: 'Prepress',
      queues: [
        queue('Proofs to enter', today.proofsToEnter),
        queue('Proofs to draw', today.proofsToDraw),
        queue('Proofs declined', today.proofsDeclined),
      ],
    },
    {
      name: 'Customers',
      queues: [
        queue('Proofs waiting for an answer', waiting),
        since('… up to a day', waiting.byDays.upTo1, waiting.listsByDays.upTo1),
        since('… 2 or 3 days', waiting.byDays.from2To3, waiting.listsByDays.from2To3),
        since('… 4 to 7 days', waiting.byDays.from4To7, waiting.listsByDays.from4To7),
        since('… longer than a week', waiting.byDays.over7, waiting.listsByDays.over7),
      ],
    },
    {
      name: 'Production',
      queues: [
        dueQueue('Late', today.late),
        since('Due today', today.dueToday.count, today.dueToday.list),
        queue('Problems', today.problems),
        queue('With nobody', today.unassigned),
        ...today.stations
          // What is packed waits for shipping.
          .filter(({ station }) => station !== 'PACKING')
          .map((each) => dueQueue(inWords(each.station), each)),
      ],
    },
    {
      name: 'Shipping',
      queues: [
        { ...dueQueue('Ready to ship', today.readyToShip), to: benchOf(today.readyToShip.list) },
        queue('Low stock', today.lowStock),
      ],
    },
    {
      name: 'Partner managers',
      queues: [
        since('Orders rejected since yesterday', rejected.lastDay, rejected.listOfLastDay),
        queue('Orders rejected this week', { ...rejected, count: rejected.lastWeek }),
        since('Deliveries failed since yesterday', failed.lastDay, failed.listOfLastDay),
        queue('Deliveries failed this week', { ...failed, count: failed.lastWeek }),
        queue('Endpoints failing', today.failingEndpoints),
        since('Certificates ending', today.certificatesEnding.count, today.certificatesEnding.list),
      ],
    },
  ]
}
