import { createECDH, createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto'

export type KeyPair = { privateKey: KeyObject; publicKey: KeyObject }

/** Order of the curve P-256 (SEC 2 §2.4.2): private keys are below it. */
const curveOrder = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/** Derives a P-256 key pair from a secret. The result is always the same, so it need not be stored. */
export function derivedKeyPair(secret: Buffer): KeyPair {
  // 384 bits, so that the remainder favours no key by more than 2^-128.
  const wide = BigInt(`0x${Buffer.from(hkdfSync('sha256', secret, '', 'p-256 key pair', 48)).toString('hex')}`)
  const scalar = Buffer.from(((wide % (curveOrder - 1n)) + 1n).toString(16).padStart(64, '0'), 'hex')
  const point = createECDH('prime256v1')
  point.setPrivateKey(scalar)
  const [x, y] = [point.getPublicKey().subarray(1, 33), point.getPublicKey().subarray(33)]
  const [d, ...xy] = [scalar, x, y].map((part) => part.toString('base64url'))
  const privateKey = createPrivateKey({ key: { kty: 'EC', crv: 'P-256', d, x: xy[0], y: xy[1] }, format: 'jwk' })
  return { privateKey, publicKey: createPublicKey(privateKey) }
}
