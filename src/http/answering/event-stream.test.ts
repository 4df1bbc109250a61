import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { OpenStream } from '../../contract/operation.ts'
import { CallerGone } from '../reading/read-body.ts'
import type { Exchange } from './answer.ts'
import { startDeadline } from './deadline.ts'
import { createStreams, sendEvents, writtenEvent } from './event-stream.ts'

/** Sends these events to one client that reads only when it is told to, and answers how the sending ended. */
async function sending(
  t: TestContext,
  events: (stream: OpenStream) => AsyncIterable<string>,
  mayGoOn: () => Promise<boolean> = async () => true,
) {
  const streams = createStreams({ ofOne: 1, inAll: 1 })
  const sent = Promise.withResolvers<unknown>()
  const server = createServer((request, response) => {
    const stream = streams.open('Dana', response, undefined)!
    const http = { request, response, headers: {}, deadline: startDeadline() } as unknown as Exchange
    sendEvents({ http }, stream, events(stream), { pulseMilliseconds: 1_000, mayGoOn }).then(sent.resolve, sent.resolve)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const request = get({ port: (server.address() as AddressInfo).port, agent: false })
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  answer.on('error', () => undefined)
  return { streams, answer, server, ended: sent.promise }
}

/** Events without an end, of 100 KB each; counts those that were asked for. */
function plenty() {
  const made = { events: 0 }
  const events = async function* (): AsyncGenerator<string> {
    for (;;) {
      made.events++
      yield writtenEvent({ event: 'much', data: { much: 'x'.repeat(100_000) } })
    }
  }
  return { made, events }
}

test('what a reader does not take is not made, and after ten seconds it is cut off', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const { made, events } = plenty()
  const { answer, ended } = await sending(t, events)
  answer.pause()
  // The system takes some megabytes; then nothing moves any more.
  for (let before = -1; before !== made.events;) {
    before = made.events
    for (let turns = 0; turns < 200; turns++) await turn()
  }
  assert.ok(made.events < 200, `${made.events} events were made for nobody`)
  t.mock.timers.tick(9_000)
  assert.equal(answer.destroyed, false)
  t.mock.timers.tick(2_000)
  assert.ok((await ended) instanceof CallerGone)
})

test('a slow reader that goes on reading gets all of it', async (t) => {
  const text = Array.from({ length: 100 }, (_, index) =>
    writtenEvent({ event: 'one', id: `${index}`, data: { index } }),
  )
  const { answer, ended } = await sending(t, async function* () {
    for (const each of text) yield each + '~'.repeat(100_000)
  })
  let read = ''
  for await (const piece of answer) read += String(piece)
  assert.equal(read.replaceAll('~', ''), `retry: 2000\n\n${text.join('')}`)
  assert.equal(await ended, undefined)
})

test('an error of the source cuts the connection, so that it does not look like an end', async (t) => {
  const { answer, ended } = await sending(t, async function* () {
    yield writtenEvent({ event: 'one', data: {} })
    throw new Error('a bug')
  })
  answer.resume()
  await new Promise((resolve) => answer.once('close', resolve))
  assert.equal(answer.complete, false)
  assert.equal(((await ended) as Error).message, 'a bug')
})

test('a reader who closes its half of the connection has left', async (t) => {
  const { server, answer, ended } = await sending(t, async function* ({ ending }) {
    yield ':begun\n\n'
    await once(ending, 'abort')
  })
  // As the hosts do, so that who sent a whole request may close its half and still read the answer.
  Object.assign(server, { httpAllowHalfOpen: true })
  answer.resume()
  answer.socket.end()
  assert.equal(await ended, undefined)
})

test('while nobody can tell whether a reader may go on, it goes on', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const answers = [async () => true, () => Promise.reject(new Error('no database')), async () => false]
  const { answer, ended } = await sending(
    t,
    async function* ({ ending }) {
      yield ':begun\n\n'
      await once(ending, 'abort')
    },
    () => answers.shift()!(),
  )
  let read = ''
  answer.on('data', (piece) => (read += String(piece)))
  const comments = (number: number) => `retry: 2000\n\n:begun\n\n${':\n\n'.repeat(number)}`
  for (const number of [1, 2]) {
    t.mock.timers.tick(1_000)
    while (read !== comments(number)) await turn()
  }
  assert.equal(await ended, undefined)
})

test('who lost the right to read is not told the next event, however long it is to the next pulse', async (t) => {
  const answers = [true, false]
  const { answer, ended } = await sending(
    t,
    async function* () {
      yield writtenEvent({ event: 'before', data: {} })
      yield writtenEvent({ event: 'after', data: {} })
    },
    async () => answers.shift()!,
  )
  let read = ''
  for await (const piece of answer) read += String(piece)
  assert.equal(read, 'retry: 2000\n\nevent: before\ndata: {}\n\n')
  assert.equal(await ended, undefined)
})

test('streams are counted for each person and in all, and none begins once they are closed', () => {
  const streams = createStreams({ ofOne: 2, inAll: 3 })
  const response = (): ServerResponse => {
    const listeners: (() => void)[] = []
    const fake = { once: (_: string, listener: () => void) => listeners.push(listener), gone: () => listeners[0]!() }
    return fake as unknown as ServerResponse
  }
  const [one, other, third] = [response(), response(), response()]
  const first = streams.open('Dana', one, '7')!
  assert.equal(first.lastEventId, '7')
  assert.ok(streams.open('Dana', other, undefined))
  assert.equal(streams.open('Dana', third, undefined), undefined)
  const last = streams.open('Kim', third, undefined)!
  assert.throws(() => streams.open('Lee', response(), undefined), { name: 'Outage' })
  ;(one as unknown as { gone: () => void }).gone()
  assert.deepEqual([first.ending.aborted, last.ending.aborted], [true, false])
  assert.ok(streams.open('Lee', one, undefined))
  streams.close()
  assert.equal(last.ending.aborted, true)
  assert.throws(() => streams.open('Lee', one, undefined), { name: 'Outage' })
})
