import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { asService, freshDatabase, testServiceRole, type FreshDatabase } from '../../test/world/database.ts'
import { until } from '../../test/world/webhooks.ts'
import { migrate } from './migrate.ts'

let fresh: FreshDatabase
let client: pg.Client

before(async () => {
  fresh = await freshDatabase('template_empty')
  client = new pg.Client({ connectionString: fresh.url })
  await client.connect()
})
after(async () => {
  await client.end()
  await fresh.drop()
})

async function recorded(): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from migration order by name')
  return rows.map((row) => row.name)
}

test('every file is applied once, and a second start applies none', async () => {
  const files = await readdir(new URL('migrations/', import.meta.url))
  assert.deepEqual(await recorded(), files.toSorted())
  assert.deepEqual(await migrate(fresh.url), [])
})

test('of several that migrate an empty database at once, one applies every file and the others wait for it', async (t) => {
  const empty = await freshDatabase('template0')
  const service = { role: testServiceRole.role, environment: 'PRODUCTION' } as const
  const files = (await readdir(new URL('migrations/', import.meta.url))).toSorted()
  t.after(empty.drop)
  const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(empty.url, service)))
  assert.deepEqual(
    applied.toSorted((one, other) => other.length - one.length),
    [files, [], [], []],
  )
  const served = new pg.Client({ connectionString: asService(empty.url) })
  await served.connect()
  assert.deepEqual((await served.query('select * from orders')).rows, [])
  await served.end()
})

test('an instance that starts while another makes a day of the request log waits for it', async (t) => {
  const shared = await freshDatabase('template_empty')
  t.after(shared.drop)
  const working = new pg.Client({ connectionString: shared.url })
  await working.connect()
  await working.query('begin')
  await working.query('select make_request_log_day(current_date + 20)')
  const starting = migrate(shared.url, { role: testServiceRole.role, environment: 'PRODUCTION' })
  await until(async () => {
    const { rows } = await client.query(
      `select from pg_stat_activity where datname = $1 and wait_event_type = 'Lock' and query like 'begin; %'`,
      [new URL(shared.url).pathname.slice(1)],
    )
    return rows.length > 0
  })
  await working.query('commit')
  assert.deepEqual(await starting, [])
  await working.end()
})

test('a database of an earlier version gets the new migrations', async () => {
  const newest = (await recorded()).at(-1)!
  const written = await readFile(new URL(`migrations/${newest}`, import.meta.url), 'utf8')
  const made = written.split(';').flatMap((statement) => {
    const [, kind, name] = /^create (table|index) (\w+)/m.exec(statement) ?? []
    const [, table] = /^alter table (\w+)/m.exec(statement) ?? []
    const columns = [...statement.matchAll(/^ *add column (\w+)/gm)].map(([, column]) => column!)
    return [
      ...(kind ? [`drop ${kind} if exists ${name}`] : []),
      ...(table ? columns.map((column) => `alter table ${table} drop column ${column}`) : []),
    ]
  })
  assert.ok(made.length > 0, 'the newest makes something that can be dropped')
  for (const undo of made) await client.query(undo)
  await client.query('delete from migration where name = $1', [newest])
  assert.deepEqual(await migrate(fresh.url), [newest])
})

test('a database with other migrations than these is refused and left unchanged', async (t) => {
  const names = await recorded()
  const refused = (migration: string) => ({
    message:
      `another version of this program made it (it has migration ${migration}); ` +
      'run that version, or start with an empty one',
  })
  const restore = async () => {
    await client.query('delete from migration')
    await client.query('insert into migration (name) select unnest($1::text[])', [names])
  }
  await t.test('a later version made it', async () => {
    await client.query(`insert into migration (name) values ('0999-later.sql')`)
    await assert.rejects(migrate(fresh.url), refused('0999-later.sql'))
    await restore()
  })
  await t.test('a version with other files made it', async () => {
    await client.query(`update migration set name = '0001-other.sql' where name = $1`, [names[0]])
    await assert.rejects(migrate(fresh.url), refused('0001-other.sql'))
    await restore()
  })
  await t.test('one of its files is missing', async () => {
    await client.query('delete from migration where name = $1', [names[1]])
    await assert.rejects(migrate(fresh.url), refused(names[2]!))
    assert.deepEqual(await recorded(), names.toSpliced(1, 1))
    await restore()
  })
})
