import { once } from 'node:events'
import { createServer, request as requestHttp, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { after } from 'node:test'
import { buffer } from 'node:stream/consumers'

/** A request as it reached the proxy. */
export type Passing = {
  /** such as `POST /v1/orders` */
  call: string
  headers: IncomingHttpHeaders
  body: string
  /** milliseconds on a clock that never goes back */
  at: number
  fault: Fault | undefined
}

/**
 * What happens to a request on its way.
 * - `lost request`: the connection breaks before the request reached the service
 * - `lost answer`: the service does what it is asked, and the connection breaks before its answer
 * - `no answer`: the service does what it is asked, and its answer never comes
 * - `half an answer`: the connection breaks within the answer
 * - `cut answer`: the answer ends early, and looks whole
 * - an answer of the proxy's own, which the service never sees
 * - a change of the headers that reach the service, or of the answer
 */
export type Fault =
  | 'lost request'
  | 'lost answer'
  | 'no answer'
  | 'half an answer'
  | 'cut answer'
  | { status: number; code?: string; headers?: Record<string, string> }
  | { send: Record<string, string> }
  | { answer: (body: string) => string }

export type FaultProxy = {
  url: string
  passed: Passing[]
  /** how many requests of this call came by, and those that reached the service */
  count: (call: string | RegExp) => number
  /** decides what happens to the next requests */
  faults: (choose: (passing: Passing, times: number) => Fault | undefined | Promise<Fault | undefined>) => void
}

/** Stands between a client and the service until the tests of the file have ended, and spoils what it is told to. */
export async function faultProxy(target: string): Promise<FaultProxy> {
  const passed: Passing[] = []
  const sockets = new Set<Socket>()
  let choose: Parameters<FaultProxy['faults']>[0] = () => undefined
  const count = (call: string | RegExp): number =>
    passed.filter((each) => (typeof call === 'string' ? each.call === call : call.test(each.call))).length

  const server = createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming).catch(() => undefined)
    if (body === undefined) return
    const call = `${incoming.method} ${incoming.url!.split('?')[0]}`
    const passing: Passing = {
      call,
      headers: incoming.headers,
      body: body.toString(),
      at: performance.now(),
      fault: undefined,
    }
    const fault = await choose(passing, count(call))
    passing.fault = fault
    passed.push(passing)
    if (fault === 'lost request') return incoming.socket.resetAndDestroy()
    if (typeof fault === 'object' && 'status' in fault) {
      const { status, code, headers } = fault
      const text =
        code && JSON.stringify({ type: 'about:blank', title: 'x', status, code, detail: 'x', requestId: 'x' })
      outgoing.writeHead(status, { ...(text && { 'content-type': 'application/problem+json' }), ...headers })
      return outgoing.end(text)
    }

    const changed = typeof fault === 'object' && 'send' in fault ? fault.send : {}
    const sent = requestHttp(target + incoming.url, {
      method: incoming.method!,
      headers: { ...incoming.headers, ...changed, host: new URL(target).host },
    }).end(body)
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    const bytes = await buffer(answer)
    const status = answer.statusCode!
    if (fault === 'lost answer') return incoming.socket.resetAndDestroy()
    if (fault === 'no answer') return undefined
    if (fault === 'half an answer') {
      outgoing.writeHead(status, answer.headers)
      outgoing.write(bytes.subarray(0, bytes.length / 2))
      return setImmediate(() => incoming.socket.resetAndDestroy())
    }
    const rest =
      fault === 'cut answer'
        ? bytes.subarray(0, bytes.length / 2)
        : typeof fault === 'object' && 'answer' in fault
          ? Buffer.from(fault.answer(bytes.toString()))
          : bytes
    const { 'transfer-encoding': _, ...headers } = answer.headers
    outgoing.writeHead(status, { ...headers, 'content-length': rest.length })
    return outgoing.end(rest)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    count,
    faults: (next) => {
      passed.length = 0
      choose = next
    },
  }
}
