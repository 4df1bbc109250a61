/**
 * Print files by their paths, for Node, Bun and Deno.
 *
 * @module
 */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import type { ArtworkSource } from './upload-artwork.ts'

/**
 * A file on disk as `uploadArtwork` takes it. Its bytes are read while they are sent, so it may be of any size.
 *
 * ```ts
 * await client.uploadArtwork({ orderNumber, itemNumber, file: await artworkFile('cards.pdf') })
 * ```
 *
 * @throws the error of the file system when there is no such file
 */
export async function artworkFile(path: string): Promise<ArtworkSource & { readonly name: string }> {
  const { size } = await stat(path)
  return {
    name: basename(path),
    size,
    stream: () => Readable.toWeb(createReadStream(path)) as unknown as ReadableStream<Uint8Array<ArrayBuffer>>,
  }
}
