import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Database } from '../../src/database/database.ts'
import type { Partner } from '../world/partner.ts'

/**
 * Whatever the service remembers of its callers, it forgets once they are quiet. Each Map and Set that its program makes
 * is noted here, so a new one is watched without being listed.
 */
const noted: { where: string; kept: WeakRef<{ readonly size: number }> }[] = []

function note(made: { readonly size: number }): void {
  const [, , , caller = ''] = new Error().stack!.split('\n')
  const where = /\/(src\/.*:\d+):\d+\)?$/.exec(caller)?.[1]
  if (where !== undefined) noted.push({ where, kept: new WeakRef(made) })
}

globalThis.Map = class<Key, Value> extends Map<Key, Value> {
  constructor(entries?: Iterable<readonly [Key, Value]> | null) {
    super(entries)
    note(this)
  }
} as MapConstructor
globalThis.Set = class<Value> extends Set<Value> {
  constructor(values?: Iterable<Value> | null) {
    super(values)
    note(this)
  }
} as SetConstructor

// The program is loaded only now, so that its modules find these.
const { sql } = await import('../../src/database/sql.ts')
const { orderBuilder } = await import('../world/order-builder.ts')
const { newPartner } = await import('../world/limited.ts')
const { partner, send } = await import('../world/partner.ts')
const { startReceiver } = await import('../world/receiver.ts')
const { sandboxPartner } = await import('../world/sandbox.ts')
const { testService } = await import('../world/service.ts')
const { sendStaff } = await import('../world/staff.ts')
const { endpointAt, settled, until } = await import('../world/webhooks.ts')

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** These keep one entry for each statement that the program has. */
const statements = /const (nameByText|namedByStatement|columnsByNames) = /

function isOfCallers(where: string): boolean {
  const [file, line] = where.split(':') as [string, string]
  return !statements.test(readFileSync(file, 'utf8').split('\n')[Number(line) - 1]!)
}

/** How much each place in the program keeps, in all that it made. */
function kept(): Map<string, number> {
  collectGarbage()
  const sizes = new Map<string, number>()
  for (const { where, kept: one } of noted) sizes.set(where, (sizes.get(where) ?? 0) + (one.deref()?.size ?? 0))
  return sizes
}

let ahead = 0
const service = await testService({
  limits: 'on',
  variables: { TRUSTED_PROXIES: '127.0.0.1' },
  clock: () => new Date(Date.now() + ahead),
  monotonic: () => performance.now() + ahead,
})
const build = orderBuilder(service.manifest)
const callersInRound = 12

/** Many callers, each of whom the service has not seen before, do a little of everything. */
async function round(number: number): Promise<void> {
  for (let turn = 0; turn < callersInRound; turn++) {
    const newcomer = await newPartner(service)
    const from = { 'x-forwarded-for': `198.51.${number}.${turn}` }
    const ask = (method: string, path: string, body?: unknown): ReturnType<Partner['call']> =>
      newcomer.call(method, path, body, from)
    const { baseUrl } = newcomer
    assert.equal((await ask('GET', '/v1/me')).status, 200)
    assert.equal((await newcomer.byOtherClient.get('/v1/products?limit=1')).status, 200)
    assert.equal((await ask('GET', '/v1/orders/1')).status, 404)
    assert.equal((await ask('POST', '/v1/orders', build.order())).body.status, 'completed')
    assert.equal((await send(baseUrl, 'GET', '/v1/me', undefined, { authorization: 'Bearer x', ...from })).status, 401)
    const form = { 'content-type': 'application/x-www-form-urlencoded', ...from }
    const wrong = `grant_type=client_credentials&client_id=c${number}-${turn}&client_secret=x`
    assert.equal((await fetch(`${baseUrl}/oauth2/token`, { method: 'POST', headers: form, body: wrong })).status, 401)
    const gone = new AbortController()
    const left = fetch(`${baseUrl}/v1/orders`, {
      method: 'POST',
      headers: { authorization: `Bearer ${newcomer.token}`, 'content-type': 'application/json', ...from },
      body: JSON.stringify(build.order()),
      signal: gone.signal,
    }).catch(() => undefined)
    gone.abort()
    await left
    const unknown = { username: `nobody-${number}-${turn}`, password: 'wrong' }
    assert.equal((await sendStaff(service.hosts.consoleUrl, 'POST', '/staff/v1/session', unknown, from)).status, 401)
  }
  const sandbox = await sandboxPartner(service)
  assert.equal((await sandbox.post('/v1/orders', build.order())).body.status, 'completed')
  await logged(service.sandbox.database)
}

/** Hours pass in which one caller asks a little; what lasts for minutes has passed. */
async function quiet(): Promise<void> {
  ahead += 3 * 3_600_000
  const primary = await partner(service, 'primary')
  assert.equal((await primary.get('/v1/me')).status, 200)
  await settled(service.production.database)
  await logged(service.production.database)
}

/** Waits until the calls of this hour are in the log, which keeps the days that it has made. */
async function logged(database: Database): Promise<void> {
  const since = new Date(Date.now() + ahead - 3_600_000)
  await until(async () => {
    const rows = await database.statements.rows(sql`select from request_log where recorded_on > ${since} limit 1`)
    return rows.length > 0
  })
}

test(
  'after quiet hours the service keeps no more in memory than before new callers came',
  { timeout: 240_000 },
  async (t) => {
    const receiver = await startReceiver(t)
    await endpointAt(service.production.database, service.manifest.partners.primary.partnerId, receiver.url)
    await round(1)
    await quiet()
    const before = kept()
    assert.ok(before.size > 20, 'the program keeps something')
    await round(2)
    const atWork = kept()
    assert.ok(
      [...atWork].some(([where, size]) => size >= (before.get(where) ?? 0) + callersInRound),
      'callers are remembered while they ask',
    )
    await quiet()
    const grown = (): string[] =>
      [...kept()]
        .filter(([where, size]) => size > (before.get(where) ?? 0) && isOfCallers(where))
        .map(([where, size]) => `${where}: ${size}`)
    // The last uses of app clients are written once a minute.
    const deadline = performance.now() + 120_000
    while (grown().length > 0 && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 500))
    assert.deepEqual(grown(), [])
  },
)
