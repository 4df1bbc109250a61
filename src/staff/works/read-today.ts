import type { Static } from 'typebox'
import type { Queries } from '../../database/database.ts'
import { nothing, sql, sqlText, type SqlPart } from '../../database/sql.ts'
import { isLow } from '../../platform/catalog/stock-levels.ts'
import { dueKey, dueOn, isOpen, orderGoesOn, statusKey } from '../../platform/lines/open-lines.ts'
import { hasFaultyArtwork, isDueToday, isWithoutArtwork, isWorkable, needsProof } from './list-lines.ts'
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
  const before = (milliseconds: number): Date => new Date(now.getTime() - milliseconds)
  const [lines, prepress, waiting, approvals, submissions, deliveries, endpoints, certificates, stock, days] =
    await Promise.all([
      countLines(reads, wish, now),
      countPrepress(reads, wish),
      countWaitingProofs(reads, wish, now),
      countApprovals(reads, wish),
      countFailedSubmissions(reads, wish, before(day), before(7 * day)),
      countFailedDeliveries(reads, wish, before(day), before(7 * day)),
      countFailingEndpoints(reads),
      countEndingCertificates(reads, now, before(-30 * day)),
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
  const total = (name: keyof LineCounts) => summed(lines.map((row) => row[name]))
  return {
    at: now.toISOString(),
    ordersToApprove: { ...approvals, list: listOf('orders', { status: 'PENDING_APPROVAL', ...ofSite }) },
    proofsToEnter: queue(prepress.proofsToEnter, { proofMissing: true }),
    proofsToDraw: queue(total('proofsToDraw'), { proofStatus: 'NOT_CREATED' }),
    proofsWaiting: { ...queue(waiting, { proofStatus: 'PENDING_REVIEW' }), byDays: waiting.byDays },
    proofsDeclined: queue(total('proofsDeclined'), { proofStatus: 'DECLINED' }),
    artworkMissing: queue(prepress.artworkMissing, { artworkMissing: true }),
    artworkFaulty: queue(prepress.artworkFaulty, { artworkFaulty: true }),
    problems: queue(total('problems'), { problem: true }),
    held: queue(total('held'), { held: true }),
    late: queue(total('late'), { due: 'late' }),
    dueToday: queue(total('dueToday'), { due: 'today' }),
    readyToShip: queue(stationOf(lines, 'PACKING'), { productionStatus: 'PACKING', workable: true }),
    unassigned: queue(total('unassigned'), { assignee: 'nobody', workable: true }),
    stations: workStations.map((station) => ({
      station,
      ...queue(stationOf(lines, station), { productionStatus: station, workable: true }),
    })),
    failedSubmissions: { ...submissions, list: listOf('submissions', { status: 'failed', ...ofSite }) },
    failedDeliveries: deliveries,
    failingEndpoints: { ...endpoints, list: 'webhook-endpoints' },
    certificatesEnding: { ...certificates, list: 'partners' },
    lowStock: { count: stock, list: listOf('stock', { low: true, active: true, ...ofSite }) },
    days,
  }
}

/** Where work waits. */
const workStations = stationWords.filter((word) => !['COMPLETE', 'ON_HOLD', 'UNKNOWN'].includes(word))

function listOf(path: string, filters: Readonly<Record<string, unknown>>): string {
  return `${path}?${new URLSearchParams(Object.entries(filters).map(([name, value]) => [name, String(value)])).toString()}`
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

/** Proofs that wait for their customers, and for how long. */
async function countWaitingProofs(reads: Queries, wish: TodayWish, now: Date) {
  const row = await reads.row<Count & { byDays: Shown['proofsWaiting']['byDays'] }>(sql`
    select count(*) as count, min(proof.created_on) as oldest,
      json_build_object(
        'upTo1', count(*) filter (where waits.days < 2), 'from2To3', count(*) filter (where waits.days in (2, 3)),
        'from4To7', count(*) filter (where waits.days between 4 and 7), 'over7', count(*) filter (where waits.days > 7)
      ) as by_days
    from order_line line
    join orders using (order_number)
    left join proof_file proof on proof.order_number = line.order_number and proof.line_number = line.line_number
      and proof.active
    cross join lateral (
      select floor(extract(epoch from ${now}::timestamptz - coalesce(proof.created_on, line.updated_on)) / 86400) as days
    ) as waits
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

type Recent = { lastDay: number; lastWeek: number; oldest: string | null }

/** Served by submission_failed. */
async function countFailedSubmissions(reads: Queries, { siteId }: TodayWish, yesterday: Date, weekAgo: Date) {
  const row = await reads.row<Recent>(sql`
    select count(*) filter (where created_on >= ${yesterday}::timestamptz) as last_day, count(*) as last_week,
      min(created_on) as oldest
    from submission
    where status = 'failed' and created_on >= ${weekAgo}::timestamptz
      ${siteId === undefined ? nothing : sqlText`and site_id = ${siteId}`}`)
  return row!
}

/** Served by webhook_delivery_failed. */
async function countFailedDeliveries(reads: Queries, { siteId }: TodayWish, yesterday: Date, weekAgo: Date) {
  const row = await reads.row<Recent>(sql`
    select count(*) filter (where attempted_on >= ${yesterday}::timestamptz) as last_day, count(*) as last_week,
      min(attempted_on) as oldest
    from webhook_delivery
    where outcome = 'FAILED' and attempted_on >= ${weekAgo}::timestamptz
      ${siteId === undefined ? nothing : sqlText`and site_id = ${siteId}`}`)
  return row!
}

/** Endpoints in use whose newest ended delivery failed. Served by webhook_delivery_newest. */
async function countFailingEndpoints(reads: Queries): Promise<Count> {
  const row = await reads.row<Count>(sql`
    select count(*) as count, min(newest.attempted_on) as oldest
    from webhook_endpoint endpoint
    cross join lateral (
      select outcome, attempted_on from webhook_delivery delivery
      where delivery.endpoint_id = endpoint.endpoint_id and delivery.outcome in ('DELIVERED', 'FAILED')
      order by delivery.created_on desc, delivery.delivery_id desc
      limit 1
    ) as newest
    where endpoint.disabled_on is null and newest.outcome = 'FAILED'`)
  return row!
}

/** Certificates of partners in use that end before this, or have ended. A renewed one does not count. */
async function countEndingCertificates(reads: Queries, now: Date, endsBefore: Date): Promise<Count> {
  const row = await reads.row<Count>(sql`
    select count(*) as count, min(certificate.not_after) as oldest
    from partner_certificate certificate
    join partner using (partner_id)
    where certificate.revoked_on is null and partner.disabled_on is null
      and certificate.not_after < ${endsBefore}::timestamptz
      and not exists (
        select from partner_certificate newer
        where newer.partner_id = certificate.partner_id and newer.revoked_on is null
          and newer.not_before <= ${now}::timestamptz and newer.not_after >= ${endsBefore}::timestamptz
      )`)
  return row!
}

async function countLowStock(reads: Queries, { siteId }: TodayWish): Promise<number> {
  const row = await reads.row<{ count: number }>(sql`
    select count(*) as count from variant
    where ${isLow} and active ${siteId === undefined ? nothing : sqlText`and site_id = ${siteId}`}`)
  return row!.count
}

/**
 * The lines that shipped on each of the last days, and those of them that were late, by the clock of the plant or, without
 * one, of the site. Read from order_line_shipped alone.
 */
async function readDays(reads: Queries, wish: TodayWish, now: Date): Promise<Shown['days']> {
  const rows = await reads.rows<Shown['days'][number]>(sql`
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
