import { setTimeout as delay } from 'node:timers/promises'
import type { Manifest } from '../../src/demo/manifest.ts'
import { orderBuilder, type Json } from '../world/order-builder.ts'

/**
 * Partners at work: they place orders, each until it is acknowledged, and read orders and credit balances. They call
 * whichever proxy answers, as clients do that are told of two addresses. Every answer is kept.
 */

/** What is sent. A lagging read is one that a replica may answer. */
type Kind = 'write' | 'read' | 'laggingRead'

export type Sent = {
  kind: Kind
  /** milliseconds of the monotonic clock */
  startedAt: number
  endedAt: number
  /** undefined when the connection ended without an answer */
  status: number | undefined
  /** what went wrong, as it was told: a problem's code, or the error of the connection */
  said: string | undefined
}

/** An order that was asked for, and what was acknowledged first: the submission, and the order when it was there. */
export type Asked = { partnerOrderId: string; submissionId?: string; orderNumber?: number }

export type Load = {
  sent: readonly Sent[]
  asked: readonly Asked[]
  /** answers that contradict an acknowledged one, in words; none of them may be */
  contradictions: readonly string[]
  /** stops asking for orders, waits until each one is acknowledged, and stops */
  stop: () => Promise<void>
  /** stops, whatever is not acknowledged: where a test has failed, nobody may be there to acknowledge it */
  abandon: () => Promise<void>
}

const writers = 4
const readers = 2
/** With it all of them together stay below the 50 calls a second of the partner's tier. */
const pauseMilliseconds = 200
/** Longer than anything may take, so that what hangs is seen. */
const answerMillisecondsMax = 30_000

type Answer = { status: number; body: any } // eslint-disable-line typescript/no-explicit-any

export async function startLoad(baseUrls: readonly string[], manifest: Manifest): Promise<Load> {
  const sent: Sent[] = []
  const asked: Asked[] = []
  const contradictions: string[] = []
  const authorization = `Bearer ${await token(baseUrls[0]!, manifest)}`
  const build = orderBuilder(manifest)
  const balance = `/v1/credit-accounts/${manifest.fixtures.creditAccounts.ofUser}`
  let isOver = false
  let isAbandoned = false

  /** Sends once by one proxy, and by the next one if it cannot be connected to. */
  async function send(
    kind: Kind,
    turn: number,
    method: string,
    path: string,
    body?: Json,
  ): Promise<Answer | undefined> {
    for (let at = 0; ; at++) {
      const one: Sent = { kind, startedAt: performance.now(), endedAt: 0, status: undefined, said: undefined }
      try {
        const answer = await fetch(baseUrls[(turn + at) % baseUrls.length]! + path, {
          method,
          // The edge counts by address, and these stand for many callers.
          headers: {
            authorization,
            'x-forwarded-for': `203.0.113.${turn % 250}`,
            ...(body && { 'content-type': 'application/json' }),
          },
          body: body && JSON.stringify(body),
          signal: AbortSignal.timeout(answerMillisecondsMax),
        })
        const text = await answer.text()
        one.endedAt = performance.now()
        one.status = answer.status
        sent.push(one)
        const isJson = answer.headers.get('content-type')?.includes('json') ?? false
        const parsed = isJson ? JSON.parse(text) : undefined
        if (answer.status >= 400) one.said = parsed?.code ?? 'the proxy'
        return { status: answer.status, body: parsed }
      } catch (error) {
        const { cause, name } = error as Error & { cause?: NodeJS.ErrnoException }
        const code = cause?.code ?? name
        if (code === 'ECONNREFUSED' && at + 1 < baseUrls.length) continue
        sent.push({ ...one, endedAt: performance.now(), said: code })
        return undefined
      }
    }
  }

  async function placeOrders(writer: number): Promise<void> {
    for (let turn = writer; !isOver; turn++) {
      const body = build.order()
      const order: Asked = { partnerOrderId: body.partnerOrderId as string }
      asked.push(order)
      while (order.submissionId === undefined && !isAbandoned) {
        await delay(pauseMilliseconds)
        const answer = await send('write', turn, 'POST', '/v1/orders', body)
        if (answer?.status !== 200 && answer?.status !== 201) continue
        order.submissionId = answer.body.submissionId
        order.orderNumber = answer.body.order?.orderNumber
        // Every fourth is sent again: the same must be told.
        if (turn % 4 !== 0) continue
        const again = await send('write', turn + 1, 'POST', '/v1/orders', body)
        if (again && again.status < 400 && (again.status !== 200 || again.body.submissionId !== order.submissionId))
          contradictions.push(`${order.partnerOrderId} was acknowledged twice: ${again.status}`)
      }
    }
  }

  async function readOrders(reader: number): Promise<void> {
    for (let turn = reader; !isOver; turn++) {
      await delay(pauseMilliseconds)
      const known = asked.findLast(({ orderNumber }) => orderNumber !== undefined)
      if (!known) continue
      const answer = await send('read', turn, 'GET', `/v1/orders/${known.orderNumber}`)
      if (answer?.status === 404 || (answer?.status === 200 && answer.body.partnerOrderId !== known.partnerOrderId))
        contradictions.push(`order ${known.orderNumber} was acknowledged, and then ${answer.status}`)
    }
  }

  async function readBalances(reader: number): Promise<void> {
    for (let turn = reader; !isOver; turn++) {
      await delay(pauseMilliseconds)
      await send('laggingRead', turn, 'GET', balance)
    }
  }

  const each = (count: number, work: (at: number) => Promise<void>) =>
    Array.from({ length: count }, (_, at) => work(at))
  const working = [...each(writers, placeOrders), ...each(readers, readOrders), ...each(readers, readBalances)]
  return {
    sent,
    asked,
    contradictions,
    stop: async () => {
      isOver = true
      await Promise.all(working)
    },
    abandon: async () => {
      isOver = isAbandoned = true
      await Promise.all(working)
    },
  }
}

async function token(baseUrl: string, manifest: Manifest): Promise<string> {
  const { clientId, clientSecret } = manifest.partners.primary!.clients![0]!
  const answer = await fetch(`${baseUrl}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }),
    signal: AbortSignal.timeout(answerMillisecondsMax),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`no token: ${answer.status} ${text}`)
  return (JSON.parse(text) as { access_token: string }).access_token
}
