import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Body, Visitor } from './partner.ts'

/** The event of a webhook, and the bytes that were signed. */
export type Told = { event: Body; bytes: Buffer; signature: string }

export type Receiver = { told: readonly Told[]; secret: string; stop: () => Promise<void> }

/**
 * A webhook receiver as a partner would write it: it answers at once and keeps the events. A receiver that an earlier
 * tour registered is used again, since a partner may have only a few.
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

/** Starts to listen; false = the port is taken. */
function listens(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => resolve(true))
  })
}

/** The receiver's check of a signature, written only from the documentation. */
export function isSigned({ bytes, signature }: Told, secret: string): boolean {
  const fields = new Map(signature.split(',').map((field) => field.split('=', 2) as [string, string]))
  const moment = fields.get('t') ?? ''
  if (Math.abs(Date.now() / 1_000 - Number(moment)) > 300) return false
  const expected = createHmac('sha256', secret).update(`${moment}.`).update(bytes).digest()
  const given = Buffer.from(fields.get('v1') ?? '', 'hex')
  return given.byteLength === expected.byteLength && timingSafeEqual(given, expected)
}
