import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A collector of traces on loopback, which keeps the spans that are sent to it as OTLP in JSON. */
export type CollectedSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  /** 2 = server, 3 = client, 4 = producer, 5 = consumer */
  kind: number
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
}

export type Collector = { url: string; spans: CollectedSpan[]; texts: string[]; requests: () => number }

export async function startCollector(
  t: { after: (done: () => void) => void },
  answer: (response: ServerResponse) => void = (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
): Promise<Collector> {
  const spans: CollectedSpan[] = []
  const texts: string[] = []
  let requests = 0
  const server = createServer(async (request, response) => {
    requests++
    const text = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString()
    texts.push(text)
    const { resourceSpans } = JSON.parse(text) as {
      resourceSpans: { scopeSpans: { spans: CollectedSpan[] }[] }[]
    }
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((each) => each.spans)))
    answer(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, texts, requests: () => requests }
}
