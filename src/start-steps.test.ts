import assert from 'node:assert/strict'
import { stripVTControlCharacters } from 'node:util'
import { test } from 'node:test'
import { inParts, openScreen } from './start-steps.ts'

function written(isTTY: boolean) {
  const pieces: string[] = []
  return { pieces, screen: openScreen({ isTTY, write: (text) => pieces.push(text) }) }
}

test('on a terminal a step is one line with a bar and its time, which moves with the work and ends as what came of it', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { pieces, screen } = written(true)
  const result = await screen.steps('fills the shelves', async (tellDone) => {
    tellDone(0.5)
    t.mock.timers.tick(100)
    screen.apart(() => pieces.push('a line of the log\n'))
    return [7, 'seven of them']
  })
  assert.equal(result, 7)
  const shown = pieces.map(stripVTControlCharacters)
  assert.match(shown[0]!, /^\r░{20} fills the shelves \d+\.\d s$/)
  assert.match(shown[1]!, /^\r█{10}░{10} fills the shelves \d+\.\d s$/)
  // The bar makes room for the line, and comes back below it.
  assert.deepEqual(shown.slice(2, 4), ['\r', 'a line of the log\n'])
  assert.match(shown[4]!, /^█{10}░{10} fills/)
  assert.match(shown.at(-1)!, /^✔ fills the shelves +\d+\.\d s {2}seven of them\n$/)
  const before = pieces.length
  t.mock.timers.tick(1_000)
  screen.apart(() => {})
  assert.equal(pieces.length, before, 'nothing is drawn after the end')
})

test('elsewhere a step is a plain line when it begins and one when it ends', async () => {
  const { pieces, screen } = written(false)
  await screen.steps('fills the shelves', async (tellDone) => {
    tellDone(0.5)
    assert.deepEqual(pieces, ['fills the shelves …\n'])
    return [undefined, 'done']
  })
  assert.equal(pieces.length, 2)
  assert.match(pieces[1]!, /^fills the shelves: done \(\d+\.\d s\)\n$/)
})

test('a step that fails leaves its error to the caller, and no bar', async () => {
  const { pieces, screen } = written(true)
  const failing = screen.steps('fills the shelves', () => Promise.reject(new Error('no shelves')))
  await assert.rejects(failing, /no shelves/)
  assert.equal(pieces.at(-1), '\r\u001b[K')
})

test('the bar of works done one after the other never falls back, and is full at the end', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { pieces, screen } = written(true)
  await screen.steps('fills the shelves', async (tellDone) => {
    for (const tellPart of inParts(tellDone, [0.75, 0.25])) {
      for (const share of [0, 0.5, 1]) {
        tellPart(share)
        t.mock.timers.tick(100)
      }
    }
    return [undefined, 'done']
  })
  const full = pieces.flatMap((piece) =>
    piece.includes('░') || piece.includes('█') ? [piece.split('█').length - 1] : [],
  )
  assert.deepEqual(full.slice(1), [0, 8, 15, 15, 18, 20])
})
