import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import { Outage } from '../../vocabulary/outage.ts'

/** Pictures that weigh more are not shown to agents. */
const bytesMax = 3_000_000

/** undefined if the object is gone, too large to be shown to an agent, or cannot be read now */
export async function smallObject(
  objectStore: Pick<ObjectStore, 'read'>,
  objectKey: string,
): Promise<Buffer | undefined> {
  const pieces: Buffer[] = []
  let size = 0
  try {
    for await (const piece of (await objectStore.read(objectKey)) ?? []) {
      pieces.push(piece as Buffer)
      size += (piece as Buffer).length
      // Leaving the loop destroys the stream.
      if (size > bytesMax) return undefined
    }
  } catch (error) {
    if (error instanceof Outage) return undefined
    throw error
  }
  return size === 0 ? undefined : Buffer.concat(pieces)
}
