/**
 * Webhooks with `node:http`.
 *
 * @module
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { bodyBytesMax, receiver, tooLarge, type WebhookHandlerOptions } from './receive.ts'

/**
 * A handler of webhooks: `createServer(webhookHandler({ secret, onEvent }))`. It verifies the delivery, tells `onEvent`,
 * and answers 204; 400 what is not the service's. What `onEvent` throws goes to `onError`, or else to standard error.
 */
export function webhookHandler(
  options: WebhookHandlerOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  // oxlint-disable-next-line no-console -- nobody else would see it
  const onError = options.onError ?? ((error: unknown) => console.error(error))
  const receive = receiver({ ...options, onError })
  return async (request, response) => {
    try {
      const body = await bytesOf(request)
      const { status, text } = body ? await receive(body, signatureOf(request)) : tooLarge
      response.statusCode = status
      if (!body) response.setHeader('connection', 'close')
      response.end(text)
    } catch {
      // The sender went away before its delivery was whole.
      response.destroy()
    }
  }
}

/** The value of the header, where there is one. */
export function signatureOf({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  const value = headers['platform-signature']
  return typeof value === 'string' ? value : undefined
}

/** The bytes of a body; undefined when they are too many. @throws when the sender breaks off */
export function bytesOf(request: IncomingMessage): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    const pieces: Uint8Array[] = []
    let length = 0
    request.on('data', (piece: Uint8Array) => {
      length += piece.byteLength
      if (length <= bodyBytesMax) return pieces.push(piece)
      request.pause()
      return resolve(undefined)
    })
    request.on('end', () => resolve(Buffer.concat(pieces)))
    request.on('error', reject)
    request.on('close', () => reject(new Error('The delivery broke off.')))
  })
}
