import type { Static } from 'typebox'
import type { Queries } from '../../database/database.ts'
import { nothing, sql, sqlText, type SqlPart } from '../../database/sql.ts'
import { isLow } from '../../platform/catalog/stock-levels.ts'
import { countEndingCertificates } from '../../partners/certificates.ts'
import { countFailedDeliveries } from '../../webhooks/deliveries.ts'
import { countFailingEndpoints } from '../../webhooks/endpoints.ts'
import { dueKey, dueOn, isOpen, orderGoesOn, statusKey } from '../../platform/lines/open-lines.ts'
import {
  hasFaultyArtwork,
  isDueToday,
  isWithoutArtwork,
  isWorkable,
  needsProof,
  proofWaitsSince,
} from './list-lines.ts'
import { stationWords, type StationWord, type Today } from './records.ts'

/** What waits for whom at the works, counted from the rows themselves at the moment of the call. */

export type TodayWish = { siteId?: number | undefined; fulfilmentCenterId?: number | undefined }

type Shown = Static<typeof Today>
type Count = { count: number; oldest: string | null }

const hour = 3_600_000
const day = 24 * hour
const daysShown = 14

/** @param now real time, also in the sandbox */
export async function readToday(reads: Queries, wish: TodayWish, now: Date): Promise<Shown> {
  const yesterday = new Date(now.getTime() - day)
  const weekAgo = new Date(now.getTime() - 7 * day)
  const [lines, prepress, waiting, approvals, submissions, deliveries, endpoints, certificates, stock, days] =
    await Promise.all([
      countLines(reads, wish, now),
      countPrepress(reads, wish),
      countWaitingProofs(reads, wish, now),
      countApprovals(reads, wish),
      countFailedSubmissions(reads, wish, yesterday, weekAgo),
      countFailedDeliveries(reads, { siteId: wish.siteId, from: weekAgo.toISOString() }, yesterday),
      countFailingEndpoints(reads),
      countEndingCertificates(reads, now),
      countLowStock(reads, wish),
      readDays(reads, wish, now),
    ])
  const ofSite = wish.siteId === undefined ? {} : { siteId: wish.siteId }
  const narrowed = {
    ...ofSite,
    ...(wish.fulfilmentCenterId !== undefined && { fulfilmentCenterId: wish.fulfilmentCenterId }),
  }
  /** A queue of lines and the list that shows it. */
  const queue = (found: Count, filters: object) => ({ ...found, list: listOf('lines', { ...filters, ...narrowed }) })
  const waitingFor = (span: keyof Shown['proofsWaiting']['byDays']) =>
    listOf('lines', { ...waitingDays(now)[span], ...narrowed })
  /** What failed in the last days, and the lists that show it. */
  const recent = ({ recent: lastDay, total: lastWeek, oldest }: Recent, path: string, filters: object) => {
    const since = (from: Date): string => listOf(path, { ...filters, from: from.toISOString(), ...ofSite })
    return { lastDay, lastWeek, oldest, list: since(weekAgo), listOfLastDay: since(yesterday) }
  }
  const total = (name: keyof LineCounts) => summed(lines.map((row) => row[name]))
  return {
    at: now.toISOString(),
    ordersToApprove: { ...approvals, list: listOf('orders', { status: 'PENDING_APPROVAL', ...ofSite }) },
    proofsToEnter: queue(prepress.proofsToEnter, { proofMissing: true }),
    proofsToDraw: queue(total('proofsToDraw'), { proofStatus: 'NOT_CREATED' }),
    proofsWaiting: {
      ...queue(waiting, { proofStatus: 'PENDING_REVIEW' }),
      byDays: waiting.byDays,
      listsByDays: {
        upTo1: waitingFor('upTo1'),
        from2To3: waitingFor('from2To3'),
        from4To7: waitingFor('from4To7'),
        over7: waitingFor('over7'),
      },
    },
    proofsDeclined: queue(total('proofsDeclined'), { proofStatus: 'DECLINED' }),
    artworkMissing: queue(prepress.artworkMissing, { artworkMissing: true }),
    artworkFaulty: queue(prepress.artworkFaulty, { artworkFaulty: true }),
    problems: queue(total('problems'), { problem: true }),
    held: queue(total('held'), { held: true }),
    late: queue(total('late'), { due: 'late' }),
    dueToday: queue(total('dueToday'), { due: 'today' }),
    readyToShip: queue(summed(readyToShip.map((station) => stationOf(lines, station))), {
      productionStatus: readyToShip.join(),
      workable: true,
    }),
    unassigned: queue(total('unassigned'), { assignee: 'nobody', workable: true }),
    stations: workStations.map((station) => ({
      station,
      ...queue(stationOf(lines, station), { productionStatus: station, workable: true }),
    })),
    failedSubmissions: recent(submissions, 'submissions', { status: 'failed' }),
    failedDeliveries: recent(deliveries, 'failed-deliveries', {}),
    failingEndpoints: { ...endpoints, list: listOf('webhook-endpoints', { failing: true }) },
    certificatesEnding: { ...certificates, list: listOf('certificates', { ending: true }) },
    lowStock: { count: stock, list: listOf('stock', { low: true, active: true, ...ofSite }) },
    days: days.map((each) => {
      const shipped = (filters: object): string =>
        listOf('lines', { shippedDay: each.day, ...filters, open: false, ...narrowed })
      return { ...each, list: shipped({}), listOfLate: shipped({ shippedLate: true }) }
    }),
  }
}

/** Where lines wait to be shipped. One at COMPLETE is open only as long as it has not shipped. */
const readyToShip: readonly StationWord[] = ['PACKING', 'COMPLETE']

/** Where work waits. */
const workStations = stationWords.filter((word) => !['COMPLETE', 'ON_HOLD', 'UNKNOWN'].includes(word))

function listOf(path: string, filters: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams(Object.entries(filters).map(([name, value]) => [name, String(value)]))
  // A colon and a comma may stand in a query as they are, which leaves instants and statuses legible.
  return `${path}?${query.toString().replaceAll('%3A', ':').replaceAll('%2C', ',')}`
}

function summed(counts: readonly Count[]): Count {
  const instants = counts.flatMap(({ oldest }) => oldest ?? [])
  return { count: counts.reduce((sum, { count }) => sum + count, 0), oldest: instants.toSorted()[0] ?? null }
}

type LineCounts = Record<
  'workable' | 'proofsToDraw' | 'proofsDeclined' | 'problems' | 'held' | 'late' | 'dueToday' | 'unassigned',
  Count
>

type StationCounts = LineCounts & { status: StationWord }

function stationOf(rows: readonly StationCounts[], station: StationWord): Count {
  return summed(rows.filter(({ status }) => status === station).map(({ workable }) => workable))
}

function narrowedTo({ siteId, fulfilmentCenterId }: TodayWish): SqlPart {
  return sqlText`
    ${siteId === undefined ? nothing : sqlText`and line.site_id = ${siteId}`}
    ${fulfilmentCenterId === undefined ? nothing : sqlText`and line.fulfilment_center_id = ${fulfilmentCenterId}`}`
}

/** A count and the earliest `since` among the rows that `holds` is true of, as JSON. */
function counter(holds: SqlPart, since: SqlPart): SqlPart {
  return sqlText`json_build_object('count', count(*) filter (where ${holds}),
    'oldest', to_char(min(${since}) filter (where ${holds}), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`
}

/** The open lines, by status: one pass over them. */
function countLines(reads: Queries, wish: TodayWish, now: Date): Promise<StationCounts[]> {
  const placed = sqlText`orders.placed_on`
  return reads.rows<StationCounts>(sql`
    select ${statusKey} as status,
      ${counter(isWorkable, dueOn)} as workable,
      ${counter(sqlText`line.proof_status = 'NOT_CREATED'`, placed)} as proofs_to_draw,
      ${counter(sqlText`line.proof_status = 'DECLINED'`, placed)} as proofs_declined,
      ${counter(sqlText`line.problem is not null`, placed)} as problems,
      ${counter(sqlText`(${statusKey} = 'ON_HOLD' or orders.held_on is not null)`, placed)} as held,
      ${counter(sqlText`${dueKey} < ${now}::timestamptz`, dueOn)} as late,
      ${counter(isDueToday(now), dueOn)} as due_today,
      ${counter(sqlText`line.assignee_id is null and ${isWorkable}`, placed)} as unassigned
    from order_line line
    join orders using (order_number)
    where ${isOpen} and ${orderGoesOn} ${narrowedTo(wish)}
    group by ${statusKey}`)
}

/** What is still missing of lines up to prepress: asked line by line, by print_file_by_line. */
async function countPrepress(reads: Queries, wish: TodayWish) {
  const placed = sqlText`orders.placed_on`
  const row = await reads.row<Record<'proofsToEnter' | 'artworkMissing' | 'artworkFaulty', Count>>(sql`
    select ${counter(needsProof, placed)} as proofs_to_enter, ${counter(isWithoutArtwork, placed)} as artwork_missing,
      ${counter(hasFaultyArtwork, placed)} as artwork_faulty
    from order_line line
    join orders using (order_number)
    where ${isOpen} and ${statusKey} in ('NOT_STARTED', 'PREPRESS', 'ON_HOLD') and ${orderGoesOn}
      ${narrowedTo(wish)}`)
  return row!
}

type Span = { proofPublishedFrom?: string; proofWaitingSince?: string }

/** The filters of the lines whose proof waits for so many whole days. */
function waitingDays(now: Date): Record<keyof Shown['proofsWaiting']['byDays'], Span> {
  // The last moment at which a proof that waits for fewer days was not yet published; nothing is dated finer.
  const fewerThan = (days: number): string => new Date(now.getTime() - days * day + 1).toISOString()
  return {
    upTo1: { proofPublishedFrom: fewerThan(2) },
    from2To3: { proofPublishedFrom: fewerThan(4), proofWaitingSince: fewerThan(2) },
    from4To7: { proofPublishedFrom: fewerThan(8), proofWaitingSince: fewerThan(4) },
    over7: { proofWaitingSince: fewerThan(8) },
  }
}

/** Proofs that wait for their customers, and for how long. */
async function countWaitingProofs(reads: Queries, wish: TodayWish, now: Date) {
  const counted = Object.entries(waitingDays(now)).map(
    ([name, { proofPublishedFrom = '-infinity', proofWaitingSince = 'infinity' }]) => sqlText`
      ${name}::text, count(*) filter (
        where waits.since >= ${proofPublishedFrom}::timestamptz and waits.since < ${proofWaitingSince}::timestamptz
      )`,
  )
  const row = await reads.row<Count & { byDays: Shown['proofsWaiting']['byDays'] }>(sql`
    select count(*) as count, min(waits.since) as oldest,
      json_build_object(${counted.reduce((all, each) => sqlText`${all}, ${each}`)}) as by_days
    from order_line line
    join orders using (order_number)
    cross join lateral (select ${proofWaitsSince} as since) as waits
    where ${isOpen} and line.proof_status = 'PENDING_REVIEW' and ${orderGoesOn} ${narrowedTo(wish)}`)
  return row!
}

/** Served by orders_by_status. */
async function countApprovals(reads: Queries, { siteId }: TodayWish): Promise<Count> {
  const row = await reads.row<Count>(sql`
    select coalesce(sum(waiting.count), 0)::int as count, min(waiting.oldest) as oldest
    from site
    cross join lateral (
      select count(*) as count, min(placed_on) as oldest from orders
      where orders.site_id = site.site_id and status = 'PENDING_APPROVAL'
    ) as waiting
    where true ${siteId === undefined ? nothing : sqlText`and site.site_id = ${siteId}`}`)
  return row!
}

/** `total` in a time, and how many of them lately */
type Recent = { recent: number; total: number; oldest: string | null }

/** Served by submission_failed. */
async function countFailedSubmissions(reads: Queries, { siteId }: TodayWish, yesterday: Date, weekAgo: Date) {
  const row = await reads.row<Recent>(sql`
    select count(*) filter (where created_on >= ${yesterday}::timestamptz) as recent, count(*) as total,
      min(created_on) as oldest
    from submission
    where status = 'failed' and created_on >= ${weekAgo}::timestamptz
      ${siteId === undefined ? nothing : sqlText`and site_id = ${siteId}`}`)
  return row!
}

async function countLowStock(reads: Queries, { siteId }: TodayWish): Promise<number> {
  const row = await reads.row<{ count: number }>(sql`
    select count(*) as count from variant
    where ${isLow} and active ${siteId === undefined ? nothing : sqlText`and site_id = ${siteId}`}`)
  return row!.count
}

type DayCounts = Pick<Shown['days'][number], 'day' | 'shipped' | 'shippedLate'>

/**
 * The lines that shipped on each of the last days, and those of them that were late, by the clock of the plant or, without
 * one, of the site. Read from order_line_shipped alone.
 */
async function readDays(reads: Queries, wish: TodayWish, now: Date): Promise<DayCounts[]> {
  const rows = await reads.rows<DayCounts>(sql`
    select (line.shipped_on at time zone coalesce(center.time_zone, site.time_zone))::date as day,
      count(*) as shipped, count(*) filter (where line.shipped_on > ${dueOn}) as shipped_late
    from order_line line
    join site using (site_id)
    left join fulfilment_center center using (fulfilment_center_id)
    where line.shipped_on >= ${new Date(now.getTime() - (daysShown + 1) * day)}::timestamptz ${narrowedTo(wish)}
    group by day`)
  const counted = new Map(rows.map((row) => [row.day, row]))
  const newest = rows.map((row) => row.day).reduce((a, b) => (a > b ? a : b), now.toISOString().slice(0, 10))
  return Array.from({ length: daysShown }, (_, index) => {
    const date = new Date(Date.parse(newest) - (daysShown - 1 - index) * day).toISOString().slice(0, 10)
    return counted.get(date) ?? { day: date, shipped: 0, shippedLate: 0 }
  })
}
