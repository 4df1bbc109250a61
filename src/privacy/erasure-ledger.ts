import type { ObjectStore } from '../outside/object-store/object-store.ts'
import { type KeyRing, macs } from '../vocabulary/keys.ts'
import { erasureKey } from '../vocabulary/erasure-key.ts'
import { Outage } from '../vocabulary/outage.ts'
import type { PersonNamed } from './find-person.ts'

/**
 * The ledger of erasures outside the database, in the object store: a file for each, numbered 1, 2, 3 …. A backup that is
 * older than an erasure brings the person back; whoever restores it goes through what came after. The service leaves no
 * number out, but a file may be lost.
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

/** @throws Outage */
export async function writeEntry(store: Pick<ObjectStore, 'write'>, entry: LedgerEntry): Promise<void> {
  await store.write(erasureKey(entry.ledgerNumber), Buffer.from(JSON.stringify(entry)))
}

/** undefined = there is none. @throws Outage */
export async function readEntry(
  store: Pick<ObjectStore, 'read'>,
  ledgerNumber: number,
): Promise<LedgerEntry | 'damaged' | undefined> {
  try {
    const stream = await store.read(erasureKey(ledgerNumber))
    if (!stream) return undefined
    const pieces: Buffer[] = []
    for await (const piece of stream) pieces.push(piece as Buffer)
    return JSON.parse(Buffer.concat(pieces).toString('utf8')) as LedgerEntry
  } catch (error) {
    if (error instanceof Outage) throw error
    return 'damaged'
  }
}

/** So many numbers are looked at after the last entry that is there, before the ledger counts as ended. */
export const holeMax = 100

/** As many are read at once: at a start, everything waits for them. */
const readAtOnce = 20

export type NumberedEntry = { ledgerNumber: number; entry: LedgerEntry | 'damaged' }

/**
 * Reads the entries from a number on. A store cannot be asked what it holds, so numbers are tried.
 * @param holes how many numbers without an entry do not end the ledger
 * @throws Outage
 */
export async function* entriesFrom(
  store: Pick<ObjectStore, 'read'>,
  first: number,
  holes: number,
): AsyncGenerator<NumberedEntry> {
  for (let [next, last] = [first, first - 1]; next <= last + 1 + holes;) {
    const tried = Math.min(last + 2 + holes - next, readAtOnce)
    const found = await readEntries(
      store,
      Array.from({ length: tried }, (_, index) => next + index),
    )
    for (const each of found) {
      last = each.ledgerNumber
      yield each
    }
    next += tried
  }
}

/** Those of the entries that are there. @throws Outage */
export async function* entriesAt(
  store: Pick<ObjectStore, 'read'>,
  ledgerNumbers: readonly number[],
): AsyncGenerator<NumberedEntry> {
  for (let from = 0; from < ledgerNumbers.length; from += readAtOnce)
    yield* await readEntries(store, ledgerNumbers.slice(from, from + readAtOnce))
}

async function readEntries(
  store: Pick<ObjectStore, 'read'>,
  ledgerNumbers: readonly number[],
): Promise<NumberedEntry[]> {
  const read = await Promise.all(
    ledgerNumbers.map(async (ledgerNumber) => ({ ledgerNumber, entry: await readEntry(store, ledgerNumber) })),
  )
  return read.flatMap(({ ledgerNumber, entry }) => (entry ? [{ ledgerNumber, entry }] : []))
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
