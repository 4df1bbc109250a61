/** Enough of a file to tell its type: an SVG may have comments and declarations before its root. */
export const headBytes = 65_536

/** The type of a file by its first bytes; undefined if they are of no known type. Neither its name nor a header counts. */
export async function mediaTypeOf(head: Buffer): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type/core')
  const found = (await fileTypeFromBuffer(head))?.mime
  // file-type knows SVG only as XML, or not at all, and gives up on a TIFF whose directory lies beyond the head.
  if (found === undefined || found === 'application/xml') {
    if (isSvg(head.toString('utf8'))) return 'image/svg+xml'
    if (/^\ufeff?\s*<(?:!doctype )?html[\s>]/i.test(head.toString('utf8', 0, 300))) return 'text/html'
    if (tiffStarts.some((start) => head.subarray(0, start.length).equals(start))) return 'image/tiff'
  }
  return found
}

/** That a product does not take a file of this type, as a sentence; undefined if it does. */
export function typeFault(type: string | undefined, takes: readonly string[]): string | undefined {
  if (type !== undefined && takes.includes(type)) return undefined
  return `The file is ${type ?? 'of no known type'}. The product takes ${takes.join(', ')}.`
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
