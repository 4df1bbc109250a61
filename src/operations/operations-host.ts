import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { problemDocument, problemMediaType } from '../http/answering/problem.ts'
import { send } from '../http/answering/send.ts'
import { createFront, type Door, type Front } from '../http/front.ts'
import type { Backlog } from '../vocabulary/backlog.ts'
import { inTime } from '../vocabulary/in-time.ts'

/**
 * The listener for operators: `/healthz` (the process answers), `/readyz` (it can do its work) and `/metrics`
 * (Prometheus). It says nothing about partners.
 */
export type Metrics = {
  registry: Registry
  observe: (host: string, operation: string, status: number, milliseconds: number) => void
  /** counts the end of an attempt to deliver a webhook, or that the attempt was dropped */
  observeDelivery: (environment: string, outcome: string) => void
  /** counts calls of partners that will never be in the request log */
  observeUnlogged: (environment: string, calls: number) => void
  /** counts how an attempt to send a mail went */
  observeMail: (environment: string, outcome: string) => void
  /** sets what to read queue lengths from, whenever the metrics are read */
  watchBacklogs: (environment: string, read: () => Promise<Backlog[]>) => void
  text: () => Promise<string>
}

/** The queues of a database that takes longer are left out. */
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
  const unlogged = new Counter({
    name: 'request_log_dropped_total',
    help: 'Calls of partners that are missing in the request log, by environment',
    labelNames: ['environment'] as const,
    registers: [registry],
  })
  const mails = new Counter({
    name: 'mails_total',
    help: 'Attempts to send a mail by environment and outcome: sent, kept, delayed or failed',
    labelNames: ['environment', 'outcome'] as const,
    registers: [registry],
  })
  const ofQueue = { labelNames: ['environment', 'queue'] as const, registers: [registry] }
  const length = new Gauge({ name: 'queue_length', help: 'Items that wait or are under way in a queue', ...ofQueue })
  const oldest = new Gauge({ name: 'queue_oldest_seconds', help: 'Age of the oldest item in a queue', ...ofQueue })
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
    observeUnlogged: (environment, calls) => unlogged.inc({ environment }, calls),
    observeMail: (environment, outcome) => mails.inc({ environment, outcome }),
    watchBacklogs: (environment, read) => void watched.set(environment, read),
    text: async () => {
      await lookAtBacklogs()
      return registry.metrics()
    },
  }
}

/** @param isReady false or a rejection = the service cannot do its work now */
export function createOperationsHost(
  metrics: Metrics,
  isReady: () => Promise<boolean>,
  ownUrl: () => string,
  log: Logger,
): Front {
  const door = (path: string, read: () => Promise<OperationsAnswer>): Door => ({
    method: 'GET',
    path,
    answer: async (_request, response) => {
      const { status, mediaType, text } = await read()
      send(response, status, mediaType, text, { 'request-id': randomUUID(), 'cache-control': 'no-store' })
    },
  })
  return createFront({
    ownUrl,
    doors: [
      door('/healthz', async () => ({ status: 200, mediaType: 'text/plain', text: 'ok\n' })),
      door('/readyz', async () =>
        (await isReady().catch(() => false))
          ? { status: 200, mediaType: 'text/plain', text: 'ready\n' }
          : { status: 503, mediaType: 'text/plain', text: 'not ready\n' },
      ),
      door('/metrics', async () => ({
        status: 200,
        mediaType: metrics.registry.contentType,
        text: await metrics.text(),
      })),
    ],
    answerMissed: async (_request, response, allow) => {
      const problem = problemDocument(allow ? 'method_not_allowed' : 'route_not_found', randomUUID())
      const headers = { 'request-id': problem.requestId, 'cache-control': 'no-store' }
      send(response, problem.status, problemMediaType, JSON.stringify(problem), headers, allow ? { allow } : {})
    },
    // Scrapers keep connections open; nothing is lost by cutting them.
    closingGraceMilliseconds: 0,
    log,
  })
}

type OperationsAnswer = { status: number; mediaType: string; text: string }
