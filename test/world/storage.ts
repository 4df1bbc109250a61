/** A running embedded store for tests, with its own folder, a free port, a stopped clock, and every line it logs. */
import { EventEmitter, once } from 'node:events'
import fs from 'node:fs/promises'
import http, { type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pino } from 'pino'
import { embeddedStore } from '../../src/outside/object-store/embedded-store.ts'
import { openObjectFolder } from '../../src/outside/object-store/object-folder.ts'
import type { ObjectStore } from '../../src/outside/object-store/object-store.ts'
import { s3Store } from '../../src/outside/object-store/s3-store.ts'
import { createStorageServer, storageListener } from '../../src/outside/object-store/storage-listener.ts'

export type StorageWorld = {
  store: ObjectStore
  folder: string
  endpoint: string
  server: Server
  clock: { now: Date }
  logged: string[]
  /** a logged line that contains the text; waits for one if there is none yet */
  line(text: string): Promise<string>
  close(): Promise<void>
}

export const signingKey = { accessKeyId: 'storage', secretAccessKey: 'a secret of the tests', region: 'local' }
export const bucket = 'files'
export const consoleOrigin = 'https://console.works.example'

export async function openStorageWorld(kind: 'embedded' | 's3'): Promise<StorageWorld> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'object-store-'))
  const clock = { now: new Date('2026-03-01T12:00:00Z') }
  const now = () => clock.now
  const logged: string[] = []
  const lines = new EventEmitter()
  const log = pino({ level: 'trace' }, { write: (line: string) => (logged.push(line), lines.emit('line', line)) })

  const browserOrigin = () => consoleOrigin
  const files = await openObjectFolder(folder)
  const server = createStorageServer(
    storageListener(files, { bucket, signingKeys: [signingKey], browserOrigin, now, log }),
    () => 'http://127.0.0.1',
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const store =
    kind === 'embedded'
      ? embeddedStore(files, { endpoint, bucket, signingKey })
      : s3Store({ ...signingKey, endpoint, bucket, pathStyle: true, spoolFolder: folder, now })

  return {
    store,
    folder,
    endpoint,
    server,
    clock,
    logged,
    async line(text) {
      for (;;) {
        const found = logged.find((line) => line.includes(text))
        if (found !== undefined) return found
        await once(lines, 'line')
      }
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await fs.rm(folder, { recursive: true })
    },
  }
}

/** Sends one request exactly as given: the path is not normalised, and only the Host header is added. */
export async function rawRequest(
  url: string,
  options: { method: string; target?: string; headers?: Record<string, string>; body?: Uint8Array },
): Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }> {
  const { origin, pathname, search } = new URL(url)
  const { method, headers = {}, target = pathname + search, body } = options
  const request = http.request(origin, { method, path: target, headers, agent: false }).end(body)
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await buffer(answer) }
}

export async function putBytes(url: string, bytes: Uint8Array | string, contentType?: string) {
  const body = Buffer.from(bytes)
  const headers = { 'content-length': String(body.length), ...(contentType && { 'content-type': contentType }) }
  return rawRequest(url, { method: 'PUT', headers, body })
}

export async function arrivingFiles({ folder }: StorageWorld): Promise<string[]> {
  return fs.readdir(path.join(folder, 'incoming'))
}
