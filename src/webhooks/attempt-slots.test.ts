import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  createAttemptSlots,
  endpointsMax,
  slotsInAll,
  lateAfterMilliseconds,
  type AttemptSlots,
} from './attempt-slots.ts'

const ids = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${index}`)

/** One attempt that takes this long and ends at `at`; after five seconds it counts as unanswered. */
function attempt(slots: AttemptSlots, endpointId: string, at: number, milliseconds: number): void {
  slots.take(endpointId, at - milliseconds)(at, milliseconds < 5_000)
}

/** Begins as many attempts as there are slots for; answers the functions that end them. */
function fill(slots: AttemptSlots, endpointIds: string[], at: number): End[] {
  return [...slots.free(endpointIds, at)].flatMap(([endpointId, room]) =>
    Array.from({ length: room }, () => slots.take(endpointId, at)),
  )
}

type End = ReturnType<AttemptSlots['take']>

const total = (free: Map<string, number>) => [...free.values()].reduce((sum, room) => sum + room, 0)

test('an unproven endpoint gets a few slots, one that answered quickly gets many', () => {
  const slots = createAttemptSlots()
  assert.deepEqual([...slots.free(['new'], 0)], [['new', 2]])
  attempt(slots, 'new', 100, 20)
  assert.deepEqual([...slots.free(['new'], 100)], [['new', 64]])
})

test('an endpoint is slow while an attempt has been under way for long, and after one that went unanswered, until it answers', () => {
  const slots = createAttemptSlots()
  attempt(slots, 'receiver', 0, 20)
  const end = slots.take('receiver', 0)
  assert.equal(slots.free(['receiver'], lateAfterMilliseconds - 1).get('receiver'), 63)
  assert.equal(slots.free(['receiver'], lateAfterMilliseconds).get('receiver'), 7)
  end(5_000, false)
  assert.equal(slots.free(['receiver'], 5_000).get('receiver'), 8)
  attempt(slots, 'receiver', 6_000, 20)
  assert.equal(slots.free(['receiver'], 6_000).get('receiver'), 64)
})

test('however many endpoints there were, only so many are remembered, and those with attempts under way always', () => {
  const slots = createAttemptSlots()
  const end = slots.take('busy', 0)
  for (const endpointId of ['first', 'second', ...ids('later', endpointsMax - 1)]) attempt(slots, endpointId, 100, 20)
  const free = slots.free(['first', 'second', 'busy'], 100)
  assert.deepEqual([free.get('first'), free.get('second'), free.get('busy')], [2, 64, 1])
  end(100, true)
  assert.equal(slots.free(['busy'], 100).get('busy'), 64)
  assert.equal(slots.free(['second'], 100).get('second'), 2)
})

test('an endpoint that answered late is unproven again, but stays out of the slow lane', () => {
  const slots = createAttemptSlots()
  const dead = ids('dead', 500)
  for (const endpointId of dead) attempt(slots, endpointId, 0, 5_000)
  fill(slots, dead, 0)
  attempt(slots, 'receiver', 1_000, 700)
  assert.equal(slots.free(['receiver'], 1_000).get('receiver'), 2)
  attempt(slots, 'receiver', 1_010, 10)
  assert.equal(slots.free(['receiver'], 1_010).get('receiver'), 64)
})

test('hundreds of receivers that never answer take no slots from those that do, once they count as slow', () => {
  const slots = createAttemptSlots()
  const dead = ids('dead', 500)
  attempt(slots, 'healthy', 0, 5)
  const hanging: { endsAt: number; end: End }[] = []
  for (let now = 0; now < 20_000; now += lateAfterMilliseconds) {
    while (hanging[0] && hanging[0].endsAt <= now) hanging.shift()!.end(now, false)
    hanging.push(...fill(slots, dead, now).map((end) => ({ endsAt: now + 5_000, end })))
    const later = now + lateAfterMilliseconds
    assert.equal(slots.free(['healthy'], later).get('healthy'), 64)
    assert.equal(slots.free([`stranger${now}`], later).get(`stranger${now}`), 2)
  }
})

test('dead receivers take at most the slow lane', () => {
  const slots = createAttemptSlots()
  const dead = ids('dead', 500)
  for (const endpointId of dead) attempt(slots, endpointId, 0, 5_000)
  assert.equal(fill(slots, dead, 0).length, 256)
  assert.equal(slots.free(dead, 1).size, 0)
})

test('slots go first to the endpoints with the fewest attempts under way, and the rest to the others', () => {
  const slots = createAttemptSlots()
  const busy = ids('busy', 4)
  for (const endpointId of [...busy, 'quiet']) attempt(slots, endpointId, 0, 5)
  const ends = fill(slots, busy, 0)
  assert.equal(ends.length, 256)
  assert.equal(slots.free(['quiet'], 1).size, 0)
  for (const end of ends.slice(0, 10)) end(1, true)
  assert.deepEqual([...slots.free([...busy, 'quiet'], 1)], [['quiet', 10]])
  for (const end of ends.slice(10, 200)) end(1, true)
  assert.equal(slots.free(['quiet'], 1).get('quiet'), 64)
})

test('a slot is given back once, however often its release is called', () => {
  const slots = createAttemptSlots()
  const end = slots.take('receiver', 0)
  end(1, true)
  end(9_000, false)
  assert.equal(slots.free(['receiver'], 9_000).get('receiver'), 64)
})

test('no sequence of attempts gets more slots than there are', () => {
  const step = fc.record({
    endpoints: fc.integer({ min: 1, max: 40 }),
    elapse: fc.nat(700),
    end: fc.nat(300),
    isAnswered: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const slots = createAttemptSlots()
      let now = 0
      let underWay: End[] = []
      for (const { endpoints, elapse, end, isAnswered } of steps) {
        now += elapse
        for (const each of underWay.slice(0, end)) each(now, isAnswered)
        underWay = underWay.slice(end)
        const free = slots.free(ids('endpoint', endpoints), now)
        assert.ok(total(free) + underWay.length <= slotsInAll)
        for (const room of free.values()) assert.ok(room > 0 && room <= 64)
        underWay.push(...fill(slots, ids('endpoint', endpoints), now))
      }
    }),
    { numRuns: 200 },
  )
})
