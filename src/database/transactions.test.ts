import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { testDatabase } from '../../test/world/database.ts'
import type { Transaction } from './database.ts'
import { sql } from './sql.ts'

const { database, owner } = await testDatabase()
await owner.statements.rows(sql`create table noted (text text)`)

const note = (tx: Transaction, text: string) => tx.rows(sql`insert into noted values (${text})`)
const noted = () => owner.statements.rows(sql`select text from noted`)

test('what runs on beside work that failed changes nothing, neither by itself nor in the next transaction', async () => {
  let late: Promise<unknown> | undefined
  const goesOn = async (tx: Transaction): Promise<void> => {
    await note(tx, 'first')
    await delay(50)
    late = note(tx, 'late')
    await late
  }
  const fails = async (tx: Transaction): Promise<void> => {
    await tx.rows(sql`select 1 as one`)
    throw new Error('a fault')
  }
  await assert.rejects(
    owner.transaction((tx) => Promise.all([goesOn(tx), fails(tx)])),
    /a fault/,
  )
  await owner.transaction(async (tx) => {
    await note(tx, 'other')
    await delay(100)
  })
  await assert.rejects(late!, /is over/)
  assert.deepEqual(await noted(), [{ text: 'other' }])
})

test('a statement that was not awaited before the commit is refused after it', async () => {
  let kept: Transaction | undefined
  await database.transaction(async (tx) => {
    kept = tx
    await tx.rows(sql`select 1 as one`)
  })
  await assert.rejects(kept!.rows(sql`select 1 as one`), /is over/)
})
