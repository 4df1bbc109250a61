import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { pino } from 'pino'
import { startWorker } from './worker.ts'

/** A worker on a stopped clock; the test ends its rounds one by one. */
function workerOf(t: TestContext, wish: Partial<Parameters<typeof startWorker>[0]> = {}) {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const rounds: PromiseWithResolvers<boolean>[] = []
  const warnings: string[] = []
  const worker = startWorker({
    round: () => {
      const round = Promise.withResolvers<boolean>()
      rounds.push(round)
      return round.promise
    },
    failed: 'it failed',
    log: pino({}, { write: (line: string) => void warnings.push((JSON.parse(line) as { msg: string }).msg) }),
    pollMilliseconds: 1_000,
    ...wish,
  })
  return {
    worker,
    rounds,
    warnings,
    wakeTimes: (times: number) => Array.from({ length: times }, () => worker.wake()),
    pass: async (milliseconds: number) => {
      t.mock.timers.tick(milliseconds)
      await turn()
    },
    end: async (mayBeMore = false) => {
      rounds.at(-1)!.resolve(mayBeMore)
      await turn()
    },
    fail: async (message: string) => {
      rounds.at(-1)!.reject(new Error(message))
      await turn()
    },
  }
}

/** Resolves when everything that needs no clock has happened. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

/** A channel on which the test sends the hints. */
function channelOf() {
  let hear: ((payload: string) => void) | undefined
  const listen = async (_: string, onMessage: (payload: string) => void) => {
    hear = onMessage
    return async () => void (hear = undefined)
  }
  return { database: { listen }, send: (payload: string) => hear?.(payload), isListenedTo: () => hear !== undefined }
}

async function isEnded(promise: Promise<unknown>): Promise<boolean> {
  let ended = false
  void promise.then(() => (ended = true))
  await turn()
  return ended
}

test('a worker makes a round at its start, at every poll and when it is woken', async (t) => {
  const { worker, rounds, pass, end } = workerOf(t)
  await turn()
  assert.equal(rounds.length, 1)
  await end()
  await pass(999)
  assert.equal(rounds.length, 1)
  await pass(1)
  assert.equal(rounds.length, 2)
  await end()
  worker.wake()
  await turn()
  assert.equal(rounds.length, 3)
})

test('wake-ups during a round, however many, lead to one more round and never to a concurrent one', async (t) => {
  const { rounds, wakeTimes, end } = workerOf(t)
  await turn()
  wakeTimes(5)
  await turn()
  assert.equal(rounds.length, 1)
  await end()
  assert.equal(rounds.length, 2)
  await end()
  assert.equal(rounds.length, 2)
})

test('a wake-up at the very end of a round is not lost', async (t) => {
  const { worker, rounds, end } = workerOf(t)
  await turn()
  void rounds[0]!.promise.then(() => worker.wake())
  await end()
  assert.equal(rounds.length, 2)
})

test('a round that says there may be more is followed by another', async (t) => {
  const { rounds, end } = workerOf(t)
  await turn()
  await end(true)
  assert.equal(rounds.length, 2)
  await end(false)
  assert.equal(rounds.length, 2)
})

test('wake-ups within the gathering time share a round', async (t) => {
  const { rounds, wakeTimes, pass, end } = workerOf(t, { gatherMilliseconds: 5 })
  await turn()
  wakeTimes(3)
  await pass(4)
  wakeTimes(3)
  assert.equal(rounds.length, 0)
  await pass(1)
  assert.equal(rounds.length, 1)
  await end()
  await pass(5)
  assert.equal(rounds.length, 1)
})

test('a hint wakes the worker after `heard` was called with it', async (t) => {
  const heard: string[] = []
  const channel = channelOf()
  const hints = { ...channel, channel: 'work', heard: (payload: string) => void heard.push(payload) }
  const { worker, rounds, end } = workerOf(t, { hints })
  await turn()
  await end()
  channel.send('42')
  await turn()
  assert.deepEqual([heard, rounds.length], [['42'], 2])
  await end()
  await worker.close()
  assert.equal(channel.isListenedTo(), false)
})

test('after a failed round the worker waits for the next poll, and a wake-up in between is not lost', async (t) => {
  const { rounds, wakeTimes, pass, end, fail } = workerOf(t)
  await turn()
  await fail('no connection')
  wakeTimes(3)
  await turn()
  assert.equal(rounds.length, 1)
  await pass(1_000)
  assert.equal(rounds.length, 2)
  await end()
  assert.equal(rounds.length, 2)
})

test('a hint ends the wait after a failure, since it shows that the database is back', async (t) => {
  const channel = channelOf()
  const { rounds, wakeTimes, fail } = workerOf(t, { hints: { ...channel, channel: 'work' } })
  await turn()
  await fail('no connection')
  wakeTimes(1)
  await turn()
  assert.equal(rounds.length, 1)
  channel.send('')
  await turn()
  assert.equal(rounds.length, 2)
})

test('a repeated failure is logged once, and again after a successful round', async (t) => {
  const { warnings, pass, end, fail } = workerOf(t)
  await turn()
  for (const message of ['no connection', 'no connection', 'no connection', 'a bug']) {
    await fail(message)
    await pass(1_000)
  }
  assert.deepEqual(warnings, ['it failed', 'it failed'])
  await end()
  await pass(1_000)
  await fail('a bug')
  assert.equal(warnings.length, 3)
})

test('work begun in a round takes a slot, and a wake-up waits while no slot is free', async (t) => {
  const works: PromiseWithResolvers<void>[] = []
  const free: number[] = []
  const { worker } = workerOf(t, {
    slots: 2,
    round: async (given) => {
      free.push(given.free)
      for (let slot = 0; slot < given.free; slot++) {
        const work = Promise.withResolvers<void>()
        works.push(work)
        given.begin(() => work.promise)
      }
      return true
    },
  })
  await turn()
  worker.wake()
  await turn()
  assert.deepEqual(free, [2])
  works[0]!.resolve()
  await turn()
  assert.deepEqual(free, [2, 1])
})

test('work from elsewhere gets a slot only when no earlier work waits, and gives the slot back', async (t) => {
  const { worker, end } = workerOf(t, { slots: 2 })
  assert.equal(worker.takeSlot(), undefined)
  await turn()
  await end()
  const [first, second] = [worker.takeSlot(), worker.takeSlot()]
  assert.equal(worker.takeSlot(), undefined)
  second!.leave()
  const work = Promise.withResolvers<void>()
  worker.takeSlot()!.begin(() => work.promise)
  assert.equal(worker.takeSlot(), undefined)
  work.resolve()
  await turn()
  assert.ok(worker.takeSlot())
  first!.leave()
  worker.wake()
  assert.equal(worker.takeSlot(), undefined)
})

test('close waits for the current round and the work it began, and no round follows', async (t) => {
  const work = Promise.withResolvers<void>()
  const round = Promise.withResolvers<boolean>()
  let rounds = 0
  let isClosing: boolean | undefined
  const { worker, pass } = workerOf(t, {
    round: async ({ begin, closing }) => {
      rounds++
      const mayBeMore = await round.promise
      isClosing = closing.aborted
      begin(() => work.promise)
      return mayBeMore
    },
  })
  await turn()
  const closed = worker.close()
  worker.wake()
  assert.equal(await isEnded(closed), false)
  round.resolve(true)
  assert.equal(await isEnded(closed), false)
  work.resolve()
  assert.equal(await isEnded(closed), true)
  await pass(5_000)
  assert.deepEqual([rounds, isClosing], [1, true])
})

test('a worker may be closed twice, and before its first round', async (t) => {
  const { worker, rounds } = workerOf(t, { gatherMilliseconds: 5 })
  const closed = worker.close()
  await turn()
  t.mock.timers.tick(5)
  await Promise.all([closed, worker.close()])
  assert.equal(worker.takeSlot(), undefined)
  assert.equal(rounds.length, 0)
})
