import type { Server } from 'node:http'
import {
  ApiProblem,
  PartnerCommerce,
  type Order,
  type OrderDetail,
  type OrderItem,
  type OrderPage,
  type ProblemCode,
} from '@partner-commerce/client'
import { artworkFile } from '@partner-commerce/client/files'
import { clientCertificate } from '@partner-commerce/client/mutual-tls'
import { verifyWebhook } from '@partner-commerce/client/webhooks'
import { webhookHandler as forExpress } from '@partner-commerce/client/webhooks/express'
import { webhooks } from '@partner-commerce/client/webhooks/fastify'
import { webhookHandler as forFetch } from '@partner-commerce/client/webhooks/fetch'
import { webhookHandler as forHono } from '@partner-commerce/client/webhooks/hono'
import { webhookHandler as forNode } from '@partner-commerce/client/webhooks/node'

/**
 * What the types say, and what they object to. The compiler reads this and nothing runs it: an `@ts-expect-error` without
 * an error below it is one itself.
 */
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(holds: Equal<A, B>): Equal<A, B> => holds

const baseUrl = 'https://api.partner-commerce.example'
const client = new PartnerCommerce({ baseUrl, clientId: 'a', clientSecret: 'b', scopes: ['partner-api/orders:read'] })
export const others = [
  new PartnerCommerce({ baseUrl: new URL(baseUrl), accessToken: async (refused) => `${refused}`, timeout: 10_000 }),
  new PartnerCommerce({ baseUrl, certificate: clientCertificate({ cert: '', key: '' }) }),
  // @ts-expect-error one credential is needed
  new PartnerCommerce({ baseUrl }),
  // @ts-expect-error and only one
  new PartnerCommerce({ baseUrl, clientId: 'a', clientSecret: 'b', accessToken: 'c' }),
  // @ts-expect-error the secret belongs to the id
  new PartnerCommerce({ baseUrl, clientId: 'a' }),
]
// @ts-expect-error a key belongs to the certificate
clientCertificate({ cert: '' })

export async function reads(): Promise<void> {
  const order = await client.getOrder({ orderNumber: 1 })
  same<typeof order, OrderDetail>(true)
  // Money is text, and may not be known.
  same<typeof order.totalPrice, string | null>(true)
  // @ts-expect-error text is not counted with
  void (order.totalPrice * 2)
  // An open enumeration offers its words and takes those of tomorrow.
  const isShipped: boolean = order.status === 'SHIPPED'
  const tomorrow: OrderDetail['status'] = 'A_STATUS_OF_TOMORROW'
  void [isShipped, tomorrow]
  // @ts-expect-error the path needs a number
  await client.getOrder({})
  // @ts-expect-error the number is one
  await client.getOrder({ orderNumber: '1' })
  // @ts-expect-error there is no such operation
  await client.getOrders({})
  const { data, response } = await client.getOrder({ orderNumber: 1 }).withResponse()
  same<typeof data, OrderDetail>(true)
  same<typeof response.etag, string | null>(true)
}

export async function lists(): Promise<void> {
  const page = await client.listOrders({ siteId: 101, status: ['IN_PROCESS'] })
  same<typeof page, OrderPage>(true)
  same<typeof page.nextCursor, string | null>(true)
  for await (const item of client.listOrderItems({ orderNumber: 1 })) same<typeof item, OrderItem>(true)
  for await (const { orders } of client.listOrders().pages()) void orders
  // @ts-expect-error a record is no list
  for await (const each of client.getOrder({ orderNumber: 1 })) void each
  // @ts-expect-error names of parameters are the contract's
  await client.listOrders({ site: 101 })
}

export async function changes(order: Order): Promise<void> {
  const { order: placed } = await client.submitAndWait(order, {
    timeout: 60_000,
    onProgress: ({ state }) => void state,
  })
  same<typeof placed.orderNumber, number>(true)
  // @ts-expect-error the body is named
  await client.submitOrder(order)
  // @ts-expect-error a body needs its lines
  await client.submitAndWait({ siteId: 101, partnerOrderId: 'web-1' })
  await client.takeOrderStep({ orderNumber: 1, body: { step: 'publish_proof', itemNumber: 2 } })
  // @ts-expect-error there is no such step
  await client.takeOrderStep({ orderNumber: 1, body: { step: 'publish' } })
  await client.updateUser({ userId: 1, body: { company: null }, ifMatch: '"x"' }, { signal: AbortSignal.timeout(1) })
  await client.decideProof({ orderNumber: 1, itemNumber: 2, decision: 'approve' })
  // @ts-expect-error a decline has a reason
  await client.decideProof({ orderNumber: 1, itemNumber: 2, decision: 'decline' })
  await client.uploadArtwork({ orderNumber: 1, itemNumber: 2, file: await artworkFile('cards.pdf') })
  await client.uploadArtwork({ orderNumber: 1, itemNumber: 2, file: new Blob([]), fileName: 'cards.pdf' })
  // @ts-expect-error a path is not a file
  await client.uploadArtwork({ orderNumber: 1, itemNumber: 2, file: 'cards.pdf' })
}

export function problems(error: unknown): boolean {
  if (!(error instanceof ApiProblem)) return false
  same<typeof error.code, ProblemCode>(true)
  // @ts-expect-error a code that is not published is a slip
  if (error.code === 'order_not_there') return false
  return error.code === 'order_not_found'
}

export async function webhook(server: Server): Promise<void> {
  const event = await verifyWebhook({ body: new Uint8Array(), signature: null, secret: ['a', 'b'] })
  same<typeof event.orderNumber, number>(true)
  same<typeof event.shipmentNumber, number | undefined>(true)
  // @ts-expect-error a parsed body cannot be verified
  await verifyWebhook({ body: {}, signature: '', secret: 'a' })
  const options = { secret: 'a', onEvent: () => undefined }
  server.on('request', forNode(options))
  void [forExpress(options), forHono(options), forFetch(options), webhooks]
}
