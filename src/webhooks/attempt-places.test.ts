import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { createAttemptPlaces, placesInAll, lateAfterMilliseconds, type AttemptPlaces } from './attempt-places.ts'

const ids = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${index}`)

/** One attempt that lasts so long and ends at `at`; none is answered after five seconds. */
function attempt(places: AttemptPlaces, endpointId: string, at: number, milliseconds: number): void {
  places.begin(endpointId, at - milliseconds)(at, milliseconds < 5_000)
}

/** Begins all the attempts there is room for; the functions that end them. */
function fill(places: AttemptPlaces, endpointIds: string[], at: number): End[] {
  return [...places.rooms(endpointIds, at)].flatMap(([endpointId, room]) =>
    Array.from({ length: room }, () => places.begin(endpointId, at)),
  )
}

type End = ReturnType<AttemptPlaces['begin']>

const total = (rooms: Map<string, number>) => [...rooms.values()].reduce((sum, room) => sum + room, 0)

test('an endpoint that proved nothing yet gets a few places, one that answered quickly gets many', () => {
  const places = createAttemptPlaces()
  assert.deepEqual([...places.rooms(['new'], 0)], [['new', 2]])
  attempt(places, 'new', 100, 20)
  assert.deepEqual([...places.rooms(['new'], 100)], [['new', 64]])
})

test('an endpoint is slow while an attempt has been under way for long, and after one that went unanswered, until it answers', () => {
  const places = createAttemptPlaces()
  attempt(places, 'receiver', 0, 20)
  const end = places.begin('receiver', 0)
  assert.equal(places.rooms(['receiver'], lateAfterMilliseconds - 1).get('receiver'), 63)
  assert.equal(places.rooms(['receiver'], lateAfterMilliseconds).get('receiver'), 7)
  end(5_000, false)
  assert.equal(places.rooms(['receiver'], 5_000).get('receiver'), 8)
  attempt(places, 'receiver', 6_000, 20)
  assert.equal(places.rooms(['receiver'], 6_000).get('receiver'), 64)
})

test('an endpoint that answered late has to prove itself again, but not in the lane of the dead', () => {
  const places = createAttemptPlaces()
  const dead = ids('dead', 500)
  for (const endpointId of dead) attempt(places, endpointId, 0, 5_000)
  fill(places, dead, 0)
  attempt(places, 'receiver', 1_000, 700)
  assert.equal(places.rooms(['receiver'], 1_000).get('receiver'), 2)
  attempt(places, 'receiver', 1_010, 10)
  assert.equal(places.rooms(['receiver'], 1_010).get('receiver'), 64)
})

test('hundreds of receivers that never answer leave those that do their places, once found out', () => {
  const places = createAttemptPlaces()
  const dead = ids('dead', 500)
  attempt(places, 'healthy', 0, 5)
  const hanging: { endsAt: number; end: End }[] = []
  for (let now = 0; now < 20_000; now += lateAfterMilliseconds) {
    while (hanging[0] && hanging[0].endsAt <= now) hanging.shift()!.end(now, false)
    hanging.push(...fill(places, dead, now).map((end) => ({ endsAt: now + 5_000, end })))
    const later = now + lateAfterMilliseconds
    assert.equal(places.rooms(['healthy'], later).get('healthy'), 64)
    assert.equal(places.rooms([`stranger${now}`], later).get(`stranger${now}`), 2)
  }
})

test('receivers found dead hold at most the slow lane', () => {
  const places = createAttemptPlaces()
  const dead = ids('dead', 500)
  for (const endpointId of dead) attempt(places, endpointId, 0, 5_000)
  assert.equal(fill(places, dead, 0).length, 256)
  assert.equal(places.rooms(dead, 1).size, 0)
})

test('places go to those with the fewest attempts under way, and to the others what is left', () => {
  const places = createAttemptPlaces()
  const busy = ids('busy', 4)
  for (const endpointId of [...busy, 'quiet']) attempt(places, endpointId, 0, 5)
  const ends = fill(places, busy, 0)
  assert.equal(ends.length, 256)
  assert.equal(places.rooms(['quiet'], 1).size, 0)
  for (const end of ends.slice(0, 10)) end(1, true)
  assert.deepEqual([...places.rooms([...busy, 'quiet'], 1)], [['quiet', 10]])
  for (const end of ends.slice(10, 200)) end(1, true)
  assert.equal(places.rooms(['quiet'], 1).get('quiet'), 64)
})

test('a place is given back once, whatever is called', () => {
  const places = createAttemptPlaces()
  const end = places.begin('receiver', 0)
  end(1, true)
  end(9_000, false)
  assert.equal(places.rooms(['receiver'], 9_000).get('receiver'), 64)
})

test('no sequence of attempts gets more places than there are', () => {
  const step = fc.record({
    endpoints: fc.integer({ min: 1, max: 40 }),
    elapse: fc.nat(700),
    end: fc.nat(300),
    isAnswered: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const places = createAttemptPlaces()
      let now = 0
      let underWay: End[] = []
      for (const { endpoints, elapse, end, isAnswered } of steps) {
        now += elapse
        for (const each of underWay.slice(0, end)) each(now, isAnswered)
        underWay = underWay.slice(end)
        const rooms = places.rooms(ids('endpoint', endpoints), now)
        assert.ok(total(rooms) + underWay.length <= placesInAll)
        for (const room of rooms.values()) assert.ok(room > 0 && room <= 64)
        underWay.push(...fill(places, ids('endpoint', endpoints), now))
      }
    }),
    { numRuns: 200 },
  )
})
