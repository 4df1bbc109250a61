import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** A TCP proxy between the service under test and a server. A test can cut, stop or slow it. */
export type Wire = {
  /** the server's URL through the proxy */
  url: (direct: string) => string
  /** forwards everything without delay, as at the start; drops connections that were stopped */
  mend: () => void
  /** forwards nothing in either direction; accepts new connections but stays silent on them */
  stop: () => void
  /** silences the open connections; new ones work */
  stopThoseThereAre: () => void
  /** delays every chunk by this much */
  slow: (milliseconds: number) => void
  /** ends the open connections at once, and refuses new ones until `mend` */
  cut: () => void
  close: () => Promise<void>
}

type Line = { ends: [Socket, Socket]; stopped: boolean }

export async function layWire(target: string): Promise<Wire> {
  const { hostname, port } = new URL(target)
  const lines = new Set<Line>()
  let takesNew: 'yes' | 'silently' | 'no' = 'yes'
  let delayMilliseconds = 0

  const server = createServer({ pauseOnConnect: true }, (near) => {
    if (takesNew === 'no') return void near.destroy()
    const far = connect(Number(port), hostname)
    const line: Line = { ends: [near, far], stopped: takesNew === 'silently' }
    lines.add(line)
    const end = (): void => {
      lines.delete(line)
      near.destroy()
      far.destroy()
    }
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.setNoDelay()
      // Chunks keep their order, even when the delay ends while some are still waiting.
      const pass = async (before: Promise<void>, piece: Buffer, dueAt: number): Promise<void> => {
        await before
        const left = dueAt - performance.now()
        if (left > 0) await pause(left)
        if (to.writable && !line.stopped) to.write(piece)
      }
      let passed = Promise.resolve()
      from.on('data', (piece: Buffer) => {
        if (!line.stopped) passed = pass(passed, piece, performance.now() + delayMilliseconds)
      })
      from.on('error', end)
      from.on('close', end)
    }
    near.resume()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: ownPort } = server.address() as { port: number }

  return {
    url: (direct) => {
      const through = new URL(direct)
      through.hostname = '127.0.0.1'
      through.port = `${ownPort}`
      return through.href
    },
    mend: () => {
      takesNew = 'yes'
      delayMilliseconds = 0
      // A stopped connection has lost bytes for good, so it cannot be used again.
      for (const line of lines) if (line.stopped) line.ends[0].destroy()
    },
    stop: () => {
      takesNew = 'silently'
      for (const line of lines) line.stopped = true
    },
    stopThoseThereAre: () => {
      for (const line of lines) line.stopped = true
    },
    slow: (milliseconds) => {
      delayMilliseconds = milliseconds
    },
    cut: () => {
      takesNew = 'no'
      for (const line of lines) line.ends[0].destroy()
    },
    close: async () => {
      for (const line of lines) line.ends[0].destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
