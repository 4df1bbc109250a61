import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { Outage } from '../vocabulary/outage.ts'
import type { Queries } from './database.ts'
import { replicaReads } from './replica.ts'
import { sql } from './sql.ts'

/** A source of rows that answers with its name, or whatever `answer` does instead. */
function source(name: string) {
  const told = { name, asked: 0, answer: async (): Promise<string[]> => [name] }
  const rows = async <Row>(): Promise<Row[]> => {
    told.asked++
    return (await told.answer()) as Row[]
  }
  const queries: Queries = { rows, row: async <Row>() => (await rows<Row>())[0] }
  return { told, queries: { reads: queries, lists: queries } }
}

function setUp() {
  const clock = { now: 1_000 }
  const [primary, replica] = [source('primary'), source('replica')]
  const log = pino({ level: 'silent' })
  const { reads } = replicaReads({
    primary: primary.queries,
    replica: replica.queries,
    monotonic: () => clock.now,
    log,
  })
  return { clock, replica: replica.told, read: () => reads.row<string>(sql`select 1`) }
}

test('CRD-07 the replica answers while it can', async () => {
  const { read } = setUp()
  assert.equal(await read(), 'replica')
})

test('CRD-07 the primary answers while the replica is gone, and the replica is tried again after a while', async () => {
  const { clock, replica, read } = setUp()
  replica.answer = () => Promise.reject(new Outage('gone'))
  assert.equal(await read(), 'primary')
  clock.now += 4_999
  assert.equal(await read(), 'primary')
  assert.equal(replica.asked, 1)
  clock.now += 1
  replica.answer = async () => ['replica']
  assert.equal(await read(), 'replica')
})

test('CRD-07 the primary answers when the replica takes more than half a second', { timeout: 10_000 }, async () => {
  const { replica, read } = setUp()
  replica.answer = () => new Promise(() => undefined)
  assert.equal(await read(), 'primary')
  assert.equal(await read(), 'primary')
  assert.equal(replica.asked, 1)
})

test('CRD-07 only the statement that failed on the replica goes to the primary', async () => {
  const { replica, read } = setUp()
  replica.answer = () => Promise.reject(new Error('canceling statement due to conflict with recovery'))
  assert.equal(await read(), 'primary')
  replica.answer = async () => ['replica']
  assert.equal(await read(), 'replica')
})
