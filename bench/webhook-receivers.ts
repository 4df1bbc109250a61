import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'

/**
 * The receiving side of the webhook bench, in a separate process: a receiver that answers at once and records when
 * each event arrived, and a port that accepts connections and never answers. `GET /` returns the arrivals and clears
 * them.
 */
let arrivals: [eventId: string, arrivedAt: number][] = []

const receiver = createHttpServer((request, response) => {
  if (request.method === 'GET') {
    response.end(JSON.stringify(arrivals))
    arrivals = []
    return
  }
  arrivals.push([String(request.headers['platform-event-id']), performance.timeOrigin + performance.now()])
  request.resume().on('end', () => response.writeHead(204).end())
})

const blackHole = createServer((socket) => {
  socket.on('error', () => undefined)
  socket.resume()
})

receiver.listen(0, '127.0.0.1', () =>
  blackHole.listen(0, '0.0.0.0', () =>
    process.stdout.write(
      `${JSON.stringify({
        receiverPort: (receiver.address() as AddressInfo).port,
        blackHolePort: (blackHole.address() as AddressInfo).port,
      })}\n`,
    ),
  ),
)
process.on('SIGTERM', () => process.exit())
