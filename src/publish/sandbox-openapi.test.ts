import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { methodOf, pathOf, type Operation } from '../contract/operation.ts'
import { problemsOf } from '../contract/operation-problems.ts'
import { problemStatus, sandboxProblemCodes } from '../contract/problems.ts'
import { control, controlChapters } from '../sandbox/control/contract.ts'
import { publishSandboxOpenapi } from './sandbox-openapi.ts'

const root = new URL('../../', import.meta.url)
const document: any = publishSandboxOpenapi(controlChapters, 'https://sandbox.test')
const entries: Operation[] = Object.values(control)

test('the committed document of the control API passes the linter', () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['node_modules/@redocly/cli/bin/cli.js', 'lint', 'openapi/sandbox.json', '--format=json'],
    {
      cwd: root,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      encoding: 'utf8',
    },
  )
  const { totals } = JSON.parse(stdout) as { totals: { errors: number; warnings: number } }
  assert.deepEqual([totals.errors, totals.warnings], [0, 0], stdout + stderr)
  assert.equal(status, 0)
})

test('every operation of the control API is there with its answers, its problems and a valid body', () => {
  for (const entry of entries) {
    const shown = document.paths[pathOf(entry)][methodOf(entry).toLowerCase()]
    assert.equal(shown.operationId, entry.id)
    const unchanged = methodOf(entry) === 'GET' && !entry.download ? ['304'] : []
    const refused = problemsOf(entry).map(problemStatus).map(String)
    const statuses = [...Object.keys(entry.answers), ...unchanged, ...refused, '403']
    assert.deepEqual(Object.keys(shown.responses).toSorted(), [...new Set(statuses)].toSorted(), entry.id)
    if (!entry.body) continue
    const { example } = shown.requestBody.content['application/json']
    const ajv = new Ajv2020({ strict: false })
    assert.ok(ajv.validate(entry.body.schema, example), `${entry.id}: ${ajv.errorsText()}`)
    assert.deepEqual(entry.body.check?.(example as never) ?? [], [], entry.id)
  }
})

test('VER-04 operations of the control API answer its codes, none of which the partner API has', () => {
  const answered = new Set(entries.flatMap(problemsOf))
  assert.deepEqual(
    sandboxProblemCodes.filter((code) => !answered.has(code)),
    [],
  )
})
