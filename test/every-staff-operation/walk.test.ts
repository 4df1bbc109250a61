import assert from 'node:assert/strict'
import { test } from 'node:test'
import { methodOf, pathParameterNames } from '../../src/contract/operation.ts'
import type { Database } from '../../src/database/database.ts'
import { sql, SqlPart } from '../../src/database/sql.ts'
import { staffApi, staffProblems, staffSubjects } from '../../src/staff/api.ts'
import { staffOperations } from '../../src/staff/handlers.ts'
import { isUnsafe, type StaffOperation, type StaffSubject } from '../../src/staff/operation.ts'
import { permissionsOf, staffRoles } from '../../src/vocabulary/staff-roles.ts'
import { sendStaff, staff, staffWith } from '../world/staff.ts'
import { until } from '../world/webhooks.ts'
import { exampleFaults } from './compare-examples.ts'
import { staffSamples, type Sample } from './samples.ts'
import { sendSample, urlOf as urlOfSample } from './send-sample.ts'
import { stableExample, type StaffExample } from './stable-examples.ts'
import { walkService } from './walk-service.ts'

const service = await walkService()
const admin = await staff(service)

const entries = Object.values(staffApi)
const subjects: readonly StaffSubject[] = Object.values(staffSubjects)

const urlOf = (entry: StaffOperation, sample: Sample = {}) => urlOfSample(service, entry, sample)

test('every operation has a unique id, a handler, a sample and a published meaning for each refusal', () => {
  assert.equal(entries.length, subjects.flatMap(({ operations }) => Object.keys(operations)).length)
  for (const { operations } of subjects) {
    for (const [key, entry] of Object.entries(operations)) assert.equal(entry.id, key)
  }
  const ids = entries.map(({ id }) => id).toSorted()
  assert.deepEqual(staffOperations.map(({ entry }) => entry.id).toSorted(), ids)
  assert.deepEqual(Object.keys(staffSamples).toSorted(), ids)
  for (const entry of entries) for (const code of entry.refuses) assert.ok(staffProblems[code], `${entry.id}: ${code}`)
  assert.equal(new Set(entries.map(({ at }) => at.replaceAll(/\{\w+\}/g, '{}'))).size, entries.length)
})

test('STF-15 without a session every operation gives the same 401 for a missing, a foreign and a malformed credential', async () => {
  const partnerToken = service.manifest.partners.primary.clients![0]!.clientSecret
  for (const entry of entries.filter(({ open }) => !open)) {
    const said = new Set<string>()
    for (const credential of [undefined, `Bearer ${partnerToken}`, 'Basic x']) {
      const headers: Record<string, string> = credential === undefined ? {} : { authorization: credential }
      const answer = await sendStaff(service.hosts.consoleUrl, methodOf(entry), urlOf(entry), undefined, headers)
      assert.equal(answer.status, 401, entry.id)
      const { requestId: _, ...rest } = answer.body
      said.add(JSON.stringify([rest, answer.headers.get('www-authenticate')]))
    }
    assert.equal(said.size, 1, entry.id)
  }
})

test('every operation refuses exactly the roles without its permission, before any lookup', async () => {
  for (const role of staffRoles) {
    const person = await staffWith(service, [role])
    const allowed = permissionsOf([role])
    for (const entry of entries) {
      if (entry.permission === null) continue
      // Permission is checked before the query, and the query before the handler, so neither call changes anything.
      const answer = await person.call(methodOf(entry), `${urlOf(entry)}?nosuch=1`)
      const expected = allowed.has(entry.permission) ? 'unknown_query_parameter' : 'not_permitted'
      assert.equal(answer.body.code, expected, `${role} ${entry.id}`)
    }
  }
  const nobody = await staffWith(service, [])
  for (const entry of entries.filter(({ permission }) => permission !== null)) {
    assert.equal((await nobody.call(methodOf(entry), urlOf(entry))).body.code, 'not_permitted', entry.id)
  }
})

test('every operation refuses unknown query parameters, malformed paths and unknown keys', async () => {
  for (const entry of entries) {
    const method = methodOf(entry)
    assert.equal((await admin.call(method, `${urlOf(entry)}?nosuch=1`)).body.code, 'unknown_query_parameter', entry.id)
    for (const name of pathParameterNames(entry)) {
      const answer = await admin.call(method, urlOf(entry, { path: { [name]: ' ' } }))
      assert.equal(answer.body.code, 'invalid_request', `${entry.id} ${name}`)
    }
    if (method === 'GET') continue
    const answer = await admin.call(method, urlOf(entry), entry.upload ? '{}' : { nosuch: 1 })
    assert.equal(answer.body.code, 'invalid_request', entry.id)
  }
})

/** The rows of each table in one number: a row that is written has another place or another transaction. */
async function rowsByTable(owner: Database): Promise<Map<string, string>> {
  const tables = await owner.statements.rows<{ name: string }>(sql`
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname`)
  const counts = tables.map(
    ({ name }) =>
      `select '${name}' as name, sum(hashtextextended(ctid::text || xmin::text, 0))::text as rows from ${name}`,
  )
  const all = new SqlPart([counts.join(' union all ')], [])
  const found = await owner.statements.rows<{ name: string; rows: string | null }>(sql`${all}`)
  return new Map(found.map(({ name, rows }) => [name, rows ?? 'none']))
}

test('an operation that is said to change nothing leaves every row of the database as it was', async () => {
  const looking = entries.filter(({ changesNothing }) => changesNothing)
  assert.ok(looking.length > 0)
  for (const entry of looking) {
    assert.ok(isUnsafe(entry), `${entry.id} is a read anyway`)
    const sample = await staffSamples[entry.id]!({ service, admin })
    const url = urlOf(entry, sample)
    const owner = url.startsWith('/staff/v1/sandbox/') ? service.owner.sandbox : service.owner.production
    let written: string[] = []
    // Workers write too, but come to rest.
    await until(async () => {
      const before = await rowsByTable(owner)
      const answer = await admin.call(methodOf(entry), url, sample.body)
      assert.equal(answer.status, 200, `${entry.id}: ${JSON.stringify(answer.body)}`)
      const after = await rowsByTable(owner)
      written = [...after].filter(([name, rows]) => before.get(name) !== rows).map(([name]) => name)
      return written.length === 0
    }).catch((cause: unknown) => {
      throw new Error(`${entry.id} wrote to ${written.join(', ')}`, { cause })
    })
  }
})

const exchanged = new Map<StaffOperation, StaffExample>()

test('every operation answers its sample as its contract says, and every change writes an audit record that names the actor', async () => {
  for (const entry of entries) {
    const { sample, url, person, answer } = await sendSample({ service, admin }, entry)
    assert.ok(answer.status < 300, `${entry.id}: ${JSON.stringify(answer.body)}`)
    exchanged.set(entry, stableExample(entry, sample, answer))
    const world = url.startsWith('/staff/v1/sandbox/') ? service.sandbox : service.production
    const records = await world.database.statements.rows<{ actor: string }>(sql`
      select actor_kind || ' ' || actor_id as actor from audit_record
      where request_id = ${answer.headers.get('request-id')}`)
    if (!isUnsafe(entry) || entry.changesNothing) assert.equal(records.length, 0, `${entry.id} reads and was recorded`)
    else assert.ok(records.length > 0, `${entry.id} left no audit record`)
    for (const { actor } of records) assert.equal(actor, `STAFF ${person.username}`, entry.id)
  }
})

test('every operation publishes a body and an answer with the keys and types of what its sample sends and gets', () => {
  const faults = [...exchanged].flatMap(([entry, now]) => exampleFaults(entry, now))
  assert.deepEqual(faults, [], 'run `node bin/publish-staff-examples.ts && node bin/publish-contract.ts`')
})
