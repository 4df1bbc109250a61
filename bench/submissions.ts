import { Agent, request } from 'node:http'
import type { Manifest } from '../src/demo/manifest.ts'

/**
 * Times orders of two lines, from POST to `completed`. Each keep-alive connection sends one order at a time.
 */
export type SubmissionResult = { ordersPerSecond: number; p50: number; p99: number; failures: string[] }

export async function submitOrders(options: {
  baseUrl: string
  token: string
  manifest: Manifest
  connections: number
  seconds: number
}): Promise<SubmissionResult> {
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
  durations.sort((a, b) => a - b)
  const percentile = (share: number): number => durations[Math.floor(durations.length * share)] ?? Number.NaN
  return { ordersPerSecond: durations.length / elapsed, p50: percentile(0.5), p99: percentile(0.99), failures }
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
