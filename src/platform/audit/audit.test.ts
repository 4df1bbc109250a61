import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../../test/world/database.ts'
import { until } from '../../../test/world/webhooks.ts'
import { sql } from '../../database/sql.ts'
import { Outage } from '../../vocabulary/outage.ts'
import { recordAudit, recordAudits } from './audit.ts'
import type { Change } from '../../vocabulary/change.ts'
import { checkAuditChain, sealAuditRecords } from './audit-chain.ts'
import { listAuditRecords } from './audit-log.ts'

const { database, owner } = await testDatabase()
for (let turn = 1; turn <= 5; turn++) await record(`order ${turn}`)
assert.equal(await sealAuditRecords(database.statements, 100), 5)

function byTester(): Change {
  return { actor: { kind: 'STAFF', id: 'tester' }, now: new Date(), requestId: null }
}

function record(id: string): Promise<void> {
  return database.transaction((tx) =>
    recordAudit(tx, byTester(), {
      action: 'order.created',
      subject: { kind: 'order', id },
      siteId: null,
      detail: { id },
    }),
  )
}

/** Tampers with records as a database superuser could. */
async function tamper(statement: string): Promise<void> {
  await owner.transaction(async (tx) => {
    const triggers = async (state: 'disable' | 'enable'): Promise<void> => {
      for (const table of ['audit_record', 'audit_seal'])
        await tx.rows({ text: `alter table ${table} ${state} trigger user`, name: '', values: [] })
    }
    await triggers('disable')
    await tx.rows({ text: statement, name: '', values: [] })
    await triggers('enable')
  })
}

/** Verifies the chain in batches of any size. */
async function brokenAt(): Promise<number | null> {
  const verdicts = await Promise.all(
    [1, 2, 3, 500].map((linksAtOnce) => checkAuditChain(database.reads, { linksAtOnce })),
  )
  const found = new Set(verdicts.map((verdict) => verdict.brokenAt))
  assert.equal(found.size, 1)
  for (const { verifiedTo, complete, brokenAt: at } of verdicts)
    assert.deepEqual([verifiedTo, complete], at ? [at - 1, false] : [6, true])
  return verdicts[0]!.brokenAt
}

test('audit records can be neither changed nor deleted', async () => {
  for (const statement of [
    sql`update audit_record set action = 'order.deleted'`,
    sql`delete from audit_record`,
    sql`truncate audit_record`,
  ]) {
    await assert.rejects(owner.statements.rows(statement), /append-only/)
    await assert.rejects(database.statements.rows(statement), /permission denied/)
  }
  for (const statement of [
    sql`update audit_seal set hashes = ''`,
    sql`delete from audit_seal`,
    sql`truncate audit_seal`,
  ]) {
    await assert.rejects(owner.statements.rows(statement), /append-only/)
    await assert.rejects(database.statements.rows(statement), /permission denied/)
  }
})

test('GAP-40 an audit record that cannot be written is an outage of its own; a change that failed before it is not', async () => {
  const entry = { subject: { kind: 'order', id: 1 }, siteId: null }
  const unwritable = database.transaction((tx) =>
    recordAudit(tx, byTester(), { ...entry, action: null as unknown as string }),
  )
  await assert.rejects(unwritable, (error) => error instanceof Outage && error.of === 'audit')
  const failedBefore = database.transaction(async (tx) => {
    const change = tx.rows(sql`select 1 / 0`).catch(() => undefined)
    await Promise.all([change, recordAudit(tx, byTester(), { ...entry, action: 'order.created' })])
  })
  await assert.rejects(failedBefore, { message: 'division by zero' })
  // Whose failure is heard first is chance; what failed first is not.
  const failedAfter = database.transaction(async (tx) => {
    const unrecorded = recordAudit(tx, byTester(), { ...entry, action: null as unknown as string })
    await Promise.all([tx.rows(sql`select 1`), unrecorded])
  })
  await assert.rejects(failedAfter, (error) => error instanceof Outage && error.of === 'audit')
  const failedAround = database.transaction(async (tx) => {
    const change = tx.rows(sql`select 1 / 0`).then(async (rows) => rows)
    await Promise.all([recordAudit(tx, byTester(), { ...entry, action: 'order.created' }), change])
  })
  await assert.rejects(failedAround, { message: 'division by zero' })
})

test('sealed records form a valid chain, and later records are linked to its end', async () => {
  assert.deepEqual(await checkAuditChain(database.reads), { verifiedTo: 5, complete: true, brokenAt: null })
  await record('order 6')
  assert.equal(await sealAuditRecords(database.statements, 100), 1)
  assert.equal(await sealAuditRecords(database.statements, 100), 0)
  assert.equal(await brokenAt(), null)
})

test('a record that is committed after one with a later id is linked behind it', async () => {
  const late = await testDatabase()
  const { statements } = late.database
  const entry = (id: string) => ({ action: 'order.created', subject: { kind: 'order', id }, siteId: null })
  await late.database.transaction(async (tx) => {
    await recordAudit(tx, byTester(), entry('first'))
    await late.database.transaction(async (other) => recordAudit(other, byTester(), entry('second')))
    assert.equal(await sealAuditRecords(statements, 100), 1)
    // However long it takes.
    await late.owner.statements.rows(sql`update audit_unsealed set since = since - interval '1 day'`)
    assert.equal(await sealAuditRecords(statements, 100), 0)
  })
  assert.equal(await sealAuditRecords(statements, 100), 1)
  assert.deepEqual(await checkAuditChain(late.database.reads), { verifiedTo: 2, complete: true, brokenAt: null })
  const { records } = await listAuditRecords(late.database.reads, {}, { after: undefined, limit: 2 })
  assert.deepEqual(
    new Map(records.map(({ subject, chainNumber }) => [subject.id, chainNumber])),
    new Map([
      ['first', 2],
      ['second', 1],
    ]),
  )
})

test('all records of a transaction that took long are sealed, also if they are more than are sealed at once', async () => {
  const late = await testDatabase()
  const { statements } = late.database
  const entry = (id: number) => ({ action: 'order.created', subject: { kind: 'order', id }, siteId: null })
  await late.database.transaction(async (tx) => {
    const change = byTester()
    await recordAudits(
      tx,
      [1, 2, 3, 4, 5].map((id) => ({ ...entry(id), change })),
    )
    await late.database.transaction(async (other) => recordAudit(other, byTester(), entry(6)))
    assert.equal(await sealAuditRecords(statements, 2), 1)
    await late.owner.statements.rows(sql`update audit_unsealed set since = since - interval '1 day'`)
  })
  let sealed = 1
  await until(async () => (sealed += await sealAuditRecords(statements, 2)) === 6)
  assert.deepEqual(await checkAuditChain(late.database.reads), { verifiedTo: 6, complete: true, brokenAt: null })
})

test('ids of records that were rolled back are soon waited for no longer', async () => {
  const rolledBack = await testDatabase()
  const { statements } = rolledBack.database
  const entry = { action: 'order.created', subject: { kind: 'order', id: '1' }, siteId: null }
  const refused = rolledBack.database.change(async (tx) => {
    await recordAudit(tx, byTester(), entry)
    return { refused: 'no' }
  })
  assert.deepEqual(await refused, { refused: 'no' })
  await rolledBack.database.transaction((tx) => recordAudit(tx, byTester(), entry))
  const waitedFor = async (): Promise<number> => {
    const row = await statements.row<{ ranges: number }>(sql`
      select count(*)::int as ranges from audit_unsealed where last_id is not null`)
    return row!.ranges
  }
  assert.equal(await sealAuditRecords(statements, 100), 1)
  assert.equal(await waitedFor(), 1)
  await rolledBack.owner.statements.rows(sql`update audit_unsealed set since = since - interval '2 minutes'`)
  // Transactions of other databases count, too.
  await until(async () => (await sealAuditRecords(statements, 100)) === 0 && (await waitedFor()) === 0)
})

test('a record changed directly in the database breaks the chain at its position', async () => {
  await tamper(`update audit_record set detail = '{"id": "other"}' where subject_id = 'order 3'`)
  assert.equal(await brokenAt(), 3)
  await tamper(`update audit_record set detail = '{"id": "order 3"}' where subject_id = 'order 3'`)
  assert.equal(await brokenAt(), null)
})

test('a hash changed directly in the database breaks the chain, even that of the last record', async () => {
  const [first, last] = await database.statements.rows<{ number: number; hashes: string }>(sql`
    select first_number as number, encode(hashes, 'hex') as hashes from audit_seal order by first_number`)
  const zeros = '00'.repeat(32)
  for (const [seal, changed, at] of [
    [first!, first!.hashes.slice(0, 64) + zeros + first!.hashes.slice(128), 2],
    [last!, zeros, 6],
  ] as const) {
    const set = (hashes: string) =>
      tamper(`update audit_seal set hashes = '\\x${hashes}' where first_number = ${seal.number}`)
    await set(changed)
    assert.equal(await brokenAt(), at)
    await set(seal.hashes)
    assert.equal(await brokenAt(), null)
  }
})

test('a long chain is verified as far as time allows, and continued from there', async () => {
  const noTime = { milliseconds: 0, linksAtOnce: 4 }
  assert.deepEqual(await checkAuditChain(database.reads, noTime), { verifiedTo: 4, complete: false, brokenAt: null })
  const rest = await checkAuditChain(database.reads, { ...noTime, after: 4 })
  assert.deepEqual(rest, { verifiedTo: 6, complete: true, brokenAt: null })
  const gone = await checkAuditChain(database.reads, { after: 7 })
  assert.deepEqual(gone, { verifiedTo: 6, complete: false, brokenAt: 7 })
})

test('a record removed directly in the database breaks the chain, and so do several in a row', async () => {
  await tamper(`delete from audit_record where subject_id = 'order 2'`)
  assert.equal(await brokenAt(), 2)
  await tamper(`delete from audit_record where subject_id in ('order 3', 'order 4')`)
  assert.equal(await brokenAt(), 2)
})

test('seals removed directly in the database break the chain', async () => {
  await tamper('delete from audit_seal where first_number = 1')
  assert.equal(await brokenAt(), 1)
})
