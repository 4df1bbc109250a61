import type { IncomingMessage } from 'node:http'
import type { Upload, UploadForm } from '../../contract/operation.ts'
import { Refusal } from '../../contract/refusal.ts'
import { isUtf8, otherCharset, readContentType } from '../../vocabulary/content-type.ts'
import { BodyRefused, readBytes } from './read-body.ts'

/** Reads the bytes that are sent instead of a JSON body. Rejects with `BodyRefused`. */
export async function readUpload(request: IncomingMessage, { mediaTypes, bytesMax }: UploadForm): Promise<Upload> {
  const contentType = readContentType(request.headers['content-type'])
  const { mediaType } = contentType
  if (!mediaTypes.includes(mediaType)) {
    throw new BodyRefused(`The body must be sent as Content-Type: ${mediaTypes.join(' or ')}.`)
  }
  if (mediaType.startsWith('text/') && !isUtf8(contentType)) throw new BodyRefused(otherCharset)
  const bytes = await readBytes(request, bytesMax)
  if (bytes.length === 0) throw new BodyRefused('A body is required.')
  return { mediaType, bytes }
}

/** Reads an upload when its turn comes. */
export async function uploadReader(read: () => Promise<unknown>): Promise<unknown> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof BodyRefused) throw new Refusal('invalid_request', error.message)
    throw error
  }
}
