import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operation } from '../../src/contract/operation.ts'
import { sql } from '../../src/database/sql.ts'
import { publishedScope, scopes, type Scope } from '../../src/vocabulary/scopes.ts'
import { partner, send, token, withToken, type Answer } from '../world/partner.ts'
import { testService } from '../world/service.ts'
import { entryIds, missingIds, offered, ownIds, sampleCall, urlOf } from './sample-calls.ts'

/** a time far after the system's, for expired tokens */
let hoursAhead = 0

const service = await testService({ clock: () => new Date(Date.now() + hoursAhead * 3_600_000) })

/** An answer without the parts that differ every time. */
function comparable({ status, headers, body }: Answer): unknown {
  const { requestId: _requestId, ...document } = body
  const { date: _date, 'request-id': _header, ...rest } = Object.fromEntries(headers)
  return { status, document, headers: rest }
}

/** One Authorization header for each way a credential can fail. */
async function badCredentials(): Promise<Record<string, string | undefined>> {
  const { baseUrl, sandboxBaseUrl } = service.hosts
  const { partners } = service.manifest
  const of = (key: keyof typeof partners) => partners[key]!.clients![0]!
  const valid = await token(baseUrl, of('primary'))
  hoursAhead = -2
  const expired = await token(baseUrl, of('primary'))
  hoursAhead = 0
  const revoked = await token(baseUrl, partners.neighbour!.clients![0]!)
  await service.production.database.statements.rows(sql`
    delete from app_client where client_id = ${partners.neighbour!.clients![0]!.clientId}`)
  return {
    'none at all': undefined,
    'an empty header': '',
    'another scheme': `Basic ${Buffer.from('a:b').toString('base64')}`,
    'a bearer without token': 'Bearer ',
    'two tokens': `Bearer ${valid} ${valid}`,
    'an expired token': `Bearer ${expired}`,
    'a malformed token': 'Bearer not-a-token',
    'an altered token': `Bearer ${valid.slice(0, -2)}${valid.endsWith('AA') ? 'BB' : 'AA'}`,
    'a token of the other environment': `Bearer ${await token(sandboxBaseUrl, of('sandbox'))}`,
    'a revoked client': `Bearer ${revoked}`,
    'a disabled partner': `Bearer ${await token(baseUrl, of('disabled'))}`,
    'a partner without sites': `Bearer ${await token(baseUrl, of('siteless'))}`,
    'a partner without scopes': `Bearer ${await token(baseUrl, of('scopeless'))}`,
    'a token without effective scopes': `Bearer ${await token(baseUrl, of('readonly'), publishedScope('users:write'))}`,
  }
}

test('AUTH-19, AUTH-20, AUTH-22, AUTH-23, AUTH-24, AUTH-25, AUTH-26, AUTH-27, AUTH-28, AUTH-29, ERR-41 every cause on every operation gets the same 401', async () => {
  const causes = await badCredentials()
  const ids = { ...ownIds(service.manifest), orderNumber: 'no-number' }
  let expected: unknown
  for (const id of entryIds.filter((each) => !(offered[each] as Operation).open)) {
    const call = sampleCall(id, ids)
    for (const [cause, authorization] of Object.entries(causes)) {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
      const answer = await send(
        service.hosts.baseUrl,
        call.method,
        `${urlOf(id, call)}?no=such`,
        call.body && '{',
        headers,
      )
      expected ??= comparable(answer)
      assert.equal(answer.body.code, 'invalid_token', `${id}, ${cause}`)
      assert.deepEqual(comparable(answer), expected, `${id}, ${cause}`)
      assert.equal(answer.headers.get('request-id'), answer.body.requestId)
    }
  }
})

test('AUTH-21 the requestId of a 401 leads to its cause in the log', async () => {
  const answer = await send(service.hosts.baseUrl, 'GET', '/v1/me', undefined, { authorization: 'Bearer nonsense' })
  const line = service.logLines.find((each) => each.includes(answer.body.requestId) && each.includes('cause'))
  assert.match(line ?? '', /token_not_valid/)
  assert.doesNotMatch(service.logLines.join(''), /nonsense/)
})

test('AUTH-21 a refused call is one line of the log: from where, with whose credential by its public name, and why', async () => {
  const { clientId, clientSecret } = service.manifest.partners.disabled!.clients![0]!
  const accessToken = await token(service.hosts.baseUrl, { clientId, clientSecret })
  const authorization = { authorization: `Bearer ${accessToken}` }
  const { body } = await send(service.hosts.baseUrl, 'GET', '/v1/me', undefined, authorization)
  const lines = service.logLines.filter((each) => each.includes(body.requestId))
  assert.equal(lines.length, 1)
  const { time, level, msg, status, code, sourceAddress, cause, ...line } = JSON.parse(lines[0]!)
  assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.deepEqual(
    { level, msg, status, code, sourceAddress, cause, clientId: line.clientId },
    {
      level: 'info',
      msg: 'answered',
      status: 401,
      code: 'invalid_token',
      sourceAddress: '127.0.0.1',
      cause: 'partner_disabled',
      clientId,
    },
  )
  for (const secret of [clientSecret, accessToken]) assert.ok(!service.logLines.join('').includes(secret))
})

test('AUTH-21 the log names the client of a refused call at the token endpoint, but no secret in its place', async () => {
  const { clientId, clientSecret } = service.manifest.partners.primary!.clients![0]!
  const refused = async (claimed: string) => {
    const form = { grant_type: 'client_credentials', client_id: claimed, client_secret: 'wrong' }
    const answer = await fetch(`${service.hosts.baseUrl}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    })
    const requestId = answer.headers.get('request-id')!
    return JSON.parse(service.logLines.find((each) => each.includes(requestId))!)
  }
  const { clientId: named, code, sourceAddress } = await refused(clientId)
  assert.deepEqual([named, code, sourceAddress], [clientId, 'invalid_client', '127.0.0.1'])
  assert.equal((await refused(clientSecret)).clientId, undefined)
})

test('GEN-17 ping answers without a credential and ignores any it gets', async () => {
  for (const authorization of [undefined, 'Bearer nonsense']) {
    const answer = await send(
      service.hosts.baseUrl,
      'GET',
      '/v1/ping',
      undefined,
      authorization ? { authorization } : {},
    )
    assert.equal(answer.status, 200)
  }
})

test('SCOPE-02, SCOPE-03, SCOPE-04, SCOPE-05, SCOPE-06, SCOPE-07, SCOPE-08, SCOPE-09, SCOPE-10, SCOPE-11, SCOPE-12, SCOPE-14, ERR-42 each operation needs only its own scope, and without it answers 403 before any other check', async () => {
  const client = service.manifest.partners.primary!.clients![0]!
  const withOnly = new Map<Scope, ReturnType<typeof withToken>>()
  for (const scope of scopes) {
    withOnly.set(
      scope,
      withToken(service.hosts.baseUrl, await token(service.hosts.baseUrl, client, publishedScope(scope))),
    )
  }
  for (const id of entryIds) {
    const entry: Operation = offered[id]
    const call = sampleCall(id, missingIds)
    for (const [scope, caller] of withOnly) {
      const answer = await caller.call(call.method, urlOf(id, call), call.body)
      if (entry.scope === null || entry.scope === scope) {
        assert.notEqual(answer.status, 403, `${id} with ${scope}`)
        assert.notEqual(answer.body.code, 'route_not_found', `${id} is not served`)
      } else {
        assert.equal(answer.body.code, 'insufficient_scope', `${id} with ${scope}`)
        assert.ok(answer.headers.get('www-authenticate')!.includes(publishedScope(entry.scope)))
        const malformed = await caller.call(
          call.method,
          `${urlOf(id, { ...call, path: wrong(call.path) })}?no=such`,
          call.body && '{',
        )
        assert.equal(malformed.body.code, 'insufficient_scope', `${id} with ${scope}, malformed`)
      }
    }
  }
})

function wrong(path: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.keys(path).map((name) => [name, 'x']))
}

test('SCOPE-01, SCOPE-13, SCOPE-15 the effective scopes are those that the token requested and the partner has', async () => {
  const { baseUrl } = service.hosts
  const { clients } = service.manifest.partners.readonly!
  const asked = `${publishedScope('orders:read')} ${publishedScope('orders:write')} partner-api/nothing other`
  const me = await withToken(baseUrl, await token(baseUrl, clients![0]!, asked)).get('/v1/me')
  assert.deepEqual(me.body.scopes, ['partner-api/orders:read'])
  const primary = await (await partner(service, 'primary')).get('/v1/me')
  assert.deepEqual(primary.body.scopes, scopes.map(publishedScope).toSorted())
  assert.equal(scopes.length, 10)
})
