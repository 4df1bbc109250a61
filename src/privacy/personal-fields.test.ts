import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { testDatabase } from '../../test/world/database.ts'
import { sql, SqlPart } from '../database/sql.ts'
import { privacyDocument } from './privacy-document.ts'
import { personalTables, plainColumns } from './personal-fields.ts'

const { database, owner } = await testDatabase('template_production')

/** Every column that can hold a text, but those of the days of the request log, which have its columns. */
const columns = await owner.statements.rows<{ table: string; column: string }>(sql`
  select table_name as "table", column_name as "column"
  from information_schema.columns join information_schema.tables using (table_schema, table_name)
  where table_schema = 'public' and table_type = 'BASE TABLE' and table_name !~ '^request_log_\\d+$'
    and (data_type in ('text', 'character', 'character varying', 'json', 'jsonb', 'inet', 'bytea', 'xml', '"char"')
      or udt_name in ('_text', '_bytea', '_jsonb'))`)

test('every column that can hold a text is classified once, as personal or as about nobody', () => {
  const is = columns.map(({ table, column }) => `${table}.${column}`).toSorted()
  const listed = [
    ...Object.entries(personalTables).flatMap(([table, { fields }]) =>
      Object.keys(fields).map((each) => [table, each]),
    ),
    ...Object.entries(plainColumns).flatMap(([table, reasons]) =>
      Object.values(reasons).flatMap((names) => names.split(' ').map((each) => [table, each])),
    ),
  ].map(([table, column]) => `${table}.${column}`)
  assert.deepEqual(
    { missing: is.filter((each) => !listed.includes(each)), unknown: listed.filter((each) => !is.includes(each)) },
    { missing: [], unknown: [] },
  )
  assert.deepEqual(listed.toSorted(), is, 'each once')
})

test('what is erased is a column of its table', () => {
  for (const [table, { files = [], secret = [] }] of Object.entries(personalTables))
    for (const name of [...files, ...secret])
      assert.ok(
        columns.some((each) => each.table === table && each.column === name),
        `${table}.${name}`,
      )
})

/** Tables that an e-mail address stands in and does not lead to, and why. */
const foundOtherwise: Readonly<Record<string, string>> = {
  order_search_word: 'its order has the address whole',
}

test('every table that an e-mail address leads to says where the address is', async () => {
  const emails = ['a@b.test']
  const empty = { orders: [], submissions: [], users: [], persons: [], staff: [], usernames: [] }
  for (const [table, { found, fields, addresses }] of Object.entries(personalTables)) {
    if (found === null || foundOtherwise[table] !== undefined) continue
    const holds = Object.values(fields).some(([each]) => each.includes('e-mail address'))
    if (!holds && !partsOf(found({ ...empty, emails })).includes(emails)) continue
    assert.ok(addresses !== undefined, `${table} holds e-mail addresses: say so in \`addresses\``)
    const rows = await database.statements.rows<{ email: string }>(sql`
      select email from (${new SqlPart([addresses], [])}) as each (email) limit 100`)
    for (const { email } of rows) assert.equal(email, email.toLowerCase())
  }
})

test('a column in which the demo has e-mail addresses belongs to a table that says where they are', async () => {
  for (const { table, column } of columns) {
    const personal = personalTables[table]
    if (!personal?.fields[column] || personal.found === null || foundOtherwise[table] !== undefined) continue
    // The username of a member of staff or a partner's person is found by the account.
    if (personal.addresses !== undefined || column.startsWith('username')) continue
    const row = await owner.statements.row(sql`
      select from ${new SqlPart([table], [])}
      where ${new SqlPart([column], [])}::text ~ '[[:alnum:]]@[[:alnum:]-]+[.][[:alpha:]]' limit 1`)
    assert.equal(row, undefined, `${table}.${column}`)
  }
})

/** What stands in a part of a statement, at any depth. */
function partsOf(part: SqlPart): unknown[] {
  return part.parts.flatMap((each) => (each instanceof SqlPart ? partsOf(each) : [each]))
}

test('docs/privacy.md has the table of every personal column', () => {
  const told = readFileSync(new URL('../../docs/privacy.md', import.meta.url), 'utf8')
  assert.equal(told, privacyDocument())
})

test('every row of a person is found by an index', async () => {
  // Few partners have addresses for alerts, and there are few partners.
  const few = ['partner']
  const one = '00000000-0000-4000-8000-000000000000'
  const ids = { orders: [1], submissions: [one], users: [1], persons: [one], staff: [one] }
  const found = { ...ids, emails: ['a@b.test'], usernames: ['a'] }
  await owner.transaction(async (tx) => {
    await tx.rows(sql`set local enable_seqscan = off`)
    for (const [table, { found: where }] of Object.entries(personalTables)) {
      if (where === null || few.includes(table)) continue
      const plan = await tx.row<Record<string, unknown>>(sql`
        explain (format json) select from ${new SqlPart([table], [])} where ${where(found)}`)
      const scans = scansOf(Object.values(plan!)[0])
      assert.ok(scans.length > 0, table)
      for (const scan of scans) assert.ok(scan['Index Cond'] !== undefined, `${table}: ${JSON.stringify(scan)}`)
    }
  })
})

type Step = Readonly<Record<string, unknown>>

/** The steps of a plan that look for rows; what takes the rows that an index found is none. */
function scansOf(plan: unknown): Step[] {
  if (typeof plan !== 'object' || plan === null) return []
  const step = plan as Step
  const type = step['Node Type']
  const isScan =
    typeof type === 'string' && type.endsWith('Scan') && type !== 'Bitmap Heap Scan' && type !== 'Subquery Scan'
  return [...(isScan ? [step] : []), ...Object.values(step).flatMap(scansOf)]
}
