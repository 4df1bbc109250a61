import { followsFailure, type Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { Outage } from '../../vocabulary/outage.ts'

/**
 * The record of who changed what. It is written in the transaction of the change, so no change is without one. The audit
 * sealer chains it afterwards.
 */

/** What was done to what. The change tells who did it and when. */
export type AuditEntry = {
  /** verb and noun in the past: `order.created`, `division.updated` */
  action: string
  subject: { kind: string; id: string | number }
  siteId: number | null
  /** facts of the change, by allow-list: never secrets, never whole bodies */
  detail?: Readonly<Record<string, unknown>>
}

/**
 * Adds the record to the transaction of the change.
 * @throws Outage of `audit` when it cannot be written, which undoes the change (`audit_unavailable`)
 */
export function recordAudit(tx: Transaction, change: Change, entry: AuditEntry): Promise<void> {
  return recordAudits(tx, [{ ...entry, change }])
}

/** Records what is done together, by one change or several. */
export async function recordAudits(
  tx: Transaction,
  entries: readonly (AuditEntry & { change: Change })[],
): Promise<void> {
  const rows = entries.map(({ change, ...entry }) => ({
    recorded_on: change.now,
    actor_kind: change.actor.kind,
    actor_id: change.actor.id,
    action: entry.action,
    subject_kind: entry.subject.kind,
    subject_id: String(entry.subject.id),
    site_id: entry.siteId,
    request_id: change.requestId,
    detail: entry.detail ?? {},
  }))
  try {
    await tx.rows(sql`
      insert into audit_record
        (recorded_on, actor_kind, actor_id, action, subject_kind, subject_id, site_id, request_id, detail)
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as entry(recorded_on timestamptz,
        actor_kind text, actor_id text, action text, subject_kind text, subject_id text, site_id int, request_id text,
        detail jsonb)`)
  } catch (error) {
    // Another statement of the change has failed, and reports it itself.
    if (followsFailure(error)) throw error
    throw new Outage('the audit record', error, 'audit')
  }
}
