import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pdfFile } from '../../../test/world/artwork.ts'
import { blindEngine } from '../../../test/world/artwork-engine.ts'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { placed } from '../../../test/world/production.ts'
import { testService } from '../../../test/world/service.ts'
import { artworkFile } from '../src/files.ts'
import {
  ConflictProblem,
  NotFoundProblem,
  PartnerCommerce,
  UploadFailed,
  type ArtworkUpload,
  type Fetch,
  type UploadProgress,
} from '../src/index.ts'
import { faultProxy } from './fault-proxy.ts'

/** how far the service's clock is ahead of the system's */
let secondsAhead = 0
const service = await testService({
  clock: () => new Date(Date.now() + secondsAhead * 1_000),
  artworkEngine: blindEngine(),
})
const { manifest, hosts } = service
const primary = await partner(service, 'primary')
const { lines } = await placed(primary, orderBuilder(manifest).order())
const line = { orderNumber: lines[0]!.orderNumber, itemNumber: lines[0]!.itemNumber }
const proxy = await faultProxy(hosts.baseUrl)

const bytes = new Uint8Array(pdfFile())
const md5 = createHash('md5').update(bytes).digest('hex')

/** What the next uploads meet, one after the other: a failure of the storage, or what happens before the bytes go. */
let meetings: (() => Response | Promise<void>)[] = []
let puts = 0
const fetchThroughFaults: Fetch = async (url, init) => {
  if (init.method === 'PUT') {
    puts++
    const answer = await meetings.shift()?.()
    if (answer) {
      await (init.body as ReadableStream | undefined)?.cancel?.()
      return answer
    }
  }
  return fetch(url, init)
}
const client = new PartnerCommerce({
  baseUrl: proxy.url,
  ...manifest.partners.primary.clients![0]!,
  retry: { attempts: 4, base: 10 },
  fetch: fetchThroughFaults,
})

async function uploaded(upload: Partial<ArtworkUpload>, ...meets: typeof meetings) {
  meetings = meets
  puts = 0
  return client.uploadArtwork({ ...line, fileName: 'cards.pdf', ...upload } as ArtworkUpload)
}

const filesOfLine = async () => (await client.getArtwork(line)).files

function streamOf(...pieces: Uint8Array[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece as Uint8Array<ArrayBuffer>)
      controller.close()
    },
  })
}

test('a file is attached as it is, whatever it is given as', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'partner-commerce-client-'))
  const path = join(folder, 'on disk.pdf')
  await writeFile(path, bytes)
  const half = bytes.length >> 1
  const given: Partial<ArtworkUpload>[] = [
    { file: bytes },
    { file: bytes.buffer },
    { file: new Blob([bytes], { type: 'text/plain' }) },
    { file: new File([bytes], 'named.pdf'), fileName: undefined as never },
    { file: new Blob([bytes]), contentType: 'application/pdf' },
    { file: await artworkFile(path), fileName: undefined as never, contentType: 'application/pdf' },
    { file: streamOf(bytes.subarray(0, half), bytes.subarray(half)), size: bytes.length },
  ]
  const before = (await filesOfLine()).length
  for (const each of given) {
    const attached = await uploaded(each)
    assert.deepEqual([attached.fileSize, attached.md5, attached.active], [bytes.length, md5, true])
  }
  const names = (await filesOfLine()).map(({ fileName }) => fileName)
  assert.equal(names.length, before + given.length)
  assert.ok(names.includes('named.pdf'))
  assert.ok(names.some((name) => /^on.disk\.pdf$/.test(name)))
  await rm(folder, { recursive: true })
})

test('progress counts the bytes up to all of them', async () => {
  const told: UploadProgress[] = []
  await uploaded({ file: new Blob([bytes]), onProgress: (progress) => told.push(progress) })
  assert.deepEqual(told[0], { sentBytes: 0, totalBytes: bytes.length })
  assert.deepEqual(told.at(-1), { sentBytes: bytes.length, totalBytes: bytes.length })
  assert.ok(told.every(({ sentBytes }, index) => index === 0 || sentBytes > told[index - 1]!.sentBytes))
})

test('a URL that went stale is replaced by a new one', async () => {
  const reserved = /^POST .*\/artwork\/upload-url$/
  proxy.faults(() => undefined)
  // A minute and more passes between the reservation and the upload.
  const attached = await uploaded({ file: bytes }, async () => void (secondsAhead += 70))
  assert.equal(attached.md5, md5)
  assert.equal(puts, 2)
  assert.equal(proxy.count(reserved), 2)
})

test('an outage of the storage is passed over, and a stream that was read once says so by its failure', async () => {
  const outage = (): Response => new Response('<Code>SlowDown</Code>', { status: 503 })
  const told: number[] = []
  const progress = { onProgress: ({ sentBytes }: UploadProgress) => void told.push(sentBytes) }
  assert.equal((await uploaded({ file: bytes, ...progress }, outage, outage)).md5, md5)
  assert.equal(puts, 3)
  assert.equal(told.filter((sentBytes) => sentBytes === 0).length, 3)

  await assert.rejects(uploaded({ file: streamOf(bytes), size: bytes.length }, outage), (error) => {
    assert.ok(error instanceof UploadFailed)
    assert.equal(error.status, 503)
    assert.match(error.message, /SlowDown/)
    return true
  })
  assert.equal(puts, 1)
})

test('what the storage refuses for good is told at once', async () => {
  await assert.rejects(
    uploaded({ file: bytes }, () => new Response('', { status: 400 })),
    { name: 'UploadFailed', status: 400 },
  )
  assert.equal(puts, 1)
  await assert.rejects(uploaded({ file: streamOf(bytes) }), /^TypeError: uploadArtwork needs the size of a stream/)
  await assert.rejects(uploaded({ file: bytes, fileName: '' }), /^TypeError: uploadArtwork needs a fileName/)
})

test('an attachment whose answer got lost is found, and the file is attached once', async () => {
  const attaching = `POST /v1/orders/${line.orderNumber}/items/${line.itemNumber}/artwork`
  for (const fault of ['lost answer', 'lost request'] as const) {
    const before = await filesOfLine()
    proxy.faults(({ call }, times) => (call === attaching && times === 0 ? fault : undefined))
    assert.equal((await uploaded({ file: bytes })).md5, md5)
    assert.equal(proxy.count(attaching), 2)
    const after = await filesOfLine()
    assert.equal(Math.min(20, before.length + 1), after.length)
  }
  proxy.faults(() => undefined)
})

test('refusals come through: no such line, and a file that is no artwork', async () => {
  await assert.rejects(uploaded({ file: bytes, itemNumber: 1 }), NotFoundProblem)
  await assert.rejects(uploaded({ file: new TextEncoder().encode('no artwork') }), ConflictProblem)
})

test('a signal ends an upload', async () => {
  const abort = new AbortController()
  meetings = [async () => abort.abort(new Error('enough'))]
  await assert.rejects(
    client.uploadArtwork({ ...line, file: bytes, fileName: 'cards.pdf' }, { signal: abort.signal }),
    /^Error: enough$/,
  )
})

test('no failure tells the upload URL, which is a credential', async () => {
  const { inspect } = await import('node:util')
  await assert.rejects(
    uploaded({ file: bytes }, () => new Response('', { status: 400 })),
    (error) => !inspect(error, { depth: 10 }).includes('X-Amz-Signature'),
  )
})
