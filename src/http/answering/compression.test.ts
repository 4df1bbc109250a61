import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { AnyOperation } from '../../contract/operation.ts'
import { partner } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'
import { staff } from '../../../test/world/staff.ts'
import { api } from '../../resources/api.ts'
import { developer } from '../../developer/contract.ts'
import { control } from '../../sandbox/control/contract.ts'
import { staffApi } from '../../staff/api.ts'

const service = await testService()
const [primary, admin] = [await partner(service, 'primary'), await staff(service)]
const { baseUrl, consoleUrl } = service.hosts

type Heard = { status: number; headers: Record<string, string | undefined>; bytes: Buffer }

/** Asks without the decompression of `fetch`. */
function ask(url: string, headers: Record<string, string>, method = 'GET'): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (answer) => {
      const pieces: Buffer[] = []
      answer.on('data', (piece: Buffer) => pieces.push(piece))
      answer.on('end', () =>
        resolve({
          status: answer.statusCode!,
          headers: answer.headers as Heard['headers'],
          bytes: Buffer.concat(pieces),
        }),
      )
    })
    sent.on('error', reject).end()
  })
}

const asPartner = { authorization: `Bearer ${primary.token}` }
const asStaff = { authorization: `Bearer ${admin.token}` }
const long = `${baseUrl}/v1/orders?limit=20`
const codings = { gzip: gunzipSync, br: brotliDecompressSync } as const

test('answers over 1 KB are compressed for who accepts it, and say that they depend on Accept-Encoding', async () => {
  const plain = await ask(long, asPartner)
  assert.equal(plain.headers['content-encoding'], undefined)
  assert.equal(plain.headers.vary, 'Accept-Encoding')
  const tag = plain.headers.etag!
  for (const [accepted, coding] of [
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'gzip'],
    ['gzip;q=0.5, br;q=1', 'br'],
    ['br;q=0, *', 'gzip'],
    ['GZIP', 'gzip'],
    ['identity;q=0.5, gzip;q=0.6', 'gzip'],
  ] as const) {
    const sent = { ...asPartner, 'accept-encoding': accepted }
    const got = await ask(long, sent)
    assert.equal(got.headers['content-encoding'], coding, accepted)
    assert.equal(got.headers['content-length'], String(got.bytes.length))
    assert.ok(got.bytes.length < plain.bytes.length / 2, accepted)
    assert.deepEqual(codings[coding](got.bytes), plain.bytes, accepted)
    assert.equal(got.headers.vary, 'Accept-Encoding')
    // The compressed form is other bytes, so it has a tag of its own (RFC 9110 §8.8.3.3).
    assert.equal(got.headers.etag, tag.replace(/"$/, `-${coding}"`))
    const known = await ask(long, { ...sent, 'if-none-match': got.headers.etag! })
    assert.deepEqual([known.status, known.bytes.length, known.headers.etag], [304, 0, got.headers.etag])
    assert.deepEqual([known.headers['content-encoding'], known.headers.vary], [undefined, 'Accept-Encoding'])
    const head = await ask(long, sent, 'HEAD')
    for (const name of ['etag', 'content-encoding', 'content-length', 'content-type', 'vary']) {
      assert.equal(head.headers[name], got.headers[name], name)
    }
    assert.equal(head.bytes.length, 0)
  }
  for (const refused of ['', 'identity', 'deflate', 'gzip;q=0', 'br;q=0, gzip;q=0.0', 'x', 'gzip;q=0.5, identity']) {
    const got = await ask(long, { ...asPartner, 'accept-encoding': refused })
    assert.deepEqual([got.headers['content-encoding'], got.headers.etag], [undefined, tag], refused)
    assert.deepEqual(got.bytes, plain.bytes)
  }
})

test('small answers stay as they are; staff answers, documents, files and long problems are compressed too', async () => {
  const sent = { 'accept-encoding': 'gzip' }
  const small = await ask(`${baseUrl}/v1/me`, { ...asPartner, ...sent })
  assert.deepEqual([small.headers['content-encoding'], small.headers.vary], [undefined, 'Accept-Encoding'])
  assert.ok(small.bytes.length <= 1024)
  for (const path of ['/staff/v1/production/products', '/staff/openapi.json']) {
    const plain = await ask(consoleUrl + path, asStaff)
    const got = await ask(consoleUrl + path, { ...asStaff, ...sent })
    assert.equal(got.headers['content-encoding'], 'gzip', path)
    assert.deepEqual(gunzipSync(got.bytes), plain.bytes, path)
    const known = await ask(consoleUrl + path, { ...asStaff, ...sent, 'if-none-match': got.headers.etag! })
    assert.equal(known.status, 304, path)
  }
  const csv = `${consoleUrl}/staff/v1/production/sites/${service.manifest.sites.main}/products.csv`
  const [plain, zipped] = [await ask(csv, asStaff), await ask(csv, { ...asStaff, ...sent })]
  assert.deepEqual([plain.headers['content-encoding'], zipped.headers['content-encoding']], [undefined, 'gzip'])
  assert.deepEqual(gunzipSync(zipped.bytes), plain.bytes)
  const faulty = await fetch(`${baseUrl}/v1/orders`, {
    method: 'POST',
    headers: { ...asPartner, ...sent, 'content-type': 'application/json' },
    body: JSON.stringify({ lines: Array.from({ length: 50 }, () => ({})) }),
  })
  assert.equal(faulty.headers.get('content-encoding'), 'gzip')
  assert.equal(((await faulty.json()) as { errors: unknown[] }).errors.length, 100)
})

test('an answer that holds a secret is never compressed', async () => {
  const secret = /secret$|^token$|^csrfToken$|^uploadUrl$|^invitationUrl$/i
  const holds = (schema: unknown): boolean =>
    typeof schema === 'object' &&
    schema !== null &&
    Object.entries(schema).some(
      ([name, inner]) =>
        (name === 'properties' && Object.keys(inner as object).some((each) => secret.test(each))) || holds(inner),
    )
  for (const operations of [api, control, developer, staffApi] as Readonly<Record<string, AnyOperation>>[]) {
    for (const entry of Object.values(operations)) {
      // The schema of a stream is a text: its first event tells the secret that signs the others. The export of a person
      // is rows of any table, with links that open its files.
      const isSecret = ['streamEvents', 'exportPerson'].includes(entry.id) || Object.values(entry.answers).some(holds)
      assert.equal(entry.confidential ?? false, isSecret, entry.id)
    }
  }
  const { orderNumber, itemNumber } = service.manifest.fixtures.orders.pendingReview
  const path = `/v1/orders/${orderNumber}/items/${itemNumber}/artwork/upload-url`
  const body = { fileName: `${'a'.repeat(250)}.pdf` }
  const reserved = await primary.call('POST', path, body, { 'accept-encoding': 'gzip, br' })
  assert.equal(reserved.status, 200)
  assert.ok(JSON.stringify(reserved.body).length > 500)
  assert.equal(reserved.headers.get('content-encoding'), null)
  assert.equal(reserved.headers.get('vary'), null)
})

test('nobody may keep an answer to a request with credentials, nor take it for another type', async () => {
  const basic = { authorization: 'Basic eDp5' }
  for (const [url, headers] of [
    [`${baseUrl}/v1/me`, asPartner],
    [`${baseUrl}/v1/orders/x`, asPartner],
    [`${baseUrl}/nowhere`, asPartner],
    [`${baseUrl}/v1/me`, { authorization: 'Bearer wrong' }],
    [`${baseUrl}/v1/ping`, asPartner],
    [`${baseUrl}/oauth2/jwks`, basic],
    [`${baseUrl}/oauth2/login`, { cookie: 'a=b' }],
    [`${baseUrl}/.well-known/oauth-protected-resource`, asPartner],
    [`${consoleUrl}/staff/v1/session`, asStaff],
    [`${consoleUrl}/staff/v1/production/orders`, { authorization: 'Bearer wrong' }],
    [`${consoleUrl}/nowhere`, asStaff],
    [`${service.hosts.storageUrl}/production/x?X-Amz-Signature=1`, {}],
  ] as const) {
    for (const more of [{}, { 'accept-encoding': 'gzip' }, { 'if-none-match': '*' }]) {
      const got = await ask(url, { ...headers, ...more } as Record<string, string>)
      assert.match(got.headers['cache-control'] ?? '', /no-store/, `${url} ${got.status}`)
      assert.equal(got.headers['x-content-type-options'], 'nosniff', `${url} ${got.status}`)
    }
  }
  const token = await fetch(`${baseUrl}/oauth2/token`, { method: 'POST', headers: basic, body: 'x' })
  assert.equal(token.headers.get('cache-control'), 'no-store')
  assert.equal(token.headers.get('x-content-type-options'), 'nosniff')
})

test('an answer that CORS could change says so, to every origin and to none', async () => {
  for (const path of ['/v1/mcp', '/oauth2/token', '/oauth2/jwks', '/.well-known/oauth-protected-resource/v1/mcp']) {
    for (const origin of [undefined, 'https://elsewhere.example', baseUrl]) {
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        const { headers } = await ask(baseUrl + path, origin === undefined ? {} : { origin }, method)
        assert.ok(headers.vary?.split(', ').includes('origin'), `${method} ${path} ${origin}: ${headers.vary}`)
      }
    }
  }
})
