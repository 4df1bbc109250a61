import { hkdfSync } from 'node:crypto'
import type { Clock } from '../../vocabulary/clock.ts'
import { derivedKeyPair } from '../../vocabulary/derived-key-pair.ts'
import type { KeyRing } from '../../vocabulary/keys.ts'
import { signingKeyOf, type SigningKey } from './metadata.ts'

/**
 * The keys that sign what people's applications verify. Each is in use for a period of 30 days and follows from a master
 * key and the number of the period, so all instances agree without talking. The next one is published before it signs,
 * for applications that keep a copy of the list, and the former one for a period after it has signed. Both are also
 * published of every older master key.
 */
export type SigningKeys = {
  /** the first signs; what the others signed may still be presented */
  used: readonly [SigningKey, ...SigningKey[]]
  published: readonly SigningKey[]
}

const periodMilliseconds = 30 * 86_400_000

/** @param keys `keyRing(masterKeys, environment, 'sign-in-signature')`. The same object is answered for a whole period. */
export function signingKeys(keys: KeyRing, clock: Clock): () => SigningKeys {
  let made: { period: number; keys: SigningKeys } | undefined
  return () => {
    const period = Math.floor(clock().getTime() / periodMilliseconds)
    if (made?.period !== period) made = { period, keys: keysOf(keys, period) }
    return made.keys
  }
}

function keysOf([first, ...older]: KeyRing, period: number): SigningKeys {
  const used = [
    signingKeyIn(first, period),
    signingKeyIn(first, period - 1),
    ...older.flatMap((key) => [signingKeyIn(key, period), signingKeyIn(key, period - 1)]),
  ] as const
  return { used, published: [...used, ...[first, ...older].map((key) => signingKeyIn(key, period + 1))] }
}

function signingKeyIn(key: Buffer, period: number): SigningKey {
  const secret = Buffer.from(hkdfSync('sha256', key, '', `period ${period}`, 32))
  return signingKeyOf(derivedKeyPair(secret).privateKey)
}
