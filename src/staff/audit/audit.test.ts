import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../database/sql.ts'
import { sealAuditRecords } from '../../platform/audit/audit-chain.ts'
import { staff, staffWith } from '../../../test/world/staff.ts'
import { until } from '../../../test/world/webhooks.ts'
import { testService } from '../../../test/world/service.ts'

const service = await testService()
const admin = await staff(service)

const records = async (query: string, environment = 'production') =>
  (await admin.get(`/staff/v1/${environment}/audit-records?${query}`)).body

test('a change is found by actor, action, subject and request, in the environment it changed', async () => {
  const made = await admin.post('/staff/v1/sandbox/partners', { name: 'Audited', machineMethod: 'BEARER' })
  const requestId = made.headers.get('request-id')!
  const expected = {
    actor: { kind: 'STAFF', id: 'demo' },
    action: 'partner.created',
    subject: { kind: 'partner', id: made.body.partnerId },
    requestId,
    detail: { name: 'Audited', machineMethod: 'BEARER' },
  }
  for (const query of [
    `requestId=${requestId}`,
    `subjectKind=partner&subjectId=${made.body.partnerId}`,
    'actorKind=STAFF&actorId=demo&action=partner.created',
    `since=${made.body.createdOn}&actorKind=STAFF`,
  ]) {
    const [found] = (await records(query, 'sandbox')).records
    const { actor, action, subject, requestId: inAnswerTo, detail } = found
    assert.deepEqual({ actor, action, subject, requestId: inAnswerTo, detail }, expected, query)
  }
  assert.deepEqual((await records(`requestId=${requestId}`)).records, [])
  assert.deepEqual((await records(`until=${made.body.createdOn}&requestId=${requestId}`, 'sandbox')).records, [])
})

test('pages go back through the record without gaps, and an auditor may read it', async () => {
  for (let number = 0; number < 5; number++) {
    await admin.post('/staff/v1/production/partners', { name: `Paged ${number}`, machineMethod: 'BEARER' })
  }
  const auditor = await staffWith(service, ['AUDITOR'])
  const all = (await auditor.get('/staff/v1/production/audit-records?action=partner.created')).body.records
  const paged: unknown[] = []
  let cursor: string | null = null
  do {
    const page: { records: unknown[]; nextCursor: string | null } = await records(
      `action=partner.created&limit=2${cursor === null ? '' : `&cursor=${cursor}`}`,
    )
    paged.push(...page.records)
    cursor = page.nextCursor
  } while (cursor !== null)
  const ids = (list: unknown[]) => list.map((record) => (record as { auditId: number }).auditId)
  assert.deepEqual(ids(paged), ids(all))
  assert.ok(paged.length >= 5)
})

test('the chain of hashes is checked as a whole or after a link', async () => {
  const { statements } = service.production.database
  // The service links records on its own too, and only one process can at a time.
  await until(async () => {
    await sealAuditRecords(statements, 500)
    return (await statements.rows(sql`select from audit_record where chain_number is null limit 1`)).length === 0
  })
  const at = '/staff/v1/production/audit-chain'
  const { holds, verifiedTo, complete, brokenAt } = (await admin.get(at)).body
  assert.deepEqual({ holds, complete, brokenAt }, { holds: true, complete: true, brokenAt: null })
  assert.ok(verifiedTo > 0)
  const rest = (await admin.get(`${at}?after=${verifiedTo}`)).body
  assert.deepEqual([rest.holds, rest.complete, rest.verifiedTo >= verifiedTo], [true, true, true])
  const beyond = (await admin.get(`${at}?after=999999999`)).body
  assert.deepEqual([beyond.holds, beyond.brokenAt], [false, 999_999_999])
  assert.equal((await admin.get(`${at}?after=0`)).body.code, 'invalid_request')
})
