import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { keyRing } from '../../src/vocabulary/keys.ts'
import { registerEndpoint } from '../../src/webhooks/endpoints.ts'
import { secretScan } from '../logs/secret-scan.ts'
import { done } from '../world/done.ts'
import { testMasterKey } from '../world/master-key.ts'
import { newKey, orderBuilder, shipTo } from '../world/order-builder.ts'
import { partner, token } from '../world/partner.ts'
import { staff } from '../world/production.ts'
import { startReceiver, type Receiver } from '../world/receiver.ts'
import { startTestService, type TestService } from '../world/service.ts'
import { startCollector, type CollectedSpan } from '../world/trace-collector.ts'
import { until } from '../world/webhooks.ts'
import { startWorkerProcesses } from '../world/worker-processes.ts'

/** An order's trace over two processes: one answers, one works. The receiver gets it from the worker. */
const collector = await startCollector({ after })
const secret = 'a-credential-of-the-collector'
const variables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${secret}`,
}
const api = await startTestService({ variables: { ROLE: 'api', ...variables } })
const beside = await startWorkerProcesses(api, 1, variables)
let isClosed = false
after(async () => {
  await beside.stop()
  if (!isClosed) await api.close()
})

async function tell(service: TestService, receiver: Receiver, key: 'primary' | 'neighbour'): Promise<void> {
  const keys = keyRing([testMasterKey], 'PRODUCTION', 'stored-secret')
  const { partnerId } = service.manifest.partners[key]!
  const wish = { partnerId, url: `${receiver.url}${key}?key=${secret}`, allowHost: true, signed: true }
  await done(service.owner.production.change((tx) => registerEndpoint(tx, staff(), keys, wish)))
}

function tokenOf({ hosts, manifest }: TestService): Promise<string> {
  return token(hosts.baseUrl, manifest.partners.primary!.clients![0]!)
}

async function order(service: TestService, traceparent: string, key = newKey()): Promise<number> {
  const { baseUrl } = service.hosts
  const authorization = `Bearer ${await tokenOf(service)}`
  const body = orderBuilder(service.manifest).order({ partnerOrderId: key })
  const answer = await fetch(`${baseUrl}/v1/orders?`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', traceparent },
    body: JSON.stringify(body),
  })
  assert.equal(answer.status, 201, await answer.clone().text())
  return ((await answer.json()) as { order: { orderNumber: number } }).order.orderNumber
}

const traceOf = (number: number): string => String(number).padStart(32, 'a')
const callerSpan = '00f067aa0ba902b7'

test('the trace of a caller goes on from its request through database, worker and publisher to its webhook', async (t) => {
  const receiver = await startReceiver(t)
  await tell(api, receiver, 'primary')
  await tell(api, receiver, 'neighbour')
  const traceId = traceOf(1)
  await order(api, `00-${traceId}-${callerSpan}-01`)
  const delivered = await receiver.arrival(2)
  const ofTrace = (): CollectedSpan[] => collector.spans.filter((span) => span.traceId === traceId)
  const named = (name: string): CollectedSpan[] => ofTrace().filter((span) => span.name === name)
  await until(async () => named('deliver webhook').length > 0 && named('POST /v1/orders').length > 0)

  const [request] = named('POST /v1/orders')
  assert.equal(request!.parentSpanId, callerSpan)
  const [work] = named('process submission')
  assert.equal(work!.parentSpanId, request!.spanId)
  const [publish] = named('publish order.status_changed')
  assert.equal(publish!.parentSpanId, work!.spanId)
  const [attempt, ...others] = named('deliver webhook')
  assert.deepEqual(others, [], 'the delivery to another partner is not part of it')
  assert.equal(attempt!.parentSpanId, publish!.spanId)
  const byId = new Map(ofTrace().map((span) => [span.spanId, span]))
  const under = (span: CollectedSpan, root: CollectedSpan): boolean => {
    const parent = byId.get(span.parentSpanId ?? '')
    return parent !== undefined && (parent === root || under(parent, root))
  }
  const statements = ofTrace().filter((span) => span.attributes.some(({ key }) => key === 'db.query.text'))
  assert.ok(statements.some((span) => under(span, request!) && !under(span, work!)))
  assert.ok(statements.some((span) => under(span, work!)))

  const received = Object.fromEntries(delivered.map(({ path, headers }) => [path.split('?')[0], headers.traceparent]))
  assert.deepEqual(received, {
    '/primary': `00-${traceId}-${attempt!.spanId}-01`,
    '/neighbour': undefined,
  })
  const line = api.logLines
    .map((each) => JSON.parse(each) as { operation?: string; traceId?: string })
    .find(({ operation }) => operation === 'submitOrder')
  assert.equal(line?.traceId, traceId)
})

test('what is not sampled is passed on and not exported', async (t) => {
  const receiver = await startReceiver(t)
  await tell(api, receiver, 'primary')
  const given = `00-${traceOf(2)}-${callerSpan}-00`
  await order(api, given)
  const [delivered] = await receiver.arrival(1)
  assert.equal(delivered!.headers.traceparent, given)
  const later = await startReceiver(t)
  await tell(api, later, 'primary')
  await order(api, `00-${traceOf(3)}-${callerSpan}-01`)
  await until(async () =>
    collector.spans.some(({ traceId, name }) => traceId === traceOf(3) && name === 'deliver webhook'),
  )
  assert.deepEqual(
    collector.spans.filter(({ traceId }) => traceId === traceOf(2)),
    [],
  )
})

test('no secret and nothing of a person is in what is exported', async () => {
  const primary = await partner(api, 'primary')
  const given = await tokenOf(api)
  await primary.get(`/v1/orders?q=${encodeURIComponent(shipTo.name)}&limit=1`)
  await api.close()
  isClosed = true
  const scan = secretScan()
  scan.keep('the credential of the collector', secret)
  scan.keep('an access token', given)
  scan.keep('the master key', testMasterKey)
  scan.keep('a name', shipTo.name)
  scan.keep('an address', shipTo.address1)
  const { password } = new URL(api.databases.production)
  if (password !== '') scan.keep('the password of the databases', password)
  for (const text of collector.texts) scan.read(text)
  assert.ok(scan.length() > 10_000)
  assert.deepEqual(scan.found(), [])
})

test('without tracing the traceparent of a partner still reaches its receivers, unless it is invalid', async (t) => {
  const service = await startTestService()
  t.after(service.close)
  const receiver = await startReceiver(t)
  await tell(service, receiver, 'primary')
  const given = `00-${traceOf(4)}-${callerSpan}-01`
  await order(service, given)
  const [delivered] = await receiver.arrival(1)
  assert.equal(delivered!.headers.traceparent, given)
  await order(service, `00-${'0'.repeat(32)}-${callerSpan}-01`)
  const [, next] = await receiver.arrival(2)
  assert.equal(next!.headers.traceparent, undefined)
})

test(
  'a collector that refuses, then hangs, costs no request and stops no shutdown',
  { timeout: 120_000 },
  async (t) => {
    const broken = await startCollector(t, (response) => {
      if (broken.requests() === 1) response.writeHead(400).end()
    })
    const service = await startTestService({ variables: { OTEL_EXPORTER_OTLP_ENDPOINT: broken.url } })
    await order(service, `00-${traceOf(5)}-${callerSpan}-01`)
    await until(async () => service.logLines.some((line) => line.includes('traces cannot be sent to the collector')))
    await order(service, `00-${traceOf(6)}-${callerSpan}-01`)
    await until(async () => broken.requests() > 1)
    await order(service, `00-${traceOf(7)}-${callerSpan}-01`)
    // The promise is two seconds; a busy machine takes longer.
    const patience = delay(30_000, 'the stop waits for the collector', { ref: false })
    assert.equal(await Promise.race([service.close(), patience]), undefined)
  },
)
