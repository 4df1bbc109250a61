import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { test, type TestContext } from 'node:test'
import { ownTime } from '../../../test/world/own-time.ts'
import { s3Store, type S3Settings } from './s3-store.ts'
import { Outage } from '../../vocabulary/outage.ts'

const now = new Date('2026-03-01T12:00:00Z')
const bytes = Buffer.from('the object')
const md5 = createHash('md5').update(bytes).digest('hex')

/** A store over an S3 that answers as the test says. */
async function storeOver(t: TestContext, answer: RequestListener, settings: Partial<S3Settings> = {}) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return s3Store({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'eu-central-1',
    bucket: 'files',
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: 'secret of the tests',
    pathStyle: true,
    spoolFolder: os.tmpdir(),
    now: () => now,
    ...settings,
  })
}

for (const [title, headers] of [
  ['came in several parts', { etag: `"${md5}-2"` }],
  ['is encrypted under a KMS key', { etag: `"${md5}"`, 'x-amz-server-side-encryption': 'aws:kms' }],
  [
    'is encrypted under a customer key',
    { etag: `"${md5}"`, 'x-amz-server-side-encryption-customer-algorithm': 'AES256' },
  ],
  ['has no ETag at all', {}],
] as const) {
  test(`ART-15 the MD5 of an object that ${title} is computed from its bytes`, async (t) => {
    const asked: string[] = []
    const store = await storeOver(t, (req, res) => {
      asked.push(`${req.method}`)
      res.writeHead(200, { ...headers, 'content-length': bytes.length }).end(req.method === 'HEAD' ? undefined : bytes)
    })
    assert.deepEqual(await store.head('key'), { sizeBytes: bytes.length, md5 })
    assert.deepEqual(asked, ['HEAD', 'GET'])
  })
}

test('ART-15 the ETag of a plain object is its MD5 and its bytes are not read', async (t) => {
  const asked: string[] = []
  const store = await storeOver(t, (req, res) => {
    asked.push(`${req.method}`)
    res.writeHead(200, { etag: `"${md5}"`, 'x-amz-server-side-encryption': 'AES256', 'content-length': 10 }).end()
  })
  assert.deepEqual(await store.head('key'), { sizeBytes: 10, md5 })
  assert.deepEqual(asked, ['HEAD'])
})

test('the server sends length and MD5 of what it writes, so that S3 refuses damaged bytes', async (t) => {
  const puts: [headers: IncomingMessage['headers'], body: Buffer][] = []
  const store = await storeOver(t, async (req, res) => {
    puts.push([req.headers, await buffer(req)])
    res.writeHead(200).end()
  })
  for (const body of [bytes, Readable.from([bytes.subarray(0, 3), bytes.subarray(3)])]) {
    assert.deepEqual(await store.write('key', body), { sizeBytes: bytes.length, md5 })
  }
  assert.equal(puts.length, 2)
  for (const [headers, body] of puts) {
    assert.equal(headers['content-length'], String(bytes.length))
    assert.equal(headers['content-md5'], Buffer.from(md5, 'hex').toString('base64'))
    assert.deepEqual(body, bytes)
  }
})

test('a failure of S3 is an Outage with its status and code, and without URL, key or secret', async (t) => {
  const store = await storeOver(t, (req, res) => {
    req.resume().on('end', () => {
      res.writeHead(503).end('<Error><Code>SlowDown</Code><Resource>/files/some-key</Resource></Error>')
    })
  })
  const operations = [
    () => store.read('some-key'),
    () => store.write('some-key', bytes),
    () => store.write('some-key', Readable.from([bytes])),
    () => store.remove('some-key'),
  ]
  for (const operation of operations) {
    await assert.rejects(operation, { name: 'Outage', message: 'Storage answered 503 (SlowDown)' })
  }
  for (const operation of [() => store.head('some-key'), () => store.settle('some-key', 'other')]) {
    await assert.rejects(operation, { name: 'Outage', message: 'Storage answered 503 (no code)' })
  }
})

test('an S3 that refuses our credentials is an outage, never "not there"', async (t) => {
  const store = await storeOver(t, (_, res) => res.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>'))
  await assert.rejects(store.head('key'), Outage)
  await assert.rejects(store.read('key'), Outage)
})

test('an S3 that cannot be reached, or breaks off, is an Outage', async (t) => {
  const broken = await storeOver(t, (req) => req.socket.destroy())
  const closed = await storeOver(t, () => {}, { endpoint: 'http://127.0.0.1:1' })
  for (const store of [broken, closed]) {
    await assert.rejects(store.head('key'), Outage)
    await assert.rejects(store.write('key', Readable.from([bytes])), Outage)
  }
  const halfway = await storeOver(t, (_, res) => {
    res.writeHead(200, { 'content-length': 100 }).write('half', () => res.destroy())
  })
  const stream = await halfway.read('key')
  assert.ok(stream)
  await assert.rejects(buffer(stream), { code: 'ECONNRESET' })
})

test('an S3 that takes a request and does not answer is given up after four seconds', async (t) => {
  const asked = Promise.withResolvers<IncomingMessage>()
  const store = await storeOver(t, (req) => asked.resolve(req))
  const begun = ownTime()
  await assert.rejects(store.head('key'), Outage)
  await asked.promise
  assert.ok(ownTime() - begun < 5_000)
})

test("a copy that fails with a 200 is a failure, and one that lost a race keeps the winner's object", async (t) => {
  const failing = await storeOver(t, (req, res) => {
    if (req.method === 'HEAD') res.writeHead(404).end()
    else res.writeHead(200).end('  \n<Error><Code>InternalError</Code></Error>')
  })
  await assert.rejects(failing.settle('from', 'to'), { message: 'Storage answered 200 (InternalError)' })

  let heads = 0
  const raced = await storeOver(t, (req, res) => {
    if (req.method === 'HEAD' && heads++ === 0) res.writeHead(404).end()
    else if (req.method === 'HEAD') res.writeHead(200, { etag: `"${md5}"`, 'content-length': 10 }).end()
    else res.writeHead(req.headers['if-none-match'] === '*' ? 412 : 200).end()
  })
  assert.deepEqual(await raced.settle('from', 'to'), { sizeBytes: 10, md5 })
})

test('ART-11 settling drops the type that the uploader claimed', async (t) => {
  const copies: IncomingMessage['headers'][] = []
  const store = await storeOver(t, (req, res) => {
    if (req.method === 'PUT') copies.push(req.headers)
    if (req.method === 'HEAD')
      res.writeHead(copies.length === 0 ? 404 : 200, { etag: `"${md5}"`, 'content-length': 10 }).end()
    else res.writeHead(200).end('<CopyObjectResult></CopyObjectResult>')
  })
  await store.settle('from', 'to')
  assert.equal(copies[0]?.['x-amz-copy-source'], '/files/from')
  assert.equal(copies[0]?.['x-amz-metadata-directive'], 'REPLACE')
  assert.equal(copies[0]?.['content-type'], 'application/octet-stream')
})

test('presigned URLs go to the public endpoint, in path style or with the bucket in the host', async (t) => {
  const options = { contentType: null, lifetimeSeconds: 60, now }
  const addressed = async (settings: Partial<S3Settings>) => {
    const { origin, pathname } = new URL(
      (await (await storeOver(t, () => {}, settings)).presignPut('a/b', options)).url,
    )
    return origin + pathname
  }
  const publicEndpoint = 'https://files.example'
  assert.equal(await addressed({ publicEndpoint }), 'https://files.example/files/a/b')
  assert.equal(await addressed({ publicEndpoint: 'https://example/s3/' }), 'https://example/s3/files/a/b')
  assert.equal(
    await addressed({ endpoint: 'https://s3.eu-central-1.amazonaws.com', pathStyle: false }),
    'https://files.s3.eu-central-1.amazonaws.com/a/b',
  )
})
