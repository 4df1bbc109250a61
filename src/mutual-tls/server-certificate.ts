import { createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { derivedKeyPair } from '../vocabulary/derived-key-pair.ts'
import { keyRing, type MasterKeys, ofEach } from '../vocabulary/keys.ts'
import { SettingRefused } from '../vocabulary/setting-refused.ts'
import { writeWholeFile } from '../outside/whole-file.ts'
import { issueCertificate, type CertificateWish } from './issue-certificate.ts'
import type { ServerCertificate } from './listener.ts'

/**
 * The certificate that the mutual-TLS listener presents: the operator's, or one made at each start for clients on this
 * machine. The keys of the latter are derived from the master key, so that an authority handed to clients stays valid.
 */

export type ServerCertificateSource = {
  /** the current one: files are read again each time, since operators renew them */
  read: () => Promise<ServerCertificate>
  /** the authority that clients must trust */
  caFile: string
}

/** The longest validity that web clients accept. */
const daysValid = 397
const dayMilliseconds = 86_400_000
const hosts = ['localhost', '127.0.0.1', '::1']

/** @throws SettingRefused when the files cannot be used */
export async function fileServerCertificate(files: {
  certFile: string
  keyFile: string
}): Promise<ServerCertificateSource> {
  const read = async (): Promise<ServerCertificate> => ({
    cert: await readFile(files.certFile, 'utf8'),
    key: await readFile(files.keyFile, 'utf8'),
  })
  try {
    const { cert, key } = await read()
    createSecureContext({ cert, key })
    // OpenSSL accepts a file without a certificate or key.
    void [new X509Certificate(cert), createPrivateKey(key)]
  } catch (error) {
    throw new SettingRefused(
      `MTLS_CERT_FILE ${files.certFile} and MTLS_KEY_FILE ${files.keyFile} cannot be used: ${(error as Error).message}.`,
    )
  }
  return { read, caFile: files.certFile }
}

type Authority = CertificateWish['issuer']

/**
 * Writes the certificates of the authorities, one per master key, to `tls/ca.pem` in the data folder. No key is written to
 * disk.
 */
export async function selfMadeServerCertificate(parts: {
  masterKeys: MasterKeys
  dataDir: string
  now: Date
}): Promise<ServerCertificateSource> {
  const keysOf = (purpose: 'tls-authority' | 'tls-server') =>
    ofEach(keyRing(parts.masterKeys, 'PRODUCTION', purpose), derivedKeyPair)
  const name = 'Partner Commerce local authority'
  const [issuer, ...older] = keysOf('tls-authority').map((pair) => ({ name, ...pair })) as [Authority, ...Authority[]]
  const [server] = keysOf('tls-server')
  // An hour ago, for clients with slow clocks.
  const notBefore = new Date(parts.now.getTime() - 3_600_000)
  const notAfter = new Date(parts.now.getTime() + daysValid * dayMilliseconds)
  const dates = { notBefore, notAfter }
  const authority = (of: Authority, by: Authority): string =>
    issueCertificate({ ...dates, issuer: by, name: of.name, publicKey: of.publicKey, use: 'authority' })
  const cas = [issuer, ...older].map((each) => authority(each, each))
  // Clients that trust the authority of an older key alone find their way to the newest.
  const bridges = older.map((each) => authority(issuer, each))
  const cert = issueCertificate({
    ...dates,
    issuer,
    name: 'Partner Commerce',
    publicKey: server.publicKey,
    use: 'server',
    hosts,
  })

  const folder = join(parts.dataDir, 'tls')
  await mkdir(folder, { recursive: true })
  const caFile = join(folder, 'ca.pem')
  await writeWholeFile(caFile, cas.join(''), 0o644)
  const key = server.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  return { read: async () => ({ cert: [cert, ...bridges].join(''), key }), caFile }
}
