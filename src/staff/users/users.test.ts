import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newUser, someAddress } from '../../../test/every-staff-operation/samples/customers.ts'
import { partner, type Answer } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'
import { staff } from '../../../test/world/staff.ts'
import { sql } from '../../database/sql.ts'
import { decimalString, money } from '../../vocabulary/money.ts'

const at = '/staff/v1/production/users'

const service = await testService()
const admin = await staff(service)
const primary = await partner(service, 'primary')

async function created(changes: Record<string, unknown> = {}) {
  const answer = await admin.post(at, { ...newUser({ service }), ...changes })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body
}

function codeOf({ status, body }: Answer): [number, string] {
  return [status, body.code]
}

test('USR-11 USR-12 partners see with the next request what staff change of a user, and a deactivated user stays listed', async () => {
  const user = await created({ company: 'Berg AB' })
  const seen = async () => (await primary.get(`/v1/users/${user.userId}`)).body
  const { discount, isOrderingUser, ...published } = user
  assert.deepEqual([await seen(), discount, isOrderingUser], [published, null, false])
  const wish = { active: false, allSegmentsVisible: true, ordersRequireApproval: true, taxExempt: true, company: null }
  const changed = await admin.patch(`${at}/${user.userId}`, wish)
  assert.equal(changed.status, 200)
  const { updatedOn, ...shown } = await seen()
  const { updatedOn: _, ...former } = published
  assert.deepEqual(shown, { ...former, ...wish })
  assert.equal(updatedOn, changed.body.updatedOn)
  const listed = (await admin.get(`${at}?username=${user.username}&active=false`)).body.users
  assert.deepEqual(
    listed.map(({ userId }: { userId: number }) => userId),
    [user.userId],
  )
  assert.deepEqual((await admin.get(`${at}?username=${user.username}&active=true`)).body.users, [])
})

test('users are found by the beginning of username or e-mail address, in any letter case, on every site, in pages', async () => {
  const { main, second } = service.manifest.sites
  const siteIds = [main, second, main]
  const ids: number[] = []
  for (const [turn, siteId] of siteIds.entries()) {
    ids.push((await created({ siteId, username: `Straße_%.${turn}`, email: `Finder${turn}@Example.com` })).userId)
  }
  await created({ username: 'Strasse', email: 'find@example.com' })
  const found = async (query: string): Promise<number[]> => {
    const numbers: number[] = []
    let cursor: string | null = null
    do {
      const { body }: Answer = await admin.get(`${at}?limit=2&${query}${cursor === null ? '' : `&cursor=${cursor}`}`)
      numbers.push(...body.users.map(({ userId }: { userId: number }) => userId))
      cursor = body.nextCursor
    } while (cursor !== null)
    return numbers
  }
  assert.deepEqual(await found(`username=${encodeURIComponent('STRAßE_%')}`), ids)
  assert.deepEqual(await found(`email=finder&siteId=${main}`), [ids[0], ids[2]])
  assert.deepEqual(await found(`email=finder1`), [ids[1]])
  assert.deepEqual(await found('username=raße'), [])
})

test('an invalid user is refused with the name of the field, and nothing changes', async () => {
  const user = await created()
  const other = await created()
  const path = `${at}/${user.userId}`
  const foreignDivision = 5031
  for (const [wish, code] of [
    [{ email: 'no address' }, 'user_not_usable'],
    [{ firstName: 'x'.repeat(101) }, 'user_not_usable'],
    [{ email: other.email.toUpperCase() }, 'email_taken'],
    [{ divisionId: foreignDivision }, 'division_not_on_site'],
    [{ username: 'new' }, 'invalid_request'],
    [{}, 'invalid_request'],
    [{ active: null }, 'invalid_request'],
  ] as const) {
    assert.equal((await admin.patch(path, wish)).body.code, code, JSON.stringify(wish))
  }
  const tooLong = await admin.patch(path, { phone: '0'.repeat(41) })
  assert.equal(
    tooLong.body.detail,
    'The field phone must be one line of 1 to 40 characters, and at least one must be visible.',
  )
  assert.deepEqual((await admin.get(path)).body, user)
  assert.deepEqual(codeOf(await admin.post(at, { ...newUser({ service }), siteId: 999_999 })), [404, 'site_not_found'])
  const again = { ...newUser({ service }), username: user.username.toUpperCase() }
  assert.deepEqual(codeOf(await admin.post(at, again)), [409, 'user_already_exists'])
  assert.deepEqual(codeOf(await admin.patch(`${at}/999999`, { active: true })), [404, 'user_not_found'])
})

test('STF-10 staff see on the site and on the user for whom partners order, move that user, and cannot deactivate it', async () => {
  const { main } = service.manifest.sites
  const sitePath = `/staff/v1/production/sites/${main}`
  const site = (await admin.get(sitePath)).body
  const path = `${at}/${site.orderingUserId}`
  const user = (await admin.get(path)).body
  assert.equal(user.isOrderingUser, true)
  const { userId, username, email, firstName, lastName, divisionId } = user
  assert.deepEqual(site.orderingUser, { userId, username, email, firstName, lastName, divisionId })
  const listed = (await admin.get(`${at}?siteId=${main}&limit=200`)).body.users
  const named = listed.filter((each: { isOrderingUser: boolean }) => each.isOrderingUser)
  assert.deepEqual(
    named.map((each: { userId: number }) => each.userId),
    [userId],
  )
  assert.deepEqual(codeOf(await admin.patch(path, { active: false })), [409, 'is_ordering_user'])
  const { root, child } = service.manifest.fixtures.divisions
  const moved = await admin.patch(path, { divisionId: divisionId === root ? child : root })
  assert.equal(moved.status, 200, JSON.stringify(moved.body))
  assert.equal((await admin.get(sitePath)).body.orderingUser.divisionId, moved.body.divisionId)
  const next = await created()
  await admin.put(`${sitePath}/ordering-user`, { userId: next.userId })
  assert.equal((await admin.patch(path, { active: false })).body.active, false)
  await admin.patch(path, { active: true, divisionId })
  await admin.put(`${sitePath}/ordering-user`, { userId })
})

test("a new name of a user's discount alone is recorded, as is a new percentage alone", async () => {
  const user = await created()
  const path = `${at}/${user.userId}/discount`
  const steps = [
    { name: 'House', percent: '10' },
    { name: 'Founders', percent: '10' },
    { name: 'Founders', percent: '12.5' },
  ]
  let former: Record<string, unknown> = { name: null, percent: null }
  for (const discount of steps) {
    const answer = await admin.put(path, { discount })
    assert.deepEqual(answer.body.discount, discount)
    assert.deepEqual(await auditedBy(answer), [
      { action: 'user.discount_set', subjectId: String(user.userId), detail: { before: former, after: discount } },
    ])
    former = discount
  }
  const ended = await admin.put(path, { discount: null })
  assert.deepEqual((await auditedBy(ended))[0]!.detail, { before: former, after: { name: null, percent: null } })
})

type Audited = { action: string; subjectId: string; detail: Record<string, unknown> }

async function auditedBy(answer: Answer): Promise<Audited[]> {
  return service.production.database.statements.rows<Audited>(sql`
    select action, subject_id, detail from audit_record
    where request_id = ${answer.headers.get('request-id')} order by audit_id`)
}

test("a user's own discount applies to the next quote until it is removed", async () => {
  const { sites, fixtures } = service.manifest
  const orderingUser = (await admin.get(`/staff/v1/production/sites/${sites.main}`)).body.orderingUserId
  const lineTotal = async (): Promise<string> =>
    (await primary.post(`/v1/products/${fixtures.products.pod}/quote`, { quantity: 250 })).body.lineTotal
  const usual = await lineTotal()
  const set = await admin.put(`${at}/${orderingUser}/discount`, { discount: { name: 'House', percent: '12.5' } })
  assert.deepEqual(set.body.discount, { name: 'House', percent: '12.5' })
  assert.equal(await lineTotal(), decimalString(money(usual).times('0.875'), 2))
  for (const discount of [
    { name: ' ', percent: '5' },
    { name: 'x', percent: '0' },
    { name: 'x', percent: '100.01' },
    { name: 'x', percent: '1e1' },
    { name: 'x', percent: '1.00001' },
  ]) {
    const answer = await admin.put(`${at}/${orderingUser}/discount`, { discount })
    assert.deepEqual(codeOf(answer), [422, 'discount_not_usable'], JSON.stringify(discount))
  }
  assert.equal((await admin.put(`${at}/${orderingUser}/discount`, { discount: null })).body.discount, null)
  assert.equal(await lineTotal(), usual)
})

test('USR-16 a saved address takes country and state in any letter case, military mail, and blank parts as none', async () => {
  const { userId } = await created()
  const sent = { ...someAddress, city: ' APO ', address2: ' ', countryCode: 'us', stateCode: 'ae', zip: '09012' }
  const added = await admin.post(`${at}/${userId}/addresses`, sent)
  assert.equal(added.status, 201, JSON.stringify(added.body))
  const { city, address2, countryCode, stateCode, state } = added.body
  assert.deepEqual([city, address2, countryCode, stateCode, state], ['APO', null, 'US', 'AE', 'Armed Forces Europe'])
})

test('USR-22 staff cannot give a user an empty name, and an empty company or phone is none', async () => {
  const user = await created()
  for (const wrong of [{ firstName: '' }, { lastName: '' }]) {
    assert.deepEqual(codeOf(await admin.patch(`${at}/${user.userId}`, wrong)), [422, 'user_not_usable'])
    assert.deepEqual(codeOf(await admin.post(at, { ...newUser({ service }), ...wrong })), [422, 'user_not_usable'])
  }
  const { body } = await admin.post(at, { ...newUser({ service }), company: '', phone: '' })
  assert.deepEqual([body.company, body.phone], [null, null])
  assert.deepEqual((await admin.patch(`${at}/${body.userId}`, { company: '', phone: '' })).body, body)
})

test('USR-12 control characters and line breaks in the names of a user are refused, to partners too', async () => {
  const user = await created()
  for (const field of ['firstName', 'lastName', 'company', 'phone']) {
    for (const text of ['Da\nna', 'Dana\u0007', 'Da\u2028na']) {
      const wrong = { [field]: text }
      assert.deepEqual(codeOf(await admin.patch(`${at}/${user.userId}`, wrong)), [422, 'user_not_usable'], field)
      assert.deepEqual(codeOf(await admin.post(at, { ...newUser({ service }), ...wrong })), [422, 'user_not_usable'])
      assert.deepEqual(codeOf(await primary.patch(`/v1/users/${user.userId}`, wrong)), [400, 'monolith_rejected'])
      const posted = await primary.post('/v1/users', { ...newUser({ service }), ...wrong })
      assert.deepEqual(codeOf(posted), [400, 'monolith_rejected'], field)
    }
  }
})

test('USR-16 staff add, replace and remove addresses; names follow from codes, and an invalid region is refused', async () => {
  const { userId } = await created()
  const path = `${at}/${userId}/addresses`
  const added = await admin.post(path, someAddress)
  assert.equal(added.status, 201)
  assert.deepEqual([added.body.country, added.body.state], ['United States of America', 'California'])
  const seen = async () => (await primary.get(`/v1/users/${userId}/addresses`)).body.addresses
  assert.deepEqual(await seen(), [added.body])

  const own = `${path}/${added.body.id}`
  for (const [wrong, code] of [
    [{ countryCode: 'uk' }, 'country_not_known'],
    [{ stateCode: 'ON' }, 'state_not_known'],
    [{ stateCode: null }, 'state_not_known'],
    [{ countryCode: 'HK', zip: '0' }, 'state_not_known'],
    [{ zip: '9410' }, 'postal_code_not_usable'],
    [{ stateCode: 'AE' }, 'postal_code_not_usable'],
    [{ city: '  ' }, 'invalid_request'],
    [{ firstName: 'Da\nna' }, 'invalid_request'],
    [{ address2: 'Floor\u0007 2' }, 'invalid_request'],
    [{ addressType: 'HOME' }, 'invalid_request'],
  ] as const) {
    assert.equal((await admin.post(path, { ...someAddress, ...wrong })).body.code, code, JSON.stringify(wrong))
    assert.equal((await admin.put(own, { ...someAddress, ...wrong })).body.code, code, JSON.stringify(wrong))
  }
  assert.deepEqual(await seen(), [added.body])
  const harbour = { address1: '1 Harbour Road', city: 'Hong Kong', zip: '-', countryCode: 'HK' }
  const replaced = await admin.put(own, harbour)
  assert.deepEqual(
    [replaced.body.id, replaced.body.state, replaced.body.firstName, replaced.body.country],
    [added.body.id, null, null, 'Hong Kong'],
  )
  assert.deepEqual(await seen(), [replaced.body])
  const other = await created()
  const notTheirs = `${at}/${other.userId}/addresses/${added.body.id}`
  assert.deepEqual(codeOf(await admin.put(notTheirs, someAddress)), [404, 'address_not_found'])
  assert.deepEqual(codeOf(await admin.post(`${notTheirs}/remove`)), [404, 'address_not_found'])
  assert.equal((await admin.post(`${own}/remove`)).body.removed, true)
  assert.deepEqual(codeOf(await admin.post(`${own}/remove`)), [404, 'address_not_found'])
  assert.deepEqual(await seen(), [])
  assert.deepEqual(codeOf(await admin.get(`${at}/999999/addresses`)), [404, 'user_not_found'])
})
