import type { Queries } from '../../database/database.ts'
import { batchMax, inBatches } from '../../database/in-batches.ts'
import { sql } from '../../database/sql.ts'
import type { AccessTokenClaims } from './access-token.ts'

/**
 * Access tokens of app clients that were revoked before they expired. `credential-lookup.ts` reads them with the client,
 * on every request.
 */

/** The token is refused from the next request on, by every instance. */
export async function revokeToken(
  statements: Queries,
  { tokenId, subject, expiresOn }: Pick<AccessTokenClaims, 'tokenId' | 'subject' | 'expiresOn'>,
): Promise<void> {
  await statements.rows(sql`
    insert into revoked_token (token_id, client_id, expires_on)
    select ${tokenId}, client_id, ${expiresOn}::timestamptz from app_client where client_id = ${subject} for key share
    on conflict do nothing`)
}

/** Forgets tokens that expired before an instant. */
export function forgetRevokedTokens(statements: Queries, before: Date, ending?: AbortSignal): Promise<number> {
  // index revoked_token_by_expiry
  return inBatches(
    () =>
      statements.rows(sql`
        delete from revoked_token where token_id in (
          select token_id from revoked_token where expires_on < ${before} limit ${batchMax}
        )
        returning token_id`),
    ending,
  )
}
