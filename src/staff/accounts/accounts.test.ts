import assert from 'node:assert/strict'
import { test } from 'node:test'
import { staff, staffWith } from '../../../test/world/staff.ts'
import { testService } from '../../../test/world/service.ts'

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
})
