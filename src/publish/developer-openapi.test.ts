import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { methodOf, pathOf, type Operation } from '../contract/operation.ts'
import { problemsOf } from '../contract/operation-problems.ts'
import { problemCodes, problemStatus, type ProblemCode } from '../contract/problems.ts'
import { developer, developerChapters } from '../developer/contract.ts'
import { publishDeveloperOpenapi } from './developer-openapi.ts'

const hosts = { baseUrl: 'https://api.test', mtlsBaseUrl: 'https://mtls.test', sandboxBaseUrl: 'https://sandbox.test' }
const document: any = publishDeveloperOpenapi(developerChapters, hosts)
const entries: Operation[] = Object.values(developer)

test('the committed document of the developer API passes the linter', () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['node_modules/@redocly/cli/bin/cli.js', 'lint', 'openapi/developer.json', '--format=json'],
    {
      cwd: new URL('../../', import.meta.url),
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      encoding: 'utf8',
    },
  )
  const { totals } = JSON.parse(stdout) as { totals: { errors: number; warnings: number } }
  assert.deepEqual([totals.errors, totals.warnings], [0, 0], stdout + stderr)
  assert.equal(status, 0)
})

test('GEN-02 GEN-03 GEN-04 every operation of the developer API is there with its answers and problems, on all three hosts', () => {
  assert.deepEqual(
    document.servers.map(({ url }: { url: string }) => url),
    Object.values(hosts),
  )
  for (const entry of entries) {
    const shown = document.paths[pathOf(entry)][methodOf(entry).toLowerCase()]
    assert.equal(shown.operationId, entry.id)
    const statuses = [...Object.keys(entry.answers), '304', ...problemsOf(entry).map(problemStatus).map(String)]
    assert.deepEqual(Object.keys(shown.responses).toSorted(), [...new Set(statuses)].toSorted(), entry.id)
  }
})

test('every operation that keeps other applications out says so, and has the refusal', () => {
  for (const entry of entries) {
    const { description, responses } = document.paths[pathOf(entry)].get
    assert.match(description, /another application, such as an agent, gets 403/, entry.id)
    assert.deepEqual(responses[403], { $ref: '#/components/responses/ApplicationNotAllowed' }, entry.id)
  }
})

test('VER-04 the codes of the developer API that the partner API does not have are few, and all answered', () => {
  const own = [...new Set(entries.flatMap(problemsOf))].filter((code) => !problemCodes.includes(code))
  const listed: ProblemCode[] = document.components.schemas.Problem.properties.code.enum ?? []
  assert.deepEqual(own.toSorted(), ['application_not_allowed', 'delivery_not_found', 'request_not_found'])
  assert.deepEqual(listed.filter((code) => !problemCodes.includes(code)).toSorted(), own.toSorted())
})
