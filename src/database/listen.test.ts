import assert from 'node:assert/strict'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { test } from 'node:test'
import { pino } from 'pino'
import { freshDatabase } from '../../test/world/database.ts'
import { silent } from '../../test/world/partner-builder.ts'
import { until } from '../../test/world/webhooks.ts'
import { openDatabase } from './database.ts'
import { sql } from './sql.ts'

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

test('one connection listens to all channels, and tells each of them after it broke', async (t) => {
  const { url, drop } = await freshDatabase()
  const applicationName = 'listens to two'
  const database = openDatabase(url, { log: silent, applicationName })
  const other = openDatabase(url, { log: silent })
  t.after(async () => {
    await database.close()
    await other.close()
    await drop()
  })
  const news = { one: queueOfNews(), two: queueOfNews(), again: queueOfNews() }
  const stopOne = await database.listen('one', news.one.add)
  await database.listen('two', news.two.add)
  assert.deepEqual([await news.one.next(), await news.two.next()], ['', ''])
  // A second listener to a channel, and a channel that nobody listens to any more.
  await database.listen('two', news.again.add)
  assert.deepEqual([await news.again.next(), await news.two.next()], ['', ''])
  other.hint('one', 'first')
  assert.equal(await news.one.next(), 'first')
  await stopOne()
  other.hint('one', 'unheard')
  other.hint('two', 'second')
  assert.deepEqual([await news.two.next(), await news.again.next()], ['second', 'second'])
  assert.equal(news.one.size(), 0)

  const broken = await other.statements.rows(
    sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${applicationName}`,
  )
  assert.equal(broken.length, 1)
  assert.deepEqual([await news.two.next(), await news.again.next()], ['', ''])
})

test('a listening connection that breaks is told once for an outage, however often it is tried, and once when it is back', async (t) => {
  const { url, drop } = await freshDatabase()
  const { hostname, port } = new URL(url)
  let isCut = false
  let refused = 0
  const open = new Set<Socket>()
  const way = createServer((from) => {
    if (isCut) {
      refused++
      from.destroy()
      return
    }
    const to = connect({ path: join(decodeURIComponent(hostname), `.s.PGSQL.${port}`) })
    open.add(from)
    pipeline(from, to, from, () => open.delete(from))
  })
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve))
  const over = new URL(url)
  over.hostname = '127.0.0.1'
  over.port = String((way.address() as AddressInfo).port)
  const told: string[] = []
  const log = pino({}, { write: (line) => void told.push((JSON.parse(line) as { msg: string }).msg) })
  const database = openDatabase(over.href, { log })
  t.after(async () => {
    await database.close()
    way.close()
    await drop()
  })
  const news = queueOfNews()
  await database.listen('one', news.add)
  await news.next()
  for (const outages of [1, 2]) {
    isCut = true
    refused = 0
    for (const socket of open) socket.destroy()
    await until(async () => refused >= 3)
    isCut = false
    await news.next()
    const pair = ['the listening database connection broke', 'the listening database connection is there again']
    await until(async () => told.length === 2 * outages)
    assert.deepEqual(told, Array.from({ length: outages }, () => pair).flat())
  }
})

/** Keeps what is told until it is asked for. */
function queueOfNews() {
  const kept: string[] = []
  let told = Promise.withResolvers<void>()
  return {
    add: (payload: string): void => {
      kept.push(payload)
      told.resolve()
    },
    size: () => kept.length,
    next: async (): Promise<string> => {
      if (kept.length === 0) {
        told = Promise.withResolvers()
        await told.promise
      }
      return kept.shift()!
    },
  }
}
