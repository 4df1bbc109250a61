/**
 * Webhooks with Hono.
 *
 * @module
 */
import { webhookHandler as fetchHandler } from './fetch.ts'
import type { WebhookHandlerOptions } from './receive.ts'

/** What this needs of Hono's context. */
type Context = { req: { raw: Request } }

/** A handler of webhooks: `app.post('/hooks', webhookHandler({ secret, onEvent }))`. */
export function webhookHandler(options: WebhookHandlerOptions): (context: Context) => Promise<Response> {
  const handle = fetchHandler(options)
  return (context) => handle(context.req.raw)
}
