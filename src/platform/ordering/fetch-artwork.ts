import { randomUUID } from 'node:crypto'
import { PassThrough } from 'node:stream'
import type { Queries } from '../../database/database.ts'
import type { Egress } from '../../outside/egress/guarded-request.ts'
import { EgressFailed, EgressRefused, type EgressFailure } from '../../outside/egress/outcomes.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import { urlSafeFileName } from '../../vocabulary/text.ts'
import { artworkFault, headKeeper } from '../files/artwork-fault.ts'
import { noteStrays } from '../files/stray-objects.ts'
import type { OrderProblem, OrderRequestLine } from './order-request.ts'

/**
 * Fetches the print files that order lines name by URL. Partners choose the URLs, so size and time are bounded, and the
 * content must be of a type that the line's product takes.
 */
export type ArtworkSource = { egress: Pick<Egress, 'download' | 'assertCallable'>; objectStore: ObjectStore }

export type FetchedFile = {
  lineNumber: number
  fileName: string
  objectKey: string
  sizeBytes: number
  md5: string
  /** behind the line's `artworkUrl`, or drawn from the product's template */
  source: 'URL' | 'TEMPLATE'
}

/** A line, and the types of print files that its product takes. */
type FetchedLine = { asked: OrderRequestLine; product: { artworkTypes: readonly string[] } }

const bounds = { bytesMax: 512 * 1024 * 1024, timeoutMilliseconds: 30_000, followRedirects: 3 }

/**
 * Stores the files of all lines. If one cannot be fetched, it keeps none and answers the problems.
 * @throws Outage when the store cannot take a file, or too many calls are under way
 */
export async function fetchArtwork(
  queries: Queries,
  { egress, objectStore }: ArtworkSource,
  lines: readonly FetchedLine[],
): Promise<{ files: FetchedFile[] } | { problems: OrderProblem[] }> {
  const wanted = lines.flatMap(({ asked: { artworkUrl, partnerLineId }, product }, index) =>
    artworkUrl === undefined ? [] : [{ partnerLineId, index, url: artworkUrl, takes: product.artworkTypes }],
  )
  const results = await Promise.allSettled(wanted.map(({ url, index, takes }) => fetchOne(url, index + 1, takes)))
  const files = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  if (files.length === wanted.length) return { files }
  await discard(objectStore, files)
  return {
    problems: results.flatMap((result, turn) => {
      if (result.status === 'fulfilled') return []
      const { index, partnerLineId } = wanted[turn]!
      return [{ ...fetchProblem(result.reason), ...atLine(index, partnerLineId) }]
    }),
  }

  async function fetchOne(url: string, lineNumber: number, takes: readonly string[]): Promise<FetchedFile> {
    const fileName = fileNameIn(url)
    const objectKey = `print-files/${randomUUID()}/${fileName}`
    await noteStrays(queries, [objectKey])
    const stored = await storeDownload({ egress, objectStore }, url, objectKey, (head) => artworkFault(head, takes))
    return { lineNumber, fileName, objectKey, ...stored, source: 'URL' }
  }
}

/** What is wrong with the URLs themselves, whatever is behind them. Nothing is fetched. */
export function artworkUrlProblems(
  { egress }: { egress: Pick<Egress, 'assertCallable'> },
  lines: readonly OrderRequestLine[],
): OrderProblem[] {
  return lines.flatMap(({ artworkUrl, partnerLineId }, index) => {
    if (artworkUrl === undefined) return []
    try {
      egress.assertCallable(artworkUrl)
      return []
    } catch (error) {
      return [{ ...fetchProblem(error), ...atLine(index, partnerLineId) }]
    }
  })
}

const atLine = (index: number, partnerLineId: string) => ({ field: `lines[${index}].artworkUrl`, partnerLineId })

/**
 * Stores the file behind a URL under a key. After a failure, there may be a part of it.
 *
 * @param fault what is wrong with the file, by how it begins
 * @throws what `fetchFault` explains, or Outage
 */
export async function storeDownload(
  { egress, objectStore }: ArtworkSource,
  url: string,
  objectKey: string,
  fault: (head: Buffer) => Promise<string | undefined> = async () => undefined,
): ReturnType<ObjectStore['write']> {
  const bytes = new PassThrough()
  const { take, head } = headKeeper()
  const stored = objectStore.write(objectKey, bytes)
  // Both failures are handled below, after the download. Until then an unhandled rejection would end the process.
  stored.catch(() => undefined)
  bytes.on('error', () => undefined)
  try {
    await egress.download(url, bounds, (piece) => {
      take(piece)
      return poured(bytes, piece)
    })
    const wrong = await fault(head())
    if (wrong) throw new ArtworkRefused(wrong)
    bytes.end()
  } catch (error) {
    bytes.destroy(error as Error)
    await stored.catch(() => undefined)
    throw error
  }
  return stored
}

/** Removes files that were fetched for an order that was not placed. */
export async function discard(objectStore: ObjectStore, files: readonly FetchedFile[]): Promise<void> {
  await Promise.all(files.map((file) => objectStore.remove(file.objectKey).catch(() => undefined)))
}

/** Resolves when the stream can take more, so that a fast sender waits for a slow store. */
function poured(stream: PassThrough, piece: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    if (stream.write(piece)) return resolve()
    stream.once('drain', resolve)
    stream.once('close', () => reject(new Error('the store stopped taking bytes')))
  })
}

/** The name that a file fetched from a URL is stored under. */
export function fileNameIn(url: string): string {
  const path = URL.canParse(url) ? new URL(url).pathname : ''
  return urlSafeFileName(path.slice(path.lastIndexOf('/') + 1) || 'artwork')
}

class ArtworkRefused extends Error {}

const noPublicAddress = 'the host has no public address'

const failureSays: Readonly<Record<EgressFailure, string>> = {
  timeout: 'the download took too long',
  // The same for a private address: it must not tell which names our network knows.
  name: noPublicAddress,
  connection: 'the connection failed',
  tls: 'the TLS handshake failed',
  protocol: 'the answer is not usable HTTP',
  'too-large': 'the file is too large',
  redirect: 'the host redirects too often, or from https to http',
  status: 'the host did not answer 200',
}

/** Tells the partner only what concerns its own URL. Any other error is thrown on. */
function fetchProblem(error: unknown): Pick<OrderProblem, 'reason' | 'detail'> {
  const detail = fetchFault(error)
  return { reason: error instanceof ArtworkRefused ? 'artwork_unusable' : 'artwork_not_fetched', detail }
}

/** @throws any other error */
export function fetchFault(error: unknown): string {
  if (error instanceof ArtworkRefused) return `The artwork cannot be used. ${error.message}`
  if (!(error instanceof EgressRefused || error instanceof EgressFailed)) throw error
  const { reason } = error
  const says =
    reason === 'address' ? noPublicAddress : error instanceof EgressFailed ? failureSays[error.reason] : error.message
  return `The artwork could not be fetched: ${says}.`
}
