import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import type { Caller } from '../contract/caller.ts'
import { Refusal } from '../contract/refusal.ts'
import type { PerformedOperation } from '../gateway/perform.ts'
import { api } from '../resources/api.ts'
import { Outage } from '../vocabulary/outage.ts'
import { callTool, type ToolCaller } from './call-tool.ts'
import { mcpTools } from './tools.ts'

const requestId = 'the-request'
const now = new Date('2026-01-31T09:30:00Z')
const caller: Caller = {
  partnerId: 'p',
  partnerName: 'Partner',
  environment: 'PRODUCTION',
  authMethod: 'IDP_M2M',
  tier: 'TRIAL',
  siteIds: [1],
  scopes: new Set(['orders:read']),
  clientId: null,
  tokenExpiresOn: null,
  certificate: null,
  user: null,
}
const free: ToolCaller = {
  called: () => undefined,
  caller,
  now,
  requestId,
  inTime: async (work) => work,
  spend: async () => ({ allowed: true, retryAfterSeconds: 0, headers: {} }),
}

async function call(perform: PerformedOperation['perform'], who: ToolCaller = free) {
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const tool = mcpTools([{ entry: api.getOrder, perform, check: async () => undefined }]).byName('get_order')!
  const result = await callTool(tool, { orderNumber: 7 }, who, log)
  return { result, problem: result.structuredContent as Record<string, unknown>, lines }
}

test('a tool call reaches the operation as the equivalent request', async () => {
  const { result } = await call(async ({ path, query, ...rest }) => {
    assert.deepEqual([path, query, await rest.body()], [{ orderNumber: '7' }, '', undefined])
    assert.deepEqual([rest.caller, rest.now, rest.requestId], [caller, now, requestId])
    return { status: 200, body: { a: 1 } }
  })
  assert.deepEqual(result, { content: [{ type: 'text', text: '{"a":1}' }], structuredContent: { a: 1 } })
})

test('ERR-02 a refusal is a failed call with the problem document, as structured content and as text', async () => {
  const { result, problem } = await call(async () => {
    throw new Refusal('order_not_found')
  })
  assert.equal(result.isError, true)
  assert.deepEqual(problem, {
    type: 'about:blank',
    title: 'Not Found',
    status: 404,
    code: 'order_not_found',
    detail: 'No such order.',
    requestId,
  })
  assert.deepEqual(result.content, [{ type: 'text', text: JSON.stringify(problem) }])
})

test('ERR-71 a bug is a fixed internal_error, and only the log has its cause', async () => {
  const { problem, lines } = await call(async () => {
    throw new Error('the secret inside')
  })
  assert.deepEqual([problem.code, problem.status], ['internal_error', 500])
  assert.doesNotMatch(JSON.stringify(problem), /secret/)
  assert.match(JSON.stringify(lines), /the secret inside/)
})

test('ERR-72 an outage is service_unavailable, one of the audit trail audit_unavailable', async () => {
  const failing = (outage: Outage) => call(() => Promise.reject(outage))
  assert.equal((await failing(new Outage('the database is gone'))).problem.code, 'service_unavailable')
  assert.equal((await failing(new Outage('no record', undefined, 'audit'))).problem.code, 'audit_unavailable')
})

test('LIM-07 a call beyond the limits is not performed, and says when to try again', async () => {
  const refused = { allowed: false, retryAfterSeconds: 3, headers: {} }
  let performed = false
  const { result, problem } = await call(
    async () => {
      performed = true
      return { status: 200, body: {} }
    },
    { ...free, spend: async () => refused },
  )
  assert.equal(performed, false)
  assert.equal(result.isError, true)
  assert.equal(problem.code, 'rate_limit_exceeded')
  assert.deepEqual(result.content[1], { type: 'text', text: 'Retry-After: 3 seconds' })
})

test('every call is logged with the operation and the code of its refusal, never with its arguments', async () => {
  const { lines } = await call(() => Promise.reject(new Refusal('order_not_found')))
  const line = lines.find(({ msg }) => msg === 'tool called')!
  assert.deepEqual(
    [line.operation, line.code, line.requestId, line.partnerId],
    ['getOrder', 'order_not_found', requestId, 'p'],
  )
  assert.ok(!('args' in line))
})

test('callers with the same scopes share one list of tools', () => {
  const tools = mcpTools(
    [api.getMe, api.listOrders, api.submitOrder].map((entry) => ({
      entry,
      perform: () => Promise.reject(new Error()),
      check: async () => undefined,
    })),
  )
  const list = tools.of(caller)
  assert.deepEqual(
    list.map(({ name }) => name),
    ['get_me', 'list_orders'],
  )
  assert.equal(tools.of({ ...caller, scopes: new Set(['orders:read']) }), list)
  assert.deepEqual(
    tools.of({ ...caller, scopes: new Set(['orders:write', 'orders:read']) }).map(({ name }) => name),
    ['get_me', 'list_orders', 'submit_order'],
  )
})
