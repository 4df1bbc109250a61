import { createHash, randomBytes, sign, type KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
import { der, derObjectIdentifier, derTag } from '../vocabulary/der.ts'
import type { KeyPair } from '../vocabulary/derived-key-pair.ts'

/**
 * Makes certificates (X.509 version 3, RFC 5280) with P-256 keys and ECDSA over SHA-256; Node can read certificates but
 * not make them. They serve the service's own TLS and the demo data. Partners bring certificates of their own.
 */

export type CertificateWish = {
  /** its common name */
  name: string
  publicKey: KeyObject
  /** the issuer's name and keys; for a self-signed certificate its own */
  issuer: { name: string } & KeyPair
  use: 'authority' | 'server' | 'client'
  /** host names and addresses of the server */
  hosts?: readonly string[]
  notBefore: Date
  notAfter: Date
}

/** The certificate as PEM. */
export function issueCertificate(wish: CertificateWish): string {
  const algorithm = der(derTag.sequence, derObjectIdentifier('1.2.840.10045.4.3.2'))
  const toBeSigned = der(
    derTag.sequence,
    der(0xa0, der(derTag.integer, Buffer.from([2]))),
    der(derTag.integer, serialNumber()),
    algorithm,
    nameOf(wish.issuer.name),
    der(derTag.sequence, timeOf(wish.notBefore), timeOf(wish.notAfter)),
    nameOf(wish.name),
    wish.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(derTag.sequence, ...extensions(wish))),
  )
  const signature = sign('sha256', toBeSigned, wish.issuer.privateKey)
  const certificate = der(derTag.sequence, toBeSigned, algorithm, der(derTag.bitString, Buffer.from([0]), signature))
  const lines = certificate.toString('base64').match(/.{1,64}/g)!
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

/** 126 random bits, positive and of full length. */
function serialNumber(): Buffer {
  const serial = randomBytes(16)
  serial[0] = (serial[0]! & 0x3f) | 0x40
  return serial
}

const utf8StringTag = 0x0c
const generalizedTimeTag = 0x18
const utcTimeTag = 0x17

function nameOf(commonName: string): Buffer {
  const attribute = [derObjectIdentifier('2.5.4.3'), der(utf8StringTag, Buffer.from(commonName))]
  return der(derTag.sequence, der(derTag.set, der(derTag.sequence, ...attribute)))
}

/** Years until 2049 are written with two digits, later ones with four (RFC 5280 §4.1.2.5). */
function timeOf(instant: Date): Buffer {
  const digits = instant.toISOString().replaceAll(/[-:T]|\.\d+/g, '')
  const isShort = instant.getUTCFullYear() < 2050
  return der(isShort ? utcTimeTag : generalizedTimeTag, Buffer.from(isShort ? digits.slice(2) : digits))
}

const isTrue = Buffer.from('0101ff', 'hex')
/** Bit strings: the number of unused bits, then the bits from the left. */
const keyUsages = {
  authority: Buffer.from([1, 0b0000_0110]),
  server: Buffer.from([7, 0b1000_0000]),
  client: Buffer.from([7, 0b1000_0000]),
}
const extendedKeyUsages = { server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2' }

function extensions({ use, publicKey, issuer, hosts = [] }: CertificateWish): Buffer[] {
  const extension = (id: string, isCritical: boolean, value: Buffer): Buffer =>
    der(derTag.sequence, derObjectIdentifier(id), ...(isCritical ? [isTrue] : []), der(derTag.octetString, value))
  return [
    extension('2.5.29.19', true, der(derTag.sequence, ...(use === 'authority' ? [isTrue] : []))),
    extension('2.5.29.15', true, der(derTag.bitString, keyUsages[use])),
    extension('2.5.29.14', false, der(derTag.octetString, keyIdentifier(publicKey))),
    extension('2.5.29.35', false, der(derTag.sequence, der(0x80, keyIdentifier(issuer.publicKey)))),
    ...(use === 'authority'
      ? []
      : [extension('2.5.29.37', false, der(derTag.sequence, derObjectIdentifier(extendedKeyUsages[use])))]),
    ...(hosts.length === 0 ? [] : [extension('2.5.29.17', false, der(derTag.sequence, ...hosts.map(generalName)))]),
  ]
}

function keyIdentifier(publicKey: KeyObject): Buffer {
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest()
    .subarray(0, 20)
}

function generalName(host: string): Buffer {
  if (isIP(host) === 0) return der(0x82, Buffer.from(host))
  return der(0x87, isIP(host) === 4 ? Buffer.from(host.split('.').map(Number)) : ipv6Bytes(host))
}

function ipv6Bytes(address: string): Buffer {
  const [before, after = []] = address.split('::').map((part) => part.split(':').filter(Boolean))
  const omitted = Array<string>(8 - before!.length - after.length).fill('0')
  return Buffer.from([...before!, ...omitted, ...after].map((group) => group.padStart(4, '0')).join(''), 'hex')
}
