import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { isUuid } from './text.ts'
import { timeOfUuid, timeOrderedUuid } from './time-ordered-uuid.ts'

test('a time-ordered UUID has version, variant and its time, and sorts by it', () => {
  const times = ['2001-09-09T01:46:40.000Z', '2026-11-23T00:46:22.123Z', '2026-11-23T00:46:22.124Z']
  const uuids = times.map((time) => timeOrderedUuid(new Date(time)))
  for (const [index, uuid] of uuids.entries()) {
    assert.ok(isUuid(uuid))
    assert.match(uuid, /^.{14}7.{4}[89ab]/)
    assert.equal(timeOfUuid(uuid.toUpperCase())!.toISOString(), times[index])
  }
  assert.deepEqual(uuids.toSorted(), uuids)
  const now = new Date()
  assert.equal(new Set(Array.from({ length: 1_000 }, () => timeOrderedUuid(now))).size, 1_000)
})

test('a UUID of another version has no time', () => {
  assert.equal(timeOfUuid(randomUUID()), undefined)
})
