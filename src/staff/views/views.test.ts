import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testService } from '../../../test/world/service.ts'
import { staff, staffWith, type Staff } from '../../../test/world/staff.ts'
import { sql } from '../../database/sql.ts'
import { viewsMax } from './saved-views.ts'

const service = await testService()
const admin = await staff(service)
const [dana, kim] = [await staffWith(service, ['CUSTOMER_CARE']), await staffWith(service, [])]

const at = '/staff/v1/views'
const view = (name: string, more: object = {}) => ({
  page: 'orders',
  name,
  query: 'status=ON_HOLD',
  shared: false,
  ...more,
})
const names = async (person: Staff, query = '') =>
  (await person.get(`${at}${query}`)).body.views.map(({ name }: { name: string }) => name)

async function save(person: Staff, body: object): Promise<string> {
  const answer = await person.post(at, body)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.viewId
}

test('a view is its author’s alone until it is shared, and then colleagues see whose it is', async () => {
  const viewId = await save(dana, view('Mine'))
  assert.deepEqual([await names(dana), await names(kim), await names(admin)], [['Mine'], [], []])
  for (const other of [kim, admin]) {
    assert.equal((await other.get(`${at}/${viewId}`)).body.code, 'view_not_found')
    assert.equal((await other.put(`${at}/${viewId}`, view('Taken'))).body.code, 'view_not_found')
    assert.equal((await other.post(`${at}/${viewId}/remove`)).body.code, 'view_not_found')
  }
  const shared = await dana.put(`${at}/${viewId}`, view('Ours', { shared: true, query: 'q=Møller&x=%20' }))
  assert.deepEqual([shared.status, shared.body.own, shared.body.query], [200, true, 'q=Møller&x=%20'])
  const { name, own, author } = (await kim.get(`${at}/${viewId}`)).body
  assert.deepEqual({ name, own, author }, { name: 'Ours', own: false, author: dana.username })
  assert.deepEqual(await names(kim, '?page=orders'), ['Ours'])
  assert.deepEqual(await names(kim, '?page=partners'), [])
  const details = await service.production.database.reads.rows<{ detail: string }>(sql`
    select detail::text as detail from audit_record where subject_kind = 'staff_view'`)
  assert.ok(details.length >= 2 && details.every(({ detail }) => !detail.includes('Møller')))
})

test('only the author and an ADMIN change or remove a shared view', async () => {
  const viewId = await save(dana, view('Shared', { shared: true }))
  for (const answer of [await kim.put(`${at}/${viewId}`, view('Taken')), await kim.post(`${at}/${viewId}/remove`)]) {
    assert.deepEqual([answer.status, answer.body.code], [403, 'not_the_author'])
  }
  assert.equal((await admin.put(`${at}/${viewId}`, view('Tidied', { shared: true }))).body.name, 'Tidied')
  const hidden = await admin.put(`${at}/${viewId}`, view('Tidied'))
  assert.deepEqual([hidden.status, hidden.body.shared, hidden.body.own], [200, false, false])
  assert.equal((await admin.get(`${at}/${viewId}`)).status, 404)
  assert.ok((await names(dana)).includes('Tidied'))
  assert.equal((await dana.post(`${at}/${viewId}/remove`)).status, 200)
  assert.equal((await dana.get(`${at}/${viewId}`)).status, 404)
})

test('a person has one view of a name on a page, whatever the letter case', async () => {
  const first = await save(dana, view('Twice'))
  const second = await save(dana, view('Once'))
  await save(dana, view('Twice', { page: 'partners' }))
  await save(kim, view('Twice'))
  assert.equal((await dana.post(at, view('TWICE'))).body.code, 'view_name_taken')
  assert.equal((await dana.put(`${at}/${second}`, view('twice'))).body.code, 'view_name_taken')
  assert.equal((await dana.put(`${at}/${first}`, view('TWICE'))).status, 200)
  const both = await Promise.all([1, 2].map(() => dana.post(at, view('At once'))))
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [201, 409])
})

test('a person has a bounded number of views, also when many are saved at once', async () => {
  const keen = await staffWith(service, [])
  const answers = await Promise.all(
    Array.from({ length: viewsMax + 3 }, (_, number) =>
      keen.post(at, view(`Number ${String(number).padStart(3, '0')}`)),
    ),
  )
  const refused = answers.filter(({ status }) => status !== 201)
  assert.deepEqual(
    refused.map(({ body }) => body.code),
    Array(3).fill('too_many_views'),
  )
  const paged: string[] = []
  let cursor: string | null = null
  do {
    const { body } = await keen.get(`${at}?limit=30${cursor === null ? '' : `&cursor=${cursor}`}`)
    paged.push(...body.views.filter(({ own }: { own: boolean }) => own).map(({ name }: { name: string }) => name))
    cursor = body.nextCursor
  } while (cursor !== null)
  assert.deepEqual(paged, paged.toSorted())
  assert.equal(paged.length, viewsMax)
})

test('a view must have a page, a name and a query that is not too long', async () => {
  for (const wrong of [
    { page: 'Orders' },
    { page: '' },
    { name: ' ' },
    { query: 'x'.repeat(2_001) },
    { shared: null },
  ]) {
    assert.equal((await dana.post(at, view('Wrong', wrong))).body.code, 'invalid_request', JSON.stringify(wrong))
  }
  await save(dana, view('Long', { query: 'x'.repeat(2_000) }))
})
