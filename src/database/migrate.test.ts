import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { after, before, test, type TestContext } from 'node:test'
import pg from 'pg'
import { asService, freshDatabase, testServiceRole, type FreshDatabase } from '../../test/world/database.ts'
import { until } from '../../test/world/webhooks.ts'
import { grants } from './grants.ts'
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

const nothing = { applied: [], ahead: [], ownsTables: true }

async function recorded(): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from migration order by name')
  return rows.map((row) => row.name)
}

test('every file is applied once, and a second start applies none', async () => {
  const files = await readdir(new URL('migrations/', import.meta.url))
  assert.deepEqual(await recorded(), files.toSorted())
  assert.deepEqual(await migrate(fresh.url), nothing)
})

test('of several that migrate an empty database at once, one applies every file and the others wait for it', async (t) => {
  const empty = await freshDatabase('template0')
  const service = { role: testServiceRole.role, environment: 'PRODUCTION' } as const
  const files = (await readdir(new URL('migrations/', import.meta.url))).toSorted()
  t.after(empty.drop)
  const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(empty.url, service)))
  assert.deepEqual(
    applied.map((each) => each.applied).toSorted((one, other) => other.length - one.length),
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
      `select from pg_stat_activity where datname = $1 and wait_event_type = 'Lock' and query like '%pg_advisory_xact_lock%'`,
      [new URL(shared.url).pathname.slice(1)],
    )
    return rows.length > 0
  })
  await working.query('commit')
  assert.deepEqual(await starting, nothing)
  await working.end()
})

test('a database of an earlier version gets the new migrations', async () => {
  const newest = (await recorded()).at(-1)!
  const written = await readFile(new URL(`migrations/${newest}`, import.meta.url), 'utf8')
  const made = written.split(';').flatMap((statement) => {
    const [, kind, name] =
      /^create (?:or replace )?(table|index|function) (?:concurrently )?(\w+)/m.exec(statement) ?? []
    const [, table] = /^alter table (\w+)/m.exec(statement) ?? []
    const columns = [...statement.matchAll(/^ *add column (\w+)/gm)].map(([, column]) => column!)
    const [, tuned, options] = /^alter table (\w+) set \(([^)]*)\)/m.exec(statement) ?? []
    const tunedBy = [...(options ?? '').matchAll(/(\w+) =/g)].map(([, option]) => option)
    return [
      ...(kind ? [`drop ${kind} if exists ${name}`] : []),
      ...(table ? columns.map((column) => `alter table ${table} drop column ${column}`) : []),
      ...(tuned ? [`alter table ${tuned} reset (${tunedBy.join(', ')})`] : []),
    ]
  })
  assert.ok(made.length > 0, 'the newest makes something that can be undone')
  for (const undo of made) await client.query(undo)
  await client.query('delete from migration where name = $1', [newest])
  assert.deepEqual(await migrate(fresh.url), { applied: [newest], ahead: [], ownsTables: true })
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

/** A small release in a folder of its own. */
async function releaseOf(t: TestContext, files: Readonly<Record<string, string>>): Promise<URL> {
  const path = await mkdtemp(join(tmpdir(), 'partner-commerce-migrations-'))
  t.after(() => rm(path, { recursive: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text)
  return pathToFileURL(`${path}/`)
}

const first = { '0001-first.sql': 'create table thing (name text);\n' }
const expanding = { '0002-expanding.sql': '-- lives-with: 0001-first.sql\nalter table thing add column size int;\n' }
const contracting = {
  '0003-contracting.sql': '-- lives-with: 0002-expanding.sql\nalter table thing drop column name;\n',
}

async function emptyDatabase(t: TestContext): Promise<{ url: string; connect: () => Promise<pg.Client> }> {
  const { url, drop } = await freshDatabase('template0')
  const clients: pg.Client[] = []
  t.after(async () => {
    for (const each of clients) await each.end()
    await drop()
  })
  return {
    url,
    connect: async () => {
      const connected = new pg.Client({ connectionString: url })
      await connected.connect()
      clients.push(connected)
      return connected
    },
  }
}

test('a program starts on the schema of a later release that says so, and applies nothing', async (t) => {
  const { url } = await emptyDatabase(t)
  const former = await releaseOf(t, first)
  await migrate(url, undefined, { folder: await releaseOf(t, { ...first, ...expanding }) })
  assert.deepEqual(await migrate(url, undefined, { folder: former }), {
    applied: [],
    ahead: ['0002-expanding.sql'],
    ownsTables: true,
  })
})

test('a program is refused on a schema that no longer has what it needs, and the message names the release that can run', async (t) => {
  const { url, connect } = await emptyDatabase(t)
  const [former, next] = [await releaseOf(t, first), await releaseOf(t, { ...first, ...expanding })]
  await migrate(url, undefined, { folder: next })
  await migrate(url, undefined, { folder: await releaseOf(t, { ...first, ...expanding, ...contracting }) })
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string }
  const message =
    'a later release changed it (migration 0003-contracting.sql), and this one is too old for it; ' +
    `start release ${version} or a later one, which has migration 0002-expanding.sql`
  await assert.rejects(migrate(url, undefined, { folder: former }), { message })
  assert.deepEqual((await migrate(url, undefined, { folder: next })).ahead, ['0003-contracting.sql'])

  const unmarked = { '0004-unmarked.sql': 'select;\n' }
  await migrate(url, undefined, { folder: await releaseOf(t, { ...first, ...expanding, ...contracting, ...unmarked }) })
  await assert.rejects(
    migrate(url, undefined, { folder: next }),
    /it \(migration 0004-unmarked\.sql\), and this one is/,
  )
  // An earlier database does not know which release made it.
  await (await connect()).query('update migration set release = null')
  await assert.rejects(
    migrate(url, undefined, { folder: former }),
    /start the release or a later one, which has migration 0004/,
  )
})

test('a database from before releases were recorded is brought up to date', async (t) => {
  const { url, connect } = await emptyDatabase(t)
  const database = await connect()
  await database.query(
    `create table migration (name text primary key, applied_on timestamptz(3) not null default now())`,
  )
  await database.query(`create table thing (name text)`)
  await database.query(`insert into migration (name) values ('0001-first.sql')`)
  const next = await releaseOf(t, { ...first, ...expanding })
  assert.deepEqual(await migrate(url, undefined, { folder: next }), {
    applied: ['0002-expanding.sql'],
    ahead: [],
    ownsTables: true,
  })
})

test('a start gives the rights of every release that can live on the schema, and takes away those of no other', async (t) => {
  const shared = await freshDatabase('template_empty')
  const database = new pg.Client({ connectionString: shared.url })
  await database.connect()
  t.after(async () => {
    await database.end()
    await shared.drop()
  })
  const service = { role: testServiceRole.role, environment: 'PRODUCTION' } as const
  const mayUpdate = async (table: string): Promise<boolean> => {
    const { rows } = await database.query<{ may: boolean }>(`select has_table_privilege($1, $2, 'update') as may`, [
      testServiceRole.role,
      table,
    ])
    return rows[0]!.may
  }
  assert.ok(!grants.invoice!.includes('update') && !grants.refund_part!.includes('update'))
  const newest = (await recorded()).at(-1)!
  // The release before this one still wrote invoices. The one after it writes parts of refunds.
  await database.query(`update migration set rights = '{update on invoice}' where name = $1`, [newest])
  await database.query(
    `insert into migration (name, lives_with, rights) values ('8001-later.sql', $1, '{update on refund_part}')`,
    [newest],
  )
  await database.query(`grant update on refund to ${testServiceRole.role}`)
  await migrate(shared.url, service)
  assert.deepEqual(
    [await mayUpdate('invoice'), await mayUpdate('refund_part'), await mayUpdate('refund'), await mayUpdate('orders')],
    [true, true, false, true],
  )
  // The release before this one has another newest migration, and the schema is no longer for it.
  const [oldest] = await recorded()
  await database.query(`delete from migration where name = '8001-later.sql'`)
  await database.query(`update migration set rights = null where name = $1`, [newest])
  await database.query(`update migration set rights = '{update on invoice}' where name = $1`, [oldest])
  await migrate(shared.url, service)
  assert.deepEqual([await mayUpdate('invoice'), await mayUpdate('refund_part')], [false, false])
})

test('a migration that waits for a long transaction lets others pass, and is applied when that ends', async (t) => {
  const { url, connect } = await emptyDatabase(t)
  await migrate(url, undefined, { folder: await releaseOf(t, first) })
  const [long, other] = [await connect(), await connect()]
  await long.query('begin; select * from thing')
  const warned: string[] = []
  const migrating = migrate(url, undefined, {
    folder: await releaseOf(t, { ...first, ...expanding }),
    patience: { lockMilliseconds: 200, pauseMilliseconds: 50, tries: 10_000 },
    log: { warn: (_: unknown, said?: string) => void warned.push(said!) },
  })
  await until(async () => warned.length > 0)
  assert.equal(warned[0], 'migration 0002-expanding.sql waits for a table that another transaction holds')
  // Each of these would wait for the long transaction too, if the migration stayed before them.
  for (let turn = 0; turn < 5; turn++) await other.query(`insert into thing values ('another')`)
  await long.query('commit')
  assert.deepEqual((await migrating).applied, ['0002-expanding.sql'])
})

test('a migration that never gets its table gives up with a sentence, and has changed nothing', async (t) => {
  const { url, connect } = await emptyDatabase(t)
  await migrate(url, undefined, { folder: await releaseOf(t, first) })
  const long = await connect()
  await long.query('begin; select * from thing')
  const twice = {
    '0002-twice.sql': '-- lives-with: 0001-first.sql\ncreate table other ();\nalter table thing add column size int;\n',
  }
  const folder = await releaseOf(t, { ...first, ...twice })
  await assert.rejects(
    migrate(url, undefined, { folder, patience: { lockMilliseconds: 50, pauseMilliseconds: 1, tries: 3 } }),
    {
      message:
        'migration 0002-twice.sql waited 3 times for a table that another transaction holds; ' +
        'end that transaction, such as a backup, and start again',
    },
  )
  const { rows } = await long.query<{ other: null; names: string[] }>(
    `select to_regclass('other') as other, array(select name from migration) as names`,
  )
  assert.deepEqual(rows, [{ other: null, names: ['0001-first.sql'] }])
})

test('an index is built concurrently while others write and another instance waits, and anew after a failure', async (t) => {
  const { url, connect } = await emptyDatabase(t)
  await migrate(url, undefined, { folder: await releaseOf(t, first) })
  const [writing, other] = [await connect(), await connect()]
  await other.query(`insert into thing values ('one'), ('one')`)
  const indexed = {
    '0002-indexed.sql': [
      '-- lives-with: 0001-first.sql',
      '-- outside-transaction',
      'drop index concurrently if exists thing_by_name;',
      '',
      'create unique index concurrently thing_by_name on thing (name);',
      '',
    ].join('\n'),
  }
  const folder = await releaseOf(t, { ...first, ...indexed })
  await assert.rejects(migrate(url, undefined, { folder }), /could not create unique index/)
  await other.query(`delete from thing`)
  await writing.query(`begin; insert into thing values ('two')`)
  const migrating = [migrate(url, undefined, { folder }), migrate(url, undefined, { folder })]
  await until(async () => {
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%index concurrently%'`
    return (await other.query(waiting)).rowCount! > 0
  })
  await other.query(`insert into thing values ('three')`)
  await writing.query('commit')
  const applied = await Promise.all(migrating)
  assert.deepEqual(applied.map((each) => each.applied.length).toSorted(), [0, 1])
  const { rows } = await other.query(`select indisvalid from pg_index where indexrelid = 'thing_by_name'::regclass`)
  assert.deepEqual(rows, [{ indisvalid: true }])
})
