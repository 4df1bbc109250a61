import type { Queries } from '../../database/database.ts'
import { sql, sqlText } from '../../database/sql.ts'
import { ownApplications } from '../../vocabulary/own-applications.ts'
import { seen, type Scores } from './items.ts'

/** What the log of a partner's calls shows. It looks at the newest ones only. */
const callsLookedAt = 20_000

/** The calls in which a malformed one is weighed. */
const callsMin = 20
const malformedShareMax = 1 / 20

type Kind =
  | 'repeated'
  | 'reused'
  | 'waited'
  | 'hurried'
  | 'outage_waited'
  | 'outage_hurried'
  | 'list'
  | 'page'
  | 'malformed'

type Found = {
  kind: Kind
  requestId: string
  recordedOn: string
  operation: string | null
  code: string | null
  status: number
  retryAfter: number | null
  waited: number | null
}

/** Of a call in the log: what people look at by the portal and the command line shows nothing of their programs. */
export const ofIntegration = sqlText`(credential is null or credential <> all(${Object.values(ownApplications)}::text[]))`

export async function scoresOfCalls(reads: Queries, partnerId: string): Promise<Scores> {
  // request_log_by_partner. A timer may fire a little early, and a call made meanwhile for something else is no repetition
  // after a quarter of an hour.
  const rows = await reads.rows<Found & { malformedCount: number; count: number }>(sql`
    with looked as (
      select recorded_on, entry_id, request_id, operation, tool_call, path, status, code, auth_method, credential,
        retry_after, continued
      from request_log where partner_id = ${partnerId}::uuid and ${ofIntegration}
      order by recorded_on desc, entry_id desc limit ${callsLookedAt}
    ), followed as (
      select *,
        extract(epoch from lead(recorded_on) over later - recorded_on)::float8 as waited,
        not tool_call and auth_method is distinct from 'IDP_USER' and (path like '/v1/%' or operation = 'token')
          and recorded_on > max(recorded_on) over () - interval '24 hours' as counts,
        status in (400, 405) or code in ('route_not_found', 'insufficient_scope') or (operation = 'token' and status = 401)
          as malformed
      from looked
      window later as (partition by operation, credential order by recorded_on, entry_id)
    ), kinds as (
      select followed.*, kind from followed, unnest(array[
        case when operation = 'submitOrder' and status = 200 then 'repeated' end,
        case when code = 'partner_order_id_reused' then 'reused' end,
        case when code = 'rate_limit_exceeded' and waited < 900 then
          case when waited >= retry_after - 0.1 then 'waited' else 'hurried' end end,
        case when code = 'service_unavailable' and waited < 900 then
          case when waited >= retry_after - 0.1 then 'outage_waited' else 'outage_hurried' end end,
        case when operation = 'listOrders' and status in (200, 304) then 'list' end,
        case when continued and status in (200, 304) then 'page' end,
        case when counts and malformed then 'malformed' end
      ]) as kind
      where kind is not null
    ), counted as (
      select count(*) filter (where counts)::int as count, count(*) filter (where counts and malformed)::int as malformed_count
      from followed
    )
    select counted.*, newest.* from counted left join (
      select distinct on (kind) kind, request_id, recorded_on, operation, code, status, retry_after, waited
      from kinds order by kind, recorded_on desc, entry_id desc
    ) as newest on true`)
  const { count, malformedCount } = rows[0]!
  const found = new Map(rows.filter(({ kind }) => kind !== null).map((row) => [row.kind, row]))
  const scores: Scores = {}

  const repeated = found.get('repeated')
  const reused = found.get('reused')
  if (repeated)
    scores.submission_repeated = { state: 'done', evidence: at(repeated, 'A repeated submission answered 200.') }
  else if (reused) {
    const says = 'A partnerOrderId was used again with another body: the call answered 409.'
    scores.submission_repeated = { state: 'failed', evidence: at(reused, says) }
  }

  const limit = retried(found.get('waited'), found.get('hurried'))
  if (limit) scores.rate_limit_waited_for = limit
  const outage = retried(found.get('outage_waited'), found.get('outage_hurried'))
  if (outage) scores.outage_waited_for = outage

  const list = found.get('list')
  if (list) scores.orders_reconciled = { state: 'done', evidence: at(list, 'The list of orders was read.') }
  const page = found.get('page')
  if (page)
    scores.pages_followed = { state: 'done', evidence: at(page, `${page.operation} was read beyond its first page.`) }

  const malformed = found.get('malformed')
  const says = `${malformedCount} of ${count} calls were malformed`
  const last = malformed && at(malformed, `${says}, the last of them with ${malformed.code ?? malformed.status}.`)
  if (count >= callsMin && malformedCount > count * malformedShareMax) {
    scores.calls_well_formed = { state: 'failed', evidence: last ?? null }
  } else if (count >= callsMin) scores.calls_well_formed = { state: 'done', evidence: last ?? null }
  return scores
}

/** Whoever waited once knows how to; a call that came too early may have been another thread's. */
function retried(waited: Found | undefined, hurried: Found | undefined): Scores[keyof Scores] {
  const of = waited ?? hurried
  if (!of) return undefined
  const times = `${of.operation} answered ${of.status} and asked for ${of.retryAfter} s; it was called again after ${of.waited!.toFixed(1)} s.`
  return { state: waited ? 'done' : 'failed', evidence: at(of, times) }
}

function at({ recordedOn, requestId }: Found, says: string) {
  return seen(says, recordedOn, { requestId })
}
