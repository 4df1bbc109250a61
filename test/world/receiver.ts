import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { TestContext } from 'node:test'

/** A partner's webhook receiver on loopback. It reads and keeps each delivery, and answers as the test chooses. */
export type Delivered = { path: string; headers: IncomingHttpHeaders; body: Buffer; event: ReceivedEvent }

export type ReceivedEvent = {
  eventId: string
  type: string
  occurredAt: string
  siteId: number
  orderNumber: number
  partnerOrderId?: string
  shipmentNumber?: number
}

export type Receiver = {
  /** the receiver's root URL; any other path works too */
  url: string
  delivered: Delivered[]
  /** resolves when this many deliveries in total have arrived */
  arrival: (count: number) => Promise<Delivered[]>
}

const arrivalMillisecondsMax = 60_000

export async function startReceiver(
  t: TestContext,
  answer: (response: ServerResponse, delivered: Delivered) => void = (response) => response.end(),
): Promise<Receiver> {
  const delivered: Delivered[] = []
  const watchers = new Set<() => void>()
  const sockets = new Set<Socket>()
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>))
    const event = JSON.parse(body.toString()) as ReceivedEvent
    const each = { path: request.url ?? '', headers: request.headers, body, event }
    delivered.push(each)
    for (const watch of watchers) watch()
    answer(response, each)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    delivered,
    arrival: (count) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`${delivered.length} of ${count} deliveries arrived`)),
          arrivalMillisecondsMax,
        )
        const watch = (): void => {
          if (delivered.length < count) return
          clearTimeout(timer)
          watchers.delete(watch)
          resolve(delivered)
        }
        watchers.add(watch)
        watch()
      }),
  }
}
