import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silent } from '../../test/world/partner-builder.ts'
import { until } from '../../test/world/webhooks.ts'
import { openDatabase } from './database.ts'
import { sql } from './sql.ts'

test('a database or a role that is not there is an outage, and no bug', async (t) => {
  const [nowhere, nobody] = [new URL(process.env.TEST_SERVER_URL!), new URL(process.env.TEST_SERVER_URL!)]
  nowhere.pathname = '/nowhere'
  nobody.username = 'nobody_knows'
  for (const { href } of [nowhere, nobody]) {
    const database = openDatabase(href, { log: silent })
    t.after(() => database.close())
    const query = sql`select 1 as one`
    const asks = [database.reads, database.lists, database.statements].map((queries) => () => queries.rows(query))
    for (const ask of [...asks, () => database.transaction((tx) => tx.rows(query)), database.connectAnew])
      await assert.rejects(ask, { name: 'Outage' })
  }
})

test('those who ask at the same time what a new connection finds share one, which ends', async (t) => {
  const database = openDatabase(process.env.TEST_SERVER_URL!, { log: silent, applicationName: 'a newcomer' })
  t.after(() => database.close())
  const [first, second] = [database.connectAnew(), database.connectAnew()]
  assert.equal(first, second)
  assert.deepEqual(await first, { isStandby: false })
  assert.notEqual(database.connectAnew(), first)
  await database.connectAnew()
  const open = sql`select count(*) as count from pg_stat_activity where application_name = 'a newcomer'`
  // Its own.
  await until(async () => (await database.reads.row<{ count: number }>(open))!.count === 1)
})
