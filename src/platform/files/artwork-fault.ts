import { fileTypeFromBuffer } from 'file-type/core'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'

/**
 * Tells by its first bytes whether a file may be the artwork of a product. Neither its name nor a header counts: both
 * are what its sender claims.
 */

/** Enough for the comments and declarations that may stand before the root of an SVG. */
const headBytes = 65_536

/** What is wrong with a file as artwork, as a sentence. @param takes the media types that the product takes */
export async function artworkFault(head: Buffer, takes: readonly string[]): Promise<string | undefined> {
  if (head.length === 0) return 'The file is empty.'
  const type = await mediaTypeOf(head)
  if (type !== undefined && takes.includes(type)) return undefined
  return `The file is ${type ?? 'of no known type'}. The product takes ${takes.join(', ')}.`
}

async function mediaTypeOf(head: Buffer): Promise<string | undefined> {
  const found = (await fileTypeFromBuffer(head))?.mime
  // file-type knows SVG only as XML, or not at all, and gives up on a TIFF whose directory lies beyond the head.
  if (found === undefined || found === 'application/xml') {
    if (isSvg(head.toString('utf8'))) return 'image/svg+xml'
    if (/^\ufeff?\s*<(?:!doctype )?html[\s>]/i.test(head.toString('utf8', 0, 300))) return 'text/html'
    if (tiffStarts.some((start) => head.subarray(0, start.length).equals(start))) return 'image/tiff'
  }
  return found
}

const tiffStarts = ['II*\x00', 'MM\x00*'].map((start) => Buffer.from(start, 'latin1'))

/** True if the first element is `svg`, after nothing but white space, declarations, instructions and comments. */
function isSvg(text: string): boolean {
  let at = text.startsWith('\ufeff') ? 1 : 0
  for (;;) {
    while (/\s/.test(text.charAt(at))) at += 1
    const end = text.startsWith('<!--', at)
      ? endOf('-->', at)
      : text.startsWith('<?', at)
        ? endOf('?>', at)
        : text.startsWith('<!DOCTYPE', at)
          ? endOfDoctype(at)
          : undefined
    if (end === undefined) return /^<(?:[A-Za-z_][\w.-]*:)?svg[\s/>]/.test(text.slice(at, at + 300))
    at = end
  }

  function endOf(mark: string, from: number): number {
    const start = text.indexOf(mark, from)
    return start < 0 ? text.length : start + mark.length
  }

  function endOfDoctype(from: number): number {
    const end = endOf('>', from)
    const subset = text.indexOf('[', from)
    return subset < 0 || subset > end ? end : endOf('>', endOf(']', subset))
  }
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
