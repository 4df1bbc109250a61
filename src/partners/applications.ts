import type { Queries, Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { Done, Refused } from '../vocabulary/outcome.ts'
import { isScope, type Scope } from '../vocabulary/scopes.ts'
import { audit } from './partners.ts'
import type { OwnChange } from './people.ts'

/** The applications that a person allowed to act for them, and what they chose for each. */
export type AllowedApplication = {
  clientId: string
  /** as the application called itself */
  name: string
  scopes: Scope[]
  allowedOn: string
  /** whether the application can act now, until it signs out or the sign-in ends */
  isConnected: boolean
}

type Choice = { clientId: string; name: string; scopes: readonly Scope[]; declined: readonly Scope[] }

/** Records what the person allows an application and what they decline, if they still may sign in. */
export async function allowApplication(
  tx: Transaction,
  change: OwnChange,
  personId: string,
  { clientId, name, scopes, declined }: Choice,
): Promise<Done | Refused<'person_not_found'>> {
  const person = await lockPerson(tx, personId)
  if (!person) return { refused: 'person_not_found' }
  await tx.rows(sql`
    insert into allowed_application (person_id, client_id, name, scopes, declined, allowed_on)
    values (${personId}, ${clientId}, ${name}, ${scopes}, ${declined}, ${change.now})
    on conflict (person_id, client_id) do update set name = excluded.name, scopes = excluded.scopes,
      declined = excluded.declined, allowed_on = excluded.allowed_on`)
  await auditOwn(tx, change, person, 'person.application_allowed', { personId, clientId, scopes })
  return { done: {} }
}

/** Ends every sign-in of the person in an application, and forgets what they chose for it. */
export async function disconnectApplication(
  tx: Transaction,
  change: OwnChange,
  personId: string,
  clientId: string,
): Promise<Done | Refused<'application_not_found'>> {
  const person = await lockPerson(tx, personId)
  const forgotten = await tx.row(sql`
    delete from allowed_application where person_id = ${personId} and client_id = ${clientId} returning client_id`)
  if (!person || !forgotten) return { refused: 'application_not_found' }
  // index sign_in_record_by_person; with its grant every token is gone
  await tx.rows(sql`delete from sign_in_record where person_id = ${personId} and client_id = ${clientId}`)
  await auditOwn(tx, change, person, 'person.application_disconnected', { personId, clientId })
  return { done: {} }
}

/** The latest choice comes first. */
export async function allowedApplications(
  queries: Queries,
  personId: string,
  now: Date,
): Promise<AllowedApplication[]> {
  const rows = await queries.rows<AllowedApplication>(sql`
    select client_id, name, scopes, allowed_on, exists (
        select from sign_in_record
        where sign_in_record.person_id = allowed_application.person_id and kind = 'Grant'
          and sign_in_record.client_id = allowed_application.client_id and expires_on > ${now}
      ) as is_connected
    from allowed_application where person_id = ${personId}
    order by allowed_on desc, client_id`)
  return rows.map((row) => ({ ...row, scopes: row.scopes.filter(isScope) }))
}

/** What the person declined when the application last asked. */
export async function declinedScopes(queries: Queries, personId: string, clientId: string): Promise<Scope[]> {
  const row = await queries.row<{ declined: string[] }>(sql`
    select declined from allowed_application where person_id = ${personId} and client_id = ${clientId}`)
  return (row?.declined ?? []).filter(isScope)
}

function lockPerson(tx: Transaction, personId: string) {
  return tx.row<{ partnerId: string }>(sql`
    select partner_id from partner_person where person_id = ${personId} and disabled_on is null for no key update`)
}

async function auditOwn(
  tx: Transaction,
  change: OwnChange,
  { partnerId }: { partnerId: string },
  action: string,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  await audit(tx, { ...change, actor: { kind: 'PARTNER', id: partnerId } }, partnerId, action, detail)
}
