import type { Adapter, AdapterPayload } from 'oidc-provider'
import { breaksConstraint, type Database } from '../../database/database.ts'
import { sql, sqlText, type SqlPart } from '../../database/sql.ts'
import { seal, unseal } from '../../vocabulary/seal.ts'
import type { Clock } from '../../vocabulary/clock.ts'
import type { HalfProven } from './half-proven.ts'
import { type KeyRing, macs } from '../../vocabulary/keys.ts'

/**
 * Where sign-ins are kept, as the library wants its storage: sessions, steps under way, grants, codes and tokens, each
 * until it expires. Ids are kept as HMACs and contents sealed. Taking a code or a refresh token out of use is one
 * statement, so that of two racing requests one wins: the other is a replay, and ends the grant and all under it.
 */
export type RecordStoreParts = {
  database: Database
  /** `keyRing(masterKeys, environment, 'session')` */
  keys: KeyRing
  clock: Clock
  /** the library's id of a presented access token */
  accessTokenOf: (presented: string) => string | undefined
  /** makes the library's error for a replay */
  replayed: (what: string) => Error
  findClient: (clientId: string) => Promise<AdapterPayload | undefined>
}

type Row = { payload: Buffer; consumedOn: string | null }

const kindsUnderGrants = new Set(['AccessToken', 'AuthorizationCode', 'RefreshToken'])

/**
 * The id of a record: an HMAC under a secret key, so that a copy of the table does not let anyone in. New records have the
 * first, those from before a change of keys one of the others.
 */
export function recordIdsOf(keys: KeyRing, kind: string, id: string): readonly [Buffer, ...Buffer[]] {
  return macs(keys, `record/${kind}/${id}`)
}

/** Whom a record is about: of a step the person half-proven, the one just signed in, or the one signed in before. */
function personOf({ accountId, lastSubmission, result, session }: AdapterPayload): string | null {
  const proven = (lastSubmission as Partial<HalfProven> | undefined)?.proven?.person.personId
  const signedIn = (result as { login?: { accountId?: string } } | undefined)?.login?.accountId
  return accountId ?? proven ?? signedIn ?? session?.accountId ?? null
}

/** @param kind `Session`, `Interaction`, `Grant`, `AuthorizationCode`, `AccessToken`, `RefreshToken` or `Client` */
export function recordAdapter(kind: string, parts: RecordStoreParts): Adapter {
  const { database, keys, clock } = parts
  const { statements } = database
  const idsOf = (id: string) => recordIdsOf(keys, kind, id)
  const uidsOf = (uid: string) => recordIdsOf(keys, 'session uid', uid)
  const grantsOf = (grantId: string) => recordIdsOf(keys, 'Grant', grantId)
  /** the id of the record that is there, or of a new one */
  const kept = (ids: readonly [Buffer, ...Buffer[]]): SqlPart =>
    sqlText`coalesce((select record_id from sign_in_record where record_id = any(${ids})), ${ids[0]})`

  /** Contents are bound to their kind, not to their id: a session is also found by its second identifier. */
  function read(row: Row | undefined): AdapterPayload | undefined {
    if (!row) return undefined
    const payload = JSON.parse(unseal(keys, kind, row.payload).toString()) as AdapterPayload
    if (row.consumedOn !== null) payload.consumed = Math.floor(Date.parse(row.consumedOn) / 1000)
    return payload
  }

  async function upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    const now = clock()
    const expiresOn = new Date(now.getTime() + expiresIn * 1000)
    const ids = idsOf(id)
    const grantId = kindsUnderGrants.has(kind) && payload.grantId ? kept(grantsOf(payload.grantId)) : null
    const uid = kind === 'Session' && payload.uid ? uidsOf(payload.uid)[0] : null
    const sealed = seal(keys, kind, JSON.stringify(payload))
    try {
      await statements.rows(sql`
        with swept as (
          delete from sign_in_record where record_id in (
            select record_id from sign_in_record
            where expires_on < ${now} and record_id <> all(${ids}) limit 20 for update skip locked
          )
        )
        insert into sign_in_record
          (record_id, kind, payload, grant_id, session_uid, person_id, client_id, expires_on)
        values (${kept(ids)}, ${kind}, ${sealed}, ${grantId}, ${uid}, ${personOf(payload)},
          ${payload.clientId ?? null}, ${expiresOn})
        on conflict (record_id) do update set payload = excluded.payload, session_uid = excluded.session_uid,
          person_id = excluded.person_id, expires_on = excluded.expires_on`)
    } catch (error) {
      if (breaksConstraint(error, 'sign_in_record_grant')) throw parts.replayed('grant')
      throw error
    }
  }

  async function find(id: string): Promise<AdapterPayload | undefined> {
    if (kind === 'Client') return parts.findClient(id)
    const own = kind === 'AccessToken' ? parts.accessTokenOf(id) : id
    if (own === undefined) return undefined
    return read(
      await statements.row<Row>(sql`
        select payload, consumed_on from sign_in_record
        where record_id = any(${idsOf(own)}) and kind = ${kind} and expires_on > ${clock()}`),
    )
  }

  async function consume(id: string): Promise<void> {
    const { taken } = (await statements.row<{ taken: boolean }>(sql`
      with taken as (
        update sign_in_record set consumed_on = ${clock()}
        where record_id = any(${idsOf(id)}) and consumed_on is null
        returning record_id
      )
      select exists (select from taken) as taken`))!
    if (taken) return
    await statements.rows(sql`
      delete from sign_in_record
      where record_id = (select grant_id from sign_in_record where record_id = any(${idsOf(id)}))`)
    throw parts.replayed(kind)
  }

  return {
    upsert,
    find,
    consume,
    findByUid: async (uid) =>
      read(
        await statements.row<Row>(sql`
          select payload, consumed_on from sign_in_record
          where session_uid = any(${uidsOf(uid)}) and expires_on > ${clock()}`),
      ),
    findByUserCode: async () => undefined,
    destroy: async (id) => {
      await statements.rows(sql`delete from sign_in_record where record_id = any(${idsOf(id)})`)
    },
    revokeByGrantId: async (grantId) => {
      await statements.rows(sql`
        delete from sign_in_record where grant_id = any(${grantsOf(grantId)}) and kind = ${kind}`)
    },
  }
}
