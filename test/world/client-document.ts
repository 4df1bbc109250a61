import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { issueCertificate } from '../../src/mutual-tls/issue-certificate.ts'
import { derivedKeyPair } from '../../src/vocabulary/derived-key-pair.ts'

/** An https host for applications' client documents. It records every fetch. */
export type DocumentHost = {
  /** the URL of the document with this name */
  url: (name: string) => string
  /** the response for each name; a name that is missing gets 404 */
  documents: Map<string, { status?: number; headers?: Record<string, string>; body: string }>
  fetched: string[]
  /** the root certificate that a fetching service must trust */
  authority: string
  close: () => Promise<void>
}

export async function openDocumentHost(): Promise<DocumentHost> {
  const days = (count: number): Date => new Date(Date.now() + count * 86_400_000)
  const issuer = { name: 'Documents authority', ...derivedKeyPair(Buffer.alloc(32, 'documents authority')) }
  const keys = derivedKeyPair(Buffer.alloc(32, 'documents host'))
  const common = { issuer, notBefore: days(-1), notAfter: days(30) }
  const authority = issueCertificate({ ...common, name: issuer.name, publicKey: issuer.publicKey, use: 'authority' })
  const cert = issueCertificate({
    ...common,
    name: 'localhost',
    publicKey: keys.publicKey,
    use: 'server',
    hosts: ['localhost', '127.0.0.1'],
  })
  const documents: DocumentHost['documents'] = new Map()
  const fetched: string[] = []
  const key = keys.privateKey.export({ type: 'pkcs8', format: 'pem' })
  const server = createServer({ cert, key }, (request, response) => {
    const name = (request.url ?? '/').slice(1)
    fetched.push(name)
    const found = documents.get(name)
    response.writeHead(found?.status ?? (found ? 200 : 404), { 'content-type': 'application/json', ...found?.headers })
    response.end(found?.body ?? '')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: (name) => `https://localhost:${port}/${name}`,
    documents,
    fetched,
    authority,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
