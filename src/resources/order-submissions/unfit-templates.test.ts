import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderBuilder, type Json } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'
import { until } from '../../../test/world/webhooks.ts'

/** With the vendor of the demo, which sets every value of every line. */
const service = await testService({ submissionWaitMilliseconds: 1 })
const primary = await partner(service, 'primary')
const neighbour = await partner(service, 'neighbour')
const build = orderBuilder(service.manifest)
const { template } = service.manifest.fixtures.products

const names = ['Name', 'Title', 'Email', 'Phone', 'qr_link']
/** Letters that change their direction and their font at every step, and no two lines alike. */
const unfit = (order: number, line: number): Json => ({
  productId: template,
  partnerLineId: `line ${line}`,
  quantity: 250,
  templateVariables: Object.fromEntries(names.map((name) => [name, `${order} ${line} ${'(א[a'.repeat(175)}`])),
})

async function ended(by: typeof primary, submissionId: string): Promise<any> {
  let read: any
  await until(async () => {
    read = (await by.get(`/v1/orders/submissions/${submissionId}`)).body
    return read.status === 'completed' || read.status === 'failed'
  })
  return read
}

test('orders full of values that fit no field fail with a problem for each, and the cards of others are drawn meanwhile', async () => {
  const hostile = await Promise.all(
    [1, 2, 3, 4].map(async (order) => {
      const lines = Array.from({ length: 8 }, (_, line) => unfit(order, line))
      return (await primary.post('/v1/orders', build.order({ lines }))).body.submissionId as string
    }),
  )
  const card = { productId: template, partnerLineId: 'a', quantity: 250, templateVariables: { Name: 'Avery Stone' } }
  const { body } = await neighbour.post('/v1/orders', build.order({ lines: [card] }))
  assert.equal((await ended(neighbour, body.submissionId)).status, 'completed', JSON.stringify(body))
  for (const submissionId of hostile) {
    const { status, errors } = await ended(primary, submissionId)
    assert.equal(status, 'failed')
    assert.equal(errors.length, 8 * names.length)
    for (const { detail } of errors) assert.match(detail, /does not fit its field: shorten it to about \d+ characters/)
  }
  assert.ok(!service.logLines.some((logged) => logged.includes('an outage delays a submission')))
})
