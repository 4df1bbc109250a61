import type { Queries } from '../../database/database.ts'
import { nothing, sql, sqlText } from '../../database/sql.ts'
import type { Actor } from '../../vocabulary/change.ts'

/** An audit record as it is read. */
export type AuditRecord = {
  auditId: number
  recordedOn: string
  actor: Actor
  action: string
  subject: { kind: string; id: string }
  siteId: number | null
  requestId: string | null
  detail: Readonly<Record<string, unknown>>
  /** its position in the chain of hashes; null = not sealed yet */
  chainNumber: number | null
}

export type AuditFilter = {
  actorKind?: Actor['kind'] | undefined
  actorId?: string | undefined
  action?: string | undefined
  subjectKind?: string | undefined
  subjectId?: string | undefined
  siteId?: number | undefined
  requestId?: string | undefined
  /** recorded at or after */
  since?: string | undefined
  /** recorded before */
  until?: string | undefined
}

/** At most `limit` records, newest first, that come after the record `after` in this order. */
export function listAuditRecords(
  reads: Queries,
  filter: AuditFilter,
  { after, limit }: { after: number | undefined; limit: number },
): Promise<AuditRecord[]> {
  const is = (column: ReturnType<typeof sqlText>, value: unknown) =>
    value === undefined ? nothing : sqlText`and ${column} = ${value}`
  // audit_by_subject, audit_by_request, audit_by_actor, or the primary key read backwards
  return reads.rows<AuditRecord>(sql`
    select audit_id, recorded_on, json_build_object('kind', actor_kind, 'id', actor_id) as actor, action,
      json_build_object('kind', subject_kind, 'id', subject_id) as subject, site_id, request_id, detail, chain_number
    from audit_record
    where true
      ${is(sqlText`actor_kind`, filter.actorKind)} ${is(sqlText`actor_id`, filter.actorId)}
      ${is(sqlText`action`, filter.action)}
      ${is(sqlText`subject_kind`, filter.subjectKind)} ${is(sqlText`subject_id`, filter.subjectId)}
      ${is(sqlText`site_id`, filter.siteId)} ${is(sqlText`request_id`, filter.requestId)}
      ${filter.since === undefined ? nothing : sqlText`and recorded_on >= ${filter.since}::timestamptz`}
      ${filter.until === undefined ? nothing : sqlText`and recorded_on < ${filter.until}::timestamptz`}
      ${after === undefined ? nothing : sqlText`and audit_id < ${after}`}
    order by audit_id desc
    limit ${limit}`)
}
