import { createServer, type Server } from 'node:http'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Backlog } from '../vocabulary/backlog.ts'
import { inTime } from '../vocabulary/in-time.ts'

/**
 * The listener for those who run the service: `/healthz` (the process answers), `/readyz` (it can do its work) and
 * `/metrics` (Prometheus). It tells nothing about partners.
 */
export type Metrics = {
  registry: Registry
  observe: (host: string, operation: string, status: number, milliseconds: number) => void
  /** an attempt to deliver a webhook has ended, or was not to be made */
  observeDelivery: (environment: string, outcome: string) => void
  /** what waits is asked for whenever the metrics are read */
  watchBacklogs: (environment: string, read: () => Promise<Backlog[]>) => void
  text: () => Promise<string>
}

/** A database that takes longer leaves its queues out. */
const backlogMilliseconds = 2_000

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const answers = new Counter({
    name: 'answers_total',
    help: 'Answers by host, operation and status',
    labelNames: ['host', 'operation', 'status'] as const,
    registers: [registry],
  })
  const duration = new Histogram({
    name: 'answer_seconds',
    help: 'Time from request to answer',
    labelNames: ['host', 'operation'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 20],
    registers: [registry],
  })
  const deliveries = new Counter({
    name: 'webhook_deliveries_total',
    help: 'Webhook deliveries by environment and outcome',
    labelNames: ['environment', 'outcome'] as const,
    registers: [registry],
  })
  const ofQueue = { labelNames: ['environment', 'queue'] as const, registers: [registry] }
  const length = new Gauge({ name: 'queue_length', help: 'What waits or is under way in a queue', ...ofQueue })
  const oldest = new Gauge({ name: 'queue_oldest_seconds', help: 'Age of the oldest of a queue', ...ofQueue })
  const watched = new Map<string, () => Promise<Backlog[]>>()

  async function lookAtBacklogs(): Promise<void> {
    const found = await Promise.all(
      [...watched].map(async ([environment, read]) => {
        const backlogs = await inTime(read(), backlogMilliseconds, 'the database').catch(() => [])
        return backlogs.map((backlog) => ({ environment, ...backlog }))
      }),
    )
    length.reset()
    oldest.reset()
    for (const { environment, queue, ...backlog } of found.flat()) {
      length.set({ environment, queue }, backlog.length)
      oldest.set({ environment, queue }, backlog.oldestSeconds)
    }
  }

  return {
    registry,
    observe: (host, operation, status, milliseconds) => {
      answers.inc({ host, operation, status })
      duration.observe({ host, operation }, milliseconds / 1000)
    },
    observeDelivery: (environment, outcome) => deliveries.inc({ environment, outcome }),
    watchBacklogs: (environment, read) => void watched.set(environment, read),
    text: async () => {
      await lookAtBacklogs()
      return registry.metrics()
    },
  }
}

export function createOperationsHost(metrics: Metrics, isReady: () => Promise<boolean>): Server {
  return createServer((request, response) => {
    const answer = (status: number, type: string, text: string): void => {
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text)
    }
    if (request.method !== 'GET') return answer(405, 'text/plain', 'method not allowed\n')
    switch (request.url) {
      case '/healthz':
        return answer(200, 'text/plain', 'ok\n')
      case '/readyz':
        return void isReady().then(
          (ready) => answer(ready ? 200 : 503, 'text/plain', ready ? 'ready\n' : 'not ready\n'),
          () => answer(503, 'text/plain', 'not ready\n'),
        )
      case '/metrics':
        return void metrics.text().then(
          (text) => answer(200, metrics.registry.contentType, text),
          () => answer(500, 'text/plain', 'no metrics\n'),
        )
      default:
        return answer(404, 'text/plain', 'not found\n')
    }
  })
}
