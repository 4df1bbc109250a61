import assert from 'node:assert/strict'
import { test } from 'node:test'
import { methodOf, pathParameterNames, type Operation } from '../../src/contract/operation.ts'
import { pathParameters } from '../../src/contract/parameters.ts'
import { problemCodes, problemStatus, problemTitle } from '../../src/contract/problems.ts'
import { operationAt } from '../world/contract.ts'
import { partner, type Answer } from '../world/partner.ts'
import { testService } from '../world/service.ts'
import { entryIds, offered, ownIds, sampleCall, urlOf, type PathIds } from './sample-calls.ts'

const service = await testService()
const primary = await partner(service, 'primary')
const ids = ownIds(service.manifest)

const answers: Answer[] = []

async function call(id: (typeof entryIds)[number], changes: { query?: string; body?: unknown; path?: PathIds }) {
  const sample = sampleCall(id, { ...ids, ...changes.path })
  const body = 'body' in changes ? changes.body : sample.body
  const answer = await primary.call(sample.method, urlOf(id, { ...sample, query: changes.query ?? '' }), body)
  answers.push(answer)
  return answer
}

test('ERR-20, GEN-09, GEN-10 every operation refuses an unknown query parameter and names the ones it knows', async () => {
  for (const id of entryIds) {
    const known = Object.keys((offered[id] as Operation).query ?? {})
    const answer = await call(id, { query: 'nosuch=1' })
    assert.equal(answer.body.code, 'unknown_query_parameter', id)
    assert.ok(answer.body.detail.includes('"nosuch"'), id)
    assert.ok(
      answer.body.detail.includes(known.length === 0 ? 'none' : known.join(', ')),
      `${id}: ${answer.body.detail}`,
    )
    for (const name of known.filter((each) => each !== each.toLowerCase())) {
      assert.equal(
        (await call(id, { query: `${name.toLowerCase()}=1` })).body.code,
        'unknown_query_parameter',
        `${id} ${name}`,
      )
    }
  }
})

test('ERR-18, VER-03 every collection read refuses updatedSince with its own code, whatever its value; other operations refuse it as unknown', async () => {
  for (const id of entryIds) {
    const expected = (offered[id] as Operation).collection ? 'updated_since_not_supported' : 'unknown_query_parameter'
    for (const value of ['2026-01-01T00:00:00Z', '', 'x']) {
      assert.equal((await call(id, { query: `updatedSince=${value}` })).body.code, expected, id)
    }
  }
})

test('every operation refuses a repeated query parameter, and a limit that is not a positive integer', async () => {
  for (const id of entryIds) {
    for (const name of Object.keys((offered[id] as Operation).query ?? {})) {
      assert.equal((await call(id, { query: `${name}=1&${name}=1` })).body.code, 'invalid_request', `${id} ${name}`)
    }
    if (!(offered[id] as Operation).query?.limit) continue
    for (const limit of ['0', '-1', '+1', '01', '1.5', '1e2', 'x', '']) {
      assert.equal((await call(id, { query: `limit=${limit}` })).body.code, 'invalid_request', `${id} limit=${limit}`)
    }
  }
})

test('GEN-16, ERR-10, ERR-11, ERR-12, ERR-21, ERR-23, ERR-24, ERR-27, ERR-29, ERR-31, ERR-40 every malformed path id answers its own code', async () => {
  const malformed = [
    '0',
    '-1',
    '+1',
    '01',
    '1.0',
    '1e3',
    'x',
    '%20',

    '%zz',
    '%F0%28',
    '9'.repeat(40),
    'SLX_1',
    'a/b'.replace('/', '%2F'),
  ]
  for (const id of entryIds) {
    for (const name of pathParameterNames(offered[id])) {
      for (const text of malformed) {
        const answer = await call(id, { path: { [name]: text } })
        assert.equal(answer.body?.code, pathParameters[name].malformed, `${id} ${name}=${text}`)
      }
      if (['userId', 'divisionId', 'creditAccountId'].includes(name)) {
        assert.equal((await call(id, { path: { [name]: '1234567890' } })).body.code, pathParameters[name].malformed)
      }
    }
  }
})

test('GEN-11, ERR-19 every operation refuses a body that is not JSON, not an object, not UTF-8, too deep or of another media type, or that has an unknown or duplicate key', async () => {
  for (const id of entryIds) {
    const entry: Operation = offered[id]
    if (!entry.body) continue
    const sample = sampleCall(id, ids)
    const text = JSON.stringify(sample.body)
    const bodies: Record<string, unknown> = {
      'no JSON': '{',
      'an array': '[]',
      'a string': '"x"',
      'trailing text': `${text} x`,
      'an unknown key': { ...sample.body, nosuch: 1 },
      'a key of the prototype': text.replace('{', text === '{}' ? '{"__proto__":1' : '{"__proto__":1,'),
      'a repeated key':
        text === '{}' ? '{"a":1,"a":1}' : text.replace('{', `${text.slice(0, text.indexOf(':'))}:null,`),
      'not UTF-8': Buffer.from([0x7b, 0xff, 0x7d]),
      'a byte order mark': `\uFEFF${text}`,
      'a NUL': text === '{}' ? '{"a":"\\u0000"}' : text.replace('{', '{"nosuch":"\\u0000",'),
      'a lone surrogate': text === '{}' ? '{"a":"\\ud800"}' : text.replace('{', '{"nosuch":"\\ud800",'),
      'too deep': `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`,
    }
    for (const [what, body] of Object.entries(bodies)) {
      const answer = await call(id, { body })
      assert.equal(answer.status, 400, `${id}, ${what}: ${JSON.stringify(answer.body)}`)
      assert.equal(answer.body.code, entry.body.malformed, `${id}, ${what}: ${answer.body.detail}`)
    }
    const asText = await primary.call(sample.method, urlOf(id, sample), text, { 'content-type': 'text/plain' })
    assert.equal(asText.body.code, entry.body.malformed, `${id} as text/plain`)
    const compressed = await primary.call(sample.method, urlOf(id, sample), text, { 'content-encoding': 'gzip' })
    assert.equal(compressed.body.code, entry.body.malformed, `${id} compressed`)
  }
})

test('an operation without a body refuses a non-empty one', async () => {
  for (const id of entryIds) {
    const entry: Operation = offered[id]
    if (entry.body || methodOf(entry) === 'GET') continue
    assert.equal((await call(id, { body: '{}' })).body.code, 'invalid_request', id)
  }
})

test('VER-01, VER-02 an unknown path is 404 route_not_found; a known path with another method is 405 with Allow', async () => {
  for (const path of ['/', '/v1', '/v1/', '/v2/orders', '/v1/nothing', '/V1/orders', '/orders', '/oauth2/nothing']) {
    const answer = await primary.get(path)
    assert.equal(answer.body.code, 'route_not_found', path)
    assert.equal(answer.status, 404)
  }
  const every = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
  for (const id of entryIds) {
    const url = urlOf(id, sampleCall(id, ids))
    // A fixed path also fits the form of one with an id: `quote` may be an order number for other methods.
    const allowed = new Set(every.filter((method) => operationAt(method, url)))
    if (allowed.has('GET')) allowed.add('HEAD')
    for (const method of every) {
      if (allowed.has(method)) continue
      const answer = await primary.call(method, url)
      assert.equal(answer.status, 405, `${method} ${id}`)
      assert.equal(answer.body.code, 'method_not_allowed')
      assert.equal(answer.headers.get('allow'), [...allowed].toSorted().join(', '), id)
    }
  }
})

test('ERR-01, ERR-02, ERR-03, ERR-04, ERR-05, VER-04 every refusal in these tests is a problem document with a published code', () => {
  assert.ok(answers.length > 500)
  for (const { status, headers, body } of answers.filter((answer) => answer.status >= 400)) {
    assert.match(headers.get('content-type')!, /^application\/problem\+json/)
    assert.deepEqual(Object.keys(body), ['type', 'title', 'status', 'code', 'detail', 'requestId'])
    assert.equal(body.type, 'about:blank')
    assert.equal(body.status, status)
    assert.ok(problemCodes.includes(body.code))
    assert.equal(problemStatus(body.code), status)
    assert.equal(body.title, problemTitle(status))
    assert.ok(body.detail.length > 0)
    assert.equal(body.requestId, headers.get('request-id'))
  }
})
