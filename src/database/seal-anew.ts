import type { KeyPurpose, KeyRing } from '../vocabulary/keys.ts'
import { keyId, keyIdBytes } from '../vocabulary/keys.ts'
import { seal, unseal } from '../vocabulary/seal.ts'
import type { Queries } from './database.ts'
import { sqlText, type SqlPart } from './sql.ts'

/**
 * Finds what an older key sealed, and seals it anew with the newest one, while the service goes on. The owner of a table
 * says what is sealed in it, as a `SealedKind` (all: `sealed-kinds.ts`).
 */
export type SealedKind = {
  /** in the plural, as the rest of a sentence */
  what: string
  purpose: KeyPurpose
  /** the keys that seal, if they are derived from those of the purpose */
  keysOf?: (keys: KeyRing) => KeyRing
  /** how many rows hold a seal by none of the keys */
  count: (queries: Queries, by: SealedBy) => Promise<number>
  /** some of those rows, from the one after `after` on, in the order of their ids; null = from the first */
  read: (queries: Queries, by: SealedBy, after: string | null) => Promise<SealedRow[]>
  /** what the seals of a row are bound to */
  boundTo: (id: string) => string
  /** stores the new seals if the row still has the former ones */
  write: (queries: Queries, id: string, former: Buffer[], anew: Buffer[]) => Promise<unknown>
  /** those that are stored as the HMAC of former days: they stay under their key until they are used or made anew */
  hashed?: (queries: Queries) => Promise<HashedRow[]>
}

export type SealedRow = { id: string; sealed: Buffer[] }

export type HashedRow = { name: string; lastUsedOn: string | null }

/** The condition that a seal in a column is by none of the keys. */
export type SealedBy = (column: SqlPart) => SqlPart

export const batchRows = 200

/** A condition on a sealed column. */
export function sealedByNoneOf(keys: readonly Buffer[]): SealedBy {
  return (column) => sqlText`substring(${column} from 1 for ${keyIdBytes}::int) <> all(${keys.map(keyId)}::bytea[])`
}

/** @returns how many of a kind are sealed by none of the keys. @param keys of the kind's purpose */
export function countOthers(queries: Queries, kind: SealedKind, keys: KeyRing): Promise<number> {
  return kind.count(queries, sealedByNoneOf(kind.keysOf?.(keys) ?? keys))
}

/**
 * Seals what an older key sealed anew with the first one. A row that changes meanwhile keeps its change, and one that none
 * of the keys opens stays as it is. Where it breaks off, it can begin again.
 * @param keys of the kind's purpose
 */
export async function sealAnew(statements: Queries, kind: SealedKind, keys: KeyRing): Promise<void> {
  const ring = kind.keysOf?.(keys) ?? keys
  const byOlder = sealedByNoneOf([ring[0]])
  for (let after: string | null = null; ;) {
    const rows: SealedRow[] = await kind.read(statements, byOlder, after)
    const last = rows.at(-1)
    if (!last) return
    for (const { id, sealed } of rows) {
      const anew = sealed.map((each) => sealedByFirst(ring, kind.boundTo(id), each))
      await kind.write(statements, id, sealed, anew)
    }
    after = last.id
  }
}

function sealedByFirst(keys: KeyRing, boundTo: string, sealed: Buffer): Buffer {
  try {
    return seal(keys, boundTo, unseal(keys, boundTo, sealed))
  } catch {
    return sealed
  }
}
