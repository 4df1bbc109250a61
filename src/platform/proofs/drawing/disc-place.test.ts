import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Point } from '../../../documents/page-writer.ts'
import type { Box } from '../../../vocabulary/artwork.ts'
import { discPlace, markRadius } from './disc-place.ts'

const area: Box = [0, 0, 300, 200]

test('a disc covers nothing of the box that it points at, and stays inside the picture', () => {
  const boxes: Box[] = [
    [100, 90, 160, 100],
    [0, 190, 60, 200],
    [240, 0, 300, 10],
    [0, 90, 285, 100],
  ]
  for (const box of boxes) {
    const [x, y] = discPlace(box, area, [])
    const beside = x + markRadius <= box[0] || x - markRadius >= box[2]
    const over = y + markRadius <= box[1] || y - markRadius >= box[3]
    assert.ok(beside || over, `${x}, ${y} covers ${box.join(' ')}`)
    assert.ok(x >= markRadius && x <= 300 - markRadius && y >= markRadius && y <= 200 - markRadius, `${x}, ${y}`)
  }
})

test('discs at one box do not cover each other', () => {
  const discs: Point[] = []
  for (let count = 0; count < 9; count++) discs.push(discPlace([100, 90, 160, 100], area, discs))
  for (const [index, one] of discs.entries()) {
    for (const other of discs.slice(0, index)) {
      assert.ok(Math.hypot(one[0] - other[0], one[1] - other[1]) >= 2 * markRadius)
    }
  }
})
