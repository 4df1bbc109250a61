import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testService } from '../../../test/world/service.ts'
import type { Database } from '../../database/database.ts'
import { whole } from './cells.ts'
import { csvTable } from './csv-table.ts'
import { importCsv, type Applied } from './import-csv.ts'

const service = await testService()
const database = service.production.database

const table = csvTable({ number: whole }, 10)
const file = { bytes: Buffer.from('number\n1\n'), dryRun: false }
const applied: Applied = { created: 1, updated: 0, unchanged: 0, errors: [] }

/** A file that is being imported while `work` goes on, or until that calls `done`. */
async function whileImporting(work: (done: () => void) => Promise<unknown>): Promise<void> {
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const report = importCsv(database, table, file, async () => {
    begun.resolve()
    await ended.promise
    return applied
  })
  await begun.promise
  await work(ended.resolve).finally(ended.resolve)
  assertImported(await report)
}

function assertImported(report: Awaited<ReturnType<typeof importCsv>>): void {
  assert.ok('body' in report)
  assert.deepEqual([report.status, report.body.imported], [200, true])
}

test('of two files at once the second waits for the first without a transaction', async () => {
  await whileImporting(async (done) => {
    let tries = 0
    const counted: Pick<Database, 'change'> = {
      change: (verb) => {
        tries += 1
        if (tries === 3) done()
        return database.change(verb)
      },
    }
    const second = await importCsv(counted, table, file, async () => {
      assert.ok(tries >= 3)
      return applied
    })
    assertImported(second)
  })
})

test('a file that does not get its turn in time is refused, and nothing of it is written', async () => {
  await whileImporting(async () => {
    const refused = await importCsv(database, table, { ...file, waitMilliseconds: 0 }, () => assert.fail('written'))
    assert.deepEqual(refused, { refused: 'import_under_way' })
  })
})
