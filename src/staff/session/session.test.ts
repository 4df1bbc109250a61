import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../database/sql.ts'
import { sendStaff, staff, staffWith } from '../../../test/world/staff.ts'
import { testService } from '../../../test/world/service.ts'

/** The service's clock is the machine's, moved by this. */
let ahead = 0

const service = await testService({
  clock: () => new Date(Date.now() + ahead),
  variables: { TRUSTED_PROXIES: '127.0.0.1' },
})
const url = service.hosts.consoleUrl

const signIn = (body: object, headers = {}) => sendStaff(url, 'POST', '/staff/v1/session', body, headers)

async function cookieSession(headers = {}) {
  const answer = await signIn(service.manifest.staff, headers)
  assert.equal(answer.status, 201)
  const cookie = answer.headers.get('set-cookie')!
  return { cookie, sent: { cookie: cookie.split(';')[0]! }, csrfToken: answer.body.session.csrfToken as string, answer }
}

test('a browser gets its session in a __Host- cookie that no script can read, and the body has only the CSRF token', async () => {
  const { cookie, sent, answer } = await cookieSession()
  assert.match(
    cookie,
    /^__Host-staff-session=pss_[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; Secure; SameSite=Strict$/,
  )
  assert.equal(answer.body.token, null)
  assert.ok(!JSON.stringify(answer.body).includes('pss_'))
  const session = await sendStaff(url, 'GET', '/staff/v1/session', undefined, sent)
  assert.equal(session.status, 200)
  assert.deepEqual(session.body, answer.body.session)
  assert.deepEqual(session.body.roles, ['ADMIN'])
})

test('a change in a cookie session needs its CSRF token and the console as its origin; a read needs neither', async () => {
  const { sent, csrfToken } = await cookieSession()
  const other = await cookieSession()
  const change = (headers: Record<string, string>) =>
    sendStaff(url, 'POST', '/staff/v1/production/partners', { name: 'Forged', machineMethod: 'BEARER' }, headers)
  const token = { 'x-csrf-token': csrfToken }
  for (const headers of [
    sent,
    { ...sent, 'x-csrf-token': '' },
    { ...sent, 'x-csrf-token': other.csrfToken },
    { ...sent, ...token, origin: 'https://elsewhere.test' },
    { ...sent, ...token, origin: 'null' },
    { ...sent, ...token, 'sec-fetch-site': 'cross-site' },
    { ...sent, ...token, 'sec-fetch-site': 'same-site', origin: url },
  ]) {
    const answer = await change(headers as Record<string, string>)
    assert.equal(answer.body.code, 'request_forged', JSON.stringify(headers))
    assert.equal(answer.status, 403)
  }
  assert.equal((await change({ ...sent, ...token, origin: url, 'sec-fetch-site': 'same-origin' })).status, 201)
  assert.equal((await change({ ...sent, ...token })).status, 201)
  assert.equal((await signIn(service.manifest.staff, { origin: 'https://elsewhere.test' })).body.code, 'request_forged')
})

test('a session works only by its own transport, until it is ended', async () => {
  const { sent, csrfToken } = await cookieSession()
  const secret = sent.cookie.split('=')[1]!
  const as = (headers: Record<string, string>) => sendStaff(url, 'GET', '/staff/v1/session', undefined, headers)
  assert.equal((await as({ authorization: `Bearer ${secret}` })).status, 401)
  const tool = await staff(service)
  assert.equal((await as({ cookie: `__Host-staff-session=${tool.token}` })).status, 401)
  assert.equal((await as({ cookie: `${sent.cookie}; ${sent.cookie}` })).status, 401)
  assert.equal((await as({ ...sent, authorization: 'Bearer no' })).status, 401)
  assert.equal((await tool.get('/staff/v1/session')).body.csrfToken, null)

  const ended = await sendStaff(url, 'POST', '/staff/v1/session/end', undefined, {
    ...sent,
    'x-csrf-token': csrfToken,
  })
  assert.match(ended.headers.get('set-cookie')!, /^__Host-staff-session=; .*Max-Age=0/)
  assert.equal((await as(sent)).status, 401)
  assert.equal((await tool.get('/staff/v1/session')).status, 200)
})

test('an hour without a request ends a session, and twelve hours end it in any case', async () => {
  const tool = await staff(service)
  const resting = await staff(service)
  try {
    for (let minutes = 50; minutes < 720; minutes += 50) {
      ahead = minutes * 60_000
      assert.equal((await tool.get('/staff/v1/session')).status, 200, `${minutes} minutes`)
      if (minutes > 60) assert.equal((await resting.get('/staff/v1/session')).status, 401)
    }
    ahead = 721 * 60_000
    assert.equal((await tool.get('/staff/v1/session')).status, 401)
  } finally {
    ahead = 0
  }
})

test('an unknown username, a wrong password and a disabled account are refused alike; six tries at once are slowed down', async () => {
  const person = await staffWith(service, ['ADMIN'])
  const gone = await staffWith(service, ['ADMIN'])
  const { staffId } = (await gone.get('/staff/v1/session')).body
  assert.equal((await person.post(`/staff/v1/accounts/${staffId}/disable`)).status, 200)
  assert.equal((await gone.get('/staff/v1/session')).status, 401)
  const said = new Set<string>()
  for (const claimed of [
    { username: 'nobody-here', password: 'x' },
    { username: person.username, password: 'x' },
    { username: gone.username, password: gone.password },
  ]) {
    const { status, body } = await signIn(claimed)
    said.add(JSON.stringify([status, body.code, body.detail]))
  }
  assert.deepEqual(
    [...said],
    [JSON.stringify([401, 'sign_in_refused', 'Username and password do not belong to an account that may sign in.'])],
  )

  const tries = await Promise.all(Array.from({ length: 8 }, () => signIn({ username: person.username, password: 'x' })))
  const slowed = tries.filter(({ status }) => status === 429)
  assert.equal(slowed.length, 4, 'one try was made before, four more are looked at')
  for (const { headers } of slowed) assert.ok(Number(headers.get('retry-after')) > 0)
  assert.equal((await signIn({ username: person.username, password: person.password })).status, 429)
  assert.equal((await signIn(service.manifest.staff)).status, 201, 'somebody else is not held up')
  ahead = 16 * 60_000
  assert.equal((await signIn({ username: person.username, password: person.password })).status, 201)
  ahead = 0
})

test('one person’s tries do not lock out others at their address', async () => {
  const person = await staffWith(service, [])
  const address = { 'x-forwarded-for': '203.0.113.50' }
  for (let turn = 0; turn < 40; turn++) {
    const { status } = await signIn({ username: person.username, password: 'x' }, address)
    assert.equal(status, turn < 5 ? 401 : 429)
  }
  assert.equal((await signIn(service.manifest.staff, address)).status, 201)
  // Different names at one address still end.
  for (let turn = 0; turn < 25; turn++) {
    assert.equal((await signIn({ username: `nobody-${turn}`, password: 'x' }, address)).status, 401)
  }
  assert.equal((await signIn(service.manifest.staff, address)).status, 429)
})

test('changing the address within an IPv6 network gives no further tries', async () => {
  const claimed = { username: 'nobody-there', password: 'x' }
  const by = async (address: string) => (await signIn(claimed, { 'x-forwarded-for': address })).status
  for (let host = 1; host <= 5; host++) assert.equal(await by(`2001:db8:1:2::${host}`), 401)
  assert.equal(await by('2001:db8:1:2:aaaa::6'), 429)
  assert.equal(await by('2001:db8:1:3::1'), 401)
})

test('a new password ends the other sessions; secrets and passwords are in no table and no log line', async () => {
  const person = await staffWith(service, ['AUDITOR'])
  const other = (await signIn({ username: person.username, password: person.password, transport: 'bearer' })).body.token
  const newPassword = 'a new and long password'
  const change = (body: object) => person.put('/staff/v1/session/password', body)
  assert.equal((await change({ currentPassword: 'x', newPassword })).body.code, 'password_wrong')
  assert.equal(
    (await change({ currentPassword: person.password, newPassword: 'short' })).body.code,
    'password_not_usable',
  )
  const common = await change({ currentPassword: person.password, newPassword: '1QAZ2wsx3edc' })
  assert.deepEqual([common.status, common.body.code], [422, 'password_not_usable'])
  assert.equal((await change({ currentPassword: person.password, newPassword })).status, 200)
  assert.equal((await person.get('/staff/v1/session')).status, 200)
  const answer = await sendStaff(url, 'GET', '/staff/v1/session', undefined, { authorization: `Bearer ${other}` })
  assert.equal(answer.status, 401)
  assert.equal((await signIn({ username: person.username, password: newPassword })).status, 201)

  const stored = await service.production.database.statements.rows<{ text: string }>(sql`
    select row_to_json(each)::text as text from
      (select * from staff_account natural left join staff_session) as each
    union all select row_to_json(audit_record)::text from audit_record`)
  const everything = [...stored.map(({ text }) => text), ...service.logLines].join('\n')
  for (const secret of [person.token, person.password, newPassword, service.manifest.staff.password]) {
    assert.ok(!everything.includes(secret))
  }
})

test('every answer carries a Request-Id and the headers that keep browsers safe', async () => {
  for (const path of ['/staff/v1/session', '/staff/openapi.json', '/nothing']) {
    const { headers } = await fetch(url + path)
    assert.match(headers.get('request-id')!, /^[0-9a-f-]{36}$/)
    const policy = headers.get('content-security-policy')!
    assert.match(policy, /default-src 'none'.*frame-ancestors 'none'/)
    assert.ok(!policy.includes('unsafe'))
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
  }
})
