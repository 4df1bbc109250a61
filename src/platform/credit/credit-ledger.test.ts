import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { testDatabase } from '../../../test/world/database.ts'
import { done } from '../../../test/world/done.ts'
import { insertSites, silent, staffChange } from '../../../test/world/partner-builder.ts'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { decimalString, money, type Money, sum, zero } from '../../vocabulary/money.ts'
import { checkAuditChain, sealAuditRecords } from '../audit/audit-chain.ts'
import { openCreditAccount, setCreditAccountActive, type NewCreditAccount } from './credit-accounts.ts'
import { expireCredit, startCreditExpirer } from './credit-expirer.ts'
import { drawnCredit, giveCreditBack } from './give-back.ts'
import { drawDown, type Charges } from './draw-down.ts'
import { moveCredit, type ManualMovement } from './move-credit.ts'
import { recordMovements } from './record-movements.ts'

const now = new Date('2026-03-01T12:00:00.000Z')
const change = staffChange(now)
const siteId = 101
const yenSiteId = 102
const userId = 20_001
const divisionId = 5_001

const { database } = await testDatabase()
await insertSites(database, [siteId, yenSiteId], now)
await database.statements.rows(sql`update site set currency = 'JPY' where site_id = ${yenSiteId}`)
await database.statements.rows(sql`
  insert into division (division_id, site_id, name, code, code_folded, country_code, supplier_code, created_on,
    updated_on)
  values (${divisionId}, ${siteId}, 'Division', 'D', 'd', 'US', 'S', ${now}, ${now})`)
await database.statements.rows(sql`
  insert into site_user (user_id, site_id, created_on, updated_on) values (${userId}, ${siteId}, ${now}, ${now})`)
await database.statements.rows(sql`
  insert into site_user (user_id, site_id, created_on, updated_on)
  values (${userId + 1}, ${yenSiteId}, ${now}, ${now})`)

function newAccount(changes: Partial<NewCreditAccount> = {}): NewCreditAccount {
  return {
    siteId,
    holder: { userId },
    amount: '100',
    startsOn: null,
    stopsOn: null,
    templateName: null,
    shippingApplicable: true,
    handlingApplicable: null,
    taxApplicable: false,
    reference: randomUUID(),
    ...changes,
  }
}

async function opened(changes: Partial<NewCreditAccount> = {}): Promise<number> {
  const account = newAccount(changes)
  return (await done(database.change((tx) => openCreditAccount(tx, change, account)))).creditAccountId
}

type Row = {
  amount: string
  currentBalance: string
  active: boolean
  scope: string
  issuedOn: string
}

async function accountRow(creditAccountId: number): Promise<Row> {
  const row = await database.statements.row<Row>(sql`
    select amount, current_balance, active, scope, issued_on from credit_account
    where credit_account_id = ${creditAccountId}`)
  return row!
}

type Movement = { type: string; amount: string; balanceAfter: string; note: string | null; createdOn: string }

/** Oldest first. */
async function movements(creditAccountId: number): Promise<Movement[]> {
  return database.statements.rows(sql`
    select type, amount, balance_after, note, created_on from credit_adjustment
    where credit_account_id = ${creditAccountId} order by created_on, adjustment_id`)
}

/**
 * Asserts that the movements add up to the balance, that each records the balance after it, and that none is negative.
 */
async function assertSound(creditAccountId: number): Promise<Money> {
  const all = await movements(creditAccountId)
  let balance = zero
  for (const each of all) {
    balance = balance.plus(each.amount)
    assert.equal(each.balanceAfter, balance.toFixed(2))
    assert.ok(balance.gte(0))
  }
  const row = await accountRow(creditAccountId)
  assert.equal(row.currentBalance, balance.toFixed(2))
  assert.equal(
    row.amount,
    sum(all.filter(({ type }) => type === 'ALLOTMENT').map(({ amount }) => money(amount))).toFixed(2),
  )
  return balance
}

let reference = 0

const manual = (type: ManualMovement['type'], amount: string, note: string | null = null): ManualMovement => ({
  type,
  amount,
  note,
  reference: `m-${++reference}`,
})

function move(creditAccountId: number, movement: ManualMovement, by = change) {
  return database.change((tx) => moveCredit(tx, by, creditAccountId, movement))
}

function setActive(creditAccountId: number, active: boolean, by = change) {
  return database.change((tx) => setCreditAccountActive(tx, by, creditAccountId, active))
}

async function moved(creditAccountId: number, movement: ManualMovement): Promise<string> {
  return (await done(move(creditAccountId, movement))).balanceAfter
}

test('CRD-05 CRD-06 an account opens with its allotment as its first movement, for a user or a division of its site', async () => {
  const ofUser = await opened({ amount: '250.5' })
  assert.deepEqual(await accountRow(ofUser), {
    amount: '250.50',
    currentBalance: '250.50',
    active: true,
    scope: 'USER',
    issuedOn: now.toISOString(),
  })
  const createdOn = now.toISOString()
  assert.deepEqual(await movements(ofUser), [
    { type: 'ALLOTMENT', amount: '250.50', balanceAfter: '250.50', note: null, createdOn },
  ])
  const ofDivision = await opened({ holder: { divisionId } })
  assert.equal((await accountRow(ofDivision)).scope, 'DIVISION')
  const ofYen = await opened({ siteId: yenSiteId, holder: { userId: userId + 1 }, amount: '5000' })
  assert.equal((await accountRow(ofYen)).currentBalance, '5000')
})

test('an invalid account is refused, and nothing is written', async () => {
  const counts = () =>
    database.statements.row(sql`
    select (select count(*) from credit_account) as accounts, (select count(*) from credit_adjustment) as movements,
      (select count(*) from audit_record) as records`)
  const untouched = await counts()
  for (const [changes, refused] of [
    [{ holder: { userId: 999 } }, 'holder_not_on_site'],
    [{ holder: { divisionId: 999 } }, 'holder_not_on_site'],
    [{ holder: { userId: userId + 1 } }, 'holder_not_on_site'],
    [{ siteId: 999 }, 'holder_not_on_site'],
    [{ amount: '0' }, 'amount_not_usable'],
    [{ amount: '-5' }, 'amount_not_usable'],
    [{ amount: '1.005' }, 'amount_not_usable'],
    [{ amount: '1e3' }, 'amount_not_usable'],
    [{ amount: '' }, 'amount_not_usable'],
    [{ amount: '1234567890123' }, 'amount_not_usable'],
    [{ siteId: yenSiteId, holder: { userId: userId + 1 }, amount: '5000.5' }, 'amount_not_usable'],
    [{ startsOn: now, stopsOn: now }, 'dates_not_in_order'],
  ] as const) {
    const account = newAccount(changes)
    assert.deepEqual(await database.change((tx) => openCreditAccount(tx, change, account)), { refused })
  }
  assert.deepEqual(await counts(), untouched)
})

test('staff allot, credit and debit by hand; a debit never exceeds the balance', async () => {
  const account = await opened()
  assert.equal(await moved(account, manual('MANUAL_CREDIT', '25.25', 'Goodwill')), '125.25')
  assert.deepEqual(await move(account, manual('MANUAL_DEBIT', '125.26')), {
    refused: 'balance_exceeded',
  })
  assert.equal(await moved(account, manual('MANUAL_DEBIT', '125.25')), '0.00')
  assert.equal(await moved(account, manual('ALLOTMENT', '7')), '7.00')
  assert.deepEqual(
    (await movements(account)).map(({ type, amount, note }) => [type, amount, note]),
    [
      ['ALLOTMENT', '100.00', null],
      ['MANUAL_CREDIT', '25.25', 'Goodwill'],
      ['MANUAL_DEBIT', '-125.25', null],
      ['ALLOTMENT', '7.00', null],
    ],
  )
  assert.equal((await accountRow(account)).amount, '107.00')
  await assertSound(account)
  for (const [id, movement, refused] of [
    [account, manual('MANUAL_CREDIT', '0'), 'amount_not_usable'],
    [account, manual('MANUAL_CREDIT', '-1'), 'amount_not_usable'],
    [account, manual('MANUAL_DEBIT', '0.001'), 'amount_not_usable'],
    [account, manual('MANUAL_CREDIT', '1', 'x'.repeat(501)), 'note_too_long'],
    [account, { ...manual('MANUAL_CREDIT', '1'), reference: '' }, 'reference_not_usable'],
    [account, { ...manual('MANUAL_CREDIT', '1'), reference: 'two words' }, 'reference_not_usable'],
    [999_999, manual('MANUAL_CREDIT', '1'), 'credit_account_not_found'],
  ] as const) {
    assert.deepEqual(await move(id, movement), { refused })
  }
  assert.equal((await movements(account)).length, 4)
})

test('CRD-08 an account is closed and reopened with its balance unchanged, and each change is audited once', async () => {
  const account = await opened({ reference: 'ticket-6' })
  for (const active of [false, false, true]) {
    assert.deepEqual(await setActive(account, active), { done: {} })
    assert.equal((await accountRow(account)).active, active)
  }
  assert.deepEqual(await setActive(999_999, false), {
    refused: 'credit_account_not_found',
  })
  await moved(account, { ...manual('MANUAL_DEBIT', '1.5', 'Correction'), reference: 'ticket-7' })
  const records = await database.statements.rows(sql`
    select actor_kind, actor_id, action, site_id, detail from audit_record
    where subject_kind = 'credit_account' and subject_id = ${String(account)} order by audit_id`)
  const byStaff = { actorKind: 'STAFF', actorId: 'tester', siteId: siteId }
  const facts = {
    siteId,
    userId,
    divisionId: null,
    amount: '100.00',
    startsOn: null,
    stopsOn: null,
    reference: 'ticket-6',
  }
  assert.deepEqual(records, [
    { ...byStaff, action: 'credit_account.opened', detail: facts },
    { ...byStaff, action: 'credit_account.deactivated', detail: {} },
    { ...byStaff, action: 'credit_account.activated', detail: {} },
    {
      ...byStaff,
      action: 'credit_account.moved',
      detail: { type: 'MANUAL_DEBIT', amount: '-1.50', currentBalance: '98.50', reference: 'ticket-7' },
    },
  ])
  while ((await sealAuditRecords(database.statements, 500)) > 0);
  assert.equal((await checkAuditChain(database.statements)).brokenAt, null)
})

const later = new Date('2026-03-02T00:00:00.000Z')

test('CRD-08 the balance of an ended account expires once, however often it is checked', async () => {
  const stopsOn = later
  const [ending, inactive, open, emptied] = [
    await opened({ stopsOn }),
    await opened({ stopsOn, holder: { divisionId } }),
    await opened(),
    await opened({ stopsOn }),
  ]
  await setActive(inactive, false)
  await move(emptied, manual('MANUAL_DEBIT', '100'))
  assert.equal(await expireCredit(database, new Date(later.getTime() - 1)), 0)

  const rounds = await Promise.all([1, 2, 3, 4].map(() => expireCredit(database, later)))
  assert.equal(sum(rounds.map(money)).toNumber(), 2)
  assert.equal(await expireCredit(database, later), 0)
  for (const account of [ending, inactive]) {
    assert.deepEqual(
      (await movements(account)).map(({ type, amount }) => [type, amount]),
      [
        ['ALLOTMENT', '100.00'],
        ['EXPIRATION', '-100.00'],
      ],
    )
    assert.ok((await assertSound(account)).eq(0))
  }
  assert.equal((await movements(emptied)).length, 2)
  assert.equal((await movements(open)).length, 1)
  assert.deepEqual(await move(ending, manual('MANUAL_CREDIT', '5'), { ...change, now: later }), {
    refused: 'credit_account_expired',
  })
  const [record] = await database.statements.rows<{ actorId: string }>(sql`
    select actor_id, detail from audit_record
    where subject_id = ${String(ending)} and action = 'credit_account.expired'`)
  assert.deepEqual(record, { actorId: 'credit-expirer', detail: { amount: '-100.00' } })
})

test('the credit expirer does a round at its start and one on every new day', async () => {
  const day = (number: number) => new Date(Date.UTC(2027, 0, number, 6))
  const [first, second] = [await opened({ stopsOn: day(1) }), await opened({ stopsOn: day(2) })]
  let today = day(1)
  let rounds = 0
  const counted: Database = {
    ...database,
    statements: { ...database.statements, rows: (query) => (rounds++, database.statements.rows(query)) },
  }
  const expirer = startCreditExpirer({ database: counted, clock: () => today, log: silent, lookEveryMilliseconds: 2 })
  await until(async () => (await accountRow(first)).currentBalance === '0.00')
  await until(async () => rounds === 1)
  assert.equal((await accountRow(second)).currentBalance, '100.00')
  today = day(2)
  await until(async () => (await accountRow(second)).currentBalance === '0.00')
  await expirer.close()
  assert.equal(rounds, 2)
  for (const account of [first, second]) assert.equal((await movements(account)).length, 2)
})

test('ERR-72 a round that an outage cut short is repeated', async () => {
  const stopsOn = new Date('2027-02-01T00:00:00.000Z')
  const accounts = [await opened({ stopsOn }), await opened({ stopsOn })]
  let failing = true
  const flaky: Database = {
    ...database,
    change: async (verb) => {
      if (failing && (await accountRow(accounts[0]!)).currentBalance === '0.00') {
        failing = false
        throw new Error('the database')
      }
      return database.change(verb)
    },
  }
  const expirer = startCreditExpirer({ database: flaky, clock: () => stopsOn, log: silent, lookEveryMilliseconds: 2 })
  await until(async () => (await accountRow(accounts[1]!)).currentBalance === '0.00')
  await expirer.close()
  assert.equal(failing, false)
  for (const account of accounts) assert.equal((await movements(account)).length, 2)
})

async function until(holds: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + 20_000
  while (!(await holds())) assert.ok(performance.now() < giveUpAt, 'it never came to be')
}

/** Draws and gives back credit as placing and changing an order do, under the accounts' locks. */
async function drawFor(orderNumber: number, accounts: readonly number[], wanted: Charges, at: Date): Promise<void> {
  await database.transaction(async (tx) => {
    const rows = await tx.rows<{ creditAccountId: number; currentBalance: string }>(sql`
      select credit_account_id, current_balance from credit_account
      where credit_account_id = any(${accounts}::int[]) and active and current_balance > 0
        and (stops_on is null or stops_on > ${now})
      order by credit_account_id
      for update`)
    const drawn = drawDown(
      rows.map((row) => ({
        creditAccountId: row.creditAccountId,
        balance: money(row.currentBalance),
        shippingApplicable: true,
        handlingApplicable: true,
        taxApplicable: true,
      })),
      wanted,
    )
    await recordMovements(tx, { orderNumber, siteId, userId, scale: 2 }, drawn, at)
  })
}

async function giveBackFor(orderNumber: number, kept: Charges, at: Date): Promise<void> {
  await database.transaction(async (tx) => {
    // Stands in for the lock of the order's row, which every change of an order takes.
    await tx.rows(sql`select pg_advisory_xact_lock(${orderNumber})`)
    const drawn = await drawnCredit(tx, orderNumber)
    await giveCreditBack(tx, { orderNumber, siteId, userId, scale: 2 }, drawn, kept, at)
  })
}

const cents = fc.integer({ min: 1, max: 6_000 }).map((amount) => decimalString(money(amount).div(100), 2))
const account = fc.nat(2)
const charges = fc.tuple(cents, cents, cents, cents).map(([product, shipping, handling, tax]) => ({
  product: money(product),
  shipping: money(shipping),
  handling: money(handling),
  tax: money(tax),
}))

const step = fc.oneof(
  fc.record({ verb: fc.constantFrom('ALLOTMENT', 'MANUAL_CREDIT', 'MANUAL_DEBIT'), account, amount: cents }),
  fc.record({ verb: fc.constant('draw' as const), order: fc.nat(3), charges }),
  fc.record({ verb: fc.constant('giveBack' as const), order: fc.nat(3), part: fc.nat(4) }),
  fc.record({ verb: fc.constant('setActive' as const), account, active: fc.boolean() }),
  fc.record({ verb: fc.constant('expire' as const) }),
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** A simple model of the ledger: accounts 0 and 1 are open-ended, account 2 has ended. */
function modelOf(): { balances: Money[]; apply: (each: Step) => void } {
  const balances = [money(100), money(100), money(100)]
  const active = [true, true, true]
  const orders = new Map<number, { account: number; charge: keyof Charges; amount: Money }[]>()
  const ended = 2

  function draw(order: number, wanted: Charges): void {
    const drawn = orders.get(order) ?? []
    const open = { ...wanted }
    for (const index of [0, 1]) {
      for (const charge of ['product', 'shipping', 'handling', 'tax'] as const) {
        const amount = balances[index]!.lt(open[charge]) ? balances[index]! : open[charge]
        if (!active[index] || amount.lte(0)) continue
        balances[index] = balances[index]!.minus(amount)
        open[charge] = open[charge].minus(amount)
        const known = drawn.find((each) => each.account === index && each.charge === charge)
        if (known) known.amount = known.amount.plus(amount)
        else drawn.push({ account: index, charge, amount })
      }
    }
    orders.set(order, drawn)
  }

  /** What was drawn beyond this many quarters goes back, the last drawn first. */
  function giveBack(order: number, part: number): void {
    const drawn = orders.get(order) ?? []
    const keep = chargesOf(drawn, part)
    for (const charge of ['product', 'shipping', 'handling', 'tax'] as const) {
      let excess = sum(drawn.filter((each) => each.charge === charge).map((each) => each.amount)).minus(keep[charge])
      for (const each of drawn.filter((one) => one.charge === charge).toReversed()) {
        const amount = each.amount.lt(excess) ? each.amount : excess
        if (amount.lte(0)) continue
        excess = excess.minus(amount)
        each.amount = each.amount.minus(amount)
        balances[each.account] = balances[each.account]!.plus(amount)
      }
    }
  }

  return {
    balances,
    apply: (each) => {
      if (each.verb === 'draw') draw(each.order, each.charges)
      else if (each.verb === 'giveBack') giveBack(each.order, each.part)
      else if (each.verb === 'setActive') active[each.account] = each.active
      else if (each.verb === 'expire') balances[ended] = zero
      else if (each.account === ended) return
      else {
        const amount = each.verb === 'MANUAL_DEBIT' ? money(each.amount).neg() : money(each.amount)
        const next = balances[each.account]!.plus(amount)
        if (next.gte(0)) balances[each.account] = next
      }
    },
  }
}

/** This many quarters of what was drawn, in whole cents. */
function chargesOf(drawn: readonly { charge: keyof Charges; amount: Money }[], part: number): Charges {
  const of = (charge: keyof Charges): Money =>
    sum(drawn.filter((each) => each.charge === charge).map((each) => each.amount))
      .times(part)
      .div(4)
      .round(2, 0)
  return { product: of('product'), shipping: of('shipping'), handling: of('handling'), tax: of('tax') }
}

/** Simulates instances that take turns, with clocks that differ by some milliseconds. */
function skewed(turn: number): Date {
  return new Date(now.getTime() + ((turn * 7) % 20))
}

let firstOrder = 1_000_000

/** Three accounts and four orders of their own for one run. */
async function ledger() {
  const past = new Date(now.getTime() - 1)
  const accounts = [await opened(), await opened()]
  accounts.push(await opened({ startsOn: new Date(past.getTime() - 1), stopsOn: past }))
  const order = (number: number): number => firstOrder + number
  firstOrder += 10

  async function apply(each: Step, at: Date): Promise<void> {
    const made = { ...change, now: at }
    if (each.verb === 'draw') return drawFor(order(each.order), accounts, each.charges, at)
    if (each.verb === 'giveBack') {
      const drawn = await drawnCredit(database.statements as never, order(each.order))
      const kinds = drawn.map(({ type, amount }) => ({
        charge: type.slice(0, -'_DEBIT'.length).toLowerCase() as keyof Charges,
        amount,
      }))
      return giveBackFor(order(each.order), chargesOf(kinds, each.part), at)
    }
    if (each.verb === 'setActive') {
      await setActive(accounts[each.account]!, each.active, made)
    } else if (each.verb === 'expire') await expireCredit(database, at)
    else {
      await move(accounts[each.account]!, manual(each.verb, each.amount), made)
    }
  }
  return { accounts, apply }
}

test('CRD-04 CRD-05 the ledger agrees with the model after any sequence of movements', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
      const { accounts, apply } = await ledger()
      const model = modelOf()
      for (const [index, each] of steps.entries()) {
        await apply(each, skewed(index))
        model.apply(each)
      }
      for (const [index, id] of accounts.entries()) {
        assert.equal((await assertSound(id)).toFixed(2), model.balances[index]!.toFixed(2), `account ${index}`)
      }
    }),
    { numRuns: 40 },
  )
})

test('CRD-04 CRD-05 after concurrent movements every balance is the sum of its movements and never negative', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      const { accounts, apply } = await ledger()
      await Promise.all(steps.map((each, index) => apply(each, skewed(index))))
      for (const id of accounts) await assertSound(id)
    }),
    { numRuns: 12 },
  )
})
