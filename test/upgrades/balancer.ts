import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** A process behind the balancer. */
export type Backend = { name: string; baseUrl: string; opsUrl: string }

export type Balancer = {
  url: string
  /** sends requests to it from the moment on at which it is ready, which this waits for */
  add: (backend: Backend) => Promise<void>
  /** how many requests each has answered, by its name */
  answered: ReadonlyMap<string, number>
  close: () => Promise<void>
}

const lookMilliseconds = 100

/** What stands in front of several processes: it passes each request on to the next one that `/readyz` calls ready. */
export async function startBalancer(): Promise<Balancer> {
  const backends = new Map<Backend, { isReady: boolean }>()
  const answered = new Map<string, number>()
  let turn = 0
  const server = createServer((asked, answer) => {
    const ready = [...backends].filter(([, { isReady }]) => isReady).map(([backend]) => backend)
    const backend = ready[turn++ % ready.length]
    if (!backend) return void answer.writeHead(502).end('no process is ready')
    const target = new URL(asked.url!, backend.baseUrl)
    // Each on a connection of its own, so that none is sent on one that the process has just closed.
    const passed = request(target, { method: asked.method, headers: asked.headers, agent: false }, (got) => {
      answered.set(backend.name, (answered.get(backend.name) ?? 0) + 1)
      answer.writeHead(got.statusCode!, got.headers)
      got.pipe(answer)
    })
    passed.on('error', (error) => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end(error.message)))
    asked.pipe(passed)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const closing = new AbortController()

  /** Looks until the process is gone for good. */
  async function watch(backend: Backend, state: { isReady: boolean }, becameReady: () => void): Promise<void> {
    let wasReady = false
    while (!closing.signal.aborted) {
      const looked = await fetch(`${backend.opsUrl}/readyz`).catch(() => undefined)
      await looked?.text()
      state.isReady = looked?.status === 200
      if (state.isReady) {
        wasReady = true
        becameReady()
      } else if (wasReady && !looked) {
        backends.delete(backend)
        return
      }
      await delay(lookMilliseconds, undefined, { signal: closing.signal }).catch(() => undefined)
    }
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answered,
    add: (backend) => {
      const state = { isReady: false }
      backends.set(backend, state)
      return new Promise((resolve) => void watch(backend, state, resolve))
    },
    close: async () => {
      closing.abort()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
