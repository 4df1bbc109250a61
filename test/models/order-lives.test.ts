import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { sql } from '../../src/database/sql.ts'
import { staff } from '../world/staff.ts'
import { orderBuilder, shipTo } from '../world/order-builder.ts'
import { assertStockAddsUp } from '../world/stock.ts'
import { partner } from '../world/partner.ts'
import { testService } from '../world/service.ts'
import { lifeArbitrary, OrderLife, type Life } from './order-life.ts'

/**
 * Plays random lives of orders against a model of their money. A failure prints the seed, and the number and steps of the
 * life. LIVES says how many, LIVES_SEED repeats a run, and LIFE plays one of it alone.
 */
const lives = Number(process.env.LIVES ?? 150)
const seed = process.env.LIVES_SEED === undefined ? Date.now() % 1_000_000_000 : Number(process.env.LIVES_SEED)
const only = process.env.LIFE === undefined ? undefined : Number(process.env.LIFE)
const atOnce = 6

const service = await testService()
const admin = await staff(service)
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)
const { database } = service.production
const { main } = service.manifest.sites
const elsewhere = {
  ...shipTo,
  name: 'Noa Levi',
  address1: '350 5th Ave',
  city: 'New York',
  state: 'NY',
  postalCode: '10118',
}

async function account(holder: object, amount: string): Promise<number> {
  const body = { siteId: main, ...holder, amount, reference: randomUUID() }
  const { status, body: opened } = await admin.post('/staff/v1/production/credit-accounts', body)
  assert.equal(status, 201, JSON.stringify(opened))
  return opened.creditAccountId
}

const site = (await database.statements.row<{ orderingUserId: number }>(sql`
  select ordering_user_id from site where site_id = ${main}`))!
/** The customer's, and so fit for refunds, but no order draws on it yet. */
const otherAccountId = await account({ userId: site.orderingUserId, startsOn: '2090-01-01T00:00:00Z' }, '1')

const services = await database.statements.rows<{ shippingServiceId: number }>(sql`
  select distinct shipment.shipping_service_id from shipment join orders using (order_number)
  where orders.site_id = ${main} and shipment.shipping_service_id is not null order by 1 limit 4`)
const world = {
  database,
  suppliers: service.production.suppliers,
  otherAccountId,
  addresses: [
    shipTo,
    elsewhere,
    { ...elsewhere, address1: '1 Main St', city: 'Salem', state: 'OR', postalCode: '97301' },
  ],
  shippingServiceIds: services.map(({ shippingServiceId }) => shippingServiceId),
}

/** Cards with a discount, kits that need approval and have a handling fee, shirts, and cards. */
const products = [
  { productId: 'SLO_100017', quantityTimes: 50 },
  { productId: 'SLO_100016', variantId: 60_021, quantityTimes: 1 },
  { ...build.stockLine(), quantityTimes: 1 },
  { ...build.podLine(), quantityTimes: 50 },
]

async function live(life: Life, told: string[]): Promise<void> {
  if (life.credit > 0) await account({ userId: site.orderingUserId }, (life.credit / 100).toFixed(2))
  const lines = life.lines.map((line, index) => {
    const { quantityTimes, ...product } = products[line.product]!
    return {
      ...product,
      partnerLineId: `line-${index + 1}`,
      quantity: line.quantity * quantityTimes,
      shipTo: line.elsewhere ? elsewhere : shipTo,
    }
  })
  const { body } = await primary.post('/v1/orders', build.order({ lines, shipTo: undefined }))
  assert.equal(body.status, 'completed', JSON.stringify(body))
  const order = new OrderLife(world, body.order.orderNumber, told)
  await order.begin()
  if (life.approved) await order.approve()
  for (const step of life.steps) await order.play(step)
  await order.settleInvoices()
}

/** A test plays some of the lives, so that however many there are, each ends in time. */
const livesOfTest = 250
const from = only ?? 0
const end = only === undefined ? lives : only + 1

for (let first = from; first < end; first += livesOfTest) {
  const after = Math.min(first + livesOfTest, end)
  test(
    `the money of the random orders ${first + 1} to ${after} always adds up`,
    { timeout: 300_000 },
    async (context) => {
      context.diagnostic(`LIVES=${lives} LIVES_SEED=${seed}`)
      let next = first
      let failed: unknown
      const play = async (): Promise<void> => {
        while (next < after && failed === undefined) {
          const number = next++
          const [life] = fc.sample(lifeArbitrary, { seed: seed + number, numRuns: 1 })
          const told: string[] = []
          try {
            await live(life!, told)
          } catch (error) {
            failed ??= new Error(`LIVES_SEED=${seed} LIFE=${number}\n${JSON.stringify(life)}\n${told.join('\n')}`, {
              cause: error,
            })
          }
        }
      }
      await Promise.all(Array.from({ length: atOnce }, play))
      if (failed !== undefined) throw failed

      await assertStockAddsUp(database.statements)
      const unsound = await database.statements.rows(sql`
      select credit_account_id, current_balance, sum(credit_adjustment.amount) as total
      from credit_account join credit_adjustment using (credit_account_id)
      group by credit_account_id having current_balance <> sum(credit_adjustment.amount) or current_balance < 0`)
      assert.deepEqual(unsound, [], 'every account is the sum of its movements')

      const gaps = await database.statements.rows(sql`
      select site_id from invoice group by site_id having max(invoice_number) <> count(*) or min(invoice_number) <> 1`)
      assert.deepEqual(gaps, [], 'the numbers of invoices have no gaps')
    },
  )
}
