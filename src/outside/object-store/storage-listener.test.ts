import { AwsV4Signer } from 'aws4fetch'
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs/promises'
import http, { type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, mock, test } from 'node:test'
import { presignedUrl, signingDate } from './signing-v4.ts'
import {
  arrivingFiles,
  bucket,
  consoleOrigin,
  openStorageWorld,
  putBytes,
  rawRequest,
  signingKey,
} from '../../../test/world/storage.ts'

const world = await openStorageWorld('embedded')
after(() => world.close())

const presigned = (method: string, path: string, query: [string, string][] = []) =>
  presignedUrl({
    method,
    origin: world.endpoint,
    path,
    query,
    headers: [],
    key: signingKey,
    now: world.clock.now,
    lifetimeSeconds: 60,
  })
const objectUrl = (method: string, key: string) => presigned(method, `/${bucket}/${key}`)
const md5Base64 = (text: string) => createHash('md5').update(text).digest('base64')
const codeOf = (answer: { body: Buffer }) => /<Code>(\w+)<\/Code>/.exec(answer.body.toString())?.[1]

const askRange = async (range: string, key = 'ranged') => {
  const { status, headers, body } = await rawRequest(objectUrl('GET', key), { method: 'GET', headers: { range } })
  return [status, headers['content-range'], status < 300 ? body.toString() : undefined]
}

const ask = async (method: string, url: string) => {
  const answer = await rawRequest(url, { method, headers: { 'content-length': '0' } })
  return [answer.status, codeOf(answer)]
}

test('a full disk is 507 and leaves nothing behind, and the sender of a large body can still read the answer', async () => {
  const probe = await fs.open(join(world.folder, 'probe'), 'w')
  const noSpace = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  const writes = mock.method(Object.getPrototypeOf(probe) as typeof probe, 'writeFile', () => Promise.reject(noSpace))
  await probe.close()
  try {
    const answer = await putBytes(objectUrl('PUT', 'full'), randomBytes(5_000_000))
    assert.equal(answer.status, 507)
    assert.equal(codeOf(answer), 'InsufficientStorage')
    await assert.rejects(world.store.write('full', Buffer.from('x')), { name: 'Outage' })
  } finally {
    writes.mock.restore()
  }
  assert.deepEqual(await arrivingFiles(world), [])
  assert.equal(await world.store.head('full'), undefined)
  assert.equal((await putBytes(objectUrl('PUT', 'full'), 'space again')).status, 200)
})

test('ART-10 a signed request in absolute form, as proxies send it, is answered like one in origin form', async () => {
  await world.store.write('absolute', Buffer.from('whole'))
  const { host, hostname, port, pathname, search } = new URL(objectUrl('GET', 'absolute'))
  const get = (path: string) =>
    new Promise<unknown[]>((resolve, reject) => {
      const sent = http.get({ hostname, port, path, headers: { host } }, async (answer) =>
        resolve([
          answer.statusCode,
          Buffer.concat(await answer.toArray())
            .toString()
            .slice(0, 5),
        ]),
      )
      sent.on('error', reject)
    })
  assert.deepEqual(await get(`http://${host}${pathname}${search}`), [200, 'whole'])
  assert.equal((await get(`http://${host}${pathname}${search}0`))[0], 403)
})

test('ART-14 a large upload to an expired URL gets its 403 instead of a broken connection', async () => {
  const url = objectUrl('PUT', 'late')
  world.clock.now = new Date(world.clock.now.getTime() + 60_000)
  const answer = await putBytes(url, randomBytes(5_000_000))
  assert.equal(answer.status, 403)
  assert.equal(answer.headers['content-type'], 'application/xml')
})

test('a client that sends Expect: 100-continue gets the refusal before it sends, or is told to continue', async () => {
  for (const [url, status] of [
    [objectUrl('PUT', 'asked'), 200],
    [`${objectUrl('PUT', 'asked')}0`, 403],
  ] as const) {
    let invited = false
    const headers = { expect: '100-continue', 'content-length': 5 }
    const request = http.request(url, { method: 'PUT', headers, agent: false })
    request.on('continue', () => {
      invited = true
      request.end('bytes')
    })
    request.flushHeaders()
    const [answer] = (await once(request, 'response')) as [IncomingMessage]
    answer.resume()
    request.destroy()
    assert.equal(answer.statusCode, status)
    assert.equal(invited, status === 200)
  }
})

test('an upload that stalls is cut after the idle time and leaves nothing', async () => {
  world.logged.length = 0
  assert.equal(world.server.timeout, 60_000)
  // Only once the request has arrived: a busy machine may take longer than this to read it.
  world.server.prependOnceListener('request', ({ socket }: IncomingMessage) => socket.setTimeout(50))
  const headers = { 'content-length': 1000 }
  const request = http.request(objectUrl('PUT', 'stalled'), { method: 'PUT', headers, agent: false })
  request.write('begun')
  await assert.rejects(once(request, 'response'), { code: 'ECONNRESET' })
  await world.line('storage client went away')
  assert.deepEqual(await arrivingFiles(world), [])
  assert.equal(await world.store.head('stalled'), undefined)
})

test('when a client hangs up in mid-upload nothing is stored, and no error is logged', async () => {
  world.logged.length = 0
  const { host, hostname, port, pathname, search } = new URL(objectUrl('PUT', 'hung-up'))
  const socket = connect(Number(port), hostname)
  socket.end(`PUT ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 1000\r\n\r\nbegun`)
  await world.line('storage client went away')
  assert.equal(world.logged.length, 1)
  assert.deepEqual(await arrivingFiles(world), [])
  assert.equal(await world.store.head('hung-up'), undefined)
})

test('ART-13 the listener bounds the time for headers and not for a body', () => {
  assert.equal(world.server.requestTimeout, 0)
  assert.equal(world.server.headersTimeout, 20_000)
})

test('an upload without a length may be chunked; one with neither is 411', async () => {
  const chunked = http.request(objectUrl('PUT', 'chunked'), { method: 'PUT', agent: false })
  chunked.write('in ')
  chunked.end('pieces')
  const [answer] = (await once(chunked, 'response')) as [IncomingMessage]
  assert.equal(answer.resume().statusCode, 200)
  assert.equal((await world.store.head('chunked'))?.sizeBytes, 9)

  const silent = http.request(objectUrl('PUT', 'silent'), { method: 'PUT', agent: false })
  silent.useChunkedEncodingByDefault = false
  silent.end()
  const [refused] = (await once(silent, 'response')) as [IncomingMessage]
  assert.equal(refused.resume().statusCode, 411)
  assert.equal(await world.store.head('silent'), undefined)
})

test('an upload that does not match its declared MD5 is refused, and the key keeps its former object', async () => {
  await world.store.write('promised', Buffer.from('before'))
  const url = objectUrl('PUT', 'promised')
  const upload = (promised: string) =>
    rawRequest(url, {
      method: 'PUT',
      headers: { 'content-md5': promised, 'content-length': '5' },
      body: Buffer.from('after'),
    })
  const wrong = await upload(md5Base64('other'))
  assert.deepEqual([wrong.status, codeOf(wrong)], [400, 'BadDigest'])
  const malformed = await upload('not base64')
  assert.deepEqual([malformed.status, codeOf(malformed)], [400, 'InvalidDigest'])
  assert.equal((await world.store.head('promised'))?.sizeBytes, 6)
  assert.equal((await upload(md5Base64('after'))).status, 200)
  assert.equal((await world.store.head('promised'))?.sizeBytes, 5)
})

test('a valid range is answered, a malformed one ignored, and one outside the object refused', async () => {
  await world.store.write('ranged', Buffer.from('0123456789'))
  assert.deepEqual(await askRange('bytes=2-4'), [206, 'bytes 2-4/10', '234'])
  assert.deepEqual(await askRange('bytes=7-'), [206, 'bytes 7-9/10', '789'])
  assert.deepEqual(await askRange('bytes=-3'), [206, 'bytes 7-9/10', '789'])
  assert.deepEqual(await askRange('bytes=-99'), [206, 'bytes 0-9/10', '0123456789'])
  assert.deepEqual(await askRange('bytes=8-99'), [206, 'bytes 8-9/10', '89'])
  assert.deepEqual(await askRange('bytes=10-'), [416, 'bytes */10', undefined])
  assert.deepEqual(await askRange('bytes=-0'), [416, 'bytes */10', undefined])
  for (const senseless of ['bytes=4-2', 'bytes=-', 'bytes=1-2,4-5', 'lines=1-2']) {
    assert.deepEqual(await askRange(senseless), [200, undefined, '0123456789'])
  }
  await world.store.write('ranged-empty', Buffer.alloc(0))
  assert.deepEqual(await askRange('bytes=0-', 'ranged-empty'), [416, 'bytes */0', undefined])
})

test('a signed request for another bucket, method or part of S3 is refused with its own error', async () => {
  assert.deepEqual(await ask('GET', presigned('GET', '/other/key')), [404, 'NoSuchBucket'])
  assert.deepEqual(await ask('GET', presigned('GET', `/${bucket}`)), [400, 'InvalidArgument'])
  assert.deepEqual(await ask('POST', objectUrl('POST', 'key')), [405, 'MethodNotAllowed'])
  assert.deepEqual(await ask('PUT', presigned('PUT', `/${bucket}/key`, [['partNumber', '1']])), [501, 'NotImplemented'])
  assert.deepEqual(await ask('GET', objectUrl('GET', 'missing')), [404, 'NoSuchKey'])
})

test('a copy never overwrites, and never reads from another bucket', async () => {
  await world.store.write('source', Buffer.from('source'))
  await world.store.write('target', Buffer.from('target'))
  const copied = async (source: string, toKey: string) => {
    const signer = new AwsV4Signer({
      ...signingKey,
      method: 'PUT',
      url: `${world.endpoint}/${bucket}/${toKey}`,
      headers: { 'x-amz-copy-source': source, 'content-length': '0' },
      service: 's3',
      datetime: signingDate(world.clock.now),
    })
    const { url, headers } = await signer.sign()
    return (await rawRequest(url.href, { method: 'PUT', headers: Object.fromEntries(headers) })).status
  }
  assert.equal(await copied(`/${bucket}/source`, 'target'), 412)
  assert.equal(await copied(`/${bucket}/../source`, 'elsewhere'), 400)
  assert.equal(await copied('/other/source', 'elsewhere'), 404)
  assert.equal(await copied(`/${bucket}/missing`, 'elsewhere'), 404)
  assert.equal((await world.store.head('target'))?.md5, createHash('md5').update('target').digest('hex'))
  assert.equal(await world.store.head('elsewhere'), undefined)
  assert.equal(await copied(`${bucket}/source`, 'elsewhere'), 200)
})

test('an answer to a page of another origin than the console has no CORS headers at all', async () => {
  const headers = { origin: 'https://elsewhere.example', 'access-control-request-method': 'PUT' }
  for (const method of ['OPTIONS', 'PUT']) {
    const answer = await rawRequest(objectUrl('PUT', 'cors'), {
      method,
      headers: { ...headers, 'content-length': '0' },
    })
    const cors = Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))
    assert.deepEqual([answer.status, cors], [method === 'PUT' ? 200 : 403, []])
  }
})

const allowedOrigin = ({ headers }: { headers: http.IncomingHttpHeaders }) => headers['access-control-allow-origin']

test('a page of the console may upload and read by script, and sees the ETag and also refusals', async () => {
  const headers = { origin: consoleOrigin }
  const asked = await rawRequest(objectUrl('PUT', 'by-script'), {
    method: 'OPTIONS',
    headers: {
      ...headers,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'content-type,content-md5',
    },
  })
  assert.deepEqual([asked.status, allowedOrigin(asked)], [204, consoleOrigin])
  assert.equal(asked.headers['access-control-allow-methods'], 'GET, PUT')
  assert.equal(asked.headers['access-control-allow-headers'], 'Content-Type, Content-MD5, Range')
  assert.equal(asked.headers['access-control-allow-credentials'], undefined)

  const body = Buffer.from('bytes of a proof')
  const put = await rawRequest(objectUrl('PUT', 'by-script'), {
    method: 'PUT',
    headers: { ...headers, 'content-length': String(body.length) },
    body,
  })
  const get = await rawRequest(objectUrl('GET', 'by-script'), { method: 'GET', headers })
  for (const answer of [put, get]) {
    assert.deepEqual([answer.status, allowedOrigin(answer), answer.headers.vary], [200, consoleOrigin, 'Origin'])
    assert.match(String(answer.headers['access-control-expose-headers']), /\bETag\b/)
    assert.equal(answer.headers.etag, `"${createHash('md5').update(body).digest('hex')}"`)
  }
  const unsigned = await rawRequest(`${world.endpoint}/${bucket}/by-script`, { method: 'GET', headers })
  assert.deepEqual([unsigned.status, allowedOrigin(unsigned)], [403, consoleOrigin])
})

test('no other page may, whatever it is called, and its preflight is refused like any unsigned request', async () => {
  await world.store.write('for-nobody', Buffer.from('x'))
  for (const origin of [
    'https://elsewhere.example',
    `${consoleOrigin}.elsewhere.example`,
    `${consoleOrigin}:8443`,
    'null',
  ]) {
    const url = objectUrl('GET', 'for-nobody')
    const asked = await rawRequest(url, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'GET' },
    })
    assert.deepEqual([asked.status, allowedOrigin(asked)], [403, undefined], origin)
    const get = await rawRequest(url, { method: 'GET', headers: { origin } })
    assert.deepEqual([get.status, allowedOrigin(get), get.headers.vary], [200, undefined, 'Origin'], origin)
  }
})

test('a picture may be shown on any page that has its link', async () => {
  await world.store.write('picture', Buffer.from('x'))
  const { headers } = await rawRequest(objectUrl('GET', 'picture'), { method: 'GET' })
  assert.equal(headers['cross-origin-resource-policy'], undefined)
})
