import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { until } from '../../test/world/webhooks.ts'
import type { Queries } from './database.ts'
import { tellOfArchive } from './wal-archive.ts'
import { Outage } from '../vocabulary/outage.ts'

test('the log tells once when PostgreSQL cannot archive, and where it says why, and once when it can again', async (t) => {
  const told: [level: number, msg: string][] = []
  const log = pino(
    {},
    {
      write: (line) => {
        const { level, msg } = JSON.parse(line) as { level: number; msg: string }
        told.push([level, msg])
      },
    },
  )
  // Nothing archived yet, well, badly with an outage in between, and well.
  const found = [undefined, true, false, 'outage', undefined, false, true, true]
  let looks = 0
  const row = async (): Promise<unknown> => {
    const works = found[Math.min(looks++, found.length - 1)]
    if (works === 'outage') throw new Outage('the database')
    return works === undefined ? undefined : { works }
  }
  const worker = tellOfArchive({ reads: { row } as unknown as Queries, causeIn: 'its log', log, pollMilliseconds: 1 })
  t.after(worker.close)
  await until(async () => looks > found.length)
  assert.deepEqual(told, [
    [50, 'PostgreSQL cannot archive its WAL; its log says why'],
    [30, 'PostgreSQL archives its WAL again'],
  ])
})
