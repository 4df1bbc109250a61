import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pino from 'pino'
import { freshDatabase, type FreshDatabase } from '../../../test/world/database.ts'
import { openDatabase, type Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { recordAudit } from './audit.ts'
import { brokenAuditLink, sealAuditRecords } from './audit-chain.ts'

let fresh: FreshDatabase
let database: Database

before(async () => {
  fresh = await freshDatabase()
  database = openDatabase(fresh.url, { log: pino({ level: 'silent' }) })
  for (let turn = 1; turn <= 5; turn++) await record(`order ${turn}`)
  assert.equal(await sealAuditRecords(database.statements, 100), 5)
})
after(async () => {
  await database.close()
  await fresh.drop()
})

function record(id: string): Promise<void> {
  return database.transaction((tx) =>
    recordAudit(tx, new Date(), {
      actor: { kind: 'STAFF', id: 'tester' },
      action: 'order.created',
      subject: { kind: 'order', id },
      siteId: null,
      requestId: null,
      detail: { id },
    }),
  )
}

/** Tampers as someone with the database's own powers could. */
async function tamper(statement: string): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.rows({ text: 'alter table audit_record disable trigger user', name: '', values: [] })
    await tx.rows({ text: statement, name: '', values: [] })
    await tx.rows({ text: 'alter table audit_record enable trigger user', name: '', values: [] })
  })
}

test('audit records can be neither changed nor deleted', async () => {
  await assert.rejects(database.statements.rows(sql`update audit_record set action = 'order.deleted'`), /append-only/)
  await assert.rejects(database.statements.rows(sql`delete from audit_record`), /append-only/)
  await assert.rejects(database.statements.rows(sql`truncate audit_record`), /append-only/)
})

test('sealed records form a chain that holds, and what comes later is linked to its end', async () => {
  assert.equal(await brokenAuditLink(database.statements), null)
  await record('order 6')
  assert.equal(await sealAuditRecords(database.statements, 100), 1)
  assert.equal(await sealAuditRecords(database.statements, 100), 0)
  assert.equal(await brokenAuditLink(database.statements), null)
})

test('a record changed behind the back of the service breaks the chain at its place', async () => {
  await tamper(`update audit_record set detail = '{"id": "other"}' where chain_number = 3`)
  assert.equal(await brokenAuditLink(database.statements), 3)
  await tamper(`update audit_record set detail = '{"id": "order 3"}' where chain_number = 3`)
  assert.equal(await brokenAuditLink(database.statements), null)
})

test('a record removed behind the back of the service breaks the chain', async () => {
  await tamper('delete from audit_record where chain_number = 2')
  assert.equal(await brokenAuditLink(database.statements), 3)
})
