import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startTestService, testService } from '../../../test/world/service.ts'
import { staff } from '../../../test/world/staff.ts'
import { until } from '../../../test/world/webhooks.ts'
import { sql } from '../../database/sql.ts'

const service = await testService()
const admin = await staff(service)
const { statements } = service.owner.production
const at = '/staff/v1/production'

/** Somebody of whom only the address is known. */
async function bounced(address = `${randomUUID()}@whitfield.test`): Promise<string> {
  await statements.rows(sql`
    insert into bounced_address (address, reason, noted_on) values (${address}, 'No mailbox', now())`)
  return address
}

async function erase(email: string): Promise<{ erasureId: string; finishedOn: string | null }> {
  const { status, body } = await admin.post(`${at}/erasures`, {
    kind: 'RECIPIENT',
    id: email,
    reason: 'REQUEST',
    confirm: email,
  })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

async function isFinished(erasureId: string): Promise<boolean> {
  const row = await statements.row<{ is: boolean }>(sql`
    select finished_on is not null as is from erasure where erasure_id = ${erasureId}::uuid`)
  return row!.is
}

test('an erasure is answered in time however slow the store is, and goes on after the answer', async (t) => {
  const { objectStore } = service.production
  const email = await bounced()
  const { erasureId } = await erase(email)
  // Erased again, with files that take their time.
  await bounced(email)
  await statements.rows(sql`
    update erasure set object_keys = array['files/slow-1', 'files/slow-2'], finished_on = null
    where erasure_id = ${erasureId}::uuid`)
  const slow = Promise.withResolvers<void>()
  const { remove } = objectStore
  t.mock.method(objectStore, 'remove', async (key: string) => {
    if (key.startsWith('files/slow')) await slow.promise
    await remove(key)
  })
  const again = await erase(email)
  assert.deepEqual([again.erasureId, again.finishedOn], [erasureId, null])
  // Meanwhile others are erased to the end.
  const other = await erase(await bounced())
  assert.notEqual(other.finishedOn, null)
  slow.resolve()
  await until(() => isFinished(erasureId))
})

test('a start under a wrong key changes nothing of a database in which erased persons are there again', async () => {
  const email = await bounced()
  const { erasureId } = await erase(email)
  // As a backup from before would have it.
  await statements.rows(sql`delete from erasure where erasure_id = ${erasureId}::uuid`)
  await bounced(email)
  const startWith = (key: string) =>
    startTestService({
      databases: service.databases,
      variables: { DATA_DIR: service.dataDir, SECRET_KEY: '', SECRET_KEYS: key },
    })
  const isErased = async (): Promise<boolean> =>
    (await statements.row(sql`select from erasure where erasure_id = ${erasureId}::uuid`)) !== undefined
  await assert.rejects(
    startWith(randomBytes(32).toString('hex')),
    /^SettingRefused: SECRET_KEYS has no key that the production database was made with/,
  )
  assert.equal(await isErased(), false)
  assert.ok(await statements.row(sql`select from bounced_address where address = ${email}`))
})
