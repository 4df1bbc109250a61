import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathParameterNames, type Operation } from '../../src/contract/operation.ts'
import { api } from '../../src/resources/api.ts'
import { tracesOf } from '../world/developer.ts'
import { partner, type Answer } from '../world/partner.ts'
import { testService } from '../world/service.ts'
import { entryIds, offered, foreignIds, missingIds, operationIds, ownIds, sampleCall, urlOf } from './sample-calls.ts'

const service = await testService()
const primary = await partner(service, 'primary')

const stockProduct = { productId: service.manifest.fixtures.products.stock }

/** An answer without the parts that differ every time. */
function comparable({ status, headers, body }: Answer): unknown {
  const { requestId: _requestId, ...document } = body
  const { date: _date, 'request-id': _header, ...rest } = Object.fromEntries(headers)
  return { status, document, headers: rest }
}

test('TEN-01, TEN-02, ERR-43, ERR-44, ERR-45, ERR-48, ERR-49, ERR-50, ERR-51, ERR-52, ERR-53 every operation answers the same for a foreign and a missing id, at every id in its path', async () => {
  const { neighbour } = service.manifest.partners
  const traces = await tracesOf(service, await partner(service, 'neighbour'), neighbour!.partnerId)
  const own = ownIds(service.manifest)
  const foreign = { ...foreignIds(service.manifest), ...traces }
  for (const id of entryIds) {
    const names = pathParameterNames(offered[id])
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

/** What a field of a body names, by the field's name. A body's own record is in the path, so another is its parent. */
const namedBy: Record<string, string> = { parentId: 'divisionId', segmentIds: 'segmentId' }

type Field = { field: string; isList: boolean; names: string; isNumber: boolean }

/** The fields of an operation's body that name records. */
function idFields(entry: Operation): Field[] {
  const { properties = {} } = (entry.body?.schema ?? {}) as { properties?: Record<string, { type?: string }> }
  return Object.entries(properties)
    .filter(([field]) => /[a-z]Ids?$/.test(field) && field !== 'partnerOrderId')
    .map(([field, { type }]) => {
      const names = namedBy[field] ?? field
      return { field, isList: type === 'array', names, isNumber: names !== 'productId' }
    })
}

/** The answer without the ids that were asked for, and without its length, which depends on theirs. */
function withoutIds(answer: Answer, id: string): unknown {
  const { requestId: _, ...document } = answer.body
  return JSON.parse(JSON.stringify([answer.status, document]).replaceAll(new RegExp(`\\b${id}\\b`, 'g'), 'id'))
}

test('TEN-02, TEN-04, ERR-10, ERR-68, ERR-69 every id in a body answers the same for a foreign record, a missing one and one above 32 bits', async () => {
  const { foreign } = service.manifest.fixtures
  const foreignRecords: Record<string, string> = {
    ...foreignIds(service.manifest),
    segmentId: String(foreign.segmentId),
  }
  const missing: Record<string, string> = { ...missingIds, segmentId: '987654321' }
  const walked: string[] = []
  for (const id of operationIds) {
    for (const { field, isList, names, isNumber } of idFields(api[id])) {
      walked.push(`${id} ${field}`)
      const ids = [foreignRecords[names]!, missing[names]!]
      const tooLarge = isNumber ? ['2147483647', '2147483648', '999999999999999'] : []
      const answers: unknown[] = []
      for (const value of [...ids, ...tooLarge]) {
        const sent = isNumber ? Number(value) : value
        const call = sampleCall(id, { ...ownIds(service.manifest), ...(field === 'variantId' ? stockProduct : {}) })
        const answer = await primary.call(call.method, urlOf(id, call), {
          ...call.body,
          [field]: isList ? [sent] : sent,
        })
        assert.ok(answer.status >= 400, `${id} ${field} ${value}`)
        if (field === 'siteId') assert.equal(answer.body.code, 'invalid_site_id', `${id} ${value}`)
        if (isList) assert.match(answer.body.detail, new RegExp(`\\b${value}\\b`))
        answers.push(withoutIds(answer, value))
      }
      for (const other of answers) assert.deepEqual(other, answers[0], `${id} ${field}`)
    }
  }
  for (const known of [
    'createUser siteId',
    'updateUser divisionId',
    'updateDivision parentId',
    'quoteProduct variantId',
  ]) {
    assert.ok(walked.includes(known), known)
  }
})

test('SUB-47 an order line names a foreign variant, a missing one and one above 32 bits alike', async () => {
  const own = ownIds(service.manifest)
  const refused: unknown[] = []
  for (const variantId of [service.manifest.fixtures.foreign.variantId, 987_654_321, 2_147_483_648]) {
    const call = sampleCall('submitOrder', own)
    const [line] = call.body!.lines as object[]
    const body = { ...call.body, partnerOrderId: `variant ${variantId}`, lines: [{ ...line, variantId }] }
    const answer = await primary.post('/v1/orders', body)
    assert.equal(answer.body.status, 'failed', JSON.stringify(answer.body))
    refused.push(answer.body.errors)
  }
  for (const errors of refused) assert.deepEqual(errors, refused[0])
})

test('TEN-05 no field a partner can send names a grant, a capability, a tier or a credential', () => {
  const text = JSON.stringify(
    operationIds.map((id) => [(api[id] as Operation).body?.schema, Object.keys((api[id] as Operation).query ?? {})]),
  )
  assert.doesNotMatch(text, /grant|capabilit|scope|tier|secret|certificate|webhook/i)
})
