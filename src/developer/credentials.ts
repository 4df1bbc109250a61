import type { Static } from 'typebox'
import type { Queries } from '../database/database.ts'
import { nothing, sql, sqlText } from '../database/sql.ts'
import { entriesLookedAt } from '../gateway/request-log/read-request-log.ts'
import type { Credential } from './contract.ts'

type Shown = Static<typeof Credential>

/** As staff are told of certificates that end. */
const endingMilliseconds = 30 * 86_400_000

/** The live app clients and certificates of a partner, newest first, at most `limit`. */
export async function credentialsOf(
  reads: Queries,
  wish: {
    partnerId: string
    now: Date
    after: { createdOn: string; credentialId: string } | undefined
    limit: number
  },
): Promise<Shown[]> {
  const { partnerId, now, after, limit } = wish
  // app_client_by_partner, partner_certificate_by_partner, request_log_by_partner
  const rows = await reads.rows<Omit<Shown, 'status'>>(sql`
    with logged as (
      select recorded_on, auth_method, credential from request_log
      where partner_id = ${partnerId}::uuid
        and exists (select from partner_certificate where partner_id = ${partnerId} and revoked_on is null)
      order by recorded_on desc, entry_id desc
      limit ${entriesLookedAt}
    ), found as (
      select client_id as credential_id, 'APP_CLIENT' as kind, label as name,
        made_by_partner, created_on, null::timestamptz as starts_on, null::timestamptz as expires_on,
        last_used_on
      from app_client where partner_id = ${partnerId}
      union all
      select serial_number, 'CERTIFICATE', subject_dn, false, registered_on, not_before, not_after,
        (select max(recorded_on) from logged where auth_method = 'MTLS' and credential = serial_number)
      from partner_certificate where partner_id = ${partnerId} and revoked_on is null
    )
    select credential_id, kind, name, made_by_partner, created_on, starts_on, expires_on, last_used_on from found
    where true
      ${after ? sqlText`and (created_on, credential_id) < (${after.createdOn}::timestamptz, ${after.credentialId})` : nothing}
    order by created_on desc, credential_id desc
    limit ${limit}`)
  return rows.map((row) => ({ ...row, status: statusOf(row, now) }))
}

function statusOf({ startsOn, expiresOn }: Pick<Shown, 'startsOn' | 'expiresOn'>, now: Date): Shown['status'] {
  if (startsOn !== null && now.getTime() < Date.parse(startsOn)) return 'NOT_YET_VALID'
  if (expiresOn === null) return 'ACTIVE'
  const left = Date.parse(expiresOn) - now.getTime()
  return left <= 0 ? 'EXPIRED' : left < endingMilliseconds ? 'EXPIRING' : 'ACTIVE'
}
