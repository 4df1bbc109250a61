import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readMigrationFiles, type MigrationFile } from '../../src/database/migration-files.ts'

/** The newest migration of the first release. What comes later says which program can live on it (docs/upgrading.md). */
const baseline = '0037-people.sql'

const files = await readMigrationFiles()
const names = files.map(({ name }) => name)

function isMarked({ name, livesWith }: Pick<MigrationFile, 'name' | 'livesWith'>): boolean {
  if (name <= baseline) return true
  return livesWith !== undefined && livesWith >= baseline && (livesWith === name || names.includes(livesWith))
}

test('every migration after the first release says which program can live on the schema that it makes', () => {
  assert.deepEqual(
    files.filter((file) => !isMarked(file)).map(({ name }) => name),
    [],
    'the first line must be "-- lives-with: " and the name of a migration',
  )
  const next = '9999-next.sql'
  for (const livesWith of [baseline, next]) assert.ok(isMarked({ name: next, livesWith }))
  for (const livesWith of [undefined, '0038-missing.sql', names[0]!]) assert.ok(!isMarked({ name: next, livesWith }))
})

test('no statement answers all the columns of a table, which would end when a column is added', () => {
  const src = new URL('../../src/', import.meta.url)
  for (const file of readdirSync(src, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue
    const text = readFileSync(new URL(file, src), 'utf8')
    // A statement is prepared once, and PostgreSQL refuses it when its columns have changed.
    assert.doesNotMatch(text, /\bsql`\s*select (\w+\.)?\*\s+from (?!\()/, file)
    assert.doesNotMatch(text, /\breturning (\w+\.)?\*\s*`/, file)
  }
})
