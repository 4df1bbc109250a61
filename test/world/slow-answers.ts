import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'

/** Writes the text repeatedly until the connection closes. */
export function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 20)
  socket.on('close', () => clearInterval(timer))
}

/** Resolves when this process receives the head of the next HTTP response, and any body bytes that came with it. */
export function headArrived(): Promise<void> {
  const channel = 'http.client.response.finish'
  return new Promise((resolve) => {
    const seen = (): void => {
      unsubscribe(channel, seen)
      resolve()
    }
    subscribe(channel, seen)
  })
}
