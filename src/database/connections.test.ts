import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { freshDatabase } from '../../test/world/database.ts'
import { silent } from '../../test/world/partner-builder.ts'
import { until } from '../../test/world/webhooks.ts'
import { Outage } from '../vocabulary/outage.ts'
import { connectionLimits, openDatabase } from './database.ts'
import { planning } from './planning.ts'
import { showPresence } from './presence.ts'
import { sql } from './sql.ts'

test('a process has no more connections than the documents say, which are those of its classes and a few beside them', async (t) => {
  const { url, drop } = await freshDatabase()
  const [database, other] = ['counted', 'counts'].map((applicationName) =>
    openDatabase(url, { log: silent, applicationName }),
  ) as [ReturnType<typeof openDatabase>, ReturnType<typeof openDatabase>]
  const presence = await showPresence(url, 'files')
  t.after(async () => {
    await presence.close()
    await Promise.all([database.close(), other.close()])
    await drop()
  })
  const countOf = async (name: string): Promise<number> =>
    (await other.reads.row<{ count: number }>(
      sql`select count(*) as count from pg_stat_activity
        where application_name = ${name} and datname = current_database()`,
    ))!.count

  await database.listen('something', () => undefined)
  database.hint('something', '')
  // More of each class than it has connections, for longer than it takes to open these.
  const works = (['reads', 'lists', 'longReads', 'statements'] as const).map((of) =>
    Array.from({ length: 25 }, () => database[of].rows(sql`select pg_sleep(0.1)`)),
  )
  const settled = Promise.allSettled(works.flat())
  const ofClasses = Object.values(connectionLimits).reduce((sum, limit) => sum + limit, 0)
  const [hints, listening, opensForReadiness, presences] = [1, 1, 1, 1]
  await until(async () => (await countOf('counted')) >= ofClasses + hints + listening)
  await settled
  assert.equal(await countOf('counted'), ofClasses + hints + listening)
  assert.equal(await countOf('partner-commerce presence'), presences)

  const each = ofClasses + hints + listening + opensForReadiness
  const operations = (await readFile('docs/operations.md', 'utf8')).replaceAll('\n', ' ')
  for (const said of [
    `at most ${each} for each environment, ${2 * each} in all`,
    `${each + presences} on production, ${2 * each + presences} in all`,
    `those of single reads and of lists once more, at most ${connectionLimits.reads + connectionLimits.lists}`,
  ])
    assert.ok(operations.includes(said), said)
  const example = await readFile('.env.example', 'utf8')
  const saidThere = `${each + presences} on production and ${2 * each + presences} in all`
  assert.ok(example.includes(saidThere), saidThere)
})

test('plans are chosen alike on every server, whatever is set there', async (t) => {
  const { url, drop } = await freshDatabase()
  const other = openDatabase(url, { log: silent })
  await other.statements.rows(sql`
    do $$ begin
      execute format('alter database %I set jit = on', current_database());
      execute format('alter database %I set random_page_cost = 4', current_database());
      execute format('alter database %I set max_parallel_workers_per_gather = 2', current_database());
    end $$`)
  await other.close()
  const database = openDatabase(url, { log: silent })
  t.after(async () => {
    await database.close()
    await drop()
  })
  for (const name of ['reads', 'lists', 'longReads', 'statements'] as const) {
    const set = await database[name].rows<{ name: string; setting: string }>(
      sql`select name, setting from pg_settings where name = any(${Object.keys(planning)}::text[])`,
    )
    assert.deepEqual(Object.fromEntries(set.map((one) => [one.name, one.setting])), planning, name)
  }
})

test('a start does not wait for ever for a database that hangs while it shows that this instance lives', async (t) => {
  const { url, drop } = await freshDatabase()
  const holder = openDatabase(url, { log: silent })
  t.after(async () => {
    await holder.close()
    await drop()
  })
  await holder.transaction(async (tx) => {
    // Nobody does; to the one who waits it looks like a server that hangs.
    await tx.rows(sql`select pg_advisory_xact_lock(7305011, hashtext('files'))`)
    await assert.rejects(
      showPresence(url, 'files'),
      (error: Error) =>
        error instanceof Outage &&
        error.message === 'the database of DATABASE_URL, asked which instances live' &&
        (error.cause as Error).message.endsWith('timeout'),
    )
  })
})
