import { batchRows, type SealedKind, type SealedRow } from '../database/seal-anew.ts'
import { sql, sqlText } from '../database/sql.ts'

/** The signing secrets of endpoints: the one in use and, for a time after a rotation, the former one. */
export const sealedSigningSecrets: SealedKind = {
  what: 'signing secrets of webhook endpoints',
  purpose: 'stored-secret',
  count: async (queries, by) => {
    const row = await queries.row<{ count: number }>(sql`
      select count(*) as count from webhook_endpoint
      where ${by(sqlText`secret_sealed`)} or ${by(sqlText`former_secret_sealed`)}`)
    return row!.count
  },
  read: (queries, by, after) =>
    queries.rows<SealedRow>(sql`
      select endpoint_id as id, array_remove(array[secret_sealed, former_secret_sealed], null) as sealed
      from webhook_endpoint
      where (${by(sqlText`secret_sealed`)} or ${by(sqlText`former_secret_sealed`)})
        and (${after}::uuid is null or endpoint_id > ${after}::uuid)
      order by endpoint_id
      limit ${batchRows}`),
  boundTo: (endpointId) => endpointId,
  write: (queries, endpointId, [secret, former = null], [secretAnew, formerAnew = null]) =>
    queries.rows(sql`
      update webhook_endpoint set secret_sealed = ${secretAnew}, former_secret_sealed = ${formerAnew}
      where endpoint_id = ${endpointId} and secret_sealed = ${secret}
        and former_secret_sealed is not distinct from ${former}`),
}
