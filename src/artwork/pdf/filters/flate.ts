import { constants, inflateRawSync, inflateSync } from 'node:zlib'
import { TooComplex } from '../budget.ts'

/**
 * Inflates at most `room` bytes. What is cut off gives what there is; a wrong checksum is overlooked, as viewers do.
 * @returns undefined when nothing can be inflated
 * @throws TooComplex when there is more than `room`
 */
export function inflate(stored: Uint8Array, room: number): Uint8Array | undefined {
  const options = { maxOutputLength: Math.max(1, room), finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 64 * 1024 }
  return attempt(() => inflateSync(stored, options)) ?? attempt(() => inflateRawSync(stored.subarray(2), options))
}

function attempt(inflateIt: () => Uint8Array): Uint8Array | undefined {
  try {
    return inflateIt()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new TooComplex('a stream that inflates too far')
    return undefined
  }
}
