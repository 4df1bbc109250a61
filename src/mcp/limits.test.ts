import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newPartner } from '../../test/world/limited.ts'
import { current, post } from '../../test/world/mcp.ts'
import { partner, send, type Partner } from '../../test/world/partner.ts'
import { testService } from '../../test/world/service.ts'

// The clock stands still, so that no bucket refills and no new day begins.
const now = new Date()
const service = await testService({ limits: 'on', clock: () => now, monotonic: () => 0 })

/** The daily quota left, after this request. */
async function remaining(who: Partner): Promise<number> {
  return (await who.get('/v1/me')).body.limits.dailyRemaining
}

const call = (id: number) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'list_sites', arguments: {} },
})

/** What the headers of an answer say is left of the burst and of the day. */
function told(headers: Headers): number[] {
  return [...headers.get('ratelimit')!.matchAll(/r=(\d+)/g)].map(([, left]) => Number(left))
}

test('LIM-07 a tool call spends one request, a batch one for each call in it, any other message none', async () => {
  const primary = await partner(service, 'primary')
  const spentBy = async (act: () => Promise<unknown>): Promise<number> => {
    const left = await remaining(primary)
    await act()
    return left - (await remaining(primary)) - 1
  }
  assert.equal(await spentBy(() => current(primary, { method: 'tools/call', params: { name: 'list_sites' } })), 1)
  assert.equal(await spentBy(() => post(primary, call(1))), 1)
  assert.equal(await spentBy(() => current(primary, { method: 'tools/list' })), 0)
  assert.equal(await spentBy(() => current(primary, { method: 'server/discover' })), 0)
  assert.equal(await spentBy(() => post(primary, { jsonrpc: '2.0', method: 'notifications/initialized' })), 0)
  assert.equal(await spentBy(() => post(primary, 'no message')), 0)
  assert.equal(await spentBy(() => post(primary, [call(1), call(2), call(3)], {})), 3)
  assert.equal(await spentBy(() => post(primary, [{ jsonrpc: '2.0', id: 9, method: 'ping' }, call(1)], {})), 1)
})

test('LIM-07 a question to a person spends one request, and the call that they confirm another', async () => {
  const primary = await partner(service, 'primary')
  const { fixtures } = service.manifest
  const meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } }
  const params = { name: 'update_user', arguments: { userId: fixtures.users.plain, firstName: 'Dana' }, _meta: meta }
  const left = await remaining(primary)
  const { result } = (await current(primary, { method: 'tools/call', params })).body
  assert.equal(result.resultType, 'input_required')
  assert.equal(await remaining(primary), left - 2)
  const inputResponses = { confirmation: { action: 'accept', content: { goAhead: true } } }
  const confirmed = { ...params, inputResponses, requestState: result.requestState }
  const done = await current(primary, { method: 'tools/call', params: confirmed })
  assert.equal(done.body.result.structuredContent.firstName, 'Dana')
  assert.equal(await remaining(primary), left - 4)
})

test('LIM-07 another method than POST is 405 to a caller however often it is sent, and spends nothing', async () => {
  const trial = await newPartner(service, 'TRIAL')
  const authorization = `Bearer ${trial.token}`
  const left = await remaining(trial)
  for (let turn = 0; turn < 5; turn++) {
    for (const method of ['GET', 'DELETE']) {
      const { status, headers, body } = await send(trial.baseUrl, method, '/v1/mcp', undefined, { authorization })
      assert.deepEqual([status, body.code, headers.get('allow')], [405, 'method_not_allowed', 'POST'])
      assert.equal(headers.get('ratelimit'), null)
    }
  }
  assert.equal(await remaining(trial), left - 1)
  assert.equal((await send(trial.baseUrl, 'GET', '/v1/mcp')).status, 401)
})

test('LIM-07 the headers tell what the last call of a batch left, and nothing where nothing was spent', async () => {
  const neighbour = await partner(service, 'neighbour')
  const one = told((await post(neighbour, call(1))).headers)
  const three = told((await post(neighbour, [call(1), call(2), call(3)], {})).headers)
  assert.equal(one.length, 2)
  assert.deepEqual(
    three,
    one.map((left) => left - 3),
  )
  const { headers } = await current(neighbour, { method: 'tools/list' })
  assert.equal(headers.get('ratelimit'), null)
})

test('LIM-01 LIM-07 ERR-70 calls beyond the limit are failed calls that a model can read, alone and in a batch', async () => {
  const trial = await partner(service, 'trial')
  const { status, body } = await post(
    trial,
    Array.from({ length: 25 }, (_, index) => call(index)),
    {},
  )
  assert.equal(status, 200)
  const failed = body.filter(({ result }: any) => result.isError)
  assert.deepEqual([failed.length, body.length], [20, 25])
  const alone = await post(trial, call(1))
  const modern = await current(trial, { method: 'tools/call', params: { name: 'list_sites', arguments: {} } })
  assert.deepEqual([alone.status, modern.status], [200, 200])
  assert.equal(told(alone.headers)[0], 0)
  for (const { result } of [...failed, alone.body, modern.body]) {
    assert.equal(result.isError, true)
    assert.equal(result.structuredContent.code, 'rate_limit_exceeded')
    assert.match(result.content[1].text, /^Retry-After: \d+ seconds$/)
  }
  const { body: listed } = await current(trial, { method: 'tools/list' })
  assert.ok(listed.result.tools.length > 0, 'a partner without requests left still learns what tools there are')
})
