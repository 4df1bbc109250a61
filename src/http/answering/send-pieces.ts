import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Gzip } from 'node:zlib'
import { CallerGone } from '../reading/read-body.ts'
import type { Deadline } from './deadline.ts'
import type { Headers } from './send.ts'

/** A caller who reads nothing for this long is cut off, so that it cannot keep the service from stopping. */
const idleMilliseconds = 10_000

/**
 * Sends an answer that is made piece by piece, as fast as the caller reads. The status goes out with the first piece,
 * so a failure before it is answered as usual. A later failure cuts the connection, which tells the caller that the
 * answer is incomplete.
 * @throws CallerGone when the caller stopped reading
 */
export async function sendPieces(
  response: ServerResponse,
  status: number,
  headers: Headers,
  pieces: AsyncIterable<string>,
  deadline: Deadline,
  compress?: Gzip,
): Promise<void> {
  const iterator = pieces[Symbol.asyncIterator]()
  const first = await deadline.inTime(iterator.next())
  if (response.destroyed) throw new CallerGone()
  response.writeHead(status, headers)
  response.setTimeout(idleMilliseconds, () => response.destroy())
  try {
    const source = Readable.from(resumed(first, iterator))
    await deadline.apart(() => (compress ? pipeline(source, compress, response) : pipeline(source, response)))
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE' ? new CallerGone() : error
  }
}

async function* resumed(first: IteratorResult<string>, iterator: AsyncIterator<string>): AsyncGenerator<string> {
  for (let piece = first; !piece.done; piece = await iterator.next()) yield piece.value
}
