import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testService } from '../../../test/world/service.ts'
import { authorizeUrl, newBrowser, newVerifier, signInOf, type Browser } from '../../../test/world/sign-in.ts'
import { sql } from '../../database/sql.ts'

const service = await testService({ variables: { TRUSTED_PROXIES: '127.0.0.1' } })
const base = service.hosts.baseUrl
const who = signInOf(service, 'primary')

/** Enters a password from an address. 200 = wrong or right, the page says which. */
async function enter(
  browser: Browser,
  address: string,
  { username, password }: { username: string; password: string },
): Promise<number> {
  const headers = { 'x-forwarded-for': address }
  const page = await browser.follow(authorizeUrl(base, who, newVerifier().challenge, { prompt: 'login' }))
  const proof = /name="proof"\s+value="([^"]+)"/.exec(page.text)![1]!
  return (await browser.open(page.url, { headers, form: { proof, action: 'sign-in', username, password } })).status
}

const wrong = { username: who.username, password: 'a guess' }
const [letIn, refused, tooMany] = [303, 401, 429]

/** Guesses in one step of a sign-in, as fast as an attacker would. */
async function guess(address: string, times: number, guessed = wrong): Promise<number[]> {
  const browser = newBrowser(base)
  const page = await browser.follow(authorizeUrl(base, who, newVerifier().challenge))
  const proof = /name="proof"\s+value="([^"]+)"/.exec(page.text)![1]!
  const statuses: number[] = []
  for (let turn = 0; turn < times; turn++) {
    const form = { proof, action: 'sign-in', ...guessed }
    statuses.push((await browser.open(page.url, { headers: { 'x-forwarded-for': address }, form })).status)
  }
  return statuses
}

async function afresh(): Promise<void> {
  await service.production.database.statements.rows(sql`delete from sign_in_attempts`)
}

test('SIGN-01 wrong passwords from one network lock nobody out elsewhere, nor others in that network', async () => {
  await afresh()
  const statuses = await guess('203.0.113.1', 110)
  assert.deepEqual(new Set(statuses.slice(0, 10)), new Set([refused]))
  assert.deepEqual(new Set(statuses.slice(10)), new Set([tooMany]))
  assert.equal(await enter(newBrowser(base), '203.0.113.1', who), tooMany)
  assert.equal(await enter(newBrowser(base), '203.0.113.1', { username: 'somebody', password: 'x' }), refused)
  assert.equal(await enter(newBrowser(base), '198.51.100.7', who), letIn)
})

test('SIGN-01 when many networks guess a name, the person still signs in with a browser that knows them', async () => {
  await afresh()
  const known = newBrowser(base)
  assert.equal(await enter(known, '198.51.100.7', who), letIn)
  const cookie = [...known.cookies.values()].find(({ name }) => name.endsWith('_known'))!
  assert.ok(!cookie.value.includes(who.username))
  for (let network = 1; network <= 5; network++) await guess(`203.0.113.${network}`, 10)
  assert.equal(await enter(newBrowser(base), '192.0.2.9', who), tooMany)
  const forged = newBrowser(base)
  const [id] = cookie.value.split('.')
  const since = String(Math.floor(Date.now() / 1000))
  forged.cookies.set('known', { ...cookie, value: `${id}.${since}.${'A'.repeat(43)}` })
  assert.equal(await enter(forged, '192.0.2.9', who), tooMany)
  assert.equal(await enter(known, '192.0.2.9', who), letIn)
  // The browser has tries of its own, and its tries for another name count like anybody's.
  const tries: number[] = []
  for (let turn = 0; turn < 11; turn++) tries.push(await enter(known, '192.0.2.9', wrong))
  assert.deepEqual([new Set(tries.slice(0, 10)), tries[10]], [new Set([refused]), tooMany])
  assert.equal(await enter(known, '192.0.2.9', { username: 'somebody', password: 'x' }), refused)
  await guess('192.0.2.9', 10, { username: 'somebody', password: 'x' })
  assert.equal(await enter(known, '192.0.2.9', { username: 'somebody', password: 'x' }), tooMany)
})
