/**
 * Webhooks with the Fetch API: Deno, Bun, Cloudflare Workers, Next.js and others.
 *
 * @module
 */
import { bodyBytesMax, receiver, tooLarge, type WebhookHandlerOptions } from './receive.ts'

/**
 * A handler of webhooks: `Deno.serve(webhookHandler({ secret, onEvent }))`, `export const POST = webhookHandler(…)`.
 * It verifies the delivery, tells `onEvent`, and answers 204; 400 what is not the service's.
 */
export function webhookHandler(options: WebhookHandlerOptions): (request: Request) => Promise<Response> {
  const receive = receiver(options)
  return async (request) => {
    const body = await bytesOf(request)
    const { status, text } = body ? await receive(body, request.headers.get('platform-signature')) : tooLarge
    return new Response(text === '' ? null : text, { status })
  }
}

async function bytesOf(request: Request): Promise<Uint8Array | undefined> {
  if (request.bodyUsed)
    throw new TypeError(
      'The body of the webhook was read before. It is verified by its bytes: read nothing of it first.',
    )
  const pieces: Uint8Array[] = []
  let length = 0
  const reader = request.body?.getReader()
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { value: undefined, done: true }
    if (done || !value) break
    length += value.byteLength
    if (length > bodyBytesMax) {
      await reader!.cancel()
      return undefined
    }
    pieces.push(value)
  }
  const body = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    body.set(piece, at)
    at += piece.byteLength
  }
  return body
}
