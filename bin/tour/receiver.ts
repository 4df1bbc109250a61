import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Body, Visitor } from './partner.ts'

/** What a webhook told, and the bytes it was signed over. */
export type Told = { event: Body; bytes: Buffer; signature: string }

export type Receiver = { told: readonly Told[]; secret: string; stop: () => Promise<void> }

/**
 * A webhook receiver as a partner would write it: it answers at once and keeps what it was told. One that an earlier tour
 * registered is taken again, for a partner can have only so many.
 */
export async function openReceiver({ ok }: Visitor): Promise<Receiver> {
  const told: Told[] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const bytes = Buffer.concat(pieces)
      told.push({
        event: JSON.parse(bytes.toString()) as Body,
        bytes,
        signature: String(request.headers['platform-signature']),
      })
      response.end()
    })
  })
  const { receivers } = await ok('GET', '/sandbox/receivers')
  const earlier = receivers.find(({ enabled, url }: Body) => !enabled && new URL(url).pathname === path)
  const isBack = earlier !== undefined && (await listens(server, Number(new URL(earlier.url).port)))
  if (!isBack) await listens(server, 0)
  const { port } = server.address() as AddressInfo
  const registered = isBack
    ? await ok('POST', `/sandbox/receivers/${earlier.receiverId}/enable`)
    : await ok('POST', '/sandbox/receivers', { url: `http://127.0.0.1:${port}${path}` })
  const own = `/sandbox/receivers/${registered.receiverId}`
  const { secret } = isBack ? await ok('POST', `${own}/rotate-secret`) : registered
  return {
    told,
    secret,
    stop: async () => {
      await ok('POST', `${own}/disable`)
      server.closeAllConnections()
      server.close()
    },
  }
}

const path = '/webhooks-of-the-tour'

/** false = the port is taken */
function listens(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => resolve(true))
  })
}

/** A receiver's own check of a signature, from what the documents say of it and nothing else. */
export function isSigned({ bytes, signature }: Told, secret: string): boolean {
  const fields = new Map(signature.split(',').map((field) => field.split('=', 2) as [string, string]))
  const moment = fields.get('t') ?? ''
  if (Math.abs(Date.now() / 1_000 - Number(moment)) > 300) return false
  const expected = createHmac('sha256', secret).update(`${moment}.`).update(bytes).digest()
  const given = Buffer.from(fields.get('v1') ?? '', 'hex')
  return given.byteLength === expected.byteLength && timingSafeEqual(given, expected)
}
