import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Queries } from '../../src/database/database.ts'
import { sql, SqlPart } from '../../src/database/sql.ts'
import { sealedKinds } from '../../src/sealed-kinds.ts'
import { testDatabase } from '../world/database.ts'

/**
 * What is sealed under a key of the service is lost with the key, unless `npm run -s keys` seals it anew. So every column of
 * bytes is among what it seals anew, or here, with the reason why not. Add every new one.
 */
const excused: Readonly<Record<string, string>> = {
  'audit_record.chain_hash': 'a hash without a key',
  'audit_seal.hashes': 'hashes without a key',
  'demo_key.key_sealed': 'sealed anew by every start',
  'invoice.people_sealed': 'sealed under the key in person_key, which is sealed anew',
  'partner_certificate.serial': 'public',
  'partner_certificate.sha256': 'public',
  'partner_certificate.subject': 'public',
  'partner_person.invitation_hash': 'the HMAC of a link, which lasts 7 days at most',
  'password_reset_link.reset_hash': 'the HMAC of a link, which lasts an hour',
  'service_key.fingerprint': 'names the key itself',
  'sign_in_attempts.counted': 'counts begin anew',
  'sign_in_record.grant_id': 'names a sign-in, which lasts hours',
  'sign_in_record.payload': 'a sign-in lasts hours',
  'sign_in_record.record_id': 'names a sign-in, which lasts hours',
  'sign_in_record.session_uid': 'names a sign-in, which lasts hours',
  'staff_session.session_hash': 'a hash without a key',
  'staff_sign_in_failure.counted': 'a hash without a key',
  'submission.body_hash': 'a hash without a key',
}

const { owner } = await testDatabase()

/** The columns that a kind counts seals in. */
async function columnsOf(kind: (typeof sealedKinds)[number]): Promise<string[]> {
  const columns: string[] = []
  let text = ''
  const queries = {
    row: async (query: { text: string }) => ((text = query.text), { count: 0 }),
    rows: async () => [],
  } as unknown as Queries
  await kind.count(queries, (column) => {
    columns.push(column.strings.join(''))
    return new SqlPart(['true'], [])
  })
  const [, table] = /\bfrom (?!unnest)(\w+)/.exec(text)!
  const [, list, name] = /\bunnest\((\w+)\) as (\w+)/.exec(text) ?? []
  return columns.map((column) => `${table}.${column === name ? list : column}`)
}

test('every column of bytes is sealed anew under a new key, or need not be', async () => {
  const columns = await owner.statements.rows<{ name: string }>(sql`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and udt_name in ('bytea', '_bytea')
    order by name`)
  const sealedAnew = (await Promise.all(sealedKinds.map(columnsOf))).flat()
  assert.deepEqual([...sealedAnew, ...Object.keys(excused)].toSorted(), columns.map(({ name }) => name).toSorted())
})
