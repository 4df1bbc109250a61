import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Outage } from '../../vocabulary/outage.ts'
import { takingTurns } from './taking-turns.ts'

test('of one key only so many pieces of work are under way, the next wait in line, and too many are turned away', async () => {
  const inTurn = takingTurns(2, 3)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const work = (key: string, name: string): Promise<string> =>
    inTurn(key, async () => {
      begun.push(name)
      await new Promise<void>((end) => ends.set(name, end))
      return name
    })
  const all = ['a', 'b', 'c', 'd', 'e'].map((name) => work('one', name))
  await assert.rejects(work('one', 'f'), Outage)
  const other = work('other', 'g')
  assert.deepEqual(begun, ['a', 'b', 'g'])
  for (const name of ['b', 'g', 'a', 'c', 'd', 'e']) {
    ends.get(name)!()
    await new Promise((turn) => setImmediate(turn))
  }
  assert.deepEqual(begun, ['a', 'b', 'g', 'c', 'd', 'e'])
  assert.deepEqual(await Promise.all([...all, other]), ['a', 'b', 'c', 'd', 'e', 'g'])
})

test('work that fails makes room for the next', async () => {
  const inTurn = takingTurns(1, 1)
  const failing = inTurn('one', async () => {
    throw new Error('no')
  })
  const next = inTurn('one', async () => 'done')
  await assert.rejects(failing, /^Error: no$/)
  assert.equal(await next, 'done')
})
