import type { Queries, Transaction } from '../database/database.ts'
import { sql, sqlText } from '../database/sql.ts'
import { recordAudit } from '../platform/audit/audit.ts'
import type { Change } from '../vocabulary/change.ts'
import type { Done, Refused } from '../vocabulary/outcome.ts'
import { isOwnApplication } from '../vocabulary/own-applications.ts'
import { isName } from '../vocabulary/text.ts'

/**
 * Applications registered by staff for people to sign in with. They are public clients: they have no secret and use
 * PKCE. Most applications need no registration: they publish a document about themselves.
 */

export type SignInClient = {
  clientId: string
  name: string
  redirectUris: string[]
  /** runs on the person's machine, so its loopback redirect may have any port (RFC 8252 §7.3) */
  isNative: boolean
}

export type RegisteredSignInClient = SignInClient & { registeredOn: string }

const columns = sqlText`client_id, name, redirect_uris, is_native, registered_on`

/** Not an https URL, which would be read as the address of a document. */
const clientIdForm = /^[A-Za-z0-9][A-Za-z0-9._-]{2,99}$/
const nameLengthMax = 100
const redirectUrisMax = 10

export async function registerSignInClient(
  tx: Transaction,
  change: Change,
  client: SignInClient,
): Promise<
  | Done<RegisteredSignInClient>
  | Refused<'client_id_not_usable' | 'client_name_not_usable' | 'redirect_uris_not_usable' | 'client_id_taken'>
> {
  const { clientId, redirectUris, isNative } = client
  const name = client.name.trim()
  if (!clientIdForm.test(clientId)) return { refused: 'client_id_not_usable' }
  if (isOwnApplication(clientId)) return { refused: 'client_id_taken' }
  if (!isName(name, nameLengthMax)) return { refused: 'client_name_not_usable' }
  if (redirectUris.length === 0 || redirectUris.length > redirectUrisMax || !redirectUris.every(isRedirectUri)) {
    return { refused: 'redirect_uris_not_usable' }
  }
  const registered = await tx.row<RegisteredSignInClient>(sql`
    insert into sign_in_client (client_id, name, redirect_uris, is_native, registered_on)
    values (${clientId}, ${name}, ${redirectUris}, ${isNative}, ${change.now})
    on conflict (client_id) do nothing
    returning ${columns}`)
  if (!registered) return { refused: 'client_id_taken' }
  await auditClient(tx, change, clientId, 'sign_in_client.registered', { name, redirectUris, isNative })
  return { done: registered }
}

/** Removes the application. Nobody can sign in with it any more, and everybody who did is signed out of it. */
export async function removeSignInClient(
  tx: Transaction,
  change: Change,
  clientId: string,
): Promise<Done | Refused<'sign_in_client_not_found'>> {
  const removed = await tx.row(sql`delete from sign_in_client where client_id = ${clientId} returning client_id`)
  if (!removed) return { refused: 'sign_in_client_not_found' }
  // index sign_in_record_by_client
  await tx.rows(sql`delete from sign_in_record where client_id = ${clientId}`)
  await auditClient(tx, change, clientId, 'sign_in_client.removed', {})
  return { done: {} }
}

export function listSignInClients(queries: Queries): Promise<RegisteredSignInClient[]> {
  return queries.rows(sql`select ${columns} from sign_in_client order by client_id`)
}

export async function findSignInClient(queries: Queries, clientId: string): Promise<SignInClient | undefined> {
  if (!clientIdForm.test(clientId)) return undefined
  return queries.row(sql`select ${columns} from sign_in_client where client_id = ${clientId}`)
}

/** Accepts https, an application's own scheme, and http on the person's own machine. */
function isRedirectUri(text: string): boolean {
  const url = URL.parse(text)
  if (!url || url.hash !== '' || text.includes('#') || text.length > 500) return false
  if (url.protocol === 'http:') return ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname)
  return url.protocol === 'https:' || /^[a-z][a-z0-9+-]*\.[a-z0-9.+-]+:$/.test(url.protocol)
}

async function auditClient(
  tx: Transaction,
  change: Change,
  clientId: string,
  action: string,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  const subject = { kind: 'sign_in_client', id: clientId }
  await recordAudit(tx, change, { action, subject, siteId: null, detail })
}
