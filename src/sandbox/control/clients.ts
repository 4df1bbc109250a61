import type { Handler } from '../../contract/operation.ts'
import { issueOwnClient, revokeAppClient } from '../../partners/partners.ts'
import type { Change } from '../../vocabulary/change.ts'
import { publishedScope } from '../../vocabulary/scopes.ts'
import type { control } from './contract.ts'
import type { ControlParts } from './parts.ts'

type Parts = Pick<ControlParts, 'database' | 'clientSecretKeys' | 'realClock'>

/** Credentials carry real time, whatever the partner's own clock says. */
const dated = (change: Change, realClock: Parts['realClock']): Change => ({ ...change, now: realClock() })

export function createSandboxClient({
  database,
  clientSecretKeys,
  realClock,
}: Parts): Handler<typeof control.createSandboxClient> {
  return async ({ caller, body: { name }, change, refuse }) => {
    const issued = await database.change((tx) =>
      issueOwnClient(tx, dated(change, realClock), caller.partnerId, clientSecretKeys, name, caller.scopes),
    )
    if ('done' in issued) return { status: 201, body: { name, ...issued.done } }
    if (issued.refused === 'scopes_missing') {
      const missing = issued.scopes.map(publishedScope).join(', ')
      throw refuse('insufficient_scope', `The client could do more than this token, which lacks ${missing}.`)
    }
    if (issued.refused === 'own_clients_live') throw refuse('too_many_clients')
    if (issued.refused === 'not_a_bearer_partner') throw refuse('not_a_bearer_partner')
    throw new Error(`an app client was not issued: ${issued.refused}`)
  }
}

export function revokeSandboxClient({ database, realClock }: Parts): Handler<typeof control.revokeSandboxClient> {
  return async ({ caller, path: { clientId }, change, refuse }) => {
    const revoked = await database.change((tx) =>
      revokeAppClient(tx, dated(change, realClock), caller.partnerId, clientId, { onlyOwn: true }),
    )
    if ('refused' in revoked) throw refuse('client_not_found')
    return { status: 200, body: { clientId, revoked: true } }
  }
}
