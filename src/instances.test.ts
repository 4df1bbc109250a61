import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService, type TestService } from '../test/world/service.ts'

const said = ({ logLines }: TestService, level: string, beginning: string): boolean =>
  logLines
    .map((line) => JSON.parse(line) as { level: string; msg: string })
    .some((line) => line.level === level && line.msg.startsWith(beginning))

const anotherRuns = 'Another instance runs on the database of DATABASE_URL and stores files elsewhere'

test('on databases of its own a service says that its files are on one machine, and a second one with other files is told loudly', async (t) => {
  const first = await startTestService()
  t.after(first.close)
  assert.ok(said(first, 'warn', 'S3_ENDPOINT is not set'))
  assert.ok(!said(first, 'warn', 'SECRET_KEY is not set'))
  assert.ok(!said(first, 'error', anotherRuns))

  const sharing = await startTestService({ databases: first.databases, variables: { DATA_DIR: first.dataDir } })
  assert.ok(!said(sharing, 'error', anotherRuns))
  await sharing.close()

  const apart = await startTestService({ databases: first.databases })
  assert.ok(said(apart, 'error', anotherRuns))
  await apart.close()

  const after = await startTestService({ databases: first.databases, variables: { DATA_DIR: first.dataDir } })
  assert.ok(!said(after, 'error', anotherRuns), 'an instance that is gone is not counted')
  await after.close()
})
