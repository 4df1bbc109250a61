/**
 * Webhooks with Fastify.
 *
 * @module
 */
import type { IncomingMessage } from 'node:http'
import { signatureOf } from './node.ts'
import { bodyBytesMax, receiver, type WebhookHandlerOptions } from './receive.ts'

type Reply = { code: (status: number) => { send: (payload: string) => unknown } }
type Parser = (request: unknown, body: Uint8Array, done: (error: null, body: Uint8Array) => void) => void

/** What this needs of a Fastify instance. */
type Instance = {
  removeAllContentTypeParsers: () => void
  addContentTypeParser: (type: string, options: { parseAs: 'buffer'; bodyLimit: number }, parser: Parser) => unknown
  post: (
    path: string,
    handler: (request: { body: unknown; headers: IncomingMessage['headers'] }, reply: Reply) => Promise<unknown>,
  ) => unknown
}

/**
 * A plugin with one route for webhooks: `app.register(webhooks, { path: '/hooks', secret, onEvent })`. The rest of the
 * application keeps its parsers.
 */
export async function webhooks(
  instance: Instance,
  { path, ...options }: WebhookHandlerOptions & { /** where deliveries arrive, such as `/hooks` */ path: string },
): Promise<void> {
  const receive = receiver(options)
  instance.removeAllContentTypeParsers()
  instance.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: bodyBytesMax }, (_request, body, done) =>
    done(null, body),
  )
  instance.post(path, async (request, reply) => {
    const { status, text } = await receive((request.body ?? '') as Uint8Array, signatureOf(request))
    return reply.code(status).send(text)
  })
}
