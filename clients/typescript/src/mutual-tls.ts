/**
 * Client certificates, for the mutual-TLS host. Needs Node, or a runtime that has its `node:https`.
 *
 * @module
 */
import { Agent, request } from 'node:https'
import { Readable } from 'node:stream'
import type { SecureContextOptions } from 'node:tls'
import type { Certificate } from './options.ts'

/** A client certificate with its private key, in PEM. */
export type CertificateOptions = Required<Pick<SecureContextOptions, 'cert' | 'key'>> & {
  /** opens the key, where it is encrypted */
  passphrase?: string
  /** the authorities that may vouch for the service, instead of those that the runtime trusts */
  ca?: SecureContextOptions['ca']
}

/** Answers to these have no body, also where one was sent. */
const bodiless = new Set([204, 205, 304])

/**
 * The credential of a mutual-TLS client.
 *
 * ```ts
 * const certificate = clientCertificate({ cert: await readFile('partner.pem'), key: await readFile('partner.key') })
 * const client = new PartnerCommerce({ baseUrl: mtlsBaseUrl, certificate })
 * ```
 *
 * Connections are kept open and used again. For a renewed certificate, make another client.
 */
export function clientCertificate({ cert, key, passphrase, ca }: CertificateOptions): Certificate {
  const agent = new Agent({
    cert,
    key,
    ...(passphrase !== undefined && { passphrase }),
    ...(ca !== undefined && { ca }),
    keepAlive: true,
  })
  return {
    fetch: (url, { method, headers, body, signal }) =>
      new Promise((resolve, reject) => {
        const sent = request(
          url,
          {
            agent,
            headers: Object.fromEntries(new Headers(headers)),
            ...(method !== undefined && { method }),
            ...(signal && { signal }),
          },
          (incoming) => {
            const { statusCode = 0, rawHeaders } = incoming
            const answered = new Headers()
            for (let index = 0; index < rawHeaders.length; index += 2)
              answered.append(rawHeaders[index]!, rawHeaders[index + 1]!)
            const hasBody = !bodiless.has(statusCode)
            if (!hasBody) incoming.resume()
            const bytes = hasBody
              ? (Readable.toWeb(incoming) as unknown as ReadableStream<Uint8Array<ArrayBuffer>>)
              : null
            resolve(new Response(bytes, { status: statusCode, headers: answered }))
          },
        )
        sent.on('error', reject)
        sent.end(body as string | undefined)
      }),
  }
}
