import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathParameterNames, type Operation } from '../../src/contract/operation.ts'
import { api } from '../../src/resources/api.ts'
import { partner, type Answer } from '../world/partner.ts'
import { testService } from '../world/service.ts'
import { foreignIds, missingIds, operationIds, ownIds, sampleCall, urlOf } from './sample-calls.ts'

const service = await testService()
const primary = await partner(service, 'primary')

/** An answer without the parts that differ every time. */
function comparable({ status, headers, body }: Answer): unknown {
  const { requestId: _requestId, ...document } = body
  const { date: _date, 'request-id': _header, ...rest } = Object.fromEntries(headers)
  return { status, document, headers: rest }
}

test('TEN-01, TEN-02, ERR-43, ERR-44, ERR-45, ERR-48, ERR-49, ERR-50, ERR-51, ERR-52, ERR-53 every operation answers the same for a foreign and a missing id, at every id in its path', async () => {
  const own = ownIds(service.manifest)
  const foreign = foreignIds(service.manifest)
  for (const id of operationIds) {
    const names = pathParameterNames(api[id])
    for (const changed of [...names.map((name) => [name]), names]) {
      if (changed.length === 0) continue
      const answerWith = async (ids: Record<string, string>): Promise<Answer> => {
        const call = sampleCall(id, { ...own, ...Object.fromEntries(changed.map((name) => [name, ids[name]!])) })
        return primary.call(call.method, urlOf(id, call), call.body)
      }
      const [outside, missing] = [await answerWith(foreign), await answerWith(missingIds)]
      assert.deepEqual(comparable(outside), comparable(missing), `${id}, ${changed.join(', ')}`)
      if (id !== 'listUserAddresses') {
        assert.equal(outside.status, 404, `${id}, ${changed.join(', ')}: ${JSON.stringify(outside.body)}`)
      }
    }
  }
})

test('TEN-04, ERR-10 every query answers the same for a foreign site and a missing one', async () => {
  for (const id of operationIds) {
    if (!(api[id] as Operation).query?.siteId) continue
    const [outside, missing] = await Promise.all(
      [service.manifest.sites.foreign, missingIds.siteId].map((siteId) => {
        const call = sampleCall(id, ownIds(service.manifest))
        return primary.get(urlOf(id, { ...call, query: `siteId=${siteId}` }))
      }),
    )
    assert.equal(outside!.body.code, 'invalid_site_id', id)
    assert.deepEqual(comparable(outside!), comparable(missing!), id)
  }
})

test('TEN-04 every body with a site answers the same for a foreign site and a missing one', async () => {
  for (const id of ['submitOrder', 'quoteShipping', 'createUser', 'createDivision'] as const) {
    const answers = await Promise.all(
      [service.manifest.sites.foreign, Number(missingIds.siteId)].map((siteId) => {
        const call = sampleCall(id, ownIds(service.manifest))
        return primary.call(call.method, urlOf(id, call), { ...call.body, siteId })
      }),
    )
    assert.equal(answers[0]!.body.code, 'invalid_site_id', id)
    assert.deepEqual(comparable(answers[0]!), comparable(answers[1]!), id)
  }
})

test('every body with a record id answers the same for a foreign record and a missing one', async () => {
  const { foreign } = service.manifest.fixtures
  const own = ownIds(service.manifest)
  const slots = [
    ['updateUser', 'divisionId', foreign.divisionId],
    ['replaceUserSegments', 'segmentIds', [foreign.segmentId]],
    ['replaceProductSegments', 'segmentIds', [foreign.segmentId]],
    ['createDivision', 'parentId', foreign.divisionId],
    ['updateDivision', 'parentId', foreign.divisionId],
    ['submitOrder', 'divisionId', foreign.divisionId],
    ['quoteShipping', 'productId', foreign.productId],
  ] as const
  for (const [id, field, foreignValue] of slots) {
    const missingValue =
      field === 'productId' ? missingIds.productId : field === 'segmentIds' ? [987_654_321] : 987_654_321
    const answers = []
    for (const value of [foreignValue, missingValue]) {
      const call = sampleCall(id, own)
      answers.push(await primary.call(call.method, urlOf(id, call), { ...call.body, [field]: value }))
    }
    assert.ok(answers[0]!.status >= 400, id)
    assert.deepEqual(comparable(answers[0]!), comparable(answers[1]!), `${id}, ${field}`)
  }
})

test('TEN-05 no field a partner can send names a grant, a capability, a tier or a credential', () => {
  const text = JSON.stringify(
    operationIds.map((id) => [(api[id] as Operation).body?.schema, Object.keys((api[id] as Operation).query ?? {})]),
  )
  assert.doesNotMatch(text, /grant|capabilit|scope|tier|secret|certificate|webhook/i)
})
