import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../test/world/database.ts'
import { lookThrough } from './bounded-look.ts'
import { nothing, sql, sqlText } from './sql.ts'

const { owner } = await testDatabase()
await owner.statements.rows(sql`create table leaf (number int primary key)`)
await owner.statements.rows(sql`insert into leaf select generate_series(1, 100)`)

type Leaf = { number: number }

/** A page of the leaves whose number this one divides, the highest first; five are looked at. */
const pageOf = (divisor: number, limit: number, after: Leaf | undefined) =>
  lookThrough<Leaf, Leaf>(
    owner.reads,
    {
      walked: sqlText`select * from leaf ${after ? sqlText`where number < ${after.number}::int` : nothing} order by number desc`,
      lookAt: 5,
      limit,
      key: sqlText`number`,
    },
    (looked) =>
      sql`select * from (${looked}) as looked where number % ${divisor}::int = 0 order by number desc limit ${limit}`,
  )

test('pages that go on after the last row looked at have each row of the filter once, in order, and end', async () => {
  for (const divisor of [1, 3, 7, 60, 101]) {
    const found: number[] = []
    let pages = 0
    for (let after: Leaf | undefined, isFirst = true; after || isFirst; isFirst = false) {
      // As a list asks: one more than it shows, which tells that there are more.
      const page = await pageOf(divisor, 4, after)
      const shown = page.found.slice(0, 3)
      found.push(...shown.map(({ number }) => number))
      after = page.found.length === 4 ? shown.at(-1) : page.goOn
      assert.ok(++pages < 50)
    }
    const all = Array.from({ length: 100 }, (_, index) => 100 - index)
    assert.deepEqual(
      found,
      all.filter((number) => number % divisor === 0),
    )
  }
})

test('a page whose filter lets nothing through says where to go on until nothing is left', async () => {
  assert.deepEqual(await pageOf(101, 4, undefined), { found: [], goOn: { number: 96 } })
  assert.deepEqual(await pageOf(101, 4, { number: 6 }), { found: [], goOn: { number: 1 } })
  assert.deepEqual(await pageOf(101, 4, { number: 1 }), { found: [], goOn: undefined })
})
