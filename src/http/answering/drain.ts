import type { Server as HttpServer, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate as afterAccepting, setTimeout as pause } from 'node:timers/promises'

/**
 * How a host stops without losing a request. Requests already taken are answered. Clients that keep a connection are
 * told with their next answer that it ends, and idle ones get a moment to notice: if a connection were cut just as its
 * client begins to send, the request would seem lost.
 */
export type Drain = {
  /** call it with every response before working on it */
  begin: (response: ServerResponse) => void
  /** stops accepting, answers what is under way, and ends every connection */
  finish: (server: Pick<HttpServer, 'closeAllConnections'> & NetServer) => Promise<void>
}

/**
 * Accepts the connections that wait in the queue, since closing would reset them. A turn of the event loop accepts at
 * most one, so after a turn that accepted none the queue is empty.
 */
async function queueAccepted(server: NetServer): Promise<void> {
  let accepted = false
  const onConnection = (): void => void (accepted = true)
  server.on('connection', onConnection)
  for (let turns = 0; turns < queueTurnsMax; turns++) {
    accepted = false
    await afterAccepting()
    // The turn in which the stop began may be a partial one, so it does not count.
    if (!accepted && turns > 0) break
  }
  server.off('connection', onConnection)
}

/** If new connections never cease, the server stops accepting after this many turns. */
const queueTurnsMax = 1_000

/** @param graceMilliseconds how long idle connections stay open after the stop has begun */
export function createDrain(graceMilliseconds: number): Drain {
  const underWay = new Set<ServerResponse>()
  let isDraining = false
  let allAnswered: (() => void) | undefined

  return {
    begin: (response) => {
      if (isDraining) response.shouldKeepAlive = false
      underWay.add(response)
      response.once('close', () => {
        underWay.delete(response)
        if (underWay.size === 0) allAnswered?.()
      })
    },
    finish: async (server) => {
      await queueAccepted(server)
      // Not HTTP's own close: it would cut idle connections, and stop timing out bodies that never arrive.
      const allGone = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()))
      // Clients are told after the server stopped accepting: told earlier, they would reconnect while it closes.
      isDraining = true
      for (const response of underWay) response.shouldKeepAlive = false
      await Promise.race([allGone, pause(graceMilliseconds)])
      if (underWay.size > 0) await new Promise<void>((resolve) => (allAnswered = resolve))
      server.closeAllConnections()
      // The server no longer accepts; this stops its timeouts for slow requests.
      server.close()
    },
  }
}
