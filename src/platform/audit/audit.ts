import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { Outage } from '../../vocabulary/outage.ts'

/**
 * The record of who changed what. It is written in the transaction of the change, so there is no change without it; the
 * audit sealer chains it afterwards. It owns nothing about how changes are made.
 */

export type Actor = { kind: 'PARTNER' | 'STAFF' | 'SYSTEM' | 'SIMULATOR'; id: string }

/** Who changes something, when, and in answer to which request. */
export type Change = { actor: Actor; now: Date; requestId: string | null }

export type AuditEntry = {
  actor: Actor
  /** verb and noun in the past: `order.created`, `division.updated` */
  action: string
  subject: { kind: string; id: string | number }
  siteId: number | null
  requestId: string | null
  /** facts of the change, by allow-list: never secrets, never whole bodies */
  detail?: Readonly<Record<string, unknown>>
}

/**
 * Adds the record to the transaction of the change.
 * @throws Outage of `audit` when it cannot be written, which undoes the change (`audit_unavailable`)
 */
export async function recordAudit(tx: Transaction, now: Date, entry: AuditEntry): Promise<void> {
  try {
    await tx.rows(sql`
      insert into audit_record
        (recorded_on, actor_kind, actor_id, action, subject_kind, subject_id, site_id, request_id, detail)
      values (${now}, ${entry.actor.kind}, ${entry.actor.id}, ${entry.action}, ${entry.subject.kind},
        ${String(entry.subject.id)}, ${entry.siteId}, ${entry.requestId}, ${JSON.stringify(entry.detail ?? {})})`)
  } catch (error) {
    throw new Outage('the audit record', error, 'audit')
  }
}
