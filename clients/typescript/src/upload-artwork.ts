import { ApiProblem, isPassing, UploadFailed } from './errors.ts'
import type { Operations } from './generated/operations.gen.ts'
import type { ArtworkFile, PrintFile } from './generated/types.gen.ts'
import type { CallOptions, Fetch, Retry } from './options.ts'
import { backoff, retryAfterOf, sleep } from './wait.ts'

/** A file that can be read as often as needed. `Blob` and `File` are such; `artworkFile` makes one of a path. */
export type ArtworkSource = {
  /** bytes */
  readonly size: number
  readonly stream: () => ReadableStream<Uint8Array<ArrayBuffer>>
  /** used where `fileName` is not given */
  readonly name?: string
}

/** A print file on its way to a line. */
export type ArtworkUpload = {
  orderNumber: number
  itemNumber: number
  /** the bytes, or something that gives them. A stream can be read once, so it needs `size` and cannot be repeated */
  file: Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | ArtworkSource | ReadableStream<Uint8Array<ArrayBuffer>>
  /** at most 255 characters, without slashes; the name of the file unless told */
  fileName?: string
  /** bytes of a stream */
  size?: number
  /** a media type that the upload must then carry, such as `application/pdf` */
  contentType?: string
  /** told how many bytes are on their way; after a repetition it starts again at 0 */
  onProgress?: (progress: UploadProgress) => void
}

export type UploadProgress = { sentBytes: number; totalBytes: number }

/** Large files on slow lines take long. */
const uploadMilliseconds = 900_000

/** What `client.uploadArtwork` does. */
export async function uploadArtwork(
  client: Operations,
  fetch: Fetch,
  retry: Retry | undefined,
  upload: ArtworkUpload,
  options: CallOptions = {},
): Promise<PrintFile> {
  const { orderNumber, itemNumber, contentType } = upload
  const line = { orderNumber, itemNumber }
  const source = sourceOf(upload)
  const fileName = upload.fileName ?? source.name
  if (!fileName) throw new TypeError('uploadArtwork needs a fileName.')
  const body = { fileName, ...(contentType !== undefined && { contentType }) }
  const before = await client.getArtwork(line, options)

  const waits = backoff(options.retry ?? retry)
  for (let attempt = 1; ; attempt++) {
    // Every attempt has a URL of its own. It lives for a minute, and one that is not used costs nothing.
    const { uploadUrl, reservationName } = await client.reserveArtworkUpload({ ...line, body }, options)
    const failure = await put(fetch, uploadUrl, source, upload, options)
    if (failure === undefined) return attach(client, line, reservationName, before.files, source.size, waits, options)
    const wait = failure.isFinal || source.isOnce ? undefined : waits.next(attempt, failure.retryAfter)
    if (wait === undefined) throw failure.error
    await sleep(wait, options.signal)
  }
}

type Source = ArtworkSource & { isOnce?: boolean }

function sourceOf({ file, size }: ArtworkUpload): Source {
  if (file instanceof ArrayBuffer || ArrayBuffer.isView(file)) return new Blob([file])
  if (file instanceof Blob) return file
  if (!(file instanceof ReadableStream)) return file
  if (size === undefined) throw new TypeError('uploadArtwork needs the size of a stream, in bytes.')
  return { size, stream: () => file, isOnce: true }
}

type Failure = { error: UploadFailed; isFinal: boolean; retryAfter: number | undefined }

async function put(
  fetch: Fetch,
  url: string,
  source: Source,
  { contentType, onProgress }: ArtworkUpload,
  { signal, timeout = uploadMilliseconds }: CallOptions,
): Promise<Failure | undefined> {
  const attempt = new AbortController()
  const abort = (): void => attempt.abort(signal!.reason)
  signal?.throwIfAborted()
  signal?.addEventListener('abort', abort)
  const timer = setTimeout(() => attempt.abort(new Error(`It took longer than ${timeout} ms.`)), timeout)
  // Where nothing has to be counted, the platform sends a Blob by itself, and knows its length.
  const isBlob = source instanceof Blob && onProgress === undefined
  try {
    // A type of the Blob's own would not be the one that the URL was signed for.
    const body = isBlob ? source.slice(0, source.size, '') : counted(source, onProgress)
    const response = await fetch(url, {
      method: 'PUT',
      body,
      signal: attempt.signal,
      headers: {
        ...(contentType !== undefined && { 'content-type': contentType }),
        ...(!isBlob && { 'content-length': String(source.size) }),
      },
      ...(!isBlob && { duplex: 'half' }),
    } as RequestInit)
    const answer = await response.text()
    if (response.ok) return undefined
    const { status } = response
    // 403: the URL went stale. Other refusals come again however often one asks.
    const isFinal = status < 500 && ![403, 408, 429].includes(status)
    const said = /<Code>(\w+)<\/Code>/.exec(answer)?.[1]
    const error = new UploadFailed('uploadArtwork', `The storage answered ${status}${said ? ` ${said}` : ''}.`, status)
    return { error, isFinal, retryAfter: retryAfterOf(response.headers) }
  } catch (error) {
    signal?.throwIfAborted()
    const said = error instanceof Error ? ((error.cause as Error | undefined)?.message ?? error.message) : String(error)
    const failed = new UploadFailed('uploadArtwork', `The storage did not answer: ${said}`, undefined, error)
    return { error: failed, isFinal: false, retryAfter: undefined }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

function counted(source: Source, onProgress: ArtworkUpload['onProgress']): ReadableStream<Uint8Array<ArrayBuffer>> {
  const { size } = source
  let sentBytes = 0
  onProgress?.({ sentBytes, totalBytes: size })
  return source.stream().pipeThrough(
    new TransformStream({
      transform(chunk: Uint8Array<ArrayBuffer>, controller) {
        controller.enqueue(chunk)
        sentBytes += chunk.byteLength
        onProgress?.({ sentBytes, totalBytes: size })
      },
    }),
  )
}

/** A reservation attaches once, so repeating is safe; but the repetition cannot tell whether the first one succeeded. */
async function attach(
  client: Operations,
  line: { orderNumber: number; itemNumber: number },
  reservationName: string,
  before: readonly ArtworkFile[],
  size: number,
  waits: ReturnType<typeof backoff>,
  options: CallOptions,
): Promise<PrintFile> {
  let isUnknown = false
  for (let attempt = 1; ; attempt++) {
    try {
      return await client.attachArtwork({ ...line, body: { reservationName } }, options)
    } catch (error) {
      if (isUnknown && error instanceof ApiProblem && error.code === 'artwork_reservation_not_usable') {
        const known = new Set(before.map(keyOf))
        const { files } = await client.getArtwork(line, options)
        const found = files.find(
          (file) => file.source === 'UPLOAD' && file.fileSize === size && !known.has(keyOf(file)),
        )
        if (!found) throw error
        const { fileName, fileSize, md5, active } = found
        return { ...line, fileName, fileSize, md5, active }
      }
      if (!isPassing(error)) throw error
      isUnknown = true
      const wait = waits.next(attempt, undefined)
      if (wait === undefined) throw error
      await sleep(wait, options.signal)
    }
  }
}

function keyOf({ fileName, md5, attachedOn }: ArtworkFile): string {
  return JSON.stringify([fileName, md5, attachedOn])
}
