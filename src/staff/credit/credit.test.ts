import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { partner, type Answer } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'
import { staff, staffWith } from '../../../test/world/staff.ts'
import { sql } from '../../database/sql.ts'
import { money, sum } from '../../vocabulary/money.ts'

const at = '/staff/v1/production/credit-accounts'

const service = await testService()
const finance = await staffWith(service, ['FINANCE'])
const primary = await partner(service, 'primary')

async function opened(changes: Record<string, unknown> = {}) {
  const { sites, fixtures } = service.manifest
  const body = { siteId: sites.main, userId: fixtures.users.plain, amount: '100', reference: randomUUID(), ...changes }
  const answer = await finance.post(at, body)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return { account: answer.body, path: `${at}/${answer.body.creditAccountId}` }
}

function codeOf({ status, body }: Answer): [number, string] {
  return [status, body.code]
}

type Adjustment = { adjustmentId: number; type: string; amount: string; balanceAfter: string; reference: string | null }

/** The whole ledger, the newest first, read page by page. */
async function ledger(path: string): Promise<Adjustment[]> {
  const all: Adjustment[] = []
  let cursor: string | null = null
  do {
    const { body }: Answer = await finance.get(
      `${path}/adjustments?limit=100${cursor === null ? '' : `&cursor=${cursor}`}`,
    )
    all.push(...body.adjustments)
    cursor = body.nextCursor
  } while (cursor !== null)
  return all
}

/** The balance is the sum of the movements, and each says what was left after it. */
async function assertSound(path: string): Promise<Adjustment[]> {
  const all = await ledger(path)
  const { currentBalance } = (await finance.get(path)).body
  assert.equal(currentBalance, sum(all.map(({ amount }) => money(amount))).toFixed(2))
  for (const [index, each] of all.entries()) {
    assert.equal(each.balanceAfter, sum(all.slice(index).map(({ amount }) => money(amount))).toFixed(2))
    assert.ok(money(each.balanceAfter).gte(0))
  }
  return all
}

test('CRD-05 CRD-06 CRD-08 partners at once see what staff change of a credit account, without references', async () => {
  const { root } = service.manifest.fixtures.divisions
  const { account, path } = await opened({ userId: undefined, divisionId: root, taxApplicable: false, amount: '250.5' })
  const seen = async () => (await primary.get(`/v1/credit-accounts/${account.creditAccountId}`)).body
  assert.deepEqual(await seen(), account)
  assert.deepEqual([account.scope, account.currentBalance, account.divisionId], ['DIVISION', '250.50', root])

  const movement = { type: 'MANUAL_DEBIT', amount: '50.5', note: 'Correction', reference: 'ticket/7' }
  const moved = await finance.post(`${path}/adjustments`, movement)
  assert.deepEqual([moved.status, moved.body.amount, moved.body.balanceAfter], [201, '-50.50', '200.00'])
  const [newest] = (await primary.get(`/v1/credit-accounts/${account.creditAccountId}/adjustments`)).body.adjustments
  const { reference, ...published } = moved.body
  assert.deepEqual([newest, reference], [published, 'ticket/7'])

  const terms = { stopsOn: '2099-01-01T00:00:00.000Z', taxApplicable: null, shippingApplicable: false }
  const changed = await finance.patch(path, terms)
  assert.deepEqual(changed.body, { ...account, ...terms, currentBalance: '200.00' })
  assert.equal((await finance.put(`${path}/active`, { active: false })).body.active, false)
  assert.deepEqual(await seen(), { ...changed.body, active: false })
  await assertSound(path)
})

test('an account sent again with its reference is not opened twice, even by many calls at once', async () => {
  const { sites, fixtures } = service.manifest
  const open = { siteId: sites.main, userId: fixtures.users.plain, amount: '100', reference: 'contract/2024' }
  const answers = await Promise.all(Array.from({ length: 8 }, () => finance.post(at, open)))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [...Array.from({ length: 7 }, () => 200), 201])
  assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1)
  const path = `${at}/${answers[0]!.body.creditAccountId}`
  assert.equal((await assertSound(path)).length, 1)
  // The repeated call is answered although the account has a new balance and new terms.
  await finance.post(`${path}/adjustments`, { type: 'ALLOTMENT', amount: '5', reference: 'more' })
  await finance.patch(path, { taxApplicable: false })
  const again = await finance.post(at, { ...open, amount: '100.00' })
  assert.deepEqual([again.status, again.body], [200, (await finance.get(path)).body])
  assert.equal(again.body.amount, '105.00')
  const { userId: _, ...withoutHolder } = open
  for (const other of [
    { ...open, amount: '105' },
    { ...open, templateName: 'Annual' },
    { ...withoutHolder, divisionId: fixtures.divisions.root },
  ]) {
    assert.deepEqual(codeOf(await finance.post(at, other)), [409, 'reference_taken'])
  }
  assert.equal((await assertSound(path)).length, 2)
})

test('a movement sent again with its reference is answered as it was made, and moves nothing', async () => {
  const { path } = await opened()
  const post = (movement: Record<string, unknown>) =>
    finance.post(`${path}/adjustments`, { type: 'MANUAL_DEBIT', amount: '60', reference: 'a', ...movement })
  const first = await post({})
  assert.equal(first.status, 201)
  // A movement that would now be refused is still answered as it was made.
  const again = await post({ amount: '60.00' })
  assert.deepEqual([again.status, again.body], [200, first.body])
  for (const other of [{ amount: '60.01' }, { type: 'MANUAL_CREDIT' }]) {
    assert.deepEqual(codeOf(await post(other)), [409, 'reference_taken'])
  }
  const elsewhere = await opened()
  const same = { type: 'MANUAL_DEBIT', amount: '60', reference: 'a' }
  assert.equal((await finance.post(`${elsewhere.path}/adjustments`, same)).status, 201)
  assert.equal((await assertSound(path)).length, 2)
})

test('many calls send one movement at once: one makes it, and all get it as their answer', async () => {
  const { path } = await opened()
  const movement = { type: 'MANUAL_CREDIT', amount: '5', reference: 'race' }
  const answers = await Promise.all(Array.from({ length: 12 }, () => finance.post(`${path}/adjustments`, movement)))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [...Array.from({ length: 11 }, () => 200), 201])
  assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1)
  assert.equal((await assertSound(path)).length, 2)

  const debits = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      finance.post(`${path}/adjustments`, { type: 'MANUAL_DEBIT', amount: '40', reference: `debit-${index}` }),
    ),
  )
  assert.deepEqual(
    debits.map(({ status, body }) => (status === 201 ? 'moved' : body.code)).toSorted(),
    ['moved', 'moved', ...Array.from({ length: 4 }, () => 'balance_exceeded')].toSorted(),
  )
  await assertSound(path)
})

test('CRD-05 while orders draw on an account, staff move credit too: the balance is the sum of all movements', async () => {
  const admin = await staff(service)
  const site = (await admin.get(`/staff/v1/production/sites/${service.manifest.sites.main}`)).body
  const { path } = await opened({ userId: site.orderingUserId, amount: '50000' })
  const former = (await ledger(path)).length
  const { order } = orderBuilder(service.manifest)
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) => [
      primary.post('/v1/orders', order()),
      finance.post(`${path}/adjustments`, {
        type: index % 2 ? 'MANUAL_DEBIT' : 'MANUAL_CREDIT',
        amount: '1.25',
        reference: `step-${index >> 1}-${index % 2}`,
      }),
    ]).flat(),
  )
  for (const { status, body } of answers) assert.equal(status, 201, JSON.stringify(body))
  const all = await assertSound(path)
  const made = all.slice(0, all.length - former)
  assert.equal(made.filter(({ type }) => type.startsWith('MANUAL')).length, 8)
  assert.ok(made.some(({ type }) => type === 'PRODUCT_DEBIT'))
})

test('an invalid account, term or movement is refused, and nothing is written', async () => {
  const { sites, fixtures } = service.manifest
  const { account, path } = await opened({ stopsOn: '2099-01-01T00:00:00.000Z' })
  const count = () =>
    service.production.database.statements.row(sql`
    select (select count(*) from credit_account) as accounts, (select count(*) from credit_adjustment) as movements`)
  const untouched = await count()
  const open = { siteId: sites.main, userId: fixtures.users.plain, amount: '10', reference: 'refused' }
  for (const [wrong, code] of [
    [{ userId: 999_999 }, 'holder_not_on_site'],
    [{ siteId: sites.second }, 'holder_not_on_site'],
    [{ siteId: 999_999 }, 'holder_not_on_site'],
    [{ divisionId: fixtures.divisions.root }, 'invalid_request'],
    [{ userId: undefined }, 'invalid_request'],
    [{ amount: '0' }, 'amount_not_usable'],
    [{ amount: '1.005' }, 'amount_not_usable'],
    [{ amount: 10 }, 'invalid_request'],
    [{ reference: undefined }, 'invalid_request'],
    [{ reference: 'two words' }, 'reference_not_usable'],
    [{ startsOn: 'soon' }, 'invalid_request'],
    [{ startsOn: '2030-01-01' }, 'invalid_request'],
    [{ startsOn: '2030-01-01 00:00:00Z' }, 'invalid_request'],
    [{ startsOn: '2030-12-31T23:59:60Z' }, 'invalid_request'],
    [{ startsOn: '0000-01-01T00:00:00Z' }, 'invalid_request'],
    [{ startsOn: '2030-01-01T00:00:00.1234567890Z' }, 'invalid_request'],
    [{ startsOn: '2030-01-02T00:00:00Z', stopsOn: '2030-01-01T00:00:00Z' }, 'dates_not_in_order'],
  ] as const) {
    assert.equal((await finance.post(at, { ...open, ...wrong })).body.code, code, JSON.stringify(wrong))
  }
  const exact = await finance.patch(path, { stopsOn: '2099-01-01t00:00:00.000000321z' })
  assert.deepEqual([exact.status, exact.body.stopsOn], [200, '2099-01-01T00:00:00.000Z'])
  const late = await finance.patch(path, { startsOn: '2099-01-01T00:00:00.000Z' })
  assert.deepEqual(codeOf(late), [422, 'dates_not_in_order'])
  assert.deepEqual(codeOf(await finance.patch(`${at}/999999`, { startsOn: null })), [404, 'credit_account_not_found'])
  const movement = { type: 'MANUAL_DEBIT', amount: '100.01', reference: 'r' }
  for (const [wrong, code] of [
    [{}, 'balance_exceeded'],
    [{ amount: '-1' }, 'amount_not_usable'],
    [{ type: 'EXPIRATION' }, 'invalid_request'],
    [{ reference: '' }, 'reference_not_usable'],
    [{ reference: 'two words' }, 'reference_not_usable'],
    [{ reference: undefined }, 'invalid_request'],
    [{ note: 'x'.repeat(501) }, 'note_too_long'],
  ] as const) {
    const answer = await finance.post(`${path}/adjustments`, { ...movement, ...wrong })
    assert.equal(answer.body.code, code, JSON.stringify(wrong))
  }
  assert.deepEqual(await count(), untouched)
  assert.deepEqual((await finance.get(path)).body, account)
  const care = await staffWith(service, ['CUSTOMER_CARE'])
  assert.equal((await care.get(path)).status, 200)
  assert.deepEqual(codeOf(await care.post(`${path}/adjustments`, { ...movement, amount: '1' })), [403, 'not_permitted'])
})

test('CRD-08 an expired account takes no movements until its stop date is moved', async () => {
  const admin = await staff(service)
  const { path } = await opened({ startsOn: '2020-01-01T00:00:00.000Z' })
  assert.equal((await finance.patch(path, { stopsOn: '2021-01-01T00:00:00.000Z' })).status, 200)
  const movement = { type: 'MANUAL_CREDIT', amount: '1', reference: 'late' }
  assert.deepEqual(codeOf(await finance.post(`${path}/adjustments`, movement)), [409, 'credit_account_expired'])
  assert.equal((await finance.patch(path, { stopsOn: null })).body.stopsOn, null)
  assert.equal((await admin.post(`${path}/adjustments`, movement)).status, 201)
  await assertSound(path)
})
