import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { methodOf, pathOf, type Operation } from '../contract/operation.ts'
import { problemsOf } from '../contract/operation-problems.ts'
import { problemCodes, problemStatus } from '../contract/problems.ts'
import { webhookEvents } from '../contract/webhook-events.ts'
import { eventTypes } from '../platform/events/events.ts'
import { api, chapters } from '../resources/api.ts'
import { publishedScope, scopes } from '../vocabulary/scopes.ts'
import { publishOpenapi } from './openapi.ts'
import type { Json, JsonObject } from './schemas.ts'

const root = new URL('../../', import.meta.url)
const file = new URL('openapi/partner-commerce.json', root)
const hosts = { baseUrl: 'https://api.test', mtlsBaseUrl: 'https://mtls.test', sandboxBaseUrl: 'https://sandbox.test' }
const document = publishOpenapi(chapters, hosts)
const entries: Operation[] = Object.values(api)

function at(...path: string[]): JsonObject {
  return path.reduce<Json>((node, key) => (node as JsonObject)[key]!, document) as JsonObject
}

function run(...args: string[]) {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  return spawnSync(process.execPath, args, { cwd: root, env, encoding: 'utf8' })
}

test('the committed documents match the contracts', () => {
  const { status, stderr } = run('bin/publish-contract.ts', '--check')
  assert.equal(stderr, '')
  assert.equal(status, 0)
})

test('the committed documents pass the linter', () => {
  for (const path of ['openapi/partner-commerce.json', 'openapi/staff.json']) {
    const { status, stdout, stderr } = run('node_modules/@redocly/cli/bin/cli.js', 'lint', path, '--format=json')
    const { totals } = JSON.parse(stdout) as { totals: { errors: number; warnings: number } }
    assert.deepEqual([totals.errors, totals.warnings], [0, 0], stdout + stderr)
    assert.equal(status, 0)
  }
})

test('GEN-02 GEN-03 GEN-04 the document names the three hosts', () => {
  assert.deepEqual(
    (document.servers as { url: string }[]).map(({ url }) => url),
    ['https://api.test', 'https://mtls.test', 'https://sandbox.test'],
  )
})

test('SCOPE-01 every operation is at its path with its id, scope, answers and problems', () => {
  for (const entry of entries) {
    const shown = at('paths', pathOf(entry), methodOf(entry).toLowerCase())
    assert.equal(shown.operationId, entry.id)
    const [first] = shown.security as [JsonObject]
    if (entry.open) assert.deepEqual(first, {})
    else assert.deepEqual(first, { oauth2: entry.scope === null ? [] : [publishedScope(entry.scope)] })
    const statuses = new Set([
      ...Object.keys(entry.answers),
      ...problemsOf(entry).map((code) => String(problemStatus(code))),
      '403',
      ...(methodOf(entry) === 'GET' ? ['304'] : []),
    ])
    assert.deepEqual(Object.keys(shown.responses as JsonObject).toSorted(), [...statuses].toSorted(), entry.id)
  }
  const flows = at('components', 'securitySchemes', 'oauth2', 'flows', 'clientCredentials')
  assert.deepEqual(Object.keys(flows.scopes as JsonObject), scopes.map(publishedScope))
})

test('VER-04 the document lists every problem code, and some operation answers each, except codes outside operations', () => {
  assert.deepEqual(at('components', 'schemas', 'Problem', 'properties', 'code').enum, problemCodes)
  const { description } = at('info')
  for (const code of problemCodes)
    assert.ok((description as string).includes(`| \`${code}\` | ${problemStatus(code)} |`), code)
  const answered = new Set(entries.flatMap(problemsOf))
  assert.deepEqual(
    problemCodes.filter((code) => !answered.has(code)),
    ['route_not_found', 'method_not_allowed', 'product_write_partially_applied', 'unsupported_field_for_service_type'],
  )
})

test('ERR-02 a problem has six members, all required, and the list of several faults', () => {
  const problem = at('components', 'schemas', 'Problem')
  assert.deepEqual(problem.required, ['type', 'title', 'status', 'code', 'detail', 'requestId'])
  assert.deepEqual(Object.keys(problem.properties as JsonObject), [...(problem.required as string[]), 'errors'])
})

test('the headers that matter to a client are documented where they occur', () => {
  const has = (path: string, method: string, status: string) =>
    Object.keys(at('paths', path, method, 'responses', status).headers as JsonObject)
  for (const status of ['200', '201']) {
    assert.ok(
      ['Location', 'Retry-After', 'Request-Id'].every((name) => has('/v1/orders', 'post', status).includes(name)),
    )
  }
  assert.ok(has('/v1/divisions', 'post', '201').includes('Location'))
  assert.ok(has('/v1/orders/submissions/{submissionId}', 'get', '200').includes('Retry-After'))
  const responses = at('components', 'responses') as Record<string, JsonObject>
  assert.ok('Retry-After' in (responses.RateLimitExceeded!.headers as JsonObject))
  assert.ok('WWW-Authenticate' in (responses.InvalidToken!.headers as JsonObject))
  assert.ok('Retry-After' in (responses.ServiceUnavailable!.headers as JsonObject))
})

test('every body has an example, and every example fits its body', () => {
  for (const entry of entries.filter(({ body }) => body)) {
    const { requestBody } = at('paths', pathOf(entry), methodOf(entry).toLowerCase())
    const { example } = (requestBody as { content: Record<string, JsonObject> }).content['application/json']!
    const ajv = new Ajv2020({ strict: false })
    assert.ok(ajv.validate(entry.body!.schema, example), `${entry.id}: ${ajv.errorsText()}`)
    assert.deepEqual(entry.body!.check?.(example as never) ?? [], [], entry.id)
  }
})

test('every schema of the document is a JSON Schema of revision 2020-12 with valid references', () => {
  const schemas = at('components', 'schemas')
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: 'https://api.test/', components: { schemas } })
  for (const name of Object.keys(schemas)) ajv.compile({ $ref: `https://api.test/#/components/schemas/${name}` })
  assert.ok(!JSON.stringify(document).includes('"$id"'))
})

test('EVT-01 EVT-07 EVT-08 EVT-11 EVT-12 the webhooks have exactly their published members', () => {
  assert.deepEqual(Object.keys(webhookEvents).toSorted(), eventTypes.toSorted())
  const orderKeys = ['eventId', 'type', 'occurredAt', 'siteId', 'orderNumber', 'partnerOrderId']
  for (const [type, keys] of Object.entries({
    'order.status_changed': orderKeys,
    'order_line.cancelled': orderKeys,
    'proof.pending_review': orderKeys,
    'shipment.shipped': [...orderKeys, 'shipmentNumber'],
    'shipment.cancelled': [...orderKeys, 'shipmentNumber'],
  })) {
    const { $ref } = at('webhooks', type, 'post', 'requestBody', 'content', 'application/json', 'schema')
    const payload = at('components', 'schemas', ($ref as string).split('/').at(-1)!)
    assert.deepEqual(Object.keys(payload.properties as JsonObject), keys, type)
    assert.deepEqual(
      payload.required,
      keys.filter((key) => key !== 'partnerOrderId'),
      type,
    )
    assert.ok(!JSON.stringify((payload.properties as Record<string, Json>).partnerOrderId).includes('null'))
  }
})

test('ERR-08 PRF-29 ORD-30 VER-03 EVT-28 EVT-33 EVT-38 the document tells clients what they must know', () => {
  const said = readFileSync(file, 'utf8')
  for (const words of [
    /backoff and jitter, a limited number of times/,
    /get a fresh token and try once more/,
    /do not repeat the request unchanged/,
    /`PENDING_REVIEW` or `DECLINED`, its order waits for someone/,
    /an estimate that may move/,
    /not a watermark/,
    /answer 2xx at once/,
    /Log or ignore a `type` you do not know/,
    /read `GET \/v1\/orders` on a schedule/,
    /more than 300 seconds away/,
    /the body's bytes as they came in/,
    /in constant time/,
    /when `t` or `v1` is missing/,
    /is a hint and proves nothing/,
    /starts with `test_`/,
  ]) {
    assert.match(said, words)
  }
})

test('ART-18 the document says which artwork a line takes, and every cause of a refusal', () => {
  const attach = at('paths', '/v1/orders/{orderNumber}/items/{itemNumber}/artwork', 'post')
  assert.match(attach.description as string, /artworkTypes/)
  const refusal = JSON.stringify((attach.responses as JsonObject)['409'])
  for (const cause of ['unknown', 'missing', 'already attached', 'empty', 'type', 'shipped', 'made', 'completed'])
    assert.ok(refusal.includes(cause), cause)
})
