import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendStaff, staff, staffWith } from '../../../test/world/staff.ts'
import { lockWait } from '../../../test/world/lock-waits.ts'
import { testService } from '../../../test/world/service.ts'
import { sql } from '../../database/sql.ts'

const service = await testService()
let admin = await staff(service)

test('the last enabled ADMIN cannot be disabled or lose the role, not even two at once', async () => {
  const { staffId } = (await admin.get('/staff/v1/session')).body
  const own = `/staff/v1/accounts/${staffId}`
  assert.equal((await admin.post(`${own}/disable`)).body.code, 'last_admin')
  assert.equal((await admin.put(`${own}/roles`, { roles: ['AUDITOR'] })).body.code, 'last_admin')
  const second = await staffWith(service, ['ADMIN'])
  const other = `/staff/v1/accounts/${(await second.get('/staff/v1/session')).body.staffId}`
  const answers = await Promise.all([admin.post(`${own}/disable`), admin.post(`${other}/disable`)])
  const done = answers.filter(({ status }) => status === 200)
  assert.equal(done.length, 1)
  // The second call finds that its account is the last one, or that its session has ended.
  assert.ok(answers.some(({ body }) => ['last_admin', 'not_signed_in'].includes(body.code)))
  const left = done[0] === answers[0] ? second : admin
  const back = done[0] === answers[0] ? own : other
  assert.equal((await left.post(`${back}/enable`)).body.disabledOn, null)
  admin = left
})

test('a change of roles and the disabling of an account take effect with the next request', async () => {
  const person = await staffWith(service, ['AUDITOR'])
  const at = `/staff/v1/accounts/${(await person.get('/staff/v1/session')).body.staffId}`
  assert.equal((await person.get('/staff/v1/accounts')).status, 200)
  assert.deepEqual((await admin.put(`${at}/roles`, { roles: ['FINANCE'] })).body.roles, ['FINANCE'])
  assert.equal((await person.get('/staff/v1/accounts')).body.code, 'not_permitted')
  assert.equal((await admin.post(`${at}/disable`)).status, 200)
  assert.equal((await person.get('/staff/v1/session')).status, 401)
})

test('usernames are unique in any letter case and have a plain form; passwords have a minimum length', async () => {
  const create = (username: string, password = 'long enough password') =>
    admin.post('/staff/v1/accounts', { username, password, roles: [] })
  assert.equal((await create('Mara.Lind')).status, 201)
  assert.equal((await create('mara.lind')).body.code, 'username_taken')
  for (const username of ['', 'a', '-x', 'with space', 'ümlaut', 'a'.repeat(61)]) {
    assert.equal((await create(username)).body.code, 'username_not_usable', username)
  }
  assert.equal((await create('shorty', 'short')).body.code, 'password_not_usable')
  for (const password of ['Password-2026', 'qwerty!qwerty!', 'p a s s w o r d', '987654321098']) {
    const common = await create('shorty', password)
    assert.equal(common.body.code, 'password_not_usable', password)
    assert.match(common.body.detail, /common password/)
  }
  const { staffId } = (await staffWith(service, []).then((person) => person.get('/staff/v1/session'))).body
  const set = await admin.put(`/staff/v1/accounts/${staffId}/password`, { password: 'finalfantasy' })
  assert.equal(set.body.code, 'password_not_usable')
})

test('an ADMIN who sets another password ends every session of that account, and of no other', async () => {
  const person = await staffWith(service, ['AUDITOR'])
  const other = await staffWith(service, ['AUDITOR'])
  const at = `/staff/v1/accounts/${(await person.get('/staff/v1/session')).body.staffId}`
  const password = 'chosen by the admin'
  const signIn = (entered: string) =>
    sendStaff(service.hosts.consoleUrl, 'POST', '/staff/v1/session', { username: person.username, password: entered })
  const cookie = (await signIn(person.password)).headers.get('set-cookie')!.split(';')[0]!
  const inBrowser = () => sendStaff(service.hosts.consoleUrl, 'GET', '/staff/v1/session', undefined, { cookie })
  assert.equal((await inBrowser()).status, 200)
  assert.equal((await admin.put(`${at}/password`, { password })).status, 200)
  assert.equal((await person.get('/staff/v1/session')).status, 401)
  assert.equal((await inBrowser()).status, 401)
  assert.equal((await signIn(person.password)).status, 401)
  assert.equal((await signIn(password)).status, 201)
  assert.equal((await other.get('/staff/v1/session')).status, 200)
})

test('a sign-in or a change of password with the former password does not overtake its reset', async () => {
  const { database } = service.production
  const person = await staffWith(service, ['AUDITOR'])
  const { staffId } = (await person.get('/staff/v1/session')).body
  const url = service.hosts.consoleUrl
  const { username, password } = person
  const attempts = [
    () => sendStaff(url, 'POST', '/staff/v1/session', { username, password }),
    () => person.put('/staff/v1/session/password', { currentPassword: password, newPassword: 'a password of mine' }),
  ]
  for (const attempt of attempts) {
    const { done } = await database.change(async (tx) => {
      await tx.rows(sql`update staff_account set password_set_on = password_set_on + interval '1 second'
        where staff_id = ${staffId}`)
      const sending = attempt()
      await lockWait(database, 'staff_account')
      return { done: { sending } }
    })
    const { status, body } = await done.sending
    assert.ok([401, 422].includes(status), JSON.stringify(body))
  }
})
