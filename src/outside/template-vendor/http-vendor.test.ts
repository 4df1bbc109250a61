import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, afterEach, before, test } from 'node:test'
import { Outage } from '../../vocabulary/outage.ts'
import { createEgress, type Egress } from '../egress/guarded-request.ts'
import { httpTemplateVendor } from './http-vendor.ts'
import { noTemplateVendor, type TemplateVendor } from './template-vendor.ts'

/** A vendor that answers as the current test says, and records its requests. */
let server: Server
let egress: Egress
let vendor: TemplateVendor
let answer: (response: ServerResponse) => void
let asked: string[] = []
let sent = ''

before(async () => {
  server = createServer(async (request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.accept}`)
    sent = await text(request)
    answer(response)
  })
  egress = createEgress({ allowedHosts: (host) => host === '127.0.0.1' })
  vendor = httpTemplateVendor(egress, await listeningUrl(server))
})
after(async () => {
  egress.close()
  await closed(server)
})
afterEach(() => (asked = []))

async function listeningUrl(each: Server): Promise<string> {
  each.listen(0, '127.0.0.1')
  await once(each, 'listening')
  return `http://127.0.0.1:${(each.address() as AddressInfo).port}`
}

function closed(each: Server): Promise<unknown> {
  each.closeAllConnections()
  return new Promise((resolve) => each.close(resolve))
}

function answers(status: number, body: string | Buffer | object, headers: Record<string, string> = {}): void {
  answer = (response) =>
    response
      .writeHead(status, headers)
      .end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body))
}

test('CAT-20 a document is read as the vendor sends it: texts verbatim, missing keys as null, and empty lists as no list', async () => {
  answers(200, {
    id: 'card',
    variables: [
      { name: 'Name', displayName: 'Full name', dataType: 'SingleLineText', required: true, listItems: null },
      { name: 'office', dataType: 'dropDown ', listItems: ['Boston', ''] },
      { name: ' spaced ', displayName: '', required: null, listItems: [] },
    ],
  })
  assert.deepEqual(await vendor.document('card'), {
    variables: [
      { name: 'Name', displayName: 'Full name', dataType: 'SingleLineText', required: true, listItems: null },
      { name: 'office', displayName: null, dataType: 'dropDown ', required: false, listItems: ['Boston', ''] },
      { name: ' spaced ', displayName: '', dataType: null, required: false, listItems: null },
    ],
  })
  assert.deepEqual(asked, ['GET /documents/card application/json'])
})

test('CAT-23 nothing is cached: every read asks the vendor', async () => {
  answers(200, { variables: [] })
  for (let turn = 0; turn < 3; turn++) await vendor.document('card')
  assert.equal(asked.length, 3)
})

test('a document that the vendor does not have is not an outage', async () => {
  answers(404, 'gone')
  assert.equal(await vendor.document('card'), undefined)
})

test('an id is one segment of the path, whatever its characters', async () => {
  answers(404, '')
  for (const id of ['a/b', '../admin', 'a?b=c', 'ü', 'a%2e']) await vendor.document(id)
  assert.deepEqual(
    asked.map((each) => each.split(' ')[1]),
    ['/documents/a%2Fb', '/documents/..%2Fadmin', '/documents/a%3Fb%3Dc', '/documents/%C3%BC', '/documents/a%252e'],
  )
  asked = []
  for (const id of ['.', '..']) assert.equal(await vendor.document(id), undefined)
  assert.deepEqual(asked, [])
})

const broken: [string, number, string | object, Record<string, string>?][] = [
  ['a failure of its own', 500, ''],
  ['a refusal', 403, ''],
  ['a redirect', 302, '', { location: '/elsewhere' }],
  ['too many requests', 429, ''],
  ['an empty success', 200, ''],
  ['no content', 204, ''],
  ['HTML', 200, '<html></html>'],
  ['half a character', 200, '{"variables":[{"name":"\\ud800"}]}'],
  ['a list', 200, []],
  ['no variables', 200, {}],
  ['variables that are no list', 200, { variables: { name: 'a' } }],
  ['a variable without a name', 200, { variables: [{ displayName: 'a' }] }],
  ['a variable with an empty name', 200, { variables: [{ name: '' }] }],
  ['a variable that is null', 200, { variables: [null] }],
  ['a label that is a number', 200, { variables: [{ name: 'a', displayName: 1 }] }],
  ['a requirement that is a text', 200, { variables: [{ name: 'a', required: 'yes' }] }],
  ['a list of numbers', 200, { variables: [{ name: 'a', listItems: [1] }] }],
  ['packed bytes', 200, '{}', { 'content-encoding': 'gzip' }],
  ['more than it may', 200, JSON.stringify({ variables: [{ name: 'a'.repeat(1_100_000) }] })],
]
for (const [what, status, body, headers] of broken) {
  test(`a vendor that answers with ${what} is an outage`, async () => {
    answers(status, body, headers)
    await assert.rejects(vendor.document('card'), Outage)
  })
}

const pdf = Buffer.from('%PDF-1.6 and bytes that are no text \xff\x00', 'latin1')
const isPdf = { 'content-type': 'application/pdf' }

test('the vendor is sent the values by their names, and its PDF comes back byte for byte', async () => {
  const values = { Name: 'Zoë "Z" 渡辺', ' spaced ': '', constructor: 'x' }
  answers(200, pdf, { 'content-type': 'Application/PDF; version=1.6' })
  assert.deepEqual(await vendor.render('a card', values), { pdf })
  assert.deepEqual(asked, ['POST /documents/a%20card/renderings application/pdf, application/json'])
  assert.deepEqual(JSON.parse(sent), { variables: values })
})

test('values are checked without drawing: problems are read as the vendor sends them, a missing key as null', async () => {
  answers(200, {
    problems: [
      { variable: 'Name', kind: 'too_long', lengthMax: 30 },
      { variable: 'Title', kind: 'no_glyphs', characters: '𓀀', lengthMax: null },
      { variable: 'Office', kind: 'smells_bad', characters: '' },
    ],
  })
  assert.deepEqual(await vendor.check('card', { Name: 'A' }), [
    { variable: 'Name', kind: 'too_long', lengthMax: 30, characters: null },
    { variable: 'Title', kind: 'no_glyphs', lengthMax: null, characters: '𓀀' },
    { variable: 'Office', kind: 'unusable', lengthMax: null, characters: null },
  ])
  assert.deepEqual(asked, ['POST /documents/card/checks application/json'])
  assert.deepEqual(JSON.parse(sent), { variables: { Name: 'A' } })
})

test('values that the vendor finds it cannot draw come back as problems', async () => {
  answers(422, { problems: [{ variable: 'Name', kind: 'missing' }] })
  const problems = [{ variable: 'Name', kind: 'missing', lengthMax: null, characters: null }]
  assert.deepEqual(await vendor.render('card', {}), { problems })
})

test('a vendor that neither checks nor draws finds no problems and makes no file', async () => {
  answers(404, 'what?')
  assert.deepEqual(await vendor.check('card', {}), [])
  assert.equal(await vendor.render('card', {}), undefined)
  assert.deepEqual(
    [await noTemplateVendor.check('card', {}), await noTemplateVendor.render('card', {})],
    [[], undefined],
  )
  asked = []
  assert.deepEqual([await vendor.check('..', {}), await vendor.render('.', {})], [[], undefined])
  assert.deepEqual(asked, [])
})

const brokenRenderings: [string, number, string | Buffer | object, Record<string, string>?][] = [
  ['a failure of its own', 500, ''],
  ['a redirect', 302, '', { location: '/elsewhere' }],
  ['too many requests', 429, ''],
  ['a PDF of no type', 200, pdf],
  ['a PDF called a picture', 200, pdf, { 'content-type': 'image/png' }],
  ['HTML called a PDF', 200, '<html></html>', isPdf],
  ['nothing called a PDF', 200, '', isPdf],
  ['packed bytes', 200, pdf, { ...isPdf, 'content-encoding': 'gzip' }],
  ['a PDF larger than it may be', 200, Buffer.concat([pdf, Buffer.alloc(33_554_432)]), isPdf],
  ['a refusal without problems', 422, { problems: [] }],
  ['a refusal without a list', 422, {}],
]
for (const [what, status, body, headers] of brokenRenderings) {
  test(`a vendor that answers a rendering with ${what} is an outage`, async () => {
    answers(status, body, headers)
    await assert.rejects(vendor.render('card', {}), Outage)
  })
}

const brokenChecks: [string, number, string | object][] = [
  ['a failure of its own', 500, ''],
  ['a refusal', 422, { problems: [] }],
  ['HTML', 200, '<html></html>'],
  ['no problems', 200, {}],
  ['a problem that is null', 200, { problems: [null] }],
  ['a problem without a variable', 200, { problems: [{ kind: 'missing' }] }],
  ['a problem with an empty variable', 200, { problems: [{ variable: '', kind: 'missing' }] }],
  ['a problem without a kind', 200, { problems: [{ variable: 'Name' }] }],
  ['a length of none', 200, { problems: [{ variable: 'Name', kind: 'too_long', lengthMax: 0 }] }],
  ['a length in words', 200, { problems: [{ variable: 'Name', kind: 'too_long', lengthMax: 'ten' }] }],
  ['characters that are a number', 200, { problems: [{ variable: 'Name', kind: 'no_glyphs', characters: 1 }] }],
]
for (const [what, status, body] of brokenChecks) {
  test(`a vendor that answers a check with ${what} is an outage`, async () => {
    answers(status, body)
    await assert.rejects(vendor.check('card', {}), Outage)
  })
}

const lasting = [
  {
    what: 'draw',
    ask: () => vendor.render('card', {}),
    found: { pdf },
    end: (it: ServerResponse) => it.writeHead(200, isPdf).end(pdf),
  },
  {
    what: 'check',
    ask: () => vendor.check('card', {}),
    found: [],
    end: (it: ServerResponse) => it.end('{"problems":[]}'),
  },
]
for (const { what, ask, found, end } of lasting) {
  test(`a vendor may ${what} for fifteen seconds`, async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const arrived = Promise.withResolvers<ServerResponse>()
    answer = arrived.resolve
    const patient = ask()
    const response = await arrived.promise
    t.mock.timers.tick(14_999)
    end(response)
    assert.deepEqual(await patient, found)

    const again = Promise.withResolvers<ServerResponse>()
    answer = again.resolve
    const asking = ask()
    await again.promise
    t.mock.timers.tick(15_000)
    await assert.rejects(asking, Outage)
  })
}

test('a vendor that hangs up, breaks off, or cannot be reached is an outage', async () => {
  answer = (response) => response.socket!.destroy()
  await assert.rejects(vendor.document('card'), Outage)
  answer = (response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"variables":')
    setImmediate(() => response.socket!.destroy())
  }
  await assert.rejects(vendor.document('card'), Outage)

  const gone = createServer()
  const url = await listeningUrl(gone)
  await closed(gone)
  await assert.rejects(httpTemplateVendor(egress, url).document('card'), Outage)
})

test('a vendor that does not answer within three seconds is an outage', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const arrived = Promise.withResolvers<ServerResponse>()
  answer = arrived.resolve
  const patient = vendor.document('card')
  const response = await arrived.promise
  t.mock.timers.tick(2_999)
  response.end('{"variables":[]}')
  assert.deepEqual(await patient, { variables: [] })

  const again = Promise.withResolvers<ServerResponse>()
  answer = again.resolve
  const asking = vendor.document('card')
  await again.promise
  t.mock.timers.tick(3_000)
  await assert.rejects(asking, Outage)
})

test('a vendor at an address that is not public is not called', async () => {
  const guarded = createEgress({ allowedHosts: () => false })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await assert.rejects(httpTemplateVendor(guarded, url).document('card'), Outage)
  assert.deepEqual(asked, [])
  guarded.close()
})
