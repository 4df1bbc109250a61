import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathOf, type AnyOperation } from '../../src/contract/operation.ts'
import { api } from '../../src/resources/api.ts'
import { staffApi } from '../../src/staff/api.ts'
import { partner } from '../world/partner.ts'
import { testService } from '../world/service.ts'
import { staff } from '../world/staff.ts'
import { until } from '../world/webhooks.ts'
import { ownIds } from './sample-calls.ts'

const service = await testService()
const primary = await partner(service, 'primary')
const admin = await staff(service)
const { fixtures, partners } = service.manifest

type Asked = { get: (path: string) => Promise<{ status: number; body: any }> }
type Listed = Record<string, unknown>

const { orderNumber } = fixtures.orders.manyLines
const order = await admin.get(`/staff/v1/production/orders/${orderNumber}`)

const path: Readonly<Record<string, string | number>> = {
  ...ownIds(service.manifest),
  environment: 'production',
  productId: fixtures.products.stock,
  orderNumber,
  shipmentNumber: order.body.shipments[0].shipmentNumber,
  userId: fixtures.users.withAddresses,
  partnerId: partners.primary.partnerId,
}

/** Filters whose name is not that of the record's field. */
const fields: Readonly<Record<string, string>> = {
  placedFrom: 'placedOn',
  placedTo: 'placedOn',
  since: 'recordedOn',
  until: 'recordedOn',
}

/** Whether a record belongs to a filtered list. Other filters ask for the same value in the field of their name. */
const selects: Readonly<Record<string, (record: Listed, value: string) => boolean>> = {
  placedFrom: (record, value) => (record.placedOn as string) >= value,
  placedTo: (record, value) => (record.placedOn as string) < value,
  since: (record, value) => (record.recordedOn as string) >= value,
  until: (record, value) => (record.recordedOn as string) < value,
  rootsOnly: (record) => record.parentId === null,
  root: (record) => record.parentId === null,
}

/** Filters of an operation that ask for something else than the field of their name. */
const derived: Readonly<Record<string, Readonly<Record<string, (record: Listed) => unknown>>>> = {
  listLines: {
    problem: ({ problem }) => problem !== null,
    held: ({ held }) => held !== null,
    assignee: ({ assigneeId }) => assigneeId,
    due: ({ daysLate }) => (daysLate === null ? null : 'late'),
  },
}

/** Filters without a field in the record, with a value that some records answer to. */
const given: Readonly<Record<string, string>> = { rootsOnly: 'true', root: 'true', sku: 'MER-TEE-BLAC-LARG' }

function listsOf(operations: Readonly<Record<string, AnyOperation>>): AnyOperation[] {
  return Object.values(operations).filter(({ collection, query }) => collection && query?.cursor)
}

function filtersOf(entry: AnyOperation): string[] {
  return Object.keys(entry.query!).filter((name) => !['cursor', 'limit', 'q'].includes(name))
}

/** A link is signed anew each time it is shown. */
function unsigned(record: Listed): Listed {
  return JSON.parse(JSON.stringify(record).replaceAll(/\?X-Amz-[^"]*/g, ''))
}

async function pages(by: Asked, entry: AnyOperation, query: URLSearchParams, limit: number): Promise<Listed[]> {
  const inSandbox = entry.refuses.includes('only_in_sandbox') && { environment: 'sandbox' }
  const at = pathOf(entry).replaceAll(/\{(\w+)\}/g, (_, name: string) => String({ ...path, ...inSandbox }[name]))
  const whole: Listed[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const asked = new URLSearchParams([...query, ['limit', String(limit)], ...(cursor ? [['cursor', cursor]] : [])])
    const answer = await by.get(`${at}?${asked}`)
    assert.equal(answer.status, 200, `${entry.id} ${query}: ${JSON.stringify(answer.body)}`)
    const records: Listed[] = answer.body[entry.collection!].map(unsigned)
    cursor = answer.body.nextCursor
    whole.push(...records)
    if (cursor !== null) assert.equal(records.length, limit, `${entry.id} ${query}: only the last page is short`)
  }
  return whole
}

/** A value of the filter that selects the record. */
function valueFor({ id }: AnyOperation, name: string, record: Listed): string | undefined {
  const asked = derived[id]?.[name]
  const value = asked ? asked(record) : (given[name] ?? record[fields[name] ?? name])
  return value === null || value === undefined ? undefined : String(value)
}

function selected({ id }: AnyOperation, records: readonly Listed[], wish: ReadonlyMap<string, string>): Listed[] {
  return records.filter((record) =>
    [...wish].every(([name, value]) =>
      derived[id]?.[name]
        ? String(derived[id][name](record)) === value
        : name in selects
          ? selects[name]!(record, value)
          : name in given || String(record[name]) === value,
    ),
  )
}

/** Each filter alone, and each two together, with values of one record in the middle of the list. */
async function walk(by: Asked, entry: AnyOperation): Promise<{ asked: number; split: number }> {
  const all = await pages(by, entry, new URLSearchParams(), 50)
  let asked = 0
  let split = 0
  const names = filtersOf(entry)
  for (const [index, first] of names.entries()) {
    for (const second of [first, ...names.slice(index + 1)]) {
      const bearing = all.filter((record) => valueFor(entry, first, record) && valueFor(entry, second, record))
      const chosen = bearing[Math.floor(bearing.length / 2)]
      if (!chosen) continue
      const wish = new Map([first, second].map((name) => [name, valueFor(entry, name, chosen)!]))
      const query = new URLSearchParams([...wish])
      const whole = await pages(by, entry, query, 50)
      if (!wish.has('sku')) assert.deepEqual(whole, selected(entry, all, wish), `${entry.id} ${query}`)
      const limit = Math.max(1, Math.ceil(whole.length / 3))
      assert.deepEqual(await pages(by, entry, query, limit), whole, `${entry.id} ${query} by ${limit}`)
      asked += 1
      if (whole.length > limit) split += 1
    }
  }
  return { asked, split }
}

test('PAG-03 PAG-05 every list of the partner API under every filter, alone and in pairs, gives the records that fit, whatever the page size', async () => {
  const tried = { asked: 0, split: 0 }
  for (const entry of listsOf(api)) {
    const { asked, split } = await walk(primary, entry)
    assert.ok(asked >= filtersOf(entry).length, `${entry.id}: only ${asked} combinations have records`)
    tried.asked += asked
    tried.split += split
  }
  assert.ok(tried.split > 30, `only ${tried.split} of ${tried.asked} filtered lists had several pages`)
})

test('every list of the staff API under every filter, alone and in pairs, gives the records that fit, whatever the page size', async () => {
  // The log of calls is written after the answers, in their order.
  const last = await primary.get('/v1/sites')
  await until(async () => {
    const logged = await admin.get(`/staff/v1/production/requests/${last.headers.get('request-id')}`)
    return logged.status === 200
  })
  const tried = { asked: 0, split: 0 }
  // The deliveries of an endpoint and of an order have their tests where deliveries are made.
  for (const entry of listsOf(staffApi).filter(({ at }) => !at.endsWith('deliveries'))) {
    const { asked, split } = await walk(admin, entry)
    tried.asked += asked
    tried.split += split
  }
  assert.ok(tried.split > 20, `only ${tried.split} of ${tried.asked} filtered lists had several pages`)
})
