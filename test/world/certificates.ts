import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'

/** Certificates as partners (and forgers) would make them. A library makes them, not the service's own code. */

x509.cryptoProvider.set(webcrypto as Crypto)

const kinds = {
  'P-256': { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  'P-384': { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' },
  'P-521': { name: 'ECDSA', namedCurve: 'P-521', hash: 'SHA-512' },
  'RSA-1024': rsa('RSASSA-PKCS1-v1_5', 1024, 'SHA-256'),
  'RSA-2048': rsa('RSASSA-PKCS1-v1_5', 2048, 'SHA-256'),
  'RSA-2048 SHA-1': rsa('RSASSA-PKCS1-v1_5', 2048, 'SHA-1'),
  'RSA-2048 SHA-512': rsa('RSASSA-PKCS1-v1_5', 2048, 'SHA-512'),
  'RSA-PSS': { ...rsa('RSA-PSS', 2048, 'SHA-256'), saltLength: 32 },
  'RSA-PSS SHA-1': { ...rsa('RSA-PSS', 2048, 'SHA-1'), saltLength: 20 },
  Ed25519: { name: 'Ed25519' },
}

function rsa(name: string, modulusLength: number, hash: string) {
  return { name, modulusLength, publicExponent: new Uint8Array([1, 0, 1]), hash }
}

export type CertificateWish = {
  /** a common name, or a whole name with its string types */
  subject: string | x509.Name
  /** the signer; without one, the certificate is self-signed */
  issuer?: MadeCertificate
  /** the issuer name to write, when it must differ from the signer's name */
  issuerName?: string
  /** hexadecimal; random by default */
  serial?: string
  kind?: keyof typeof kinds
  /** the signature algorithm, when it must differ from the one of the signer's key */
  signedAs?: keyof typeof kinds
  /** may sign other certificates */
  authority?: boolean
  notBefore?: Date
  notAfter?: Date
  extendedKeyUsage?: string[]
}

export type MadeCertificate = {
  pem: string
  der: Buffer
  keyPem: string
  keys: webcrypto.CryptoKeyPair
  kind: keyof typeof kinds
  name: string | x509.Name
  serial: string
}

export async function makeCertificate(wish: CertificateWish): Promise<MadeCertificate> {
  const { subject, issuer, kind = 'P-256', authority = false } = wish
  const name = typeof subject === 'string' ? `CN=${subject}` : subject
  const serial = wish.serial ?? Buffer.from(webcrypto.getRandomValues(new Uint8Array(8)).fill(1, 0, 1)).toString('hex')
  const keys = (await webcrypto.subtle.generateKey(kinds[kind], true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serial,
    subject: name,
    issuer: wish.issuerName ?? issuer?.name ?? name,
    notBefore: wish.notBefore ?? new Date(Date.now() - 3_600_000),
    notAfter: wish.notAfter ?? new Date(Date.now() + 30 * 86_400_000),
    publicKey: keys.publicKey as CryptoKey,
    signingKey: (issuer ?? { keys }).keys.privateKey as CryptoKey,
    signingAlgorithm: kinds[
      wish.signedAs ?? issuer?.kind ?? kind
    ] as x509.X509CertificateCreateParams['signingAlgorithm'],
    extensions: [
      ...(authority ? [new x509.BasicConstraintsExtension(true, undefined, true)] : []),
      ...(wish.extendedKeyUsage ? [new x509.ExtendedKeyUsageExtension(wish.extendedKeyUsage)] : []),
    ],
  })
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey))
  return {
    pem: pemOf('CERTIFICATE', Buffer.from(certificate.rawData)),
    der: Buffer.from(certificate.rawData),
    keyPem: pemOf('PRIVATE KEY', key),
    keys,
    kind,
    name,
    serial,
  }
}

/** A common name in the given string type: the same text, encoded in different bytes. */
export function commonName(type: 'utf8String' | 'printableString', text: string): x509.Name {
  return nameOf([{ CN: [{ [type]: text }] }])
}

export function nameOf(attributes: x509.JsonNameParams): x509.Name {
  return new x509.Name(attributes)
}

export function pemOf(label: string, der: Buffer): string {
  return `-----BEGIN ${label}-----\n${der
    .toString('base64')
    .match(/.{1,64}/g)!
    .join('\n')}\n-----END ${label}-----\n`
}

/** `length` certificates: the holder's first, the root last. */
export async function makeChain(length: number, holder: Omit<CertificateWish, 'issuer'>): Promise<MadeCertificate[]> {
  const chain: MadeCertificate[] = []
  for (let level = 1; level < length; level++) {
    const above = chain[0]
    chain.unshift(
      await makeCertificate({ subject: `Authority ${level}`, authority: true, ...(above && { issuer: above }) }),
    )
  }
  return [await makeCertificate({ ...holder, ...(chain[0] && { issuer: chain[0] }) }), ...chain]
}
