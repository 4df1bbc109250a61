import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { freshDatabase } from '../../test/world/database.ts'
import { openDatabase } from './database.ts'

test('a listener that is stopped while it connects is not logged as a loss', async (t) => {
  const { url, drop } = await freshDatabase()
  const lines: string[] = []
  const database = openDatabase(url, { log: pino({}, { write: (line: string) => void lines.push(line) }) })
  t.after(async () => {
    await database.close()
    await drop()
  })
  // Stopped at each point of its connecting.
  for (let turns = 0; turns < 40; turns++) {
    const stop = await database.listen('nothing', () => undefined)
    for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
    await stop()
  }
  assert.deepEqual(lines, [])
})
