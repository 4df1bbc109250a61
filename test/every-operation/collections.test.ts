import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operation } from '../../src/contract/operation.ts'
import { api, type OperationId } from '../../src/resources/api.ts'
import { partner, type Partner } from '../world/partner.ts'
import { testService } from '../world/service.ts'
import { operationIds, ownIds, sampleCall, urlOf } from './sample-calls.ts'

const lists = operationIds.filter((id) => (api[id] as Operation).collection && (api[id] as Operation).query?.cursor)

const service = await testService()
const primary = await partner(service, 'primary')
const neighbour = await partner(service, 'neighbour')
const { fixtures } = service.manifest
const ids = {
  ...ownIds(service.manifest),
  orderNumber: String(fixtures.orders.manyLines.orderNumber),
  userId: String(fixtures.users.withAddresses),
}

function url(id: OperationId, query: string): string {
  return urlOf(id, { ...sampleCall(id, ids), query })
}

function records(id: OperationId, body: any): any[] {
  return body[(api[id] as Operation).collection!]
}

async function firstPage(id: OperationId): Promise<{ nextCursor: string; records: any[] }> {
  const answer = await primary.get(url(id, 'limit=1'))
  assert.equal(answer.status, 200, `${id}: ${JSON.stringify(answer.body)}`)
  return { nextCursor: answer.body.nextCursor, records: records(id, answer.body) }
}

test('PAG-01, PAG-03, PAG-05 following nextCursor to null yields the records of one large page, each once and in the same order', async () => {
  for (const id of lists) {
    const whole: any[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const answer = await primary.get(url(id, cursor === '' ? '' : `cursor=${cursor}`))
      assert.equal(answer.status, 200, `${id}: ${JSON.stringify(answer.body)}`)
      whole.push(...records(id, answer.body))
      cursor = answer.body.nextCursor
    }
    const size = Math.max(1, Math.ceil(whole.length / 7))
    const pieces: any[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const answer = await primary.get(url(id, `limit=${size}${cursor === '' ? '' : `&cursor=${cursor}`}`))
      const page = records(id, answer.body)
      pieces.push(...page)
      cursor = answer.body.nextCursor
      if (cursor !== null) assert.equal(page.length, size, `${id}: only the last page is short`)
    }
    assert.deepEqual(pieces, whole, id)
    assert.equal(new Set(whole.map((record) => JSON.stringify(record))).size, whole.length, `${id} repeats a record`)
  }
})

test('LIM-11, LIM-12, LIM-13, LIM-14, LIM-16, LIM-17, LIM-18 a limit above the maximum is capped, and the default applies', async () => {
  for (const id of lists) {
    const { limit } = (api[id] as Operation).query!
    const most = limit!.read('999999999')
    if (most === undefined) continue
    const capped = records(id, (await primary.get(url(id, 'limit=999999999'))).body)
    const atMost = records(id, (await primary.get(url(id, `limit=${String(most)}`))).body)
    assert.deepEqual(capped, atMost, id)
    assert.ok(capped.length <= (most as number))
    const standard = records(id, (await primary.get(url(id, ''))).body)
    assert.deepEqual(standard, atMost.slice(0, limit!.fallback as number), id)
  }
})

test('PAG-02, PAG-04, ERR-09 a cursor works only on its own endpoint, for its own partner and filters, exactly as received', async () => {
  const cursors = new Map<OperationId, string>()
  for (const id of lists) {
    const { nextCursor } = await firstPage(id)
    if (nextCursor !== null) cursors.set(id, nextCursor)
  }
  assert.ok(cursors.size >= lists.length - 2, `few lists have two records: ${[...cursors.keys()].join(', ')}`)
  for (const [id, cursor] of cursors) {
    const refused = async (who: Partner, path: string, why: string): Promise<void> => {
      assert.equal((await who.get(path)).body.code, 'invalid_cursor', `${id}: ${why}`)
    }
    assert.equal((await primary.get(url(id, `cursor=${cursor}`))).status, 200, id)
    await refused(neighbour, url(id, `cursor=${cursor}`), "another partner's")
    await refused(primary, url(id, `cursor=${cursor}A`), 'longer')
    await refused(primary, url(id, `cursor=${cursor.slice(0, -1)}`), 'shorter')
    await refused(primary, url(id, `cursor=${cursor.startsWith('A') ? 'B' : 'A'}${cursor.slice(1)}`), 'altered')
    await refused(primary, url(id, 'cursor='), 'empty')
    if ((api[id] as Operation).query!.siteId) {
      await refused(primary, url(id, `cursor=${cursor}&siteId=${service.manifest.sites.main}`), 'other filters')
    }
    for (const other of lists.filter((each) => each !== id)) {
      await refused(primary, url(other, `cursor=${cursor}`), `used on ${other}`)
    }
    assert.equal((await primary.get(url(id, ''))).status, 200, `${id}: without the cursor it works again`)
  }
})

test('a cursor is opaque: it does not reveal the id of the record it points after', async () => {
  const { nextCursor, records: shown } = await firstPage('listOrders')
  const bytes = Buffer.from(nextCursor, 'base64url').toString('latin1')
  assert.ok(!bytes.includes(String(shown[0].orderNumber)) && !nextCursor.includes(String(shown[0].orderNumber)))
})

test('TEN-03 a list without a site filter holds records of granted sites only', async () => {
  const granted = new Set(service.manifest.partners.primary!.siteIds)
  for (const id of lists) {
    for (const record of records(id, (await primary.get(url(id, ''))).body)) {
      if (record.siteId !== undefined) assert.ok(granted.has(record.siteId), `${id}: site ${record.siteId}`)
    }
  }
})
