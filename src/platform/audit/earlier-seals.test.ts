import assert from 'node:assert/strict'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { pino } from 'pino'
import { freshDatabase } from '../../../test/world/database.ts'
import { openDatabase } from '../../database/database.ts'
import { migrationsFolder } from '../../database/migration-files.ts'
import { migrate } from '../../database/migrate.ts'
import { sql } from '../../database/sql.ts'
import { auditBacklog, checkAuditChain, sealAuditRecords } from './audit-chain.ts'
import { recordAudit } from './audit.ts'
import { listAuditRecords } from './audit-log.ts'

test('a chain that earlier programs sealed in the records goes on in seals of its own, and they can go on with it', async (t) => {
  const { url, drop } = await freshDatabase('template0')
  const folder = await mkdtemp(join(tmpdir(), 'partner-commerce-earlier-seals-'))
  t.after(() => Promise.all([drop(), rm(folder, { recursive: true })]))
  for (const name of await readdir(migrationsFolder))
    if (name < '0053') await cp(new URL(name, migrationsFolder), join(folder, name))
  await migrate(url, undefined, { folder: pathToFileURL(`${folder}/`) })
  const database = openDatabase(url, { log: pino({ level: 'silent' }) })
  t.after(() => database.close())

  const record = (id: string): Promise<void> =>
    database.transaction((tx) =>
      recordAudit(
        tx,
        { actor: { kind: 'STAFF', id: 'tester' }, now: new Date(), requestId: null },
        { action: 'order.created', subject: { kind: 'order', id }, siteId: null },
      ),
    )
  const sealAsEarlier = async (atMost: number): Promise<number> =>
    (await database.statements.row<{ linked: number }>(sql`select seal_audit_records(${atMost}::int) as linked`))!
      .linked
  const numbers = async (): Promise<unknown[]> => {
    const { records } = await listAuditRecords(database.statements, {}, { after: undefined, limit: 50 })
    return records.map(({ subject, chainNumber }) => [subject.id, chainNumber]).toReversed()
  }
  const inRecords = () =>
    database.statements.rows<{ chainNumber: number | null }>(sql`
      select chain_number from audit_record order by audit_id`)

  for (const id of ['1', '2', '3']) await record(id)
  assert.equal(await sealAsEarlier(2), 2)
  // Ids 4 and 6 are drawn and never committed.
  await database.statements.rows(sql`select nextval('audit_record_audit_id_seq')`)
  await record('5')
  await database.statements.rows(sql`select nextval('audit_record_audit_id_seq')`)

  assert.equal((await migrate(url)).applied[0], '0053-audit-seals.sql')
  assert.equal((await auditBacklog(database.statements))[0]!.length, 2)
  await record('7')
  assert.equal(await sealAuditRecords(database.statements, 2), 2)
  assert.deepEqual(await numbers(), [
    ['1', 1],
    ['2', 2],
    ['3', 3],
    ['5', 4],
    ['7', null],
  ])
  assert.equal(await sealAuditRecords(database.statements, 2), 1)
  const whole = { verifiedTo: 5, complete: true, brokenAt: null }
  for (const linksAtOnce of [1, 2, 3, 500])
    assert.deepEqual(await checkAuditChain(database.statements, { linksAtOnce }), whole)
  assert.deepEqual(await checkAuditChain(database.statements, { after: 2 }), whole)

  assert.deepEqual(
    (await inRecords()).map(({ chainNumber }) => chainNumber),
    [1, 2, null, null, null],
  )
  await record('8')
  assert.deepEqual([await sealAsEarlier(3), await sealAsEarlier(3)], [3, 1])
  assert.deepEqual(
    (await inRecords()).map(({ chainNumber }) => chainNumber),
    [1, 2, 3, 4, 5, 6],
  )
  assert.deepEqual(await checkAuditChain(database.statements), { ...whole, verifiedTo: 6 })

  await database.transaction(async (tx) => {
    await tx.rows({ text: 'alter table audit_record disable trigger user', name: '', values: [] })
    await tx.rows(sql`update audit_record set action = 'order.deleted' where audit_id = 2`)
  })
  assert.equal((await checkAuditChain(database.statements)).brokenAt, 2)
})
