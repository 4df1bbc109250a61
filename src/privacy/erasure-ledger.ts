import type { ObjectStore } from '../outside/object-store/object-store.ts'
import { type KeyRing, macs } from '../vocabulary/keys.ts'
import { Outage } from '../vocabulary/outage.ts'
import type { PersonNamed } from './find-person.ts'

/**
 * The ledger of erasures outside the database, in the object store: a file for each, numbered 1, 2, 3 … without a gap. A
 * backup that is older than an erasure brings the person back; whoever restores it goes through what came after.
 * It holds ids and fingerprints, and no text about anybody.
 */
export type LedgerEntry = {
  erasureId: string
  ledgerNumber: number
  kind: PersonNamed['kind']
  /** the id; of a recipient, the fingerprint of the e-mail address */
  subject: string
  addressFingerprints: string[]
  orderNumbers: number[]
  reason: string
  erasedOn: string
}

function keyOf(ledgerNumber: number): string {
  return `erasures/${ledgerNumber}.json`
}

/** @throws Outage */
export async function writeEntry(store: Pick<ObjectStore, 'write'>, entry: LedgerEntry): Promise<void> {
  await store.write(keyOf(entry.ledgerNumber), Buffer.from(JSON.stringify(entry)))
}

/** undefined = the ledger ends before it. @throws Outage */
export async function readEntry(
  store: Pick<ObjectStore, 'read'>,
  ledgerNumber: number,
): Promise<LedgerEntry | 'damaged' | undefined> {
  try {
    const stream = await store.read(keyOf(ledgerNumber))
    if (!stream) return undefined
    const pieces: Buffer[] = []
    for await (const piece of stream) pieces.push(piece as Buffer)
    return JSON.parse(Buffer.concat(pieces).toString('utf8')) as LedgerEntry
  } catch (error) {
    if (error instanceof Outage) throw error
    return 'damaged'
  }
}

/**
 * What tells an e-mail address again without showing it.
 * @param erasureKeys `keys('erasure')`
 */
export function addressFingerprint(erasureKeys: KeyRing, email: string): string {
  return fingerprintsOf(erasureKeys, email)[0]!
}

/** The same under each key, the newest first: an entry may have been written under an older one. */
export function fingerprintsOf(erasureKeys: KeyRing, email: string): string[] {
  return macs(erasureKeys, email.trim().toLowerCase()).map((each) => each.toString('hex'))
}
