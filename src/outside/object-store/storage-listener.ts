/**
 * The HTTP side of the embedded store: the part of S3 that presigned uploads and downloads and our own S3 adapter need.
 * It owns the check of the signature, the form of answers and the timeouts of slow clients. What is stored and how is
 * decided in `object-folder.ts`. Of web pages only those of the staff console may read answers and upload; partners upload
 * by programs. Pictures may be shown on any page that has their link.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { Logger } from 'pino'
import { originForm } from '../../http/reading/request-line.ts'
import { createHttpServer, type RefusedRequest } from '../../http/server.ts'
import type { Clock } from '../../vocabulary/clock.ts'
import { diskFault } from './disk-fault.ts'
import { BytesDiffer, type ObjectFolder } from './object-folder.ts'
import { isObjectKey, untypedContent } from './object-store.ts'
import { type SigningKey, verifiedRequest, type VerifiedRequest } from './signing-v4.ts'

type Handler = (req: IncomingMessage, res: ServerResponse) => void

type Settings = {
  bucket: string
  /** links signed with any of them are good */
  signingKeys: readonly SigningKey[]
  /** of the page that may upload and read by script; known once its host listens */
  browserOrigin: () => string
  now: Clock
  /** Gets methods, statuses and keys; never a query or a header, which contain the credential. */
  log: Logger
}

const headersTimeoutMs = 20_000
const idleTimeoutMs = 60_000
/** How long the rest of a refused upload is read and discarded, so that its sender can still read the answer. */
const lingerMs = 10_000

/**
 * The server around the handler. An idle client is cut after 60 s; an upload that makes progress may take any time
 * (ART-13).
 */
export function createStorageServer(handler: Handler, ownUrl: () => string): Server {
  const server = createHttpServer(
    { answer: handler, refusal: refusedRequest, ownUrl },
    { requestTimeout: 0, headersTimeout: headersTimeoutMs, connectionsCheckingInterval: 5_000 },
  )
  server.timeout = idleTimeoutMs
  // A client that sends Expect: 100-continue gets a refusal before it has sent its bytes.
  server.on('checkContinue', (req, res) => server.emit('request', req, res))
  return server
}

/**
 * Answers `PUT`, `GET`, `HEAD` and `DELETE` of `/<bucket>/<key>`, and the copy form of PUT, for requests signed with
 * the key. Every fault of a signature — expired, altered, missing, for another method or Content-Type — gets the same
 * 403 (ART-10, ART-14).
 */
export function storageListener(folder: ObjectFolder, settings: Settings): Handler {
  return (req, res) => {
    const requestId = randomUUID()
    res.setHeader('Request-Id', requestId)
    answer(req, res, folder, settings).catch((error: unknown) => fail(req, res, error, requestId, settings.log))
  }
}

const answerQuery = new Set(['response-content-type', 'response-content-disposition'])

/** An answer other than success. It is thrown and written at one point. */
class Refusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

async function answer(
  req: IncomingMessage,
  res: ServerResponse,
  folder: ObjectFolder,
  settings: Settings,
): Promise<void> {
  res.setHeader('X-Content-Type-Options', 'nosniff')
  res.setHeader('Content-Security-Policy', 'sandbox')
  res.setHeader('Cache-Control', 'private, no-store')
  res.setHeader('Referrer-Policy', 'no-referrer')

  const method = req.method ?? ''
  if (allowsBrowser(req, res, settings.browserOrigin()) && method === 'OPTIONS') return preflight(req, res)
  const request = { method, target: originForm(req.url ?? ''), headers: req.headers }
  const verified = settings.signingKeys.map((each) => verifiedRequest(request, each, settings.now())).find(Boolean)
  if (verified === undefined) throw new Refusal(403, 'AccessDenied', 'Access denied')
  const key = addressedKey(verified.path, settings.bucket)
  if ([...verified.query.keys()].some((name) => !answerQuery.has(name))) {
    throw new Refusal(501, 'NotImplemented', 'This part of S3 is not offered.')
  }

  if (method === 'PUT' && req.headers['x-amz-copy-source'] !== undefined)
    await copy(req, res, folder, key, settings.bucket)
  else if (method === 'PUT') await receive(req, res, folder, key)
  else if (method === 'GET' || method === 'HEAD') await send(req, res, folder, key, verified)
  else if (method === 'DELETE') {
    await folder.remove(key)
    res.writeHead(204).end()
  } else throw new Refusal(405, 'MethodNotAllowed', 'This method is not accepted.')
  settings.log.debug({ method, status: res.statusCode, key }, 'storage answered')
}

/** Lets a script of the one page read the answer, also a refusal. The link is the credential; no cookie is asked for. */
function allowsBrowser({ headers }: IncomingMessage, res: ServerResponse, browserOrigin: string): boolean {
  res.setHeader('Vary', 'Origin')
  if (headers.origin !== browserOrigin) return false
  res.setHeader('Access-Control-Allow-Origin', browserOrigin)
  res.setHeader('Access-Control-Expose-Headers', 'ETag, Content-Range, Request-Id')
  return true
}

/** What a browser asks before a script's request. It carries no signature of its own. */
function preflight(req: IncomingMessage, res: ServerResponse): void {
  const headers = {
    'Access-Control-Allow-Methods': 'GET, PUT',
    'Access-Control-Allow-Headers': 'Content-Type, Content-MD5, Range',
    'Access-Control-Max-Age': '600',
  }
  res.writeHead(204, headers)
  linger(req, res)
}

function addressedKey(path: string, bucket: string): string {
  const [, addressedBucket, key = ''] = /^\/([^/]*)\/?(.*)$/s.exec(path) ?? []
  if (addressedBucket !== bucket) throw new Refusal(404, 'NoSuchBucket', 'The bucket does not exist.')
  if (!isObjectKey(key)) throw new Refusal(400, 'InvalidArgument', 'The object key is not valid.')
  return key
}

async function receive(req: IncomingMessage, res: ServerResponse, folder: ObjectFolder, key: string): Promise<void> {
  const { 'content-length': length, 'transfer-encoding': coding, expect } = req.headers
  if (length === undefined && coding === undefined)
    throw new Refusal(411, 'MissingContentLength', 'The request must have a Content-Length.')
  const md5Expected = promisedMd5(req)
  if (expect !== undefined) res.writeContinue()
  // Syncing a large file may take longer than a client may be idle. Once all bytes are here, the server is the slow
  // side.
  req.once('end', () => req.socket.setTimeout(0))
  const object = await folder.receive(key, req.iterator({ destroyOnReturn: false }), md5Expected)
  res.writeHead(200, { ETag: `"${object.md5}"`, 'Content-Length': 0 }).end()
}

function promisedMd5(req: IncomingMessage): string | undefined {
  const promised = req.headers['content-md5']
  if (promised === undefined) return undefined
  if (typeof promised !== 'string' || !/^[A-Za-z0-9+/]{22}==$/.test(promised)) {
    throw new Refusal(400, 'InvalidDigest', 'Content-MD5 is not the base64 form of an MD5')
  }
  return Buffer.from(promised, 'base64').toString('hex')
}

/** CopyObject that never overwrites: an object already there stays, with or without `If-None-Match: *`. */
async function copy(
  req: IncomingMessage,
  res: ServerResponse,
  folder: ObjectFolder,
  toKey: string,
  bucket: string,
): Promise<void> {
  const source = String(req.headers['x-amz-copy-source'])
  const fromKey = addressedKey(source.startsWith('/') ? source : `/${source}`, bucket)
  const settled = await folder.settle(fromKey, toKey)
  if (settled === undefined) throw new Refusal(404, 'NoSuchKey', 'The object does not exist.')
  if (!settled.isNew) throw new Refusal(412, 'PreconditionFailed', 'The key has an object already.')
  const object = await folder.head(toKey)
  sendXml(res, 200, `<CopyObjectResult><ETag>"${object?.md5}"</ETag></CopyObjectResult>`)
  res.end()
}

async function send(
  req: IncomingMessage,
  res: ServerResponse,
  folder: ObjectFolder,
  key: string,
  { query }: VerifiedRequest,
): Promise<void> {
  const object = await folder.open(key)
  if (object === undefined) throw new Refusal(404, 'NoSuchKey', 'The object does not exist.')
  try {
    const range = requestedRange(req.headers.range, object.sizeBytes)
    if (range === 'unsatisfiable') {
      res.setHeader('Content-Range', `bytes */${object.sizeBytes}`)
      throw new Refusal(416, 'InvalidRange', 'The range is outside the object.')
    }
    const { first, last } = range ?? { first: 0, last: object.sizeBytes - 1 }
    const disposition = query.get('response-content-disposition')
    res.setHeader('Content-Type', query.get('response-content-type') ?? untypedContent)
    if (disposition !== undefined) res.setHeader('Content-Disposition', disposition)
    if (range !== undefined) res.setHeader('Content-Range', `bytes ${first}-${last}/${object.sizeBytes}`)
    res.writeHead(range === undefined ? 200 : 206, {
      'Accept-Ranges': 'bytes',
      ETag: `"${object.md5}"`,
      'Content-Length': last - first + 1,
    })
    if (req.method === 'HEAD') res.end()
    else await pipeline(await object.stream(first, last), res)
  } finally {
    await object.close()
  }
}

/** One range of bytes; undefined when the header is absent or of a form that we ignore (RFC 9110 §14.2 allows that). */
function requestedRange(
  header: string | undefined,
  sizeBytes: number,
): { first: number; last: number } | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if ((from === '' && to === '') || (from !== '' && to !== '' && Number(from) > Number(to))) return undefined
  const first = from === '' ? Math.max(sizeBytes - Number(to), 0) : Number(from)
  const last = from === '' || to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1)
  return first > last ? 'unsatisfiable' : { first, last }
}

function fail(req: IncomingMessage, res: ServerResponse, error: unknown, requestId: string, log: Logger): void {
  const { method } = req
  if (res.headersSent || req.socket.destroyed) {
    log.info({ method }, 'storage client went away')
    res.destroy()
    return
  }
  const refusal = refusalOf(error)
  if (refusal.status >= 500) log.error({ requestId, method, status: refusal.status, err: error }, 'storage failed')
  else log.info({ requestId, method, status: refusal.status, code: refusal.code }, 'storage refused')
  sendXml(res, refusal.status, errorXml(refusal))
  linger(req, res)
}

/** In S3's form, like every answer of this host. */
function refusedRequest(says: string): RefusedRequest {
  return {
    headers: {
      'content-type': xmlMediaType,
      'request-id': randomUUID(),
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    },
    text: xmlDocument(errorXml(new Refusal(400, 'InvalidRequest', says))),
  }
}

function errorXml({ code, message }: Refusal): string {
  return `<Error><Code>${code}</Code><Message>${message}</Message></Error>`
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof BytesDiffer) return new Refusal(400, 'BadDigest', 'The bytes do not match Content-MD5.')
  const fault = diskFault(error)
  if (fault === 'full') return new Refusal(507, 'InsufficientStorage', 'The storage is full.')
  if (fault === 'unfit') return new Refusal(503, 'ServiceUnavailable', 'The storage is unavailable.')
  return new Refusal(500, 'InternalError', 'The storage failed unexpectedly.')
}

/**
 * Ends an answer once the rest of its request has been read and discarded. Closing while the client still sends would
 * reset the connection and lose the answer. The answer states its length, so its reader need not wait for the end.
 */
function linger(req: IncomingMessage, res: ServerResponse): void {
  if (req.complete) {
    res.end()
    return
  }
  const { socket } = req
  const patience = setTimeout(() => socket.destroy(), lingerMs)
  req.once('close', () => {
    clearTimeout(patience)
    res.end()
  })
  req.resume()
}

function sendXml(res: ServerResponse, status: number, xml: string): void {
  const body = xmlDocument(xml)
  res.writeHead(status, { 'Content-Type': xmlMediaType, 'Content-Length': Buffer.byteLength(body) }).write(body)
}

const xmlMediaType = 'application/xml'

function xmlDocument(xml: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xml}`
}
