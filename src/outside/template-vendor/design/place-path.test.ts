import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placePath } from './place-path.ts'

test('a path is moved, enlarged and turned upside down', () => {
  assert.equal(
    placePath('M 1 2 L 3,4 H 5 V 6 C 1 2 3 4 5 6 Q 1 2 3 4 Z', [10, 100], 2),
    'M12 96L16 92H20V88C12 96 16 92 20 88Q12 96 16 92Z',
  )
})

test('lengths from the point before are enlarged and turned, not moved', () => {
  assert.equal(placePath('m 1 2 l 3 -4 h 5 v 6 z', [10, 100], 2), 'm2 -4l6 8h10v-12z')
})

test('arcs bend to the other side', () => {
  assert.equal(
    placePath('M 0 0 A 5 6 30 1 0 7 8 a 5 6 30 0 1 7 8', [0, 0], 1),
    'M0 0A5 6 -30 1 1 7 -8a5 6 -30 0 0 7 -8',
  )
})

test('several points after one command each count', () => {
  assert.equal(placePath('M 0 0 L 1 2 3 4', [0, 0], 1), 'M0 0L1 -2 3 -4')
})

test('what is no path is refused', () => {
  for (const path of ['M 1', 'L 1 2 3', 'X 1 2', 'M 1 b', 'A 1 1 0 0 0 5', 'Z 1']) {
    assert.throws(() => placePath(path, [0, 0], 1), /not a path/, path)
  }
})
