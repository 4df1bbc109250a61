/**
 * Webhooks with Express.
 *
 * @module
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { bytesOf, signatureOf } from './node.ts'
import { receiver, tooLarge, type WebhookHandlerOptions } from './receive.ts'

/** What this needs of Express's request: `body` is there once a parser has read it. */
type Request = IncomingMessage & { body?: unknown }

/**
 * A handler of webhooks: `app.post('/hooks', webhookHandler({ secret, onEvent }))`. It reads the body itself. Where
 * `express.json()` is used for the whole application, put this route before it: a body that was parsed cannot be
 * verified. Bytes of `express.raw({ type: '*\/*' })` are taken as they are.
 */
export function webhookHandler(
  options: WebhookHandlerOptions,
): (request: Request, response: ServerResponse, next: (error?: unknown) => void) => Promise<void> {
  const receive = receiver(options)
  return async (request, response, next) => {
    try {
      const body = request.readableEnded ? (request.body as Uint8Array) : await bytesOf(request)
      const { status, text } = body === undefined ? tooLarge : await receive(body, signatureOf(request))
      response.statusCode = status
      response.end(text)
    } catch (error) {
      next(error)
    }
  }
}
