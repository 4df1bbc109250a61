import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'

/** Writes the text again and again until the connection closes. */
export function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 20)
  socket.on('close', () => clearInterval(timer))
}

/** Resolves when the head of the next answer to a call of this process has arrived, with as much of its body as came along. */
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
