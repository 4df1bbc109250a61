import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import { smallObject } from '../files/small-object.ts'
import type { Brand as SiteBrand } from '../sites/brand.ts'
import type { Brand } from './drawing/sheet-facts.ts'

/** All pictures of a document together are waited for at most so long; those that are late are not shown. */
const readingMilliseconds = 6_000
const readAtOnce = 8

/** Reads pictures for a document by their object keys. One that is gone, too large or late is not among them. */
export async function readPictures(
  objectStore: Pick<ObjectStore, 'read'>,
  keys: Iterable<string>,
  milliseconds = readingMilliseconds,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>()
  const left = [...new Set(keys)]
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, milliseconds)
  let ended = false
  const readSome = async (): Promise<void> => {
    for (let key = left.pop(); key !== undefined && !ended; key = left.pop()) {
      const bytes = await smallObject(objectStore, key)
      if (bytes && !ended) found.set(key, bytes)
    }
  }
  const all = Promise.all(Array.from({ length: readAtOnce }, readSome))
  try {
    await Promise.race([all, late.promise])
  } finally {
    ended = true
    clearTimeout(timer)
    // A read that fails after the time is over has nobody who waits for it.
    all.catch(() => undefined)
  }
  return found
}

/** A brand with its logo, as documents show it. */
export async function drawnBrand(objectStore: Pick<ObjectStore, 'read'>, brand: SiteBrand): Promise<Brand> {
  const { name, color, logoKey, supportEmail, senderAddress, taxNumber } = brand
  const logo = logoKey === null ? undefined : (await readPictures(objectStore, [logoKey])).get(logoKey)
  return { name, color, logo: logo ?? null, supportEmail, senderAddress, taxNumber }
}
