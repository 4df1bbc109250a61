import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs/promises'
import http, { type IncomingMessage } from 'node:http'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { after, before, describe, test } from 'node:test'
import { attachmentDisposition, isObjectKey, keyLengthMax } from './object-store.ts'
import { presignedUrl } from './signing-v4.ts'
import {
  arrivingFiles,
  bucket,
  openStorageWorld,
  putBytes,
  rawRequest,
  signingKey,
  type StorageWorld,
} from '../../../test/world/storage.ts'

const md5Of = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')
const minute = 60

for (const kind of ['embedded', 's3'] as const) {
  describe(`the ${kind} store`, () => {
    let world: StorageWorld
    before(async () => {
      world = await openStorageWorld(kind)
    })
    after(() => world.close())

    const putUrl = async (key: string, contentType: string | null = null) =>
      (await world.store.presignPut(key, { contentType, lifetimeSeconds: minute, now: world.clock.now })).url
    const getUrl = (key: string, answer: { downloadName?: string; contentType?: string } = {}) =>
      world.store.presignGet(key, { lifetimeSeconds: minute, now: world.clock.now, ...answer })
    const bytesOf = async (key: string) => {
      const stream = await world.store.read(key)
      return stream && buffer(stream)
    }

    test('ART-10 a PUT with exactly the bound Content-Type is stored', async () => {
      const url = await putUrl('bound/exact', 'image/png')
      assert.equal((await putBytes(url, 'bytes', 'image/png')).status, 200)
      assert.deepEqual(await world.store.head('bound/exact'), { sizeBytes: 5, md5: md5Of(Buffer.from('bytes')) })
    })

    test('ART-10 a PUT with another Content-Type than the bound one, or with none, is refused and stores nothing', async () => {
      const url = await putUrl('bound/other', 'image/png')
      for (const other of ['image/jpeg', 'image/PNG', 'image/png; q=1', 'text/html', undefined]) {
        assert.equal((await putBytes(url, 'bytes', other)).status, 403, `Content-Type ${other}`)
      }
      assert.equal(await world.store.head('bound/other'), undefined)
    })

    test('ART-12 without a bound Content-Type a PUT may have any Content-Type or none', async () => {
      assert.equal((await putBytes(await putUrl('unbound/none'), 'a')).status, 200)
      assert.equal((await putBytes(await putUrl('unbound/any'), 'b', 'application/pdf')).status, 200)
      assert.deepEqual(await bytesOf('unbound/any'), Buffer.from('b'))
    })

    test('ART-11 the Content-Type of the PUT is not kept: a read link answers with the type it was made for', async () => {
      await putBytes(await putUrl('types/upload', 'text/html'), '<script>', 'text/html')
      await world.store.settle('types/upload', 'types/settled')
      for (const key of ['types/upload', 'types/settled']) {
        assert.equal((await fetch(await getUrl(key))).headers.get('content-type'), 'application/octet-stream')
      }
      const typed = await fetch(await getUrl('types/settled', { contentType: 'image/png' }))
      assert.equal(typed.headers.get('content-type'), 'image/png')
    })

    test('ART-14 storage refuses an expired URL with 403, and a new one works', async () => {
      const { url, expiresOn } = await world.store.presignPut('stale', {
        contentType: null,
        lifetimeSeconds: minute,
        now: world.clock.now,
      })
      assert.equal(expiresOn.getTime() - world.clock.now.getTime(), 60_000)
      const read = await getUrl('stale')
      world.clock.now = expiresOn
      assert.equal((await putBytes(url, 'late')).status, 403)
      assert.equal((await fetch(read)).status, 403)
      assert.equal(await world.store.head('stale'), undefined)
      assert.equal((await putBytes(await putUrl('stale'), 'again')).status, 200)
    })

    test('ART-14 an upload begun in time may end after its URL has expired', async () => {
      const body = Buffer.from('slow upload')
      const url = await putUrl('slow')
      const request = http.request(url, { method: 'PUT', headers: { 'content-length': body.length }, agent: false })
      request.write(body.subarray(0, 4))
      await once(world.server, 'request')
      world.clock.now = new Date(world.clock.now.getTime() + 3_600_000)
      request.end(body.subarray(4))
      const [answer] = (await once(request, 'response')) as [IncomingMessage]
      assert.equal(answer.resume().statusCode, 200)
      assert.deepEqual(await bytesOf('slow'), body)
    })

    test('ART-07 a URL altered in any part — key, method, expiry, date, signature, an added or missing parameter — is refused with the same 403', async () => {
      const url = await putUrl('altered')
      const answers: { status: number; body: Buffer }[] = []
      const tried = async (change: (altered: URL) => void, method = 'PUT') => {
        const altered = new URL(url)
        change(altered)
        answers.push(
          await rawRequest(altered.href, { method, headers: { 'content-length': '1' }, body: Buffer.from('x') }),
        )
      }
      const names = [...new URL(url).searchParams.keys()]
      assert.ok(names.length >= 6)
      for (const name of names) {
        const value = new URL(url).searchParams.get(name) ?? ''
        const digit = value.replace(/\d(?=\D*$)/, (last) => String((Number(last) + 1) % 10))
        await tried((altered) => altered.searchParams.set(name, digit === value ? `${value}0` : digit))
        await tried((altered) => altered.searchParams.delete(name))
        await tried((altered) => altered.searchParams.append(name, value))
      }
      await tried((altered) => (altered.pathname += 'x'))
      await tried((altered) => altered.searchParams.set('acl', ''))
      await tried((altered) => (altered.search = ''))
      for (const method of ['GET', 'DELETE', 'POST', 'PATCH', 'OPTIONS']) await tried(() => {}, method)
      const seen = answers.map(({ status, body }) => `${status} ${body.toString('utf8')}`)
      assert.deepEqual([...new Set(seen)], [`403 ${accessDenied}`])
      assert.equal(await world.store.head('altered'), undefined)
    })

    test('a link signed for GET cannot PUT, HEAD or DELETE, and an upload URL cannot read', async () => {
      await world.store.write('methods', Buffer.from('kept'))
      const read = await getUrl('methods')
      assert.equal((await putBytes(read, 'overwritten')).status, 403)
      assert.equal((await fetch(read, { method: 'HEAD' })).status, 403)
      assert.equal((await fetch(read, { method: 'DELETE' })).status, 403)
      assert.equal((await fetch(await putUrl('methods'))).status, 403)
      assert.deepEqual(await bytesOf('methods'), Buffer.from('kept'))
    })

    test('an unsigned header does not turn an upload URL into a copy of another object', async () => {
      await world.store.write('secret-of-another', Buffer.from('secret'))
      const answer = await rawRequest(await putUrl('stolen'), {
        method: 'PUT',
        headers: { 'content-length': '0', 'x-amz-copy-source': `/${bucket}/secret-of-another` },
      })
      assert.equal(answer.status, 403)
      assert.equal(await world.store.head('stolen'), undefined)
    })

    test('ART-15 ART-17 storage reports size and MD5 of an object, and nothing for a key without one', async () => {
      await putUrl('never-uploaded')
      assert.equal(await world.store.head('never-uploaded'), undefined)
      assert.equal(await world.store.read('never-uploaded'), undefined)
      assert.equal(await world.store.settle('never-uploaded', 'never-settled'), undefined)
      assert.equal((await fetch(await getUrl('never-uploaded'))).status, 404)
      await putBytes(await putUrl('empty'), '')
      assert.deepEqual(await world.store.head('empty'), { sizeBytes: 0, md5: 'd41d8cd98f00b204e9800998ecf8427e' })
      assert.deepEqual(await bytesOf('empty'), Buffer.alloc(0))
      assert.equal((await fetch(await getUrl('empty'))).headers.get('content-length'), '0')
    })

    test('ART-13 20 MB that are streamed in are reported and read back in full', async () => {
      const block = randomBytes(64 * 1024)
      const blocks = 320
      const hash = createHash('md5')
      for (let count = 0; count < blocks; count++) hash.update(block)
      const sizeBytes = blocks * block.length
      const request = http.request(await putUrl('large'), { method: 'PUT', headers: { 'content-length': sizeBytes } })
      const answered = once(request, 'response')
      await pipeline(Readable.from(Array.from({ length: blocks }, () => block)), request)
      const [answer] = (await answered) as [IncomingMessage]
      assert.equal(answer.resume().statusCode, 200)
      const md5 = hash.digest('hex')
      assert.deepEqual(await world.store.head('large'), { sizeBytes, md5 })
      assert.equal(md5Of((await bytesOf('large')) ?? Buffer.alloc(0)), md5)
    })

    test('a cut upload leaves nothing behind, and a later whole PUT through the same URL works', async () => {
      world.logged.length = 0
      const url = await putUrl('cut')
      const request = http.request(url, { method: 'PUT', headers: { 'content-length': 1_000_000 }, agent: false })
      request.on('error', () => {})
      request.write(randomBytes(100_000))
      await once(world.server, 'request')
      request.destroy()
      await world.line('storage client went away')
      assert.equal(await world.store.head('cut'), undefined)
      assert.deepEqual(await arrivingFiles(world), [])
      assert.equal((await putBytes(url, 'whole')).status, 200)
      assert.equal((await world.store.head('cut'))?.sizeBytes, 5)
    })

    test('concurrent PUTs to one key leave one whole object with the right MD5', async () => {
      const url = await putUrl('contended')
      const bodies = Array.from({ length: 8 }, () => randomBytes(300_000 + Math.floor(Math.random() * 100_000)))
      const answers = await Promise.all(bodies.map((body) => putBytes(url, body)))
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
      const stored = await world.store.head('contended')
      const bytes = (await bytesOf('contended')) ?? Buffer.alloc(0)
      assert.deepEqual(stored, { sizeBytes: bytes.length, md5: md5Of(bytes) })
      assert.ok(bodies.some((body) => body.equals(bytes)))
    })

    test('a second PUT after settling leaves the settled bytes, and settling again keeps them', async () => {
      const url = await putUrl('uploads/reservation')
      await putBytes(url, 'attached bytes')
      const settled = await world.store.settle('uploads/reservation', 'artwork/final')
      assert.deepEqual(settled, { sizeBytes: 14, md5: md5Of(Buffer.from('attached bytes')) })
      assert.equal((await putBytes(url, 'other bytes, after the attach')).status, 200)
      assert.deepEqual(await bytesOf('artwork/final'), Buffer.from('attached bytes'))
      assert.deepEqual(await world.store.settle('uploads/reservation', 'artwork/final'), settled)
      await world.store.remove('uploads/reservation')
      assert.deepEqual(await world.store.settle('uploads/reservation', 'artwork/final'), settled)
      assert.deepEqual(await bytesOf('artwork/final'), Buffer.from('attached bytes'))
    })

    test('ART-18 settling keeps the upload, so that a refused attach can be tried again', async () => {
      await putBytes(await putUrl('uploads/again'), 'bytes')
      await world.store.settle('uploads/again', 'artwork/first-try')
      assert.ok(await world.store.settle('uploads/again', 'artwork/second-try'))
      await world.store.remove('artwork/first-try')
      assert.deepEqual(await bytesOf('artwork/second-try'), Buffer.from('bytes'))
    })

    test('the server writes bytes and streams, replaces what was there, and keeps it when the new body fails midway', async () => {
      const first = await world.store.write('written', Buffer.from('first'))
      assert.deepEqual(first, { sizeBytes: 5, md5: md5Of(Buffer.from('first')) })
      const large = randomBytes(3_000_000)
      const second = await world.store.write('written', Readable.from([large.subarray(0, 9), large.subarray(9)]))
      assert.deepEqual(second, { sizeBytes: large.length, md5: md5Of(large) })
      assert.deepEqual(await world.store.head('written'), second)
      const failing = Readable.from(
        (async function* () {
          yield Buffer.from('begun')
          throw new Error('the source broke off')
        })(),
      )
      await assert.rejects(world.store.write('written', failing), /the source broke off/)
      assert.deepEqual(await bytesOf('written'), large)
      assert.deepEqual(await arrivingFiles(world), [])
    })

    test('removing removes the object, and succeeds when there is none', async () => {
      await world.store.write('removed', Buffer.from('x'))
      await world.store.remove('removed')
      await world.store.remove('removed')
      assert.equal(await world.store.head('removed'), undefined)
    })

    test('a download link names the file, in every alphabet, and browsers do not render its answer', async () => {
      await world.store.write('download', Buffer.from('%PDF'))
      const downloadName = 'Prüf"ung\r\n 校正 (1).pdf'
      const answer = await fetch(await getUrl('download', { downloadName, contentType: 'application/pdf' }))
      assert.equal(await answer.text(), '%PDF')
      assert.equal(answer.headers.get('content-disposition'), attachmentDisposition(downloadName))
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
      assert.equal(answer.headers.get('content-security-policy'), 'sandbox')
      assert.equal(answer.headers.get('cache-control'), 'private, no-store')
    })

    test('keys that could leave the folder are refused by the store and, even when signed, by the listener', async () => {
      const outside = path.join(world.folder, '..', 'escaped')
      for (const key of [
        '../escaped',
        'a/../../escaped',
        '/escaped',
        'a//b',
        '.',
        '..',
        'a/.',
        'a\\..\\b',
        'a\0b',
        'é',
        '',
      ]) {
        await assert.rejects(putUrl(key), TypeError, JSON.stringify(key))
        await assert.rejects(world.store.write(key, Buffer.from('x')), TypeError)
        await assert.rejects(world.store.settle('empty', key), TypeError)
        await assert.rejects(world.store.head(key), TypeError)
        const { origin } = new URL(world.endpoint)
        const signed = presignedUrl({
          method: 'PUT',
          origin,
          path: `/${bucket}/${key}`,
          query: [],
          headers: [],
          key: signingKey,
          now: world.clock.now,
          lifetimeSeconds: minute,
        }).slice(origin.length)
        for (const target of [signed, signed.replaceAll('..', '%2e%2e').replace('escaped', '%65scaped')]) {
          const headers = { 'content-length': '1' }
          const answer = await rawRequest(world.endpoint, { method: 'PUT', target, headers, body: Buffer.from('x') })
          assert.equal(answer.status, 400, JSON.stringify(key))
        }
      }
      await assert.rejects(fs.stat(outside), { code: 'ENOENT' })
    })

    test('ART-07 no query, signature or secret ever reaches the log, whatever happens to a request', async () => {
      world.logged.length = 0
      const write = await putUrl('logged', 'text/plain')
      const read = await getUrl('logged')
      await putBytes(write, 'x', 'text/plain')
      await putBytes(write, 'x', 'text/html')
      await putBytes(`${write}0`, 'x', 'text/plain')
      await fetch(read)
      // A read is logged once the file is closed, and its reader does not wait for that.
      await world.line('"method":"GET","status":200')
      await fetch(read.replace('logged', 'missing'))
      await world.store.settle('logged', 'logged-settled')
      await world.store.remove('logged')
      await fetch(read)
      assert.ok(world.logged.length >= 6)
      const signatures = [write, read].map((url) => new URL(url).searchParams.get('X-Amz-Signature') ?? '')
      for (const text of ['?', 'X-Amz', 'x-amz', 'AWS4', signingKey.secretAccessKey, ...signatures]) {
        assert.equal(
          world.logged.find((line) => line.includes(text)),
          undefined,
          text,
        )
      }
    })

    test('presigning refuses a content type that would break a header, and an invalid lifetime', async () => {
      await assert.rejects(putUrl('bad', 'text/plain\r\nX-Evil: 1'), TypeError)
      await assert.rejects(putUrl('bad', ''), TypeError)
      const { now } = world.clock
      await assert.rejects(world.store.presignPut('bad', { contentType: null, lifetimeSeconds: 0, now }), RangeError)
      await assert.rejects(world.store.presignGet('bad', { lifetimeSeconds: 604_801, now }), RangeError)
    })
  })
}

const accessDenied =
  '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Access denied</Message></Error>'

test('object keys consist of plain segments and have a bounded length', () => {
  assert.ok(isObjectKey('artwork/12/0d3f-a_b.pdf'))
  assert.ok(isObjectKey('k'.repeat(keyLengthMax)))
  assert.ok(!isObjectKey('k'.repeat(keyLengthMax + 1)))
  assert.ok(!isObjectKey('a/.hidden'))
  assert.ok(!isObjectKey('a\n'))
})

test('a download name is sent in ASCII and in UTF-8, and cannot break out of its quotes', () => {
  assert.equal(
    attachmentDisposition('a"b\\c/é.pdf'),
    `attachment; filename="a_b_c__.pdf"; filename*=UTF-8''a%22b%5Cc%2F%C3%A9.pdf`,
  )
  assert.equal(
    attachmentDisposition("it's (1)*"),
    `attachment; filename="it's (1)*"; filename*=UTF-8''it%27s%20%281%29%2A`,
  )
  assert.ok(attachmentDisposition('lone \ud800 surrogate').includes('%EF%BF%BD'))
})
