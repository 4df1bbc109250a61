import { Agent, request } from 'node:http'
import type { Manifest } from '../src/demo/manifest.ts'
import { quantile } from './results.ts'

/** `count`: orders that were placed; `p50` and `p99`: milliseconds from POST to `completed` */
export type Placed = { count: number; ordersPerSecond: number; p50: number; p99: number }

/**
 * Places orders of two lines. Each keep-alive connection sends one order at a time.
 * @throws if an order fails
 */
export async function placeOrders(options: {
  baseUrl: string
  token: string
  manifest: Manifest
  connections: number
  seconds: number
}): Promise<Placed> {
  const { connections, seconds } = options
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const durations: number[] = []
  const failures: string[] = []
  const startedAt = performance.now()
  const until = startedAt + seconds * 1000
  const run = `bench-${Date.now()}`
  await Promise.all(
    Array.from({ length: connections }, async (_, connection) => {
      for (let turn = 0; performance.now() < until; turn++) {
        const sentAt = performance.now()
        const answer = await post(agent, options, order(options.manifest, `${run}-${connection}-${turn}`))
        if (answer.status === 201 && answer.text.includes('"status":"completed"'))
          durations.push(performance.now() - sentAt)
        else failures.push(`${answer.status} ${answer.text.slice(0, 300)}`)
      }
    }),
  )
  const elapsed = (performance.now() - startedAt) / 1000
  agent.destroy()
  if (failures.length > 0) throw new Error(`${failures.length} orders failed: ${failures[0]}`)
  const count = durations.length
  return { count, ordersPerSecond: count / elapsed, p50: quantile(durations, 0.5), p99: quantile(durations, 0.99) }
}

function order({ sites, fixtures }: Manifest, partnerOrderId: string): string {
  const { pod, stock, stockVariantId } = fixtures.products
  return JSON.stringify({
    siteId: sites.main,
    partnerOrderId,
    shipTo: {
      name: 'Dana Reyes',
      address1: '500 Howard St',
      city: 'San Francisco',
      state: 'CA',
      postalCode: '94105',
      country: 'US',
    },
    lines: [
      { productId: pod, partnerLineId: 'cards', quantity: 250, jobName: 'Business cards' },
      { productId: stock, variantId: stockVariantId, partnerLineId: 'kit', quantity: 1 },
    ],
  })
}

function post(
  agent: Agent,
  options: { baseUrl: string; token: string },
  body: string,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${options.baseUrl}/v1/orders`,
      {
        agent,
        method: 'POST',
        headers: {
          authorization: `Bearer ${options.token}`,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        },
      },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (piece: string) => (text += piece))
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}
