import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { problemDocument, problemMediaType } from '../http/answering/problem.ts'
import { send } from '../http/answering/send.ts'
import { createFront, type Door, type Front } from '../http/front.ts'
import type { Metrics } from './metrics.ts'
import type { Readiness } from './readiness.ts'

/**
 * The listener for operators: `/healthz` (the process answers), `/readyz` (it can do its work) and `/metrics`
 * (Prometheus). It says nothing about partners.
 */

export function createOperationsHost(
  metrics: Pick<Metrics, 'mediaType' | 'text'>,
  readiness: Pick<Readiness, 'read'>,
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
      door('/readyz', async () => {
        const report = await readiness.read()
        return { status: report.ready ? 200 : 503, mediaType: 'application/json', text: `${JSON.stringify(report)}\n` }
      }),
      door('/metrics', async () => ({
        status: 200,
        mediaType: metrics.mediaType,
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
