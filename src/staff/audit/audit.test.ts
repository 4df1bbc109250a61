import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../database/sql.ts'
import { auditBacklog, sealAuditRecords } from '../../platform/audit/audit-chain.ts'
import { type AuditFilter, type AuditKey, type AuditRecord, listAuditRecords } from '../../platform/audit/audit-log.ts'
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
    return (await auditBacklog(statements))[0]!.length === 0
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

/** Two records a second, so that some have the same time; more of them than one read looks at. */
const madeRecords = 2_500
const madeOn = (second: number): string => new Date(Date.UTC(2020) + second * 1_000).toISOString()
const madeTime = { since: madeOn(0), until: madeOn(madeRecords / 2) }

async function makeRecords(): Promise<void> {
  await service.owner.production.statements.rows(sql`
    insert into audit_record (recorded_on, actor_kind, actor_id, action, subject_kind, subject_id, site_id, request_id)
    select ${madeTime.since}::timestamptz + make_interval(secs => 7919 * n % ${madeRecords / 2}),
      case when n % 5 = 0 then 'STAFF' else 'SYSTEM' end, case when n = 1200 then 'rare' else 'made-' || n % 2 end,
      case when n % 1000 = 0 then 'thing.lost' else 'thing.made' end,
      case when n % 3 = 0 then 'made_b' else 'made_a' end, (n % 400)::text,
      case when n % 900 <> 0 then n % 2 end, case when n % 500 = 0 then 'made-' || n % 1000 end
    from generate_series(1, ${madeRecords}) as n`)
}

test('every filter of the audit log and every pair finds what a look at all records finds, newest first', async () => {
  await makeRecords()
  const { longReads } = service.production.database
  const all: AuditRecord[] = []
  let last: AuditKey | undefined
  do {
    const { records: page } = await listAuditRecords(longReads, madeTime, { after: last, limit: 1_000 })
    all.push(...page)
    last = page.length === 1_000 ? page.at(-1) : undefined
  } while (last)
  assert.equal(all.length, madeRecords)
  assert.deepEqual(
    all,
    all.toSorted((a, b) => b.recordedOn.localeCompare(a.recordedOn) || b.auditId - a.auditId),
  )
  const lets: [AuditFilter, (record: AuditRecord) => boolean][] = [
    [{ actorKind: 'STAFF' }, ({ actor }) => actor.kind === 'STAFF'],
    [{ actorId: 'made-1' }, ({ actor }) => actor.id === 'made-1'],
    [{ actorId: 'rare' }, ({ actor }) => actor.id === 'rare'],
    [{ action: 'thing.lost' }, ({ action }) => action === 'thing.lost'],
    [{ action: 'thing.undone' }, () => false],
    [{ subjectKind: 'made_b' }, ({ subject }) => subject.kind === 'made_b'],
    [{ subjectKind: 'nothing' }, () => false],
    [{ subjectId: '300' }, ({ subject }) => subject.id === '300'],
    [{ siteId: 1 }, ({ siteId }) => siteId === 1],
    [{ requestId: 'made-500' }, ({ requestId }) => requestId === 'made-500'],
    [{ since: madeOn(400) }, ({ recordedOn }) => recordedOn >= madeOn(400)],
    [{ until: madeOn(400) }, ({ recordedOn }) => recordedOn < madeOn(400)],
  ]
  for (const [one, isOne] of lets)
    for (const [other, isOther] of lets) {
      // Another value of the same filter takes its place.
      const isBoth =
        Object.keys(one)[0] === Object.keys(other)[0]
          ? isOther
          : (record: AuditRecord) => isOne(record) && isOther(record)
      const found: AuditRecord[] = []
      let after: AuditKey | undefined
      do {
        const limit = 150
        const { records: page, goOn } = await listAuditRecords(
          longReads,
          { ...madeTime, ...one, ...other },
          { after, limit, lookAt: 400 },
        )
        found.push(...page)
        after = page.length === limit ? page.at(-1) : goOn
      } while (after)
      const ids = (list: readonly AuditRecord[]) => list.map(({ auditId }) => auditId)
      assert.deepEqual(ids(found), ids(all.filter(isBoth)), JSON.stringify({ ...one, ...other }))
    }
})

test('a read of the audit log ends after many records, with a cursor that goes on', async () => {
  const query = new URLSearchParams({ ...madeTime, actorKind: 'SIMULATOR' })
  let reads = 0
  for (let cursor: string | null = ''; cursor !== null; reads++) {
    if (cursor) query.set('cursor', cursor)
    const page: { records: unknown[]; nextCursor: string | null } = await records(String(query))
    assert.deepEqual(page.records, [])
    cursor = page.nextCursor
  }
  assert.equal(reads, 3)
})
