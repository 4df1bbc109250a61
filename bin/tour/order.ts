import { randomUUID } from 'node:crypto'
import type { Manifest } from '../../src/demo/manifest.ts'
import type { Body, Visitor } from './partner.ts'
import { expect, step } from './step.ts'

const shipTo = {
  name: 'Dana Reyes',
  company: 'Reyes & Daughters',
  address1: '500 Howard St',
  city: 'San Francisco',
  state: 'CA',
  postalCode: '94105',
  country: 'US',
}

/** From the catalog to an order that can be read. @returns its number */
export async function orderGoods({ call, ok, docs }: Visitor, { sites, fixtures }: Manifest): Promise<number> {
  await step('looks into the catalog', docs('listSiteProducts'), async () => {
    const page = await ok('GET', `/v1/sites/${sites.main}/products?limit=5`)
    expect(page.products.length > 0, 'the catalog is empty')
    return [page, page.products.map((product: Body) => product.name).join(' · ')]
  })
  const { pod, stock, stockVariantId } = fixtures.products
  const quote = await step('asks what 250 of a product cost', docs('quoteProduct'), async () => {
    const priced = await ok('POST', `/v1/products/${pod}/quote`, { quantity: 250 })
    return [priced, `${priced.lineTotal} ${priced.currency} (list ${priced.lineListTotal})`]
  })
  await step('asks what delivery costs', docs('quoteShipping'), async () => {
    const { country, state, postalCode } = shipTo
    const body = { siteId: sites.main, productId: pod, shipTo: { country, state, postalCode }, weightOunces: 40 }
    const { quotes } = await ok('POST', '/v1/shipping/quote', body)
    return [quotes, quotes.map((each: Body) => `${each.serviceName} ${each.price} ${quote.currency}`).join(' · ')]
  })
  const order = {
    siteId: sites.main,
    partnerOrderId: `tour-${randomUUID()}`,
    shipTo: { ...shipTo, email: 'dana@example.com' },
    lines: [
      { productId: pod, partnerLineId: 'cards', quantity: 250, jobName: 'Cards for Dana' },
      { productId: stock, variantId: stockVariantId, partnerLineId: 'kit', quantity: 2 },
    ],
  }
  const submission = await step('submits an order of two lines', docs('submitOrder'), async () => {
    const submitted = await ok('POST', '/v1/orders', order)
    const problems = JSON.stringify(submitted.errors)
    expect(submitted.status === 'completed', `the submission is ${submitted.status}: ${problems}`)
    // The submission tells the total as a JSON number; everything else tells money as decimals.
    const total = `${submitted.order.totalPrice.toFixed(2)} ${quote.currency}`
    return [submitted, `order ${submitted.order.orderNumber}, ${total}`]
  })
  await step('sends the same order again, as after a lost answer', docs('getSubmission'), async () => {
    const again = await call('POST', '/v1/orders', order)
    expect(again.status === 200, `the replay answers ${again.status}`)
    expect(again.body.submissionId === submission.submissionId, 'the replay is another submission')
    return [again, 'the same submission, no second order']
  })
  const { orderNumber } = submission.order
  await step('reads the order, its lines and its shipments', docs('listOrderItems'), async () => {
    const read = await ok('GET', `/v1/orders/${orderNumber}`)
    const { items } = await ok('GET', `/v1/orders/${orderNumber}/items`)
    const { shipments } = await ok('GET', `/v1/orders/${orderNumber}/shipments`)
    expect(items[0].lineTotal === quote.lineTotal, `the line costs ${items[0].lineTotal}, quoted ${quote.lineTotal}`)
    expect(Number(read.totalPrice) === submission.order.totalPrice, 'order and submission disagree')
    const counts = `${items.length} lines, ${shipments.length} ${shipments.length === 1 ? 'shipment' : 'shipments'}`
    return [read, `${read.status}, ${read.totalPrice} ${read.currency}, ${counts}`]
  })
  return orderNumber
}
