import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Agent } from 'node:https'
import { test } from 'node:test'
import { newPartner } from '../../../test/world/limited.ts'
import { callTool, current } from '../../../test/world/mcp.ts'
import { sendAs, type Holder } from '../../../test/world/mutual-tls.ts'
import { staffChange } from '../../../test/world/partner-builder.ts'
import { send, type Answer, type Partner } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'
import { until } from '../../../test/world/webhooks.ts'
import { sql } from '../../database/sql.ts'
import { setTier } from '../../partners/partners.ts'

/** Limits over HTTP, on clocks that move only when a test moves them. */
const start = new Date()
let now = start
let elapsed = 0

const service = await testService({ limits: 'on', clock: () => now, monotonic: () => elapsed })

const path = '/v1/sites'

/** Sends requests until one is refused. @returns how many were admitted, and the refusal */
async function spendAll(by: Partner, most = 200): Promise<{ admitted: number; refused: Answer }> {
  for (let admitted = 0; admitted <= most; admitted++) {
    const answer = await by.get(path)
    if (answer.status !== 200) return { admitted, refused: answer }
  }
  return assert.fail(`more than ${most} requests were admitted`)
}

function assertLimited({ status, headers, body }: Answer, retryAfter: string): void {
  assert.deepEqual([status, body.code, headers.get('retry-after')], [429, 'rate_limit_exceeded', retryAfter])
  assert.equal(headers.get('content-type'), 'application/problem+json')
}

async function useUp(partnerId: string, taken: number): Promise<void> {
  await service.production.database.statements.rows(sql`
    insert into partner_quota (partner_id, day, taken) values (${partnerId}, ${now.toISOString().slice(0, 10)}, ${taken})
    on conflict (partner_id, day) do update set taken = excluded.taken`)
}

for (const [id, tier, sustainedPerSecond, burst, dailyQuota] of [
  ['LIM-01', 'TRIAL', 2, 5, 10_000],
  ['LIM-02', 'STANDARD', 10, 20, 100_000],
  ['LIM-03', 'ENTERPRISE', 50, 100, 1_000_000],
] as const) {
  test(`${id} LIM-05 ERR-70 ${tier}: ${burst} at once, then ${sustainedPerSecond} per second, and ${dailyQuota} per day`, async () => {
    const by = await newPartner(service, tier)
    const { limits } = (await by.get('/v1/me')).body
    assert.deepEqual(
      [limits.tier, limits.sustainedPerSecond, limits.burst, limits.dailyQuota, limits.dailyRemaining],
      [tier, sustainedPerSecond, burst, dailyQuota, dailyQuota - 1],
    )
    const { admitted, refused } = await spendAll(by)
    assert.equal(admitted, burst - 1)
    assertLimited(refused, '1')
    elapsed += 1_000
    assert.equal((await spendAll(by)).admitted, sustainedPerSecond)
    // However long it is idle, a bucket holds no more than its burst.
    elapsed += 3_600_000
    assert.equal((await spendAll(by)).admitted, burst)
    // Refused requests are not counted.
    elapsed += 60_000
    const left = (await by.get('/v1/me')).body.limits.dailyRemaining
    assert.equal(left, dailyQuota - 2 * burst - sustainedPerSecond - 1)
  })
}

test('LIM-04 a new partner starts on Trial', async () => {
  const by = await newPartner(service)
  assert.equal((await by.get('/v1/me')).body.limits.tier, 'TRIAL')
  assert.equal((await spendAll(by)).admitted, 4)
})

test('STF-09 LIM-07 a changed tier applies from the next request on', async () => {
  const by = await newPartner(service)
  await spendAll(by)
  const change = staffChange(now)
  await service.production.database.change((tx) => setTier(tx, change, by.partnerId, 'STANDARD'))
  assert.equal((await spendAll(by)).admitted, 20)
})

test('LIM-05 ERR-70 a caller that waits as long as Retry-After says is admitted, and one token comes back each interval', async () => {
  const by = await newPartner(service, 'TRIAL')
  const { refused } = await spendAll(by)
  assertLimited(refused, '1')
  elapsed += 499
  assertLimited(await by.get(path), '1')
  elapsed += 1
  assert.equal((await by.get(path)).status, 200)
  assertLimited(await by.get(path), '1')
  elapsed += 1_000
  assert.equal((await by.get(path)).status, 200)
  assert.equal((await by.get(path)).status, 200)
  assertLimited(await by.get(path), '1')
})

test('LIM-06 ERR-70 the daily quota ends at 00:00 UTC, and Retry-After says so to the second', async () => {
  const midnight = new Date(Math.ceil(start.getTime() / 86_400_000) * 86_400_000)
  try {
    now = new Date(midnight.getTime() - 2_600)
    const [today, another] = [await newPartner(service, 'STANDARD'), await newPartner(service, 'STANDARD')]
    await useUp(today.partnerId, 100_000 - 2)
    const me = (await today.get('/v1/me')).body.limits
    assert.deepEqual([me.dailyRemaining, me.dailyResetsOn], [1, midnight.toISOString()])
    assert.equal((await today.get(path)).status, 200)
    assertLimited(await today.get(path), '3')
    elapsed += 60_000
    now = new Date(midnight.getTime() - 2_000)
    assertLimited(await today.get(path), '2')
    now = new Date(midnight.getTime() - 1)
    assertLimited(await today.get(path), '1')
    assert.equal((await another.get(path)).status, 200)

    now = midnight
    const tomorrow = (await today.get('/v1/me')).body.limits
    const nextMidnight = new Date(midnight.getTime() + 86_400_000)
    assert.deepEqual([tomorrow.dailyRemaining, tomorrow.dailyResetsOn], [99_999, nextMidnight.toISOString()])
  } finally {
    now = start
  }
})

test('LIM-07 all credentials of a partner and its agents share one bucket and one quota; no API key is sent', async () => {
  const by = await newPartner(service, 'TRIAL')
  for (const answer of [
    await by.get(path),
    await by.byOtherClient.get(path),
    await current(by, { method: 'tools/call', params: { name: 'list_sites', arguments: {} } }),
    await current(by.byOtherClient, { method: 'tools/call', params: { name: 'get_me', arguments: {} } }),
    await by.byOtherClient.get('/v1/me'),
  ]) {
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
  }
  for (const answer of [
    await by.get(path),
    await by.byOtherClient.get(path),
    await by.call('GET', path, undefined, { 'x-api-key': 'another' }),
  ]) {
    assertLimited(answer, '1')
  }
  assert.equal((await callTool(by, 'get_me', {})).body.code, 'rate_limit_exceeded')
  elapsed += 60_000
  assert.equal((await by.get('/v1/me')).body.limits.dailyRemaining, 10_000 - 6)
  const other = await newPartner(service, 'TRIAL')
  assert.equal((await spendAll(other)).admitted, 5)
})

test('LIM-07 a mutual-TLS partner has one bucket too, over all its connections and its agents', async () => {
  const { partnerId, certificate } = service.manifest.partners.certificate!
  const change = staffChange(now)
  await service.production.database.change((tx) => setTier(tx, change, partnerId, 'TRIAL'))
  const holder: Holder = {
    cert: readFileSync(certificate!.certFile),
    key: readFileSync(certificate!.keyFile),
    ca: readFileSync(certificate!.caFile),
  }
  const agent = new Agent({ keepAlive: true })
  const { mtlsBaseUrl } = service.hosts
  const statuses = []
  for (let turn = 0; turn < 4; turn++) {
    statuses.push((await sendAs(turn % 2 ? holder : { ...holder, agent }, mtlsBaseUrl, '/v1/me')).status)
  }
  // On this host even ping has a caller, and it counts against the caller's limits.
  statuses.push((await sendAs(holder, mtlsBaseUrl, '/v1/ping')).status)
  assert.deepEqual(statuses, [200, 200, 200, 200, 200])
  assertLimited(await sendAs(holder, mtlsBaseUrl, '/v1/me'), '1')
  const params = { name: 'get_me', arguments: {} }
  const called = await sendAs(holder, mtlsBaseUrl, '/v1/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  assert.equal(called.body.result.structuredContent.code, 'rate_limit_exceeded')
  agent.destroy()
})

test('ERR-70 ERR-07 beyond the limit every route answers 429, after the credential and before any other check', async () => {
  const by = await newPartner(service, 'TRIAL')
  await spendAll(by)
  for (const [method, url, body] of [
    ['GET', '/v1/no-such-route', undefined],
    ['GET', '/v1/orders/x?colour=red', undefined],
    ['POST', '/v1/orders', 'not JSON'],
    ['DELETE', path, undefined],
  ] as const) {
    assertLimited(await by.call(method, url, body), '1')
  }
  const { baseUrl } = service.hosts
  assert.equal((await send(baseUrl, 'GET', path)).status, 401)
  assert.equal((await send(baseUrl, 'GET', path, undefined, { authorization: `Bearer ${by.token}x` })).status, 401)
  // A call without a credential belongs to no partner and answers whatever the partners' limits are.
  assert.equal((await by.get('/v1/ping')).status, 200)
})

test('LIM-06 LIM-07 what a partner left of yesterday is given back to yesterday, and not to today', async () => {
  const midnight = new Date(Math.ceil(now.getTime() / 86_400_000) * 86_400_000)
  const yesterday = new Date(midnight.getTime() - 60_000)
  const taken = (partnerId: string, day: Date) =>
    service.production.database.statements
      .row<{ taken: number }>(
        sql`select taken from partner_quota where partner_id = ${partnerId} and day = ${day.toISOString().slice(0, 10)}`,
      )
      .then((row) => row?.taken)
  try {
    now = yesterday
    const by = await newPartner(service, 'TRIAL')
    assert.equal((await by.get('/v1/me')).body.limits.dailyRemaining, 9_999)
    assert.ok((await taken(by.partnerId, yesterday))! > 1, 'a block was taken in advance')
    now = midnight
    elapsed += 60_000
    assert.equal((await by.get('/v1/me')).body.limits.dailyRemaining, 9_999)
    await until(async () => (await taken(by.partnerId, yesterday)) === 1)
    assert.ok((await taken(by.partnerId, midnight))! >= 1)
    assert.equal((await by.get('/v1/me')).body.limits.dailyRemaining, 9_998)
  } finally {
    now = start
  }
})
