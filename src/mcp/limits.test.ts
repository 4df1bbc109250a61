import assert from 'node:assert/strict'
import { test } from 'node:test'
import { current, post } from '../../test/world/mcp.ts'
import { partner, type Partner } from '../../test/world/partner.ts'
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

test('LIM-07 a tool call spends one request, a batch one for each call in it, any other message one', async () => {
  const primary = await partner(service, 'primary')
  const spentBy = async (act: () => Promise<unknown>): Promise<number> => {
    const left = await remaining(primary)
    await act()
    return left - (await remaining(primary)) - 1
  }
  assert.equal(await spentBy(() => current(primary, { method: 'tools/call', params: { name: 'list_sites' } })), 1)
  assert.equal(await spentBy(() => post(primary, call(1))), 1)
  assert.equal(await spentBy(() => current(primary, { method: 'tools/list' })), 1)
  assert.equal(await spentBy(() => post(primary, { jsonrpc: '2.0', method: 'notifications/initialized' })), 1)
  assert.equal(await spentBy(() => post(primary, [call(1), call(2), call(3)], {})), 3)
  assert.equal(await spentBy(() => post(primary, [{ jsonrpc: '2.0', id: 9, method: 'ping' }, call(1)], {})), 1)
  const { headers } = await current(primary, { method: 'tools/list' })
  assert.match(headers.get('ratelimit')!, /"burst";r=\d+;t=\d+, "daily";r=\d+/)
})

test('LIM-01 LIM-07 ERR-70 calls beyond the limit fail one by one, and then the endpoint answers 429 with its document', async () => {
  const trial = await partner(service, 'trial')
  const { status, body } = await post(
    trial,
    Array.from({ length: 25 }, (_, index) => call(index)),
    {},
  )
  assert.equal(status, 200)
  const failed = body.filter(({ result }: any) => result.isError)
  assert.deepEqual([failed.length, body.length], [20, 25])
  for (const { result } of failed) {
    assert.equal(result.structuredContent.code, 'rate_limit_exceeded')
    assert.match(result.content[1].text, /^Retry-After: \d+ seconds$/)
  }
  const refused = await post(trial, call(1))
  assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limit_exceeded'])
  assert.equal(refused.headers.get('content-type'), 'application/problem+json')
  assert.ok(Number(refused.headers.get('retry-after')) >= 1)
})
