import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { askedTogether } from '../asked-together.ts'
import type { AccessTokenClaims } from '../bearer/access-token.ts'
import type { SignedIn } from '../bearer/authenticate.ts'
import { partnerColumns, partnerRecord, type PartnerRecord } from '../partner-record.ts'
import { recordIdsOf } from './record-store.ts'
import type { KeyRing } from '../../vocabulary/keys.ts'

/**
 * Finds the person and partner of an access token. It reads the primary database on every request, so a deleted or
 * disabled token, grant, person or partner takes effect on the next request. Nothing is cached.
 * @param keys `keyRing(masterKeys, environment, 'session')`
 */
export function signInLookup(
  reads: Queries,
  keys: KeyRing,
): (claims: AccessTokenClaims) => Promise<SignedIn | undefined> {
  const find = askedTogether(async (ids): Promise<Map<string, SignedIn>> => {
    type Row = PartnerRecord & { recordId: Buffer; clientId: string; username: string; email: string | null }
    // primary keys of sign_in_record, partner_person and partner; with its grant a token is gone too
    const rows = await reads.rows<Row>(sql`
      select sign_in_record.record_id, sign_in_record.client_id, partner_person.username, partner_person.email,
        ${partnerColumns}
      from sign_in_record
        join partner_person on partner_person.person_id = sign_in_record.person_id
        join partner on partner.partner_id = partner_person.partner_id
      where sign_in_record.record_id = any(${ids.map((id) => Buffer.from(id, 'hex'))})
        and partner_person.disabled_on is null`)
    return new Map(
      rows.map((row) => [
        row.recordId.toString('hex'),
        {
          partner: partnerRecord(row),
          clientId: row.clientId,
          user: { userName: row.username, email: row.email },
        },
      ]),
    )
  })
  return async ({ subject }) => {
    const found = await Promise.all(recordIdsOf(keys, 'AccessToken', subject).map((id) => find(id.toString('hex'))))
    return found.find((each) => each !== undefined)
  }
}
