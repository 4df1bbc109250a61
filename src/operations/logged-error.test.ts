import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../database/sql.ts'
import { Outage } from '../vocabulary/outage.ts'
import { testDatabase } from '../../test/world/database.ts'
import { testService } from '../../test/world/service.ts'
import { staff } from '../../test/world/staff.ts'
import { loggedError } from './logged-error.ts'
import { serviceLog } from './service-log.ts'

const service = await testService()
const { database } = await testDatabase()

type Line = { msg: string; err: { code: string; constraint: string; table: string; message: string; stack: string } }

test('a row that breaks a constraint is a bug in the log by the constraint’s name, and nothing of the row is there', async () => {
  await service.owner.production.statements.rows(sql`
    alter table partner_person add constraint nobody_of_this_name check (username not like 'unwanted-%')`)
  const admin = await staff(service)
  const { partnerId } = service.manifest.partners.primary
  const [username, email] = ['unwanted-amelia@example.com', 'amelia.whitfield@example.com']
  const answer = await admin.post(`/staff/v1/production/partners/${partnerId}/people`, { username, email })
  assert.equal(answer.status, 500)
  const lines = service.logLines.filter((line) => line.includes('nobody_of_this_name'))
  assert.equal(lines.length, 1)
  const { msg, err } = JSON.parse(lines[0]!) as Line
  assert.deepEqual(
    [msg, err.code, err.constraint, err.table],
    ['bug', '23514', 'nobody_of_this_name', 'partner_person'],
  )
  assert.match(err.stack, /\n +at /)
  for (const text of ['amelia', 'Failing row', username, email]) {
    assert.deepEqual(
      service.logLines.filter((line) => line.includes(text)),
      [],
    )
  }
})

test('a statement that PostgreSQL refuses with the value in its message is in the log by the condition', async () => {
  const secret = 'amelia@example.com\n    at amelia'
  const statements = [
    [sql`select ${secret}::text::int`, '22P02', 'invalid_text_representation'],
    [sql`select ${secret}::text::timestamptz`, '22007', 'invalid_datetime_format'],
    [sql`select to_tsquery(${`${secret} &`})`, '42601', 'syntax_error'],
    [sql`select ${'9'.repeat(30)}::text::int`, '22003', 'numeric_value_out_of_range'],
  ] as const
  for (const [statement, code, condition] of statements) {
    const lines: string[] = []
    const log = serviceLog('info', { write: (line: string) => void lines.push(line) }).child({ environment: 'X' })
    const failed: unknown = await database.statements.rows(statement).catch((error: unknown) => error)
    log.error({ err: failed }, 'bug')
    log.warn({ error: new Outage('the database', failed) }, 'an outage')
    assert.doesNotMatch(lines.join(''), /amelia|99999/)
    const [{ err }, { error }] = lines.map((line) => JSON.parse(line)) as [Line, { error: { cause: Line['err'] } }]
    assert.deepEqual([err.code, error.cause.code], [code, code])
    assert.match(err.message, new RegExp(condition))
    assert.match(error.cause.stack, /\n +at /)
  }
})

test('other errors keep message, code and stack, and nothing that was put on them besides', () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', address: '10.0.0.7' })
  const error = Object.assign(new Error('a bug', { cause }), { body: 'a secret' })
  const logged = loggedError(error) as { stack: string; cause: object }
  assert.deepEqual(Object.keys(logged), ['name', 'message', 'stack', 'cause'])
  assert.deepEqual(Object.keys(logged.cause), ['name', 'message', 'code', 'stack'])
  assert.equal(logged.stack, error.stack)
  assert.equal(loggedError('a text that a caller chose'), 'a text that a caller chose')
  assert.doesNotMatch(JSON.stringify(loggedError({ password: 'a secret' })), /a secret/)
  const loop = new Error('a loop')
  loop.cause = loop
  assert.ok(JSON.stringify(loggedError(loop)))
  try {
    JSON.parse('{"password": a secret}')
  } catch (problem) {
    assert.doesNotMatch(JSON.stringify(loggedError(problem)), /secret/)
  }
})
