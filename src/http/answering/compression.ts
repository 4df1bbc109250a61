import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, createGzip, gzip, type Gzip } from 'node:zlib'
import Negotiator from 'negotiator'

/**
 * Compression of answers for callers who accept it. It works in the thread pool of the runtime, so that it holds up
 * nobody, and only compresses: requests are never decompressed (`reading/read-body.ts`).
 */
export type Coding = 'br' | 'gzip'

/** Such an answer fits a packet as it is. */
const plainBytesMax = 1024

/** What the caller likes best, of equals what it names first; undefined = as it is. Without Accept-Encoding nothing is looked at. */
export function codingFor(request: IncomingMessage, text: string | Buffer): Coding | undefined {
  if (request.headers['accept-encoding'] === undefined || underWay >= atOnceMax) return undefined
  if (Buffer.byteLength(text) <= plainBytesMax) return undefined
  const liked = new Negotiator(request).encoding(['br', 'gzip', 'identity'])
  return liked === 'br' || liked === 'gzip' ? liked : undefined
}

/** Each takes memory until its turn in the thread pool comes. Answers beyond them go out as they are. */
const atOnceMax = 16
let underWay = 0

const compressors: Readonly<Record<Coding, (text: string | Buffer) => Promise<Buffer>>> = {
  gzip: promisify(gzip) as (text: string | Buffer) => Promise<Buffer>,
  // Quality and window bound its time and memory: by default an encoder takes the highest quality and many megabytes.
  br: (text) =>
    promisify(brotliCompress)(text, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_QUALITY]: 4,
        [constants.BROTLI_PARAM_LGWIN]: 18,
      },
    }),
}

export async function compressed(text: string | Buffer, coding: Coding): Promise<Buffer> {
  underWay++
  try {
    return await compressors[coding](text)
  } finally {
    underWay--
  }
}

/** The same for an answer that is made piece by piece; undefined = as it is. */
export function gzipFor(request: IncomingMessage): Gzip | undefined {
  if (request.headers['accept-encoding'] === undefined) return undefined
  return new Negotiator(request).encoding(['gzip', 'identity']) === 'gzip' ? createGzip() : undefined
}

/** The header with one more name in it. */
export function varyWith(vary: string | undefined, name: string): string {
  return vary === undefined ? name : `${vary}, ${name}`
}
