import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** A wire to a server, between it and the service under test, that can be cut, stopped and slowed. */
export type Wire = {
  /** the server's URL as reached through the wire */
  url: (direct: string) => string
  /** everything through, at once: as it is at first */
  mend: () => void
  /** nothing through any more, in either direction; new connections are taken and say nothing */
  stop: () => void
  /** connections there are say nothing more; new ones work */
  stopThoseThereAre: () => void
  /** every piece this much later */
  slow: (milliseconds: number) => void
  /** connections there are end at once, and new ones are refused until it is mended */
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
      // What went in first comes out first, also when the delay ends while something is on its way.
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
      // What was lost while a line was stopped is missing for ever: such a line is of no use.
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
