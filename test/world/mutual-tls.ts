import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Agent, request, type RequestOptions } from 'node:https'
import type { TLSSocket } from 'node:tls'
import type { MadeCertificate } from './certificates.ts'
import { assertAnswered, operationAt } from './contract.ts'
import type { Answer } from './partner.ts'

/** A client of the mutual-TLS host: the CAs it trusts, the certificate it presents, and how it connects. */
export type Holder = Pick<
  RequestOptions,
  'ca' | 'cert' | 'key' | 'minVersion' | 'maxVersion' | 'ciphers' | 'ecdhCurve' | 'agent'
> & {
  session?: Buffer
}

/** An answer, and facts about its connection. */
export type TlsAnswer = Answer & {
  sessionReused: boolean
  socketReused: boolean
  protocol: string | null
  cipher: string
}

/** A client that presents this certificate, followed by the given certificates above it in the chain. */
export function holderOf(ca: Holder['ca'], made: MadeCertificate, ...above: MadeCertificate[]): Holder {
  return { ca, key: made.keyPem, cert: [made, ...above].map(({ pem }) => pem).join('') }
}

/**
 * Sends one request, on a new connection unless the holder has an agent. The answer of an API operation is checked
 * against its contract. Rejects with the connection's error when there is no HTTP answer.
 */
export async function sendAs(
  holder: Holder,
  baseUrl: string,
  path: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<TlsAnswer> {
  const sent = request(baseUrl + path, {
    servername: 'localhost',
    agent: new Agent({ keepAlive: false, maxCachedSessions: 0 }),
    ...holder,
    method,
    headers,
  })
  sent.end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const socket = response.socket as TLSSocket
  const facts = {
    sessionReused: socket.isSessionReused(),
    socketReused: sent.reusedSocket,
    protocol: socket.getProtocol(),
    cipher: socket.getCipher().standardName,
  }
  const text = (await response.setEncoding('utf8').toArray()).join('')
  const answered: unknown = text === '' ? undefined : JSON.parse(text)
  const status = response.statusCode!
  assertAnswered(operationAt(method, path), status, answered)
  return { status, headers: new Headers(response.headers as Record<string, string>), body: answered, ...facts }
}

/** The error code of a request that fails before HTTP. */
export async function tlsErrorOf(holder: Holder, baseUrl: string, path = '/v1/ping'): Promise<string> {
  try {
    const { status } = await sendAs(holder, baseUrl, path)
    throw new Error(`there was an answer, of status ${status}`)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    return code
  }
}

/** Waits for the truststore to update: until this holder's handshakes succeed, or fail if `succeeds` is false. */
export async function trusted(holder: Holder, baseUrl: string, succeeds = true): Promise<void> {
  for (const deadline = performance.now() + 60_000; performance.now() < deadline;) {
    const connected = await sendAs(holder, baseUrl, '/v1/ping').then(
      () => true,
      () => false,
    )
    if (connected === succeeds) return
  }
  throw new Error('the truststore did not follow')
}
