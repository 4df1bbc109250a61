import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { mutants } from '../mutants/all.ts'

/** Checks that the bugs of `test/mutants/` can be planted. `npm run mutants` plants them. */

test('every planted bug finds its place in the program once, and names an existing test', () => {
  const faults = mutants.flatMap(({ says, in: path, from, to, caughtBy }) => {
    const found = existsSync(path) ? readFileSync(path, 'utf8').split(from).length - 1 : 0
    if (found !== 1) return [`${path}: ${says}: its text occurs ${found} times`]
    if (from === to) return [`${path}: ${says}: it changes nothing`]
    return existsSync(caughtBy) ? [] : [`${path}: ${says}: there is no test ${caughtBy}`]
  })
  assert.deepEqual(faults, [])
})

test('no two planted bugs are the same', () => {
  const places = mutants.map(({ in: path, from, to }) => JSON.stringify([path, from, to]))
  assert.equal(new Set(places).size, places.length)
})

test('at least 120 bugs are planted', () => {
  assert.ok(mutants.length >= 120, `only ${mutants.length}`)
})
