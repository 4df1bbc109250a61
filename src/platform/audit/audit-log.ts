import type { Queries } from '../../database/database.ts'
import { nothing, sql, type SqlPart, sqlText } from '../../database/sql.ts'
import { chainNumberOf } from './audit-chain.ts'
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

/**
 * How many records one read looks at, in all or of each kind. Most pairs of filters have no index, so a page may end before
 * it is full.
 */
const lookedAt = { inAll: 1_000, ofEach: 250 }

/**
 * The newest records after `after` that the filter lets through, at most `limit`. It looks at a bounded number of records:
 * `goOn`, where it is set, says after which record to look on.
 */
export async function listAuditRecords(
  reads: Queries,
  filter: AuditFilter,
  page: { after: AuditKey | undefined; limit: number; lookAt?: number },
): Promise<{ records: AuditRecord[]; goOn: AuditKey | undefined }> {
  const { after, limit } = page
  const lead = leadOf(filter)
  const rest = conditions(filter, lead.leaves)
  const lookAt = lead.leaves.length === 0 ? limit : (page.lookAt ?? lookedAt[lead.each ? 'ofEach' : 'inAll'])
  const looked = recordsLed(lead, filter, after, lookAt)
  const records = await reads.rows<AuditRecord>(sql`
    select audit_id, recorded_on, json_build_object('kind', actor_kind, 'id', actor_id) as actor, action,
      json_build_object('kind', subject_kind, 'id', subject_id) as subject, site_id, request_id, detail,
      coalesce(chain_number, ${chainNumberOf(sqlText`audit_id`)}) as chain_number
    from (${looked} limit ${lookAt}) as looked
    where true ${rest}
    order by recorded_on desc, audit_id desc
    limit ${limit}`)
  if (records.length === limit) return { records, goOn: undefined }
  const goOn = await reads.row<AuditKey>(sql`
    select recorded_on, audit_id from (${looked} offset ${lookAt - 1} limit 1) as last`)
  return { records, goOn }
}

const columns = {
  actorKind: sqlText`actor_kind`,
  actorId: sqlText`actor_id`,
  action: sqlText`action`,
  subjectKind: sqlText`subject_kind`,
  subjectId: sqlText`subject_id`,
  siteId: sqlText`site_id`,
  requestId: sqlText`request_id`,
}
type Name = keyof typeof columns
const names = Object.keys(columns) as Name[]

function conditions(filter: AuditFilter, of: readonly Name[]): SqlPart {
  return of.reduce((all, name) => sqlText`${all} and ${columns[name]} = ${filter[name]}`, nothing)
}

/** What a list of records is led by: those with a value, or those with each of some words, put together. */
type Lead = {
  /** the conditions that an index finds */
  by: SqlPart
  each: SqlPart | undefined
  /** the filters that it does not use */
  leaves: Name[]
}

/** Led by what narrows the records down most. The kinds and actions that there are come from the index itself. */
function leadOf(filter: AuditFilter): Lead {
  const { actorKind, actorId, action, subjectKind, subjectId, siteId, requestId } = filter
  const asked = names.filter((name) => filter[name] !== undefined)
  const led = (uses: Name[], each?: SqlPart, byEach: SqlPart = nothing): Lead => ({
    by: sqlText`true ${conditions(filter, uses)} ${byEach}`,
    each,
    leaves: asked.filter((name) => !uses.includes(name)),
  })
  // audit_by_request
  if (requestId !== undefined) return led(['requestId'])
  // audit_by_subject_and_time
  if (subjectId !== undefined)
    return subjectKind === undefined
      ? led(['subjectId'], subjectKinds, sqlText`and subject_kind = each.word`)
      : led(['subjectKind', 'subjectId'])
  // audit_by_actor_and_time
  if (actorId !== undefined)
    return actorKind === undefined
      ? led(['actorId'], sqlText`select unnest(${actorKinds}::text[])`, sqlText`and actor_kind = each.word`)
      : led(['actorKind', 'actorId'])
  // audit_by_action
  if (action !== undefined)
    return subjectKind === undefined
      ? led(['action'], subjectKinds, sqlText`and subject_kind = each.word`)
      : led(['subjectKind', 'action'])
  // audit_by_site
  if (siteId !== undefined) return led(['siteId'])
  // audit_by_action
  if (subjectKind !== undefined) return led(['subjectKind'], actionsOf(subjectKind), sqlText`and action = each.word`)
  // audit_newest, in the words of its condition
  return led([], undefined, sqlText`and audit_id > 0`)
}

/** A query for these records in the order of a list, the newest `lookAt` of them at least. */
function recordsLed(
  { by, each }: Lead,
  { since, until }: AuditFilter,
  after: AuditKey | undefined,
  lookAt: number,
): SqlPart {
  const led = sqlText`
    select * from audit_record
    where ${by}
      ${since === undefined ? nothing : sqlText`and recorded_on >= ${since}::timestamptz`}
      ${until === undefined ? nothing : sqlText`and recorded_on < ${until}::timestamptz`}
      ${after ? sqlText`and (recorded_on, audit_id) < (${after.recordedOn}::timestamptz, ${after.auditId}::bigint)` : nothing}
    order by recorded_on desc, audit_id desc`
  if (each === undefined) return led
  return sqlText`
    select record.* from (${each}) as each (word)
    cross join lateral (${led} limit ${lookAt}) as record
    order by recorded_on desc, audit_id desc`
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

/** All actions on subjects of a kind, found in the same way. */
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
