import type { Queries } from '../../database/database.ts'
import { fixed, nothing, sql, type SqlPart, sqlText } from '../../database/sql.ts'
import { actorKinds, type Actor } from '../../vocabulary/change.ts'

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

/** Where a page begins: the time and number of the record before. */
export type AuditKey = Pick<AuditRecord, 'recordedOn' | 'auditId'>

/** How many records one read looks at. Most pairs of filters have no index, so a page may end before it is full. */
export const recordsLookedAt = 2_000

/**
 * The newest records after `after` that the filter lets through, at most `limit`. It looks at a bounded number of records:
 * `goOn`, where it is set, says after which record to look on.
 */
export async function listAuditRecords(
  reads: Queries,
  filter: AuditFilter,
  page: { after: AuditKey | undefined; limit: number; lookAt?: number },
): Promise<{ records: AuditRecord[]; goOn: AuditKey | undefined }> {
  const { limit, lookAt = recordsLookedAt } = page
  const looked = recordsLed(filter, page.after, lookAt)
  const is = (column: SqlPart, value: unknown) => (value === undefined ? nothing : sqlText`and ${column} = ${value}`)
  const records = await reads.rows<AuditRecord>(sql`
    select audit_id, recorded_on, json_build_object('kind', actor_kind, 'id', actor_id) as actor, action,
      json_build_object('kind', subject_kind, 'id', subject_id) as subject, site_id, request_id, detail, chain_number
    from (${looked} limit ${fixed(lookAt)}) as looked
    where true
      ${is(sqlText`actor_kind`, filter.actorKind)} ${is(sqlText`actor_id`, filter.actorId)}
      ${is(sqlText`action`, filter.action)}
      ${is(sqlText`subject_kind`, filter.subjectKind)} ${is(sqlText`subject_id`, filter.subjectId)}
      ${is(sqlText`site_id`, filter.siteId)} ${is(sqlText`request_id`, filter.requestId)}
    order by recorded_on desc, audit_id desc
    limit ${limit}`)
  if (records.length === limit) return { records, goOn: undefined }
  const goOn = await reads.row<AuditKey>(sql`
    select recorded_on, audit_id from (${looked} offset ${fixed(lookAt - 1)} limit 1) as last`)
  return { records, goOn }
}

/**
 * A query for the records in the order of a list, led by what narrows them down most: other conditions are for who asks.
 * What has no index of its own is put together from the newest records of each kind, which are few.
 */
function recordsLed(filter: AuditFilter, after: AuditKey | undefined, lookAt: number): SqlPart {
  const { actorKind, actorId, action, subjectKind, subjectId, siteId, requestId, since, until } = filter
  const led = (by: SqlPart): SqlPart => sqlText`
    select * from audit_record
    where ${by}
      ${since === undefined ? nothing : sqlText`and recorded_on >= ${since}::timestamptz`}
      ${until === undefined ? nothing : sqlText`and recorded_on < ${until}::timestamptz`}
      ${after ? sqlText`and (recorded_on, audit_id) < (${after.recordedOn}::timestamptz, ${after.auditId}::bigint)` : nothing}
    order by recorded_on desc, audit_id desc`
  const ledByEach = (words: SqlPart, by: SqlPart): SqlPart => sqlText`
    select record.* from (${words}) as each (word)
    cross join lateral (${led(by)} limit ${fixed(lookAt)}) as record
    order by recorded_on desc, audit_id desc`
  // audit_by_request
  if (requestId !== undefined) return led(sqlText`request_id = ${requestId}`)
  // audit_by_subject_and_time
  if (subjectId !== undefined)
    return subjectKind === undefined
      ? ledByEach(subjectKinds, sqlText`subject_kind = each.word and subject_id = ${subjectId}`)
      : led(sqlText`subject_kind = ${subjectKind} and subject_id = ${subjectId}`)
  // audit_by_actor_and_time
  if (actorId !== undefined)
    return actorKind === undefined
      ? ledByEach(
          sqlText`select unnest(${actorKinds}::text[])`,
          sqlText`actor_kind = each.word and actor_id = ${actorId}`,
        )
      : led(sqlText`actor_kind = ${actorKind} and actor_id = ${actorId}`)
  // audit_by_action
  if (action !== undefined)
    return subjectKind === undefined
      ? ledByEach(subjectKinds, sqlText`subject_kind = each.word and action = ${action}`)
      : led(sqlText`subject_kind = ${subjectKind} and action = ${action}`)
  // audit_by_site
  if (siteId !== undefined) return led(sqlText`site_id = ${siteId}`)
  // audit_by_action
  if (subjectKind !== undefined)
    return ledByEach(actionsOf(subjectKind), sqlText`subject_kind = ${subjectKind} and action = each.word`)
  // audit_newest
  return led(sqlText`true`)
}

/** All kinds of subjects that have records, each found by one step in audit_by_action. */
const subjectKinds = sqlText`
  with recursive kinds (kind) as (
    (select subject_kind from audit_record order by subject_kind limit 1)
    union all
    select (select subject_kind from audit_record where subject_kind > kind order by subject_kind limit 1)
    from kinds where kind is not null
  )
  select kind from kinds where kind is not null`

function actionsOf(subjectKind: string): SqlPart {
  const ofKind = sqlText`select action from audit_record where subject_kind = ${subjectKind}`
  return sqlText`
    with recursive actions (word) as (
      (${ofKind} order by action limit 1)
      union all
      select (${ofKind} and action > word order by action limit 1) from actions where word is not null
    )
    select word from actions where word is not null`
}
