import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { startDeadline } from './deadline.ts'
import { sendPieces } from './send-pieces.ts'

type Heard = { status: number; text?: string; cut?: true; thrown: string | undefined }

/** What the caller receives, and what the sender throws. */
async function heard(pieces: () => AsyncGenerator<string>): Promise<Heard> {
  const sent = Promise.withResolvers<string | undefined>()
  const server = createServer((_request, response) => {
    const deadline = startDeadline()
    sendPieces(response, 200, { 'content-type': 'text/csv' }, pieces(), deadline)
      .then(() => sent.resolve(undefined))
      .catch((error: Error) => {
        sent.resolve(error.message)
        if (!response.headersSent) response.writeHead(503)
        response.end()
      })
      .finally(() => deadline.end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const read = await answer.text().then(
      (text) => ({ text }),
      () => ({ cut: true as const }),
    )
    return { status: answer.status, ...read, thrown: await sent.promise }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

test('pieces arrive in order, and no pieces at all are an empty answer', async () => {
  const all = await heard(async function* () {
    for (let piece = 0; piece < 300; piece++) yield `${piece};`.repeat(1000)
  })
  assert.equal(all.text, Array.from({ length: 300 }, (_, piece) => `${piece};`.repeat(1000)).join(''))
  assert.deepEqual(await heard(async function* () {}), { status: 200, text: '', thrown: undefined })
})

test('a failure before the first piece can still be answered with a problem document', async () => {
  const failed = await heard(async function* () {
    yield await Promise.reject<string>(new Error('no database'))
  })
  assert.deepEqual(failed, { status: 503, text: '', thrown: 'no database' })
})

test('a later failure cuts the answer off, so that half a file does not pass for a whole one', async () => {
  const failed = await heard(async function* () {
    yield 'a'.repeat(100_000)
    throw new Error('no database')
  })
  assert.deepEqual(failed, { status: 200, cut: true, thrown: 'no database' })
})
