import type { Static } from 'typebox'
import type { SortKey } from '../../contract/operation.ts'
import type { Queries } from '../../database/database.ts'
import { nothing, sql, sqlText, type SqlPart } from '../../database/sql.ts'
import { entryInWords, proofComments } from '../../platform/proofs/proof-log.ts'
import { loggedAmong } from '../../gateway/request-log/read-request-log.ts'
import type { Permission } from '../../vocabulary/staff-roles.ts'
import type { HistoryEntry, HistoryKind } from './history-records.ts'
import { auditRecordsOfOrder, requestIdsOfOrder } from './subjects-of-order.ts'

/** All that happened to an order, as one list: what each table has of it, put in order. */

export type HistoryRow = Omit<Static<typeof HistoryEntry>, 'facts' | 'moneyFacts' | 'actor'> & {
  actorKind: string | null
  actorId: string | null
  /** of the audit record */
  detail: Readonly<Record<string, unknown>> | null
  rank: number
  /** orders entries of the same instant and kind */
  sort: string
}

/** What a person needs besides reading orders. */
const needed: Partial<Record<HistoryKind, Permission>> = {
  request: 'requests:read',
  delivery: 'webhooks:read',
  mail: 'mail:read',
}

/** Every branch answers these columns. Ids that are numbers are padded in `sort`, so that they sort as text. */
const columns = sqlText`at, id, sort, line_number, shipment_number, actor_kind, actor_id, what, says, outcome, "to",
  request_id, detail, kind, rank`

/** What most branches have nothing of. */
const noLine = sqlText`null::int`
const noShipment = sqlText`null::bigint`
const noText = sqlText`null::text`
const noDetail = sqlText`null::jsonb`

const padded = (id: SqlPart): SqlPart => sqlText`lpad(${id}::text, 20, '0')`

/** What people said with a change. It is in no audit record, since it may name somebody; its own row has it. */
function saidIn(orderNumber: number): SqlPart {
  // order_decision_by_order, order_note_by_order, the key of artwork_waiver
  return sqlText`case
    when action in ('artwork.finding_waived', 'artwork.waiver_ended') then coalesce((
      select jsonb_strip_nulls(jsonb_build_object('subject', subject, 'reason', reason)) from artwork_waiver
      where waiver_id = (detail ->> 'waiverId')::bigint
    ), '{}')
    when action = 'order.note_written' then coalesce((
      select jsonb_build_object('text', text) from order_note
      where order_number = ${orderNumber} and written_on = recorded_on and order_note.actor_id = record.actor_id limit 1
    ), '{}')
    else coalesce((
      select jsonb_build_object('comment', comment) from order_decision
      where order_number = ${orderNumber} and decided_on = recorded_on and order_decision.actor_id = record.actor_id
        and line_number is not distinct from case when subject_kind = 'order_line' then split_part(subject_id, '/', 2)::int end
        and comment is not null
      limit 1
    ), '{}') end`
}

const branches: Record<HistoryKind, (wish: Wish & { requestIds: readonly string[] }) => SqlPart> = {
  request: ({ requestIds }) => sqlText`
    select recorded_on, request_id::text, ${padded(sqlText`entry_id`)}, ${noLine}, ${noShipment},
      case when partner_id is not null then 'PARTNER' end, partner_id::text, coalesce(operation, method), ${noText},
      status::text, ${noText}, request_id::text, ${noDetail}, 'request', 1
    from (${loggedAmong(requestIds)}) as logged`,
  change: ({ orderNumber, may }) => sqlText`
    select recorded_on, audit_id::text, ${padded(sqlText`audit_id`)},
      case when subject_kind = 'order_line' then split_part(subject_id, '/', 2)::int end,
      case when subject_kind = 'shipment' then subject_id::bigint end,
      actor_kind, actor_id, action, ${noText}, ${noText}, ${noText}, request_id,
      detail || ${saidIn(orderNumber)}, 'change', 2
    from (${auditRecordsOfOrder({ orderNumber, withMoney: may('orders:money'), withMails: may('mail:read') })}) as record`,
  // proof_log_entry_by_line
  proof: ({ orderNumber }) => sqlText`
    select recorded_on, proof_log_entry_id::text, ${padded(sqlText`proof_log_entry_id`)}, line_number, ${noShipment},
      actor_kind, actor_id, 'proof', ${entryInWords}, ${noText}, ${noText}, ${noText}, ${noDetail}, 'proof', 3
    from proof_log_entry ${proofComments} where proof_log_entry.order_number = ${orderNumber}`,
  // event_by_order
  event: ({ orderNumber }) => sqlText`
    select recorded_on, event_id::text, event_id::text, ${noLine}, shipment_number, ${noText}, ${noText}, type, ${noText},
      ${noText}, ${noText}, ${noText}, ${noDetail}, 'event', 4
    from event where order_number = ${orderNumber}`,
  // event_by_order, webhook_delivery_once
  delivery: ({ orderNumber }) => sqlText`
    select delivery.created_on, delivery_id::text, ${padded(sqlText`delivery_id`)}, ${noLine}, shipment_number, ${noText},
      ${noText}, delivery.type, ${noText}, outcome, endpoint.url, ${noText}, ${noDetail}, 'delivery', 5
    from event
    join webhook_delivery delivery on delivery.event_id = event.event_id::text
    join webhook_endpoint endpoint using (endpoint_id)
    where event.order_number = ${orderNumber}`,
  // mail_by_order
  mail: ({ orderNumber }) => sqlText`
    select created_on, mail_id::text, mail_id::text, ${noLine}, ${noShipment}, ${noText}, ${noText}, kind, ${noText},
      status, recipient, ${noText}, ${noDetail}, 'mail', 6
    from mail where order_number = ${orderNumber}`,
}

type Wish = { orderNumber: number; may: (permission: Permission) => boolean }

/** @returns at most `limit` entries of these kinds that the person may read; undefined if there is no such order */
export async function readHistory(
  reads: Queries,
  wish: Wish & { kinds: readonly HistoryKind[]; after: SortKey | undefined; limit: number },
): Promise<HistoryRow[] | undefined> {
  const { orderNumber, may, kinds, after, limit } = wish
  if (!(await orderExists(reads, orderNumber))) return undefined
  const shown = kinds.filter((kind) => needed[kind] === undefined || may(needed[kind]))
  if (shown.length === 0) return []
  const requestIds = shown.includes('request') ? await requestIdsOfOrder(reads, orderNumber) : []
  const all = shown
    .map((kind) => branches[kind]({ orderNumber, may, requestIds }))
    .reduce((sofar, branch) => sqlText`${sofar} union all ${branch}`)
  return reads.rows<HistoryRow>(sql`
    with entry (${columns}) as (${all})
    select ${columns} from entry
    ${after ? sqlText`where (at, rank, sort) < (${after[0]}::timestamptz, ${after[1]}::int, ${after[2]}::text)` : nothing}
    order by at desc, rank desc, sort desc
    limit ${limit}`)
}

export async function orderExists(reads: Queries, orderNumber: number): Promise<boolean> {
  return (await reads.row(sql`select from orders where order_number = ${orderNumber}`)) !== undefined
}

export function keyOfEntry({ at, rank, sort }: HistoryRow): SortKey {
  return [at, rank, sort]
}

/** The facts of audit records that tell no money. A new one is only shown to those who see money, until it is listed. */
const plainFacts: ReadonlySet<string> = new Set(
  [
    'orderNumber lineNumber status currency lines linesCancelled shipmentsCancelled packages reason comment from',
    'to at overridden priority staffId username pieces shipBy estimatedShipBy quantity reprintOf proof',
    'reference received files revision findings accepted sizeBytes md5 code page subject statusBefore',
    'redirected inspectionId waiverId service successorNumber restShipmentNumber labelId trackingNumber audience text noteId kind',
  ].flatMap((line) => line.split(' ')),
)

export function shownEntry({ actorKind, actorId, detail, rank: _rank, sort: _sort, ...row }: HistoryRow) {
  const told = Object.entries(detail ?? {})
  const others = told.filter(([name]) => !plainFacts.has(name))
  return {
    ...row,
    actor: actorKind === null || actorId === null ? null : { kind: actorKind, id: actorId },
    facts: Object.fromEntries(told.filter(([name]) => plainFacts.has(name))),
    moneyFacts: others.length === 0 ? null : Object.fromEntries(others),
  }
}
