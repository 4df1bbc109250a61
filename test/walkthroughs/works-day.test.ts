import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { sql } from '../../src/database/sql.ts'
import { someAtOnce } from '../../src/platform/ordering/some-at-once.ts'
import { pdfFile } from '../world/artwork.ts'
import { orderBuilder, type Json } from '../world/order-builder.ts'
import { partner } from '../world/partner.ts'
import { testService } from '../world/service.ts'
import { staffWith } from '../world/staff.ts'
import { until } from '../world/webhooks.ts'

/** A day at the works: 200 orders, from approval to the van, by people who have nothing but the staff API. */

const callsMax = 60

const designer = createServer((_request, response) => response.end(pdfFile()))
await new Promise<void>((listening) => designer.listen(0, '127.0.0.1', listening))
after(() => designer.close())
const artworkUrl = `http://127.0.0.1:${(designer.address() as AddressInfo).port}/card.pdf`

const service = await testService({ variables: { ARTWORK_HOSTS: '127.0.0.1' } })
const primary = await partner(service, 'primary')
const operations = await staffWith(service, ['OPERATIONS'])
const build = orderBuilder(service.manifest)

const shirts = () => build.stockLine({ quantity: 1 })
const cards = () => build.podLine({ artworkUrl })
const kits = () => ({ productId: 'SLO_100016', variantId: 60021, partnerLineId: 'kits', quantity: 1 })
const letterheads = () => ({ productId: 'SLO_100010', partnerLineId: 'letterheads', quantity: 100 })

/** What is ordered, and how often: from stock, printed from a file on file, with approval, with artwork and a proof. */
const kinds: readonly [lines: () => Json[], count: number][] = [
  [() => [shirts()], 70],
  [() => [letterheads()], 50],
  [() => [kits()], 25],
  [() => [cards()], 35],
  [() => [shirts(), cards()], 20],
]

let calls = 0

async function ask(method: 'GET' | 'POST', path: string, body?: object) {
  calls++
  const answer = await operations.call(method, `/staff/v1/production/${path}`, body)
  assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** All records of a list, page by page. */
async function all<Item>(list: string, key: string): Promise<Item[]> {
  const found: Item[] = []
  let cursor: string | null = null
  do {
    const page: Record<string, Item[]> & { nextCursor: string | null } = await ask(
      'GET',
      `${list}&limit=200${cursor === null ? '' : `&cursor=${cursor}`}`,
    )
    found.push(...page[key]!)
    cursor = page.nextCursor
  } while (cursor !== null)
  return found
}

type Line = { orderNumber: number; lineNumber: number; productionStatus: string | null }

const lines = (filters: string) =>
  all<Line>(`lines?partnerId=${service.manifest.partners.primary.partnerId}&${filters}`, 'lines')

/** Does something to lines, 200 at a time; answers how many were done. */
async function onLines(verb: string, found: readonly Line[], body: object = {}): Promise<number> {
  let done = 0
  for (let from = 0; from < found.length; from += 200) {
    const some = found.slice(from, from + 200)
    const named = some.map(({ orderNumber, lineNumber, productionStatus }) => ({
      orderNumber,
      lineNumber,
      expects: productionStatus,
    }))
    done += (await ask('POST', `bulk/${verb}`, { lines: named, ...body })).done
  }
  return done
}

async function onOrders(verb: string, status: string, mine: ReadonlySet<number>): Promise<number> {
  const found = await all<{ orderNumber: number }>(
    `orders?partnerId=${service.manifest.partners.primary.partnerId}&status=${status}`,
    'orders',
  )
  const orderNumbers = found.map(({ orderNumber }) => orderNumber).filter((orderNumber) => mine.has(orderNumber))
  return (await ask('POST', `bulk/${verb}`, { orderNumbers })).done
}

test('two hundred orders are worked in a day with fewer than sixty calls', async (t) => {
  const bodies = kinds.flatMap(([linesOf, count]) =>
    Array.from({ length: count }, () => build.order({ lines: linesOf() })),
  )
  assert.equal(bodies.length, 200)
  const placed = await someAtOnce(bodies, 10, async (body) => {
    const { body: answer } = await primary.post('/v1/orders', body)
    assert.equal(answer.status, 'completed', JSON.stringify(answer))
    return answer.order.orderNumber as number
  })
  const mine = new Set(placed)
  const ours = (found: readonly Line[]) => found.filter(({ orderNumber }) => mine.has(orderNumber))

  // Morning: the desk approves, and prepress puts in proofing what customers want to see first.
  assert.equal(await onOrders('approve-orders', 'PENDING_APPROVAL', mine), 25)
  assert.equal(await onLines('enter-proofing', ours(await lines('proofMissing=true'))), 55)

  // The proofs are published by themselves, and the customers approve them, which takes their lines on to QUEUED.
  const waiting = await untilWaiting(55, placed)
  await someAtOnce(waiting, 5, async ({ orderNumber, itemNumber }) => {
    const answer = await primary.post(`/v1/orders/${orderNumber}/items/${itemNumber}/proof/approve`, {})
    assert.ok(answer.status < 300, JSON.stringify(answer.body))
  })

  // A machine is down for a while, and a sheet was cut askew.
  const toStart = ours(await lines('productionStatus=NOT_STARTED,PREPRESS&workable=true'))
  assert.equal(toStart.length, 165)
  const stopped = toStart.slice(0, 10)
  assert.equal(await onLines('hold-lines', stopped, { reason: 'MACHINE_DOWN' }), 10)
  assert.equal(await onLines('report-problem', toStart.slice(20, 22), { reason: 'FINISHING' }), 2)
  assert.equal(await onLines('advance-lines', toStart.slice(10), { to: 'QUEUED' }), 155)
  assert.equal(await onLines('clear-problems', ours(await lines('problem=true'))), 2)
  assert.equal(await onLines('release-lines', ours(await lines('held=true'))), 10)
  assert.equal(
    await onLines('advance-lines', ours(await lines('productionStatus=NOT_STARTED&workable=true')), { to: 'QUEUED' }),
    10,
  )

  // Each station takes what is due first, and hands it on.
  for (const station of ['QUEUED', 'PRINTING', 'FINISHING']) {
    assert.equal(
      await onLines('advance-lines', ours(await lines(`productionStatus=${station}&workable=true`))),
      220,
      station,
    )
  }

  // Shipping packs and ships, and the desk closes the day.
  assert.equal(await onLines('ship-lines', ours(await lines('productionStatus=PACKING&workable=true'))), 220)
  assert.equal(await onOrders('complete-orders', 'SHIPPED', mine), 200)

  const orders = await someAtOnce(
    placed,
    10,
    async (orderNumber) => (await primary.get(`/v1/orders/${orderNumber}`)).body,
  )
  assert.deepEqual([...new Set(orders.map(({ status }) => status))], ['COMPLETED'])
  t.diagnostic(`${calls} calls`)
  assert.ok(calls < callsMax, `it took ${calls} calls`)
})

/** The lines of these orders whose proofs wait for their customer, once there are so many. */
async function untilWaiting(count: number, orderNumbers: readonly number[]) {
  let found: { orderNumber: number; itemNumber: number }[] = []
  await until(async () => {
    found = await service.production.database.statements.rows(sql`
      select order_number, item_number from order_line
      where order_number = any(${orderNumbers}::bigint[]) and proof_status = 'PENDING_REVIEW'`)
    return found.length === count
  })
  return found
}
