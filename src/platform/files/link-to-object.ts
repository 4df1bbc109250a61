import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import { Outage } from '../../vocabulary/outage.ts'

/** How long a link to a stored file is good. */
export const linkLifetimeSeconds = 300

/**
 * A signed link to an object; null while the store cannot be reached, so that what it belongs to stays listed (PRF-10).
 *
 * @param now real time, which the store goes by
 */
export async function linkToObject(
  objectStore: Pick<ObjectStore, 'presignGet'>,
  objectKey: string,
  now: Date,
  answer: { contentType?: string; downloadName?: string; lifetimeSeconds?: number },
): Promise<string | null> {
  try {
    return await objectStore.presignGet(objectKey, { lifetimeSeconds: linkLifetimeSeconds, now, ...answer })
  } catch (error) {
    if (error instanceof Outage) return null
    throw error
  }
}
