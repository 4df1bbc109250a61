import assert from 'node:assert/strict'
import { test } from 'node:test'
import { methodOf, pathOf, type Operation } from '../../src/contract/operation.ts'
import { sql, SqlPart } from '../../src/database/sql.ts'
import { api } from '../../src/resources/api.ts'
import { staffApi } from '../../src/staff/api.ts'
import { staffSamples, usualPath } from '../every-staff-operation/samples.ts'
import { partner, type Answer } from '../world/partner.ts'
import { testService } from '../world/service.ts'
import { staff } from '../world/staff.ts'
import { operationIds, ownIds, sampleCall, urlOf } from './sample-calls.ts'

/**
 * A PATCH or PUT whose wish is fulfilled already changes nothing: not a column of any row, the date of the last change
 * included, and no audit record and no event is written. Each is sent twice; the second call is such a one.
 */

const service = await testService()
const { database } = service.production
const { fixtures } = service.manifest

const sources = [
  'site',
  'site_user',
  'user_segment',
  'division',
  'product',
  'product_segment',
  'product_image',
  'variant',
  'credit_account',
  'fulfilment_center',
  'shipping_service',
  'orders',
  'order_line',
  // The publisher changes other columns of events.
  '(select event_id from event)',
].map((source) => new SqlPart([source], []))

/** The rows that the calls may change, by table. */
async function rows(): Promise<string[]> {
  const texts = sources.map((source) =>
    database.statements.rows<{ line: string }>(sql`
      select found::text as line from ${source} as found order by 1`),
  )
  return (await Promise.all(texts)).map((found) => found.map(({ line }) => line).join('\n'))
}

async function auditedBy(answer: Answer): Promise<string[]> {
  const found = await database.statements.rows<{ action: string }>(sql`
    select action from audit_record where request_id = ${answer.headers.get('request-id')}`)
  return found.map(({ action }) => action)
}

/** The specification has every PATCH of a division audited (DIV-19). */
const alwaysAudited = ['updateDivision']

async function assertUnchanging(id: string, call: () => Promise<Answer>): Promise<void> {
  const first = await call()
  assert.equal(first.status, 200, `${id}: ${JSON.stringify(first.body)}`)
  const before = await rows()
  const second = await call()
  assert.equal(second.status, 200, `${id}: ${JSON.stringify(second.body)}`)
  assert.deepEqual(await rows(), before, id)
  const audited = await auditedBy(second)
  if (alwaysAudited.includes(id)) assert.deepEqual(audited, ['division.updated'])
  else assert.deepEqual(audited, [], id)
}

test('DIV-19 a PATCH by a partner that changes nothing moves no date, and writes no audit record and no event', async () => {
  const primary = await partner(service, 'primary')
  const ids = { ...ownIds(service.manifest), productId: fixtures.products.withImages }
  const patches = operationIds.filter((id) => methodOf(api[id]) === 'PATCH')
  assert.ok(patches.length >= 5)
  for (const id of patches) {
    const entry: Operation = api[id]
    const productId = entry.at.includes('variantId') ? fixtures.products.stock : ids.productId
    const sample = sampleCall(id, { ...ids, productId })
    await assertUnchanging(id, () => primary.call(sample.method, urlOf(id, sample), sample.body))
  }
  for (const id of ['replaceUserSegments', 'replaceProductSegments'] as const) {
    const sample = sampleCall(id, { ...ids, userId: String(fixtures.users.allSegmentsVisible) })
    await assertUnchanging(id, () => primary.call(sample.method, urlOf(id, sample), sample.body))
  }
})

test('a PATCH by staff that changes nothing moves no date, and writes no audit record and no event', async () => {
  const admin = await staff(service)
  const patches = Object.values(staffApi).filter((entry) => methodOf(entry) === 'PATCH')
  assert.ok(patches.length >= 10)
  for (const entry of patches) {
    const sample = await staffSamples[entry.id]!({ service, admin })
    const values: Record<string, unknown> = { ...usualPath(service), ...sample.path }
    const url = pathOf(entry).replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])))
    await assertUnchanging(entry.id, () => admin.patch(url, sample.body))
  }
})
