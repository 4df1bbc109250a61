import type { Server as HttpServer, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate as afterAccepting, setTimeout as pause } from 'node:timers/promises'

/**
 * How a host stops without losing a request. What was taken is answered; clients that keep a connection are told with
 * their next answer that it ends, and those that rest get a moment to notice. A connection cut while its client begins to
 * send would look like a lost request.
 */
export type Drain = {
  /** told of every response before it is worked on */
  begin: (response: ServerResponse) => void
  /** takes nothing more, answers what there is, and ends every connection */
  finish: (server: Pick<HttpServer, 'closeAllConnections'> & NetServer) => Promise<void>
}

/**
 * Connections that stand in the queue are accepted first: closing would reset them. A turn of the event loop takes one of
 * them at most, so the queue was empty in a turn that took none.
 */
async function queueAccepted(server: NetServer): Promise<void> {
  let accepted = false
  const onConnection = (): void => void (accepted = true)
  server.on('connection', onConnection)
  for (let turns = 0; turns < queueTurnsMax; turns++) {
    accepted = false
    await afterAccepting()
    // The rest of the turn that the stop came in is no whole turn.
    if (!accepted && turns > 0) break
  }
  server.off('connection', onConnection)
}

/** Where new connections never cease, the door is closed before them in the end. */
const queueTurnsMax = 1_000

/** @param graceMilliseconds how long connections may rest, once the stop has begun, before they are ended */
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
      // Not HTTP's own close, which would cut what rests, and stop watching over bodies that never come.
      const allGone = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()))
      // Clients are told once the door is closed, not before: they would come back to it while it closes.
      isDraining = true
      for (const response of underWay) response.shouldKeepAlive = false
      await Promise.race([allGone, pause(graceMilliseconds)])
      if (underWay.size > 0) await new Promise<void>((resolve) => (allAnswered = resolve))
      server.closeAllConnections()
      // The door is closed already; this ends the server's watch over slow requests.
      server.close()
    },
  }
}
