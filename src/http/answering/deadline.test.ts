import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { Outage } from '../../vocabulary/outage.ts'
import { startDeadline } from './deadline.ts'

const never = new Promise<never>(() => undefined)

test('ERR-72 work that outlasts the deadline is an outage, and earlier work passes as it is', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const deadline = startDeadline()
    assert.equal(await deadline.inTime(Promise.resolve('done')), 'done')
    assert.equal(await deadline.inTime('at once'), 'at once')
    await assert.rejects(deadline.inTime(Promise.reject(new TypeError('bug'))), TypeError)
    const waiting = deadline.inTime(never)
    mock.timers.tick(4_999)
    await assert.rejects(waiting, Outage)
    await assert.rejects(deadline.inTime(never), Outage, 'work begun later fails at once')
    deadline.end()
  } finally {
    mock.timers.reset()
  }
})

test('the time that the caller takes is not counted', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const deadline = startDeadline()
    const sending = Promise.withResolvers<string>()
    const sent = deadline.apart(() => sending.promise)
    mock.timers.tick(20_000)
    sending.resolve('body')
    assert.equal(await sent, 'body')
    assert.equal(await deadline.inTime(Promise.resolve('done')), 'done')
    const waiting = deadline.inTime(never)
    mock.timers.tick(5_000)
    await assert.rejects(waiting, Outage)
    deadline.end()
  } finally {
    mock.timers.reset()
  }
})
