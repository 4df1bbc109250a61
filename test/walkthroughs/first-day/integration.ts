/* oxlint-disable no-console -- it tells who runs it */
import { PartnerCommerce } from '@partner-commerce/client'

/** What a developer writes on the first day beside the programs of the guides: it repeats, waits, and reads page by page. */
const client = new PartnerCommerce({
  baseUrl: process.env.SANDBOX!,
  clientId: process.env.CLIENT_ID!,
  clientSecret: process.env.CLIENT_SECRET!,
})
const [siteId] = (await client.getMe()).grantedSiteIds
const { products } = await client.listProducts({ siteId: siteId!, serviceType: 'POD', limit: 1 })
const { productId } = products[0]!

const body = {
  siteId: siteId!,
  partnerOrderId: `repeated-${Date.now()}`,
  shipTo: {
    name: 'Dana Reyes',
    address1: '500 Howard St',
    city: 'San Francisco',
    state: 'CA',
    postalCode: '94105',
    country: 'US',
  },
  lines: [{ productId, partnerLineId: 'cards', quantity: 250 }],
}
// As after an answer that was lost.
await client.submitOrder({ body })
const { order } = await client.submitOrder({ body })
console.log(`order ${order?.orderNumber}, submitted twice`)

// The client waits as long as it is asked to, tries again, and gives up after some attempts.
for (const quantity of [900_429, 900_503]) {
  const error: unknown = await client.quoteProduct({ productId, body: { quantity } }).catch((reason: unknown) => reason)
  console.log(`quantity ${quantity}: ${(error as { code?: string }).code}`)
}

let count = 0
for await (const each of client.listOrders({ siteId: siteId!, limit: 2 })) {
  console.log(`order ${each.orderNumber} is ${each.status}`)
  if (++count === 5) break
}
