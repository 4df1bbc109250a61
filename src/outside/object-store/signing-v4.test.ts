import { AwsV4Signer } from 'aws4fetch'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  canonicalQuery,
  canonicalRequest,
  credentialScope,
  expiryOf,
  presignedUrl,
  signature,
  stringToSign,
  unsignedPayload,
  verifiedRequest,
} from './signing-v4.ts'

/** The keys and requests of Amazon's published examples. */
const key = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
}
const host = 'examplebucket.s3.amazonaws.com'
const date = '20130524T000000Z'
const now = new Date('2013-05-24T00:00:00Z')
const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

test("a presigned GET has the signature of Amazon's published example", () => {
  const url = presignedUrl({
    method: 'GET',
    origin: `https://${host}`,
    path: '/test.txt',
    query: [],
    headers: [],
    key,
    now,
    lifetimeSeconds: 86_400,
  })
  assert.equal(
    url,
    `https://${host}/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256` +
      '&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request' +
      '&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host' +
      '&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  )
})

test("header-signed requests have the signatures of Amazon's published examples", () => {
  const shared = { query: [], payloadHash: emptyHash }
  const get = canonicalRequest({
    ...shared,
    method: 'GET',
    path: '/test.txt',
    headers: [
      ['host', host],
      ['x-amz-date', date],
      ['x-amz-content-sha256', emptyHash],
      ['range', 'bytes=0-9'],
    ],
  })
  assert.equal(
    stringToSign(date, key.region, get),
    `AWS4-HMAC-SHA256\n${date}\n20130524/us-east-1/s3/aws4_request\n` +
      '7344ae5b7ee6c3e7e6b0fe0640412a37625d1fbfff95c48bbb2dc43964946972',
  )
  assert.equal(signature(key, date, get), 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41')

  const payloadHash = '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072'
  const put = canonicalRequest({
    method: 'PUT',
    path: '/test$file.text',
    query: [],
    headers: [
      ['date', 'Fri, 24 May 2013 00:00:00 GMT'],
      ['host', host],
      ['x-amz-content-sha256', payloadHash],
      ['x-amz-date', date],
      ['x-amz-storage-class', 'REDUCED_REDUNDANCY'],
    ],
    payloadHash,
  })
  assert.equal(signature(key, date, put), '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd')

  const list = canonicalRequest({
    ...shared,
    method: 'GET',
    path: '/',
    query: [
      ['prefix', 'J'],
      ['max-keys', '2'],
    ],
    headers: [
      ['host', host],
      ['x-amz-content-sha256', emptyHash],
      ['x-amz-date', date],
    ],
  })
  assert.equal(signature(key, date, list), '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7')
})

const crossChecks: { title: string; method: string; path: string; query: [string, string][]; contentType?: string }[] =
  [
    { title: 'a plain PUT', method: 'PUT', path: '/bucket/uploads/one', query: [] },
    { title: 'a bound Content-Type', method: 'PUT', path: '/bucket/uploads/one', query: [], contentType: 'image/png' },
    {
      title: 'blanks inside a bound Content-Type',
      method: 'PUT',
      path: '/bucket/uploads/one',
      query: [],
      contentType: 'text/plain;  charset=utf-8',
    },
    {
      title: 'answer overrides with every awkward character',
      method: 'GET',
      path: '/bucket/a-b/c_d.pdf',
      query: [
        ['response-content-type', 'application/pdf'],
        ['response-content-disposition', `attachment; filename="a b+c.pdf"; filename*=UTF-8''a%20b%2Bc(!)*~é.pdf`],
      ],
    },
  ]

for (const { title, method, path, query, contentType } of crossChecks) {
  test(`our signature is the one aws4fetch makes, and its URL passes our check: ${title}`, async () => {
    const origin = 'http://storage.example:8090'
    const ours = presignedUrl({
      method,
      origin,
      path,
      query,
      headers: contentType === undefined ? [] : [['content-type', contentType]],
      key,
      now,
      lifetimeSeconds: 60,
    })
    const url = new URL(path, origin)
    for (const [name, value] of [...query, ['X-Amz-Expires', '60'] as const]) url.searchParams.set(name, value)
    const signer = new AwsV4Signer({
      ...key,
      method,
      url: url.href,
      headers: contentType === undefined ? {} : { 'content-type': contentType },
      service: 's3',
      datetime: date,
      signQuery: true,
      allHeaders: true,
    })
    const theirs = (await signer.sign()).url
    assert.equal(new URL(ours).searchParams.get('X-Amz-Signature'), theirs.searchParams.get('X-Amz-Signature'))

    for (const signed of [ours, theirs.href]) {
      const headers = { host: 'storage.example:8090', ...(contentType && { 'content-type': contentType }) }
      const received = { method, target: signed.slice(origin.length), headers }
      assert.deepEqual(verifiedRequest(received, key, now), { path, query: new Map(query) })
    }
  })
}

test('a request that aws4fetch signed in its header passes our check, and not with another method, date or payload hash', async () => {
  const target = '/bucket/uploads/one'
  const signer = new AwsV4Signer({
    ...key,
    method: 'PUT',
    url: `http://storage.example:8090${target}`,
    headers: { 'x-amz-copy-source': '/bucket/uploads/two' },
    service: 's3',
    datetime: date,
  })
  const headers = { host: 'storage.example:8090', ...Object.fromEntries((await signer.sign()).headers) }
  const request = { method: 'PUT', target, headers }
  const minutesLater = (minutes: number) => new Date(now.getTime() + minutes * 60_000)
  assert.deepEqual(verifiedRequest(request, key, now), { path: target, query: new Map() })
  assert.ok(verifiedRequest(request, key, minutesLater(14)))

  const otherSource = { ...headers, 'x-amz-copy-source': '/bucket/uploads/three' }
  const promised = new AwsV4Signer({
    ...key,
    method: 'PUT',
    url: `http://storage.example:8090${target}`,
    headers: { 'x-amz-content-sha256': emptyHash },
    service: 's3',
    datetime: date,
  })
  const otherPayload = { host: headers.host, ...Object.fromEntries((await promised.sign()).headers) }
  const twoSignatures = `${target}?X-Amz-Signature=${'0'.repeat(64)}`
  assert.equal(verifiedRequest(request, key, minutesLater(15)), undefined)
  assert.equal(verifiedRequest(request, key, minutesLater(-16)), undefined)
  assert.equal(verifiedRequest({ ...request, method: 'DELETE' }, key, now), undefined)
  assert.equal(verifiedRequest({ ...request, target: `${target}x` }, key, now), undefined)
  assert.equal(verifiedRequest({ ...request, target: `${target}?acl` }, key, now), undefined)
  assert.equal(verifiedRequest({ ...request, target: twoSignatures }, key, now), undefined)
  assert.equal(verifiedRequest({ ...request, headers: otherSource }, key, now), undefined)
  assert.equal(verifiedRequest({ ...request, headers: otherPayload }, key, now), undefined)
  assert.equal(verifiedRequest(request, { ...key, secretAccessKey: 'another' }, now), undefined)
  assert.equal(verifiedRequest(request, { ...key, accessKeyId: 'another' }, now), undefined)
  assert.equal(verifiedRequest(request, { ...key, region: 'another' }, now), undefined)
})

test('malformed requests are refused and never throw', () => {
  const signed = presignedUrl({
    method: 'GET',
    origin: 'http://storage.example',
    path: '/bucket/key',
    query: [],
    headers: [],
    key,
    now,
    lifetimeSeconds: 60,
  }).slice('http://storage.example'.length)
  const headers = { host: 'storage.example' }
  assert.ok(verifiedRequest({ method: 'GET', target: signed, headers }, key, now))
  const malformed = [
    '',
    '*',
    '/bucket/key',
    '/bucket/%zz',
    '/bucket/%ff%fe',
    `http://storage.example${signed}`,
    signed.replace('SignedHeaders=host', 'SignedHeaders='),
    signed.replace('SignedHeaders=host', 'SignedHeaders=__proto__%3Bhost'),
    signed.replace('SignedHeaders=host', 'SignedHeaders=host%3Bhost'),
    signed.replace('20130524T000000Z', '20130524T000000'),
    signed.replace('20130524T000000Z', '20130532T000000Z'),
    signed.replace('Expires=60', 'Expires=060'),
    signed.replace('Expires=60', 'Expires=-60'),
    signed.replace('Expires=60', 'Expires=999999'),
    signed.replace(/Signature=\w+/, 'Signature=short'),
    signed.replace(/Signature=(\w+)/, (_, hex: string) => `Signature=${hex.toUpperCase()}`),
    `${signed}&X-Amz-Expires=60`,
  ]
  for (const target of malformed) assert.equal(verifiedRequest({ method: 'GET', target, headers }, key, now), undefined)
  assert.equal(verifiedRequest({ method: 'GET', target: signed, headers: {} }, key, now), undefined)
})

test('a signature that leaves out the host, or names a header twice, is refused', () => {
  const sent = { host: 'storage.example', 'content-type': 'image/png' }
  const target = (names: (keyof typeof sent)[]) => {
    const query: [string, string][] = [
      ['X-Amz-Algorithm', 'AWS4-HMAC-SHA256'],
      ['X-Amz-Credential', `${key.accessKeyId}/${credentialScope(date, key.region)}`],
      ['X-Amz-Date', date],
      ['X-Amz-Expires', '60'],
      ['X-Amz-SignedHeaders', names.join(';')],
    ]
    const headers = names.map((name) => [name, sent[name]] as const)
    const canonical = canonicalRequest({ method: 'PUT', path: '/key', query, headers, payloadHash: unsignedPayload })
    return `/key?${canonicalQuery(query)}&X-Amz-Signature=${signature(key, date, canonical)}`
  }
  const check = (names: (keyof typeof sent)[]) =>
    verifiedRequest({ method: 'PUT', target: target(names), headers: sent }, key, now)
  assert.ok(check(['content-type', 'host']))
  assert.equal(check(['content-type']), undefined)
  assert.equal(check(['host', 'host']), undefined)
})

test('ART-05 a URL states its expiry to the second, and works until then and not a millisecond longer', () => {
  const issued = new Date('2026-03-01T12:00:00.750Z')
  assert.equal(expiryOf(issued, 60).toISOString(), '2026-03-01T12:01:00.000Z')
  const url = presignedUrl({
    method: 'PUT',
    origin: 'http://storage.example',
    path: '/bucket/key',
    query: [],
    headers: [],
    key,
    now: issued,
    lifetimeSeconds: 60,
  })
  const request = {
    method: 'PUT',
    target: url.slice('http://storage.example'.length),
    headers: { host: 'storage.example' },
  }
  assert.ok(verifiedRequest(request, key, new Date('2026-03-01T12:00:59.999Z')))
  assert.equal(verifiedRequest(request, key, new Date('2026-03-01T12:01:00.000Z')), undefined)
  assert.throws(() => expiryOf(issued, 0), RangeError)
  assert.throws(() => expiryOf(issued, 604_801), RangeError)
  assert.throws(() => expiryOf(issued, 1.5), RangeError)
})
