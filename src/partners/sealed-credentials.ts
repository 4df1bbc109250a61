import { batchRows, type HashedRow, type SealedBy, type SealedKind, type SealedRow } from '../database/seal-anew.ts'
import { sql, sqlText, type SqlPart } from '../database/sql.ts'
import { keyedHashBytes } from '../vocabulary/sealed-digest.ts'
import { recoveryCodeOf } from './second-factor.ts'

/** What is stored of the credentials of partners' programs and people. */

const isHash = (column: SqlPart): SqlPart => sqlText`octet_length(${column}) = ${keyedHashBytes}::int`

const secretBy = (by: SealedBy): SqlPart =>
  sqlText`(not ${isHash(sqlText`secret_hash`)} and ${by(sqlText`secret_hash`)})`

export const sealedClientSecrets: SealedKind = {
  what: 'client secrets of app clients',
  purpose: 'client-secret',
  count: async (queries, by) => {
    const row = await queries.row<{ count: number }>(sql`
      select count(*) as count from app_client where ${secretBy(by)}`)
    return row!.count
  },
  read: (queries, by, after) =>
    queries.rows<SealedRow>(sql`
      select client_id as id, array[secret_hash] as sealed from app_client
      where ${secretBy(by)} and (${after}::text is null or client_id > ${after}::text)
      order by client_id
      limit ${batchRows}`),
  boundTo: (clientId) => clientId,
  write: (queries, clientId, [secret], [anew]) =>
    queries.rows(sql`
      update app_client set secret_hash = ${anew} where client_id = ${clientId} and secret_hash = ${secret}`),
  hashed: (queries) =>
    queries.rows<HashedRow>(sql`
      select client_id as name, last_used_on from app_client
      where ${isHash(sqlText`secret_hash`)}
      order by last_used_on nulls first, client_id`),
}

export const sealedSecondFactors: SealedKind = {
  what: 'second factors of people',
  purpose: 'stored-secret',
  count: async (queries, by) => {
    const row = await queries.row<{ count: number }>(sql`
      select count(*) as count from partner_person where ${by(sqlText`second_factor`)}`)
    return row!.count
  },
  read: (queries, by, after) =>
    queries.rows<SealedRow>(sql`
      select person_id as id, array[second_factor] as sealed from partner_person
      where ${by(sqlText`second_factor`)} and (${after}::uuid is null or person_id > ${after}::uuid)
      order by person_id
      limit ${batchRows}`),
  boundTo: (personId) => personId,
  write: (queries, personId, [secret], [anew]) =>
    queries.rows(sql`
      update partner_person set second_factor = ${anew} where person_id = ${personId} and second_factor = ${secret}`),
}

const codesBy = (by: SealedBy): SqlPart => sqlText`exists (
  select from unnest(recovery_codes) as code where not ${isHash(sqlText`code`)} and ${by(sqlText`code`)})`

export const sealedRecoveryCodes: SealedKind = {
  what: 'sets of recovery codes of people',
  purpose: 'stored-secret',
  count: async (queries, by) => {
    const row = await queries.row<{ count: number }>(sql`
      select count(*) as count from partner_person where ${codesBy(by)}`)
    return row!.count
  },
  read: (queries, by, after) =>
    queries.rows<SealedRow>(sql`
      select person_id as id, recovery_codes as sealed from partner_person
      where ${codesBy(by)} and (${after}::uuid is null or person_id > ${after}::uuid)
      order by person_id
      limit ${batchRows}`),
  boundTo: recoveryCodeOf,
  write: (queries, personId, codes, anew) =>
    queries.rows(sql`
      update partner_person set recovery_codes = ${anew}::bytea[]
      where person_id = ${personId} and recovery_codes = ${codes}::bytea[]`),
  hashed: (queries) =>
    queries.rows<HashedRow>(sql`
      select username as name, last_signed_in_on as last_used_on from partner_person
      where exists (select from unnest(recovery_codes) as code where ${isHash(sqlText`code`)})
      order by last_signed_in_on nulls first, username`),
}
