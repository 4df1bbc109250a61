import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createFrameReader, frameOf } from './frames.ts'

const bounds = { head: 10_000, bytes: 10_000 }

test('frames arrive as they were sent, in whatever pieces the pipe brings them', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.jsonValue(), fc.uint8Array({ maxLength: 300 })), { maxLength: 5 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
      (sent, sizes) => {
        const wire = Buffer.concat(sent.flatMap(([head, bytes]) => frameOf(head, bytes)))
        const read = createFrameReader(bounds)
        const got = []
        for (let at = 0, turn = 0; at < wire.length; turn++) {
          const size = sizes[turn % sizes.length]!
          got.push(...read(wire.subarray(at, at + size)))
          at += size
        }
        assert.deepEqual(
          got.map(({ head, bytes }) => [head, [...bytes]]),
          sent.map(([head, bytes]) => [JSON.parse(JSON.stringify(head)), [...bytes]]),
        )
      },
    ),
  )
})

test('a frame that is longer than the bounds is refused by its lengths alone', () => {
  for (const lengths of [
    [10_001, 0],
    [0, 10_001],
    [0xff_ff_ff_ff, 0xff_ff_ff_ff],
  ]) {
    const start = Buffer.alloc(8)
    start.writeUInt32BE(lengths[0]!, 0)
    start.writeUInt32BE(lengths[1]!, 4)
    assert.throws(() => createFrameReader(bounds)(start), /too long/)
  }
})

test('a frame whose head is not JSON in UTF-8 is refused', () => {
  for (const head of [Buffer.from('{'), Buffer.from([0x22, 0xff, 0x22])]) {
    const lengths = Buffer.alloc(8)
    lengths.writeUInt32BE(head.length, 0)
    assert.throws(() => createFrameReader(bounds)(Buffer.concat([lengths, head])))
  }
})
