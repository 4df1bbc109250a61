import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CallerGone } from '../reading/read-body.ts'
import type { Deadline } from './deadline.ts'
import type { Headers } from './send.ts'

/** A caller who reads nothing for so long is cut off: nobody may keep the service from stopping. */
const idleMilliseconds = 10_000

/**
 * Sends what is made piece by piece, as fast as the caller reads. The status goes out with the first piece, so that what
 * fails before it is told as ever; what fails later cuts the connection off, and the caller knows it has not all.
 * @throws CallerGone where nobody reads any more
 */
export async function sendPieces(
  response: ServerResponse,
  status: number,
  headers: Headers,
  pieces: AsyncIterable<string>,
  deadline: Deadline,
): Promise<void> {
  const iterator = pieces[Symbol.asyncIterator]()
  const first = await deadline.inTime(iterator.next())
  if (response.destroyed) throw new CallerGone()
  response.writeHead(status, headers)
  response.setTimeout(idleMilliseconds, () => response.destroy())
  try {
    await deadline.apart(() => pipeline(Readable.from(resumed(first, iterator)), response))
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE' ? new CallerGone() : error
  }
}

async function* resumed(first: IteratorResult<string>, iterator: AsyncIterator<string>): AsyncGenerator<string> {
  for (let piece = first; !piece.done; piece = await iterator.next()) yield piece.value
}
