import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { everyPage, sameButRequestId } from '../../../test/world/pages.ts'
import { type Answer, partner } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'
import { sql } from '../../database/sql.ts'
import { decimalString, money, sum } from '../../vocabulary/money.ts'

/** More accounts than the largest page has, all of one division of a granted site; every seventh is inactive. */
const crowdCount = 210

const service = await testService()
const primary = await partner(service, 'primary')
const outsider = await partner(service, 'outsider')
const { sites } = service.manifest
const accounts = service.manifest.fixtures.creditAccounts
const foreignAccount = service.manifest.fixtures.foreign.creditAccountId
const [division] = await rows<{ divisionId: number }>(sql`
  select division_id from division where site_id = ${sites.noOrdering}`)
const crowdDivision = division!.divisionId
await rows(sql`
  with opened as (
    insert into credit_account (site_id, division_id, amount, current_balance, issued_on, active)
    select ${sites.noOrdering}, ${crowdDivision}, '10.00', '10.00', now(), turn % 7 <> 0
    from generate_series(1, ${crowdCount}::int) turn
    returning credit_account_id
  )
  insert into credit_adjustment (site_id, credit_account_id, type, amount, balance_after, created_on)
  select ${sites.noOrdering}, credit_account_id, 'ALLOTMENT', '10.00', '10.00', now() from opened`)

async function rows<Row>(query: ReturnType<typeof sql>): Promise<Row[]> {
  return service.production.database.statements.rows<Row>(query)
}

type Account = {
  creditAccountId: number
  siteId: number
  divisionId: number | null
  userId: number | null
  amount: string
  currentBalance: string
  active: boolean
  stopsOn: string | null
  scope: 'USER' | 'DIVISION' | null
}

type Adjustment = {
  adjustmentId: number
  creditAccountId: number
  type: string
  amount: string
  balanceAfter: string
  orderNumber: number | null
  createdOn: string
}

async function listed(query = '', by = primary): Promise<Account[]> {
  return (await everyPage<Account>(by, `/v1/credit-accounts${query}`, 'creditAccounts', 200)).items
}

async function adjustments(creditAccountId: number, query = '', limit = 200): Promise<Adjustment[]> {
  const path = `/v1/credit-accounts/${creditAccountId}/adjustments${query}`
  return (await everyPage<Adjustment>(primary, path, 'adjustments', limit)).items
}

function ids(items: readonly Account[]): number[] {
  return items.map((each) => each.creditAccountId)
}

async function stored(condition: (account: StoredAccount) => boolean): Promise<number[]> {
  const found = await rows<StoredAccount>(sql`
    select credit_account_id, site_id, user_id, division_id, active from credit_account order by credit_account_id`)
  return found.filter(condition).map((each) => each.creditAccountId)
}

type StoredAccount = {
  creditAccountId: number
  siteId: number
  userId: number | null
  divisionId: number | null
  active: boolean
}

function codeOf(answer: Answer): [number, string] {
  return [answer.status, answer.body.code]
}

test('CRD-01 PAG-01 PAG-03 PAG-05 TEN-03 the list contains every account of the granted sites once, and no others', async () => {
  const granted = service.manifest.partners.primary!.siteIds
  const { items, sizes } = await everyPage<Account>(primary, '/v1/credit-accounts', 'creditAccounts', 33)
  assert.deepEqual(ids(items), await stored((each) => granted.includes(each.siteId)))
  assert.ok(sizes.slice(0, -1).every((size) => size === 33))
  assert.deepEqual(ids(await listed('', outsider)), await stored((each) => each.siteId === sites.foreign))
})

test('CRD-01 the filters narrow by site, user, division and status, alone and together', async () => {
  const granted = service.manifest.partners.primary!.siteIds
  const mine = (condition: (account: StoredAccount) => boolean) =>
    stored((each) => granted.includes(each.siteId) && condition(each))
  const { plain } = service.manifest.fixtures.users
  const { child } = service.manifest.fixtures.divisions
  for (const [query, condition] of [
    [`siteId=${sites.second}`, (each) => each.siteId === sites.second],
    [`userId=${plain}`, (each) => each.userId === plain],
    [`divisionId=${child}`, (each) => each.divisionId === child],
    ['active=true', (each) => each.active],
    ['active=false', (each) => !each.active],
    [`divisionId=${crowdDivision}&active=false`, (each) => each.divisionId === crowdDivision && !each.active],
    [`siteId=${sites.main}&userId=${plain}&active=true`, (each) => each.userId === plain && each.active],
  ] as [string, (account: StoredAccount) => boolean][]) {
    const expected = await mine(condition)
    assert.ok(expected.length > 0, query)
    assert.deepEqual(ids(await listed(`?${query}`)), expected, query)
  }
  const inactive = await everyPage<Account>(
    primary,
    `/v1/credit-accounts?active=false&divisionId=${crowdDivision}`,
    'creditAccounts',
    4,
  )
  assert.equal(inactive.items.length, crowdCount / 7)
})

test('CRD-09 a list without accounts is a normal answer, a holder outside the grant included', async () => {
  const [foreign] = await rows<{ userId: number }>(sql`
    select user_id from credit_account where credit_account_id = ${foreignAccount}`)
  for (const query of [
    'userId=999999999',
    'divisionId=999999999',
    `userId=${foreign!.userId}`,
    `userId=${service.manifest.fixtures.users.plain}&divisionId=${crowdDivision}`,
    `siteId=${sites.second}&active=false`,
  ]) {
    const answer = await primary.get(`/v1/credit-accounts?${query}`)
    assert.deepEqual([answer.status, answer.body], [200, { creditAccounts: [], nextCursor: null }], query)
  }
})

test('CRD-02 the list of a site is the list with that siteId, filters and pages included', async () => {
  for (const query of ['', 'active=false', 'limit=3', `divisionId=${crowdDivision}&limit=2`]) {
    const plain = (await primary.get(`/v1/credit-accounts?siteId=${sites.noOrdering}&${query}`)).body
    const ofSite = await primary.get(`/v1/sites/${sites.noOrdering}/credit-accounts?${query}`)
    assert.equal(ofSite.status, 200)
    assert.deepEqual(ofSite.body.creditAccounts, plain.creditAccounts)
    assert.equal(ofSite.body.nextCursor === null, plain.nextCursor === null)
  }
  const path = `/v1/sites/${sites.noOrdering}/credit-accounts`
  assert.deepEqual(
    ids((await everyPage<Account>(primary, path, 'creditAccounts', 50)).items),
    await stored((each) => each.siteId === sites.noOrdering),
  )
  const unknown = await primary.get('/v1/sites/999999/credit-accounts')
  const foreign = await primary.get(`/v1/sites/${sites.foreign}/credit-accounts`)
  assert.deepEqual(codeOf(unknown), [404, 'site_not_found'])
  assert.deepEqual(sameButRequestId(foreign), sameButRequestId(unknown))
  assert.deepEqual(codeOf(await primary.get(`/v1/credit-accounts?siteId=${sites.foreign}`)), [400, 'invalid_site_id'])
})

test('CRD-03 CRD-05 GEN-06 GEN-12 an account has the published fields, both in the list and in the single read', async () => {
  const { body } = await primary.get(`/v1/credit-accounts/${accounts.ofDivision}`)
  const [row] = await rows<Record<string, unknown>>(sql`
    select issued_on, starts_on, stops_on from credit_account where credit_account_id = ${accounts.ofDivision}`)
  assert.deepEqual(body, {
    creditAccountId: accounts.ofDivision,
    siteId: sites.main,
    divisionId: service.manifest.fixtures.divisions.child,
    userId: null,
    amount: '12000.00',
    currentBalance: '11254.40',
    issuedOn: row!.issuedOn,
    startsOn: row!.startsOn,
    stopsOn: row!.stopsOn,
    active: true,
    templateName: null,
    scope: 'DIVISION',
    shippingApplicable: true,
    handlingApplicable: false,
    taxApplicable: false,
  })
  const inList = (await listed(`?divisionId=${body.divisionId}`)).find(
    (each) => each.creditAccountId === accounts.ofDivision,
  )
  assert.deepEqual(inList, body)
  const ofUser = (await primary.get(`/v1/credit-accounts/${accounts.ofUser}`)).body
  assert.deepEqual([ofUser.startsOn, ofUser.stopsOn, ofUser.templateName], [null, null, 'Yearly allotment'])
  assert.deepEqual(codeOf(await primary.get(`/v1/credit-accounts/${accounts.ofUser}?active=true`)), [
    400,
    'unknown_query_parameter',
  ])
})

test('CRD-06 every account has one holder, and its scope shows which', async () => {
  const all = [...(await listed()), ...(await listed('', outsider))]
  for (const each of all) {
    assert.notEqual(each.divisionId === null, each.userId === null, String(each.creditAccountId))
    if (each.scope !== null) assert.equal(each.scope, each.userId === null ? 'DIVISION' : 'USER')
  }
  assert.ok(all.some((each) => each.scope === 'USER') && all.some((each) => each.scope === 'DIVISION'))
})

test('CRD-08 inactive and expired accounts stay listed', async () => {
  const all = await listed()
  const inactive = all.find((each) => each.creditAccountId === accounts.inactive)
  const expired = all.find((each) => each.creditAccountId === accounts.expired)
  assert.equal(inactive!.active, false)
  assert.ok(new Date(expired!.stopsOn!) < new Date())
  for (const id of [accounts.inactive, accounts.expired]) {
    assert.equal((await primary.get(`/v1/credit-accounts/${id}`)).status, 200)
  }
})

test('CRD-04 PAG-05 adjustments come newest first, add up to the balance, and each shows the balance after it', async () => {
  const { currentBalance } = (await primary.get(`/v1/credit-accounts/${accounts.ofUser}`)).body
  const all = await adjustments(accounts.ofUser, '', 50)
  assert.equal(all.length, 212)
  assert.equal(new Set(all.map((each) => each.adjustmentId)).size, all.length)
  assert.equal(decimalString(sum(all.map((each) => money(each.amount))), 2), currentBalance)
  assert.equal(all[0]!.balanceAfter, currentBalance)
  for (const [index, each] of all.entries()) {
    const earlier = all[index + 1]
    if (earlier) assert.ok(earlier.createdOn <= each.createdOn)
    const balance = money(earlier?.balanceAfter ?? 0).plus(each.amount)
    assert.equal(each.balanceAfter, decimalString(balance, 2))
  }
  const [last] = all
  assert.deepEqual(
    { ...last, adjustmentId: 0, createdOn: '' },
    {
      adjustmentId: 0,
      creditAccountId: accounts.ofUser,
      type: 'MANUAL_CREDIT',
      amount: '25.00',
      balanceAfter: currentBalance,
      orderNumber: null,
      itemNumber: null,
      userId: null,
      note: 'Goodwill for a late delivery',
      createdOn: '',
    },
  )
})

test('CRD-04 the type filter keeps one kind of movement, over all pages', async () => {
  const all = await adjustments(accounts.ofUser)
  for (const type of ['PRODUCT_DEBIT', 'TAX_DEBIT', 'ALLOTMENT', 'MANUAL_CREDIT']) {
    const expected = all.filter((each) => each.type === type)
    assert.ok(expected.length > 0)
    assert.deepEqual(await adjustments(accounts.ofUser, `?type=${type}`, 20), expected)
  }
})

test('CRD-10 an unknown but well-formed type gives an empty page', async () => {
  for (const type of ['NO_SUCH_MOVEMENT', 'X', 'A1_2', 'EXPIRATION']) {
    const answer = await primary.get(`/v1/credit-accounts/${accounts.ofUser}/adjustments?type=${type}`)
    assert.deepEqual([answer.status, answer.body], [200, { adjustments: [], nextCursor: null }], type)
  }
})

test('ERR-26 a type that is no upper-case code is invalid_adjustment_type', async () => {
  for (const type of ['', 'product_debit', 'Product', '1X', '_X', 'A-B', 'A B', 'ALLOTMENT%0A', 'É']) {
    const answer = await primary.get(`/v1/credit-accounts/${accounts.ofUser}/adjustments?type=${type}`)
    assert.deepEqual(codeOf(answer), [400, 'invalid_adjustment_type'], type)
  }
})

test('ERR-24 GEN-16 a malformed account id is invalid_credit_account_id on both routes', async () => {
  for (const id of ['0', '-1', 'abc', '1.0', '01', '+1', '1e3', '1234567890', '%20', '9001x']) {
    for (const path of [`/v1/credit-accounts/${id}`, `/v1/credit-accounts/${id}/adjustments`]) {
      assert.deepEqual(codeOf(await primary.get(path)), [400, 'invalid_credit_account_id'], path)
    }
  }
})

test('ERR-25 ERR-23 ERR-27 ERR-10 malformed filters each have their own code on both lists', async () => {
  for (const base of ['/v1/credit-accounts', `/v1/sites/${sites.main}/credit-accounts`]) {
    for (const active of ['True', 'FALSE', '1', '0', '', 'yes', 'null', ' true']) {
      assert.deepEqual(codeOf(await primary.get(`${base}?active=${active}`)), [400, 'invalid_active'], active)
    }
    for (const id of ['0', 'abc', '-5', '1234567890', '']) {
      assert.deepEqual(codeOf(await primary.get(`${base}?divisionId=${id}`)), [400, 'invalid_division_id'], id)
      assert.deepEqual(codeOf(await primary.get(`${base}?userId=${id}`)), [400, 'invalid_user_id'], id)
    }
  }
  assert.deepEqual(codeOf(await primary.get('/v1/credit-accounts?siteId=0')), [400, 'invalid_site_id'])
  assert.deepEqual(codeOf(await primary.get('/v1/sites/x/credit-accounts')), [400, 'invalid_site_id'])
})

test('ERR-51 TEN-01 TEN-02 a missing account and one outside the grant both answer credit_account_not_found, also for adjustments', async () => {
  for (const tail of ['', '/adjustments', '/adjustments?type=ALLOTMENT']) {
    const missing = await primary.get(`/v1/credit-accounts/999999999${tail}`)
    const foreign = await primary.get(`/v1/credit-accounts/${foreignAccount}${tail}`)
    assert.deepEqual(codeOf(missing), [404, 'credit_account_not_found'])
    assert.deepEqual(sameButRequestId(foreign), sameButRequestId(missing))
    assert.equal((await outsider.get(`/v1/credit-accounts/${foreignAccount}${tail}`)).status, 200)
  }
})

test('LIM-18 PAG-02 a page holds 50 accounts by default and never more than 200', async () => {
  for (const [query, size] of [
    ['', 50],
    ['?limit=1', 1],
    ['?limit=200', 200],
    ['?limit=201', 200],
    ['?limit=100000', 200],
  ] as const) {
    const answer = await primary.get(`/v1/credit-accounts${query}`)
    assert.equal(answer.body.creditAccounts.length, size, query)
    const ofUser = await primary.get(`/v1/credit-accounts/${accounts.ofUser}/adjustments${query}`)
    assert.equal(ofUser.body.adjustments.length, size, query)
  }
  assert.deepEqual(codeOf(await primary.get('/v1/credit-accounts?limit=0')), [400, 'invalid_request'])
})

test('ERR-09 a cursor is valid only for its endpoint, its account and its filters', async () => {
  const { nextCursor } = (await primary.get('/v1/credit-accounts?limit=1')).body
  const ofAccount = (await primary.get(`/v1/credit-accounts/${accounts.ofUser}/adjustments?limit=1`)).body.nextCursor
  for (const path of [
    `/v1/credit-accounts?active=true&cursor=${nextCursor}`,
    `/v1/sites/${sites.main}/credit-accounts?cursor=${nextCursor}`,
    `/v1/credit-accounts/${accounts.ofUser}/adjustments?cursor=${nextCursor}`,
    `/v1/credit-accounts/${accounts.ofDivision}/adjustments?cursor=${ofAccount}`,
    `/v1/credit-accounts/${accounts.ofUser}/adjustments?type=ALLOTMENT&cursor=${ofAccount}`,
  ]) {
    assert.deepEqual(codeOf(await primary.get(path)), [400, 'invalid_cursor'], path)
  }
})

test('SCOPE-10 ERR-42 every route without credit:read is 403, even if the request is wrong', async () => {
  const blind = await partner(service, 'primary', 'partner-api/orders:read')
  for (const path of [
    '/v1/credit-accounts',
    '/v1/credit-accounts?active=maybe',
    `/v1/sites/${sites.main}/credit-accounts`,
    `/v1/credit-accounts/${accounts.ofUser}`,
    '/v1/credit-accounts/x',
    `/v1/credit-accounts/${foreignAccount}/adjustments`,
  ]) {
    assert.deepEqual(codeOf(await blind.get(path)), [403, 'insufficient_scope'], path)
  }
  const seeing = await partner(service, 'primary', 'partner-api/credit:read')
  assert.equal((await seeing.get('/v1/credit-accounts')).status, 200)
})

test('CRD-04 an account shows what an order draws as movements of that order, charge by charge', async () => {
  const build = orderBuilder(service.manifest)
  const line = { productId: 'SLO_100101', variantId: 60_101, partnerLineId: 'mug', quantity: 40 }
  const placed = await primary.post('/v1/orders', build.order({ siteId: sites.second, lines: [line] }))
  assert.equal(placed.body.status, 'completed', JSON.stringify(placed.body))
  const { orderNumber } = placed.body.order
  const { creditApplied } = (await primary.get(`/v1/orders/${orderNumber}`)).body
  let drawn = money(0)
  for (const account of await listed(`?siteId=${sites.second}`)) {
    // Movements of one order share their instant: their sequence tells what came first, across pages too.
    const all = await adjustments(account.creditAccountId, '', 1)
    assert.deepEqual(
      all.map((each) => each.balanceAfter),
      all.map((_, index) => decimalString(sum(all.slice(index).map((each) => money(each.amount))), 2)),
    )
    assert.equal(all[0]!.balanceAfter, account.currentBalance)
    for (const each of all.filter((movement) => movement.orderNumber === orderNumber)) {
      assert.match(each.type, /^(PRODUCT|SHIPPING|HANDLING|TAX)_DEBIT$/)
      drawn = drawn.minus(each.amount)
    }
  }
  assert.ok(drawn.gt(0))
  assert.equal(decimalString(drawn, 2), creditApplied)
})

test('CRD-08 the last movement of an expired account takes the remaining balance', async () => {
  const all = await adjustments(accounts.expired)
  assert.deepEqual(
    all.map((each) => [each.type, each.amount, each.balanceAfter]),
    [
      ['EXPIRATION', '-380.00', '0.00'],
      ['PRODUCT_DEBIT', '-120.00', '380.00'],
      ['ALLOTMENT', '500.00', '500.00'],
    ],
  )
})
