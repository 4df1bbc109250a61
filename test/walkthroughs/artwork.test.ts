import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { severities, findingCodes } from '../../src/vocabulary/artwork.ts'
import { artworkCheckStatuses } from '../../src/vocabulary/statuses.ts'
import { exampleFinding } from '../../src/platform/artwork/example-findings.ts'
import { demoValues } from '../world/readme.ts'
import { testService } from '../world/service.ts'

const guide = readFileSync(new URL('../../docs/artwork.md', import.meta.url), 'utf8')

test('the commands of docs/artwork.md work as pasted, and print what stands beside them', async () => {
  const service = await testService()
  const script = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, lines]) => lines).join('\n')
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', `${demoValues()}\n${script}`], {
    env: { ...process.env, DATA_DIR: service.dataDir },
  })
  const said = [...script.matchAll(/ {3}# (.+)$/gm)].map(([, words]) => words)
  assert.equal(said.length, 4)
  assert.deepEqual(stdout.trim().split('\n'), said)
})

test('docs/artwork.md explains every status and severity, and lists every finding with its sentences', () => {
  for (const word of [...artworkCheckStatuses, ...severities]) assert.match(guide, new RegExp(`^\\|.*\`${word}\``, 'm'))
  const rows = guide.slice(guide.indexOf('## Findings')).match(/^\| `.*$/gm)
  assert.deepEqual(
    rows,
    findingCodes.map((code) => {
      const { severity, message, fix } = exampleFinding(code)
      return `| \`${code}\` | ${severity} | ${message} | ${fix} |`
    }),
  )
})
