import assert from 'node:assert/strict'
import { threadId } from 'node:worker_threads'
import { test } from 'node:test'
import { drawApart } from './draw-apart.ts'

type Drawn = { text: string; thread: number }

/** A module that is only this text. */
const moduleOf = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`)

const telling = moduleOf(`
  import { threadId } from 'node:worker_threads'
  export const draw = ({ text }) => ({ text: text + '!', thread: threadId })`)

const tell = (text: string) => drawApart<(input: { text: string }) => Drawn>(telling, { text })

test('a drawing is made in another thread, and the next one in the same', async () => {
  const [one, other] = await Promise.all([tell('one'), tell('other')])
  assert.deepEqual([one.text, other.text], ['one!', 'other!'])
  assert.notEqual(one.thread, threadId)
  assert.equal(one.thread, other.thread)
})

test('a drawing that fails tells why, and the next one is made', async () => {
  const failing = moduleOf(`export const draw = () => { throw new Error('no such ink') }`)
  const [failed, after] = await Promise.allSettled([drawApart<() => Drawn>(failing, undefined as never), tell('after')])
  assert.equal(failed.status, 'rejected')
  assert.match(String(failed.status === 'rejected' && failed.reason), /no such ink/)
  assert.equal(after.status === 'fulfilled' && after.value.text, 'after!')
})

test('a drawing that never ends is stopped, and the next one is made in another thread', async () => {
  const before = await tell('before')
  const endless = moduleOf(`export const draw = () => { for (;;); }`)
  const [stopped, after] = await Promise.allSettled([
    drawApart<() => Drawn>(endless, undefined as never, 100),
    tell('after'),
  ])
  assert.match(String(stopped.status === 'rejected' && stopped.reason), /not done after 100 ms/)
  assert.ok(after.status === 'fulfilled')
  assert.equal(after.value.text, 'after!')
  assert.notEqual(after.value.thread, before.thread)
})
