import type { Queries } from '../../database/database.ts'
import { nothing, sql, sqlText, type SqlPart } from '../../database/sql.ts'

/** Whose audit records belong to an order. Papers and mails are only for those who may read them. */
export type SubjectWish = { orderNumber: number; withMoney: boolean; withMails: boolean }

/** The audit records of an order and of all that belongs to it. Served by audit_by_subject_and_time and the keys of each table. */
export function auditRecordsOfOrder({ orderNumber, withMoney, withMails }: SubjectWish): SqlPart {
  return sqlText`
    select audit_record.* from (
      select 'order' as kind, ${orderNumber}::bigint::text as id, null::int as of_site
      union all
      select 'order_line', order_number || '/' || line_number, null from order_line where order_number = ${orderNumber}
      union all
      select 'shipment', shipment_number::text, null from shipment where order_number = ${orderNumber}
      union all
      select 'return', return_number::text, null from goods_return where order_number = ${orderNumber}
      ${
        withMoney
          ? sqlText`
      union all
      select 'refund', refund_id::text, null from refund where order_number = ${orderNumber}
      union all
      select 'invoice', invoice_number::text, site_id from invoice where order_number = ${orderNumber}`
          : nothing
      }
      ${
        withMails
          ? sqlText`
      union all
      select 'mail', mail_id::text, null from mail where order_number = ${orderNumber}`
          : nothing
      }
    ) as subject
    cross join lateral (
      select * from audit_record where subject_kind = subject.kind and subject_id = subject.id
    ) as audit_record
    where of_site is null or audit_record.site_id = of_site`
}

/** More than partners ever change one order; of more, the newest. */
const requestsMax = 1_000

/** The requests of partners that submitted or changed an order. */
export async function requestIdsOfOrder(reads: Queries, orderNumber: number): Promise<string[]> {
  // submission_key, and audit_by_subject_and_time
  const rows = await reads.rows<{ requestId: string }>(sql`
    select request_id from (
      select submission.request_id::text as request_id, submission.created_on as on
      from orders join submission using (partner_id, partner_order_id)
      where orders.order_number = ${orderNumber} and submission.request_id is not null
      union
      select request_id, recorded_on
      from (${auditRecordsOfOrder({ orderNumber, withMoney: false, withMails: false })}) as audit_record
      where actor_kind = 'PARTNER' and request_id is not null
    ) as asked
    group by request_id order by max(asked.on) desc limit ${requestsMax}`)
  return rows.map(({ requestId }) => requestId)
}
