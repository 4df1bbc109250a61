import { headBytes, mediaTypeOf, typeFault } from '../../artwork/media-type.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'

/**
 * Tells by its first bytes whether a file may be the artwork of a product. Neither its name nor a header counts: both
 * are what its sender claims.
 */

/** What is wrong with a file as artwork, as a sentence. @param takes the media types that the product takes */
export async function artworkFault(head: Buffer, takes: readonly string[]): Promise<string | undefined> {
  if (head.length === 0) return 'The file is empty.'
  return typeFault(await mediaTypeOf(head), takes)
}

/** Keeps the first bytes of a file that arrives in pieces. */
export function headKeeper(): { take: (piece: Buffer) => void; head: () => Buffer } {
  const kept: Buffer[] = []
  let left = headBytes
  return {
    take: (piece) => {
      if (left <= 0) return
      kept.push(piece.subarray(0, left))
      left -= piece.length
    },
    head: () => Buffer.concat(kept),
  }
}

/** The first bytes of an object; empty if there is none. */
export async function headOf(objectStore: ObjectStore, objectKey: string): Promise<Buffer> {
  const keeper = headKeeper()
  // Leaving the loop destroys the stream: the rest is not read.
  for await (const piece of (await objectStore.read(objectKey)) ?? []) {
    keeper.take(piece as Buffer)
    if (keeper.head().length >= headBytes) break
  }
  return keeper.head()
}
