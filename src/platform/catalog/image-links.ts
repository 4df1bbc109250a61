import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import type { Clock } from '../../vocabulary/clock.ts'
import { linkToObject } from '../files/link-to-object.ts'
import { imageType, isStoredImage } from './product-image-files.ts'

/** A URL that anybody can read an image by until it expires. */
export type ImageLink = { url: string; expiresOn: Date }

/** null where there is no image, where it is not in the store, and while the store cannot be reached */
export type ImageLinks = (imagePath: string | null) => Promise<ImageLink | null>

/** Links that are made in this time are the same, so that a record with a link keeps its ETag for as long. */
const sameForSeconds = 6 * 3_600
/** A link is good for at least as long as links stay the same. */
const goodForSeconds = 2 * sameForSeconds

/** At about 700 bytes each. */
const rememberedMax = 5_000

/**
 * Links to product images for partners, whose pages show them to the public. Each is signed once in six hours.
 * @param clock real time, which the store goes by
 */
export function imageLinks(objectStore: Pick<ObjectStore, 'presignGet'>, clock: Clock): ImageLinks {
  const signed = new Map<string, Promise<ImageLink | null>>()

  async function sign(imagePath: string, since: Date): Promise<ImageLink | null> {
    const options = { contentType: imageType(imagePath), lifetimeSeconds: goodForSeconds }
    const url = await linkToObject(objectStore, imagePath, since, options)
    return url === null ? null : { url, expiresOn: new Date(since.getTime() + goodForSeconds * 1_000) }
  }

  return (imagePath) => {
    if (imagePath === null || !isStoredImage(imagePath)) return Promise.resolve(null)
    const since = new Date(Math.floor(clock().getTime() / 1_000 / sameForSeconds) * sameForSeconds * 1_000)
    const key = `${since.getTime()} ${imagePath}`
    const known = signed.get(key)
    if (known) return known
    const link = sign(imagePath, since)
    signed.set(key, link)
    if (signed.size > rememberedMax) signed.delete(signed.keys().next().value!)
    const forget = (): unknown => signed.get(key) === link && signed.delete(key)
    link.then((made) => made ?? forget(), forget)
    return link
  }
}
