import type { IncomingMessage } from 'node:http'
import { isUtf8, otherCharset, readContentType } from '../../vocabulary/content-type.ts'
import { JsonRefused, readJson } from '../../vocabulary/json.ts'

/** What is wrong with a request's body before its shape is checked. The operation decides the code of the answer. */
export class BodyRefused extends Error {
  constructor(detail: string) {
    super(detail)
    this.name = 'BodyRefused'
    this.stack = undefined
  }
}

/** The caller hung up while sending, so there is no one to answer. */
export class CallerGone extends Error {}

function announcesBody(request: IncomingMessage): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
}

const jsonBytesMax = 262_144

/** The body that an operation declares; refused where it declares none. */
export function readDeclaredBody(request: IncomingMessage, body: { bytesMax?: number } | undefined): Promise<unknown> {
  return body ? readJsonBody(request, body.bytesMax ?? jsonBytesMax) : refuseBody(request)
}

/** For operations without a body: only an empty body is accepted. */
async function refuseBody(request: IncomingMessage): Promise<void> {
  if (!announcesBody(request)) return
  const bytes = await readBytes(request, 0)
  if (bytes.length > 0) throw new BodyRefused('This operation takes no body.')
}

/** Reads a strict JSON body of at most `bytesMax` bytes; undefined when there is none. */
export async function readJsonBody(request: IncomingMessage, bytesMax: number): Promise<unknown> {
  if (!announcesBody(request)) return undefined
  const bytes = await readBytes(request, bytesMax)
  if (bytes.length === 0) return undefined
  refuseOtherThanJson(request.headers['content-type'])
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new BodyRefused('The body must be sent without Content-Encoding.')
  }
  try {
    return readJson(bytes)
  } catch (error) {
    if (error instanceof JsonRefused) throw new BodyRefused(error.message)
    throw error
  }
}

/** The body is UTF-8 whatever the header says (RFC 8259 §8.1); a header that says otherwise is refused, not ignored. */
function refuseOtherThanJson(header: string | undefined): void {
  const contentType = readContentType(header)
  if (contentType.mediaType !== 'application/json')
    throw new BodyRefused('The body must be sent as Content-Type: application/json.')
  if (!isUtf8(contentType)) throw new BodyRefused(otherCharset)
}

/** Collects the body's bytes, and stops reading once there are more than allowed. */
export async function readBytes(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const tooLarge = (): BodyRefused =>
    new BodyRefused(bytesMax === 0 ? 'This operation takes no body.' : `The body must have at most ${bytesMax} bytes.`)
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) throw tooLarge()
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const done = (settle: () => void): void => {
      request.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone)
      settle()
    }
    const onData = (chunk: Buffer): void => {
      size += chunk.length
      if (size <= bytesMax) chunks.push(chunk)
      else done(() => reject(tooLarge()))
    }
    const onEnd = (): void => done(() => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
    const onGone = (): void => done(() => reject(new CallerGone()))
    request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone)
  })
}
