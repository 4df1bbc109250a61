import { randomUUID } from 'node:crypto'
import { headBytes, mediaTypeOf } from '../../artwork/media-type.ts'
import type { Transaction } from '../../database/database.ts'
import type { Done, Refused } from '../../vocabulary/outcome.ts'
import { claimStrays, dropStrays, noteStrays } from '../files/stray-objects.ts'
import type { Stores } from '../files/stores.ts'

/** Logos of brands: read, made small enough for documents and mails, and kept as PNG. */

export const logoTypes = ['image/png', 'image/jpeg', 'image/webp'] as const

const widthMax = 1_200
const heightMax = 600
/** Ten times the pixels of the largest logo that is kept. */
const readPixelsMax = 25_000_000

/** The PNG that is kept of an uploaded picture; undefined if it cannot be read, is too large, or is not of the type it claims. */
async function logoOf({ mediaType, bytes }: { mediaType: string; bytes: Buffer }): Promise<Buffer | undefined> {
  if ((await mediaTypeOf(bytes.subarray(0, headBytes))) !== mediaType) return undefined
  const { default: sharp } = await import('sharp')
  try {
    return await sharp(bytes, { limitInputPixels: readPixelsMax, failOn: 'error' })
      .rotate()
      .resize({ width: widthMax, height: heightMax, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .png({ compressionLevel: 9 })
      .toBuffer()
  } catch {
    return undefined
  }
}

/** Sets the logo of a brand to a stored PNG, or to none; `former` is the object key that it had. */
type SetLogo<Reason extends Refused> = (
  tx: Transaction,
  logoKey: string | null,
) => Promise<Done<{ former: string | null }> | Reason>

/** Stores an uploaded logo and sets it. */
export async function storeLogo<Reason extends Refused>(
  stores: Stores,
  upload: { mediaType: string; bytes: Buffer },
  set: SetLogo<Reason>,
): Promise<Done | Reason | Refused<'not_a_logo'>> {
  const png = await logoOf(upload)
  if (!png) return { refused: 'not_a_logo' }
  const logoKey = `logos/${randomUUID()}.png`
  await noteStrays(stores.database.statements, [logoKey])
  await stores.objectStore.write(logoKey, png)
  const outcome = await replaceLogo(stores, logoKey, set)
  if ('refused' in outcome) await dropStrays(stores.objectStore, [logoKey])
  return outcome
}

export function removeLogo<Reason extends Refused>(stores: Stores, set: SetLogo<Reason>): Promise<Done | Reason> {
  return replaceLogo(stores, null, set)
}

/** The object of the former logo is a stray from then on, and is removed at once where that works. */
async function replaceLogo<Reason extends Refused>(
  { database, objectStore }: Stores,
  logoKey: string | null,
  set: SetLogo<Reason>,
): Promise<Done | Reason> {
  const changed = await database.change(async (tx) => {
    if (logoKey) await claimStrays(tx, [logoKey])
    const outcome = await set(tx, logoKey)
    if ('done' in outcome && outcome.done.former) await noteStrays(tx, [outcome.done.former])
    return outcome
  })
  if ('refused' in changed) return changed
  if (changed.done.former) await dropStrays(objectStore, [changed.done.former])
  return { done: {} }
}
