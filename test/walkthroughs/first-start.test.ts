import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { dirname } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { freshDataDir, startServiceProcess } from '../world/service-process.ts'

const { dataDir, remove } = await freshDataDir()
after(remove)

const steps = ['starts PostgreSQL', 'brings the tables up to date', 'brings the demo data', 'opens the addresses']

test('a first start says each step as it happens and what to open next, and a second one that it kept the data', async () => {
  const first = await startServiceProcess(dataDir, { LOG_LEVEL: 'info' })
  const lines = first.stdout().trimEnd().split('\n')
  assert.deepEqual(
    lines.slice(0, 8).map((line) => line.replace(/( …|: .*)$/, '')),
    steps.flatMap((what) => [what, what]),
  )
  assert.match(lines[1]!, /: new, in .*postgres \(\d+\.\d s\)$/)
  assert.match(lines[5]!, /: made/)
  assert.deepEqual(JSON.parse(lines.at(-1)!), { ready: true, ...first.hosts })
  for (const line of first
    .stderr()
    .trimEnd()
    .split('\n')
    .filter((each) => !each.startsWith('BENCH_LIMITS'))) {
    assert.equal(typeof JSON.parse(line).msg, 'string', line)
  }

  const { developerUrl, consoleUrl } = first.hosts
  const pages = lines.filter(
    (line) => (line.includes(consoleUrl) || line.includes(developerUrl)) && !line.startsWith('{'),
  )
  assert.deepEqual(
    pages.map((line) => line.trim().split(/ {2,}/)),
    [
      ['developer site', developerUrl],
      ['staff console', consoleUrl],
    ],
  )
  for (const page of pages.map((line) => line.match(/http:\S+/)![0]))
    assert.match((await fetch(page)).headers.get('content-type')!, /^text\/html/)

  const pasted = lines.filter((line) => line.startsWith('  TOKEN=') || line.startsWith('  curl ')).join('\n')
  const { stdout } = await promisify(execFile)('bash', ['-euc', pasted], {
    env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
  })
  assert.equal(JSON.parse(stdout).products.length, 3)
  first.signal('SIGTERM')
  assert.equal((await first.ended).code, 0)

  const second = await startServiceProcess(dataDir)
  assert.match(second.stdout(), /starts PostgreSQL: with the data kept in /)
  assert.match(second.stdout(), /tables up to date: nothing to do /)
  assert.match(second.stdout(), /demo data: kept, made on \d{4}-\d\d-\d\d at \d\d:\d\d UTC /)
  second.signal('SIGTERM')
  await second.ended
})
