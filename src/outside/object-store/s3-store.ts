/**
 * The object store in any S3: Amazon's, or another that speaks its protocol with Signature V4. It translates the
 * contract into S3 requests, and S3's answers into facts or an Outage. It never retries; its callers decide that.
 */
import { AwsV4Signer } from 'aws4fetch'
import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Clock } from '../../vocabulary/clock.ts'
import { Outage } from '../../vocabulary/outage.ts'
import { onDisk } from './disk-fault.ts'
import {
  answerOverrides,
  checkedHeaderValue,
  checkedKey,
  untypedContent,
  type ObjectStore,
  type StoredObject,
} from './object-store.ts'
import { expiryOf, signingDate } from './signing-v4.ts'

export type S3Settings = {
  /** `http(s)://host[:port][/prefix]`, as this service reaches it */
  endpoint: string
  /** as partners reach it, when that differs; used only in presigned URLs */
  publicEndpoint?: string
  region: string
  bucket: string
  /** Needs s3:GetObject, PutObject, DeleteObject and ListBucket: without ListBucket, S3 answers 403 instead of 404. */
  accessKeyId: string
  secretAccessKey: string
  /** `endpoint/bucket/key` instead of `bucket.endpoint/key` */
  pathStyle: boolean
  /** where a stream is stored until its length is known, since S3 needs the length first */
  spoolFolder: string
  now: Clock
}

/** A request is answered at once or storage is out; transfers and copies may pause for longer. */
const answerIdleMs = 4_000
const transferIdleMs = 60_000
const answerTextMax = 65_536

type Sent = {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  headers?: Record<string, string>
  body?: Readable | Uint8Array
  idleMs?: number
}

export function s3Store(settings: S3Settings): ObjectStore {
  const { accessKeyId, secretAccessKey, region } = settings
  const signing = { accessKeyId, secretAccessKey, region, service: 's3' }

  async function presigned(
    method: 'GET' | 'PUT',
    key: string,
    { now, lifetimeSeconds }: { now: Date; lifetimeSeconds: number },
    query: [string, string][],
    headers: Record<string, string>,
  ): Promise<string> {
    const url = addressOf(settings.publicEndpoint ?? settings.endpoint, settings, key)
    for (const [name, value] of query) url.searchParams.set(name, value)
    url.searchParams.set('X-Amz-Expires', String(lifetimeSeconds))
    const datetime = signingDate(now)
    // Without allHeaders the signer leaves out Content-Type, and the URL would accept any.
    const signer = new AwsV4Signer({
      ...signing,
      method,
      url: url.href,
      headers,
      datetime,
      signQuery: true,
      allHeaders: true,
    })
    return (await signer.sign()).url.href
  }

  const send = (key: string, sent: Sent): Promise<IncomingMessage> => sendSigned(settings, key, sent)

  async function head(key: string): Promise<StoredObject | undefined> {
    const answer = await send(key, { method: 'HEAD' })
    if (answer.statusCode !== 200 && answer.statusCode !== 404) throw await unexpected(answer)
    answer.resume()
    if (answer.statusCode === 404) return undefined
    const md5 = md5InETag(answer)
    const length = answer.headers['content-length']
    if (md5 !== undefined && length !== undefined) return { sizeBytes: Number(length), md5 }
    const bytes = await read(key)
    return bytes && measured(bytes).catch(throwOutage)
  }

  async function read(key: string): Promise<Readable | undefined> {
    const answer = await send(key, { method: 'GET' })
    if (answer.statusCode === 200) return answer
    if (answer.statusCode === 404) {
      answer.resume()
      return undefined
    }
    throw await unexpected(answer)
  }

  async function put(key: string, object: StoredObject, body: Readable | Uint8Array): Promise<StoredObject> {
    const headers = {
      'content-type': untypedContent,
      'content-length': String(object.sizeBytes),
      // S3 stores the bytes only when they have this MD5, so the MD5 returned is that of the stored bytes.
      'content-md5': Buffer.from(object.md5, 'hex').toString('base64'),
    }
    const answer = await send(key, { method: 'PUT', headers, body, idleMs: transferIdleMs })
    if (answer.statusCode !== 200) throw await unexpected(answer)
    answer.resume()
    return object
  }

  async function copied(fromKey: string, toKey: string): Promise<StoredObject | undefined> {
    const headers = {
      'x-amz-copy-source': `/${settings.bucket}/${checkedKey(fromKey)}`,
      // The type that the uploader claimed is not kept (ART-11).
      'x-amz-metadata-directive': 'REPLACE',
      'content-type': untypedContent,
      'content-length': '0',
      'if-none-match': '*',
    }
    const answer = await send(toKey, { method: 'PUT', headers, idleMs: transferIdleMs })
    if (answer.statusCode === 404) {
      answer.resume()
      return undefined
    }
    if (answer.statusCode !== 200 && answer.statusCode !== 412) throw await unexpected(answer)
    // A copy that fails late is a 200 with an error in its body.
    const text = await textOf(answer)
    if (answer.statusCode === 200 && !text.includes('<CopyObjectResult')) throw wrongAnswer(answer, text)
    return head(toKey)
  }

  return {
    async presignPut(key, options) {
      const { contentType, lifetimeSeconds, now } = options
      const expiresOn = expiryOf(now, lifetimeSeconds)
      const bound: Record<string, string> =
        contentType === null ? {} : { 'content-type': checkedHeaderValue(contentType) }
      return { url: await presigned('PUT', key, options, [], bound), expiresOn }
    },

    async presignGet(key, options) {
      expiryOf(options.now, options.lifetimeSeconds)
      return presigned('GET', key, options, answerOverrides(options), {})
    },

    head,
    read,

    async write(key, body) {
      checkedKey(key)
      if (body instanceof Uint8Array) {
        const md5 = createHash('md5').update(body).digest('hex')
        return put(key, { sizeBytes: body.byteLength, md5 }, body)
      }
      const file = await onDisk(() => namelessFile(settings.spoolFolder))
      try {
        const object = await onDisk(() => measured(body, (chunk) => file.writeFile(chunk)))
        return await put(key, object, file.createReadStream({ start: 0, autoClose: false }))
      } finally {
        await file.close()
      }
    },

    async settle(fromKey, toKey) {
      // Not every S3 honours If-None-Match on a copy, so look for an object first.
      return (await head(toKey)) ?? (await copied(fromKey, toKey))
    },

    async remove(key) {
      const answer = await send(key, { method: 'DELETE' })
      if (answer.statusCode !== 204 && answer.statusCode !== 200 && answer.statusCode !== 404)
        throw await unexpected(answer)
      answer.resume()
    },
  }
}

/**
 * Asks for an object that was never stored: an S3 that can be used says that there is none.
 * @throws Outage
 */
export async function reachS3(settings: S3Settings): Promise<void> {
  const answer = await sendSigned(settings, 'no-such-object', { method: 'GET' })
  const text = await textOf(answer)
  if (answer.statusCode !== 404 || text.includes('<Code>NoSuchBucket</Code>')) throw wrongAnswer(answer, text)
}

async function sendSigned(settings: S3Settings, key: string, sent: Sent): Promise<IncomingMessage> {
  const { accessKeyId, secretAccessKey, region } = settings
  const url = addressOf(settings.endpoint, settings, key).href
  const signer = new AwsV4Signer({
    accessKeyId,
    secretAccessKey,
    region,
    service: 's3',
    datetime: signingDate(settings.now()),
    method: sent.method,
    url,
    headers: sent.headers ?? {},
  })
  const signed = await signer.sign()
  return exchange(signed.url, Object.fromEntries(signed.headers), sent)
}

function addressOf(endpoint: string, { bucket, pathStyle }: S3Settings, key: string): URL {
  const url = new URL(endpoint)
  const prefix = url.pathname.replace(/\/+$/, '')
  if (!pathStyle) url.hostname = `${bucket}.${url.hostname}`
  url.pathname = pathStyle ? `${prefix}/${bucket}/${checkedKey(key)}` : `${prefix}/${checkedKey(key)}`
  return url
}

/** A file that no crash can leave behind, because its name is removed at once. */
async function namelessFile(folder: string): Promise<fs.FileHandle> {
  const place = path.join(folder, randomUUID())
  const file = await fs.open(place, 'wx+', 0o600)
  await fs.rm(place)
  return file
}

/**
 * One request on a connection of its own: a kept connection may be dead when it is used again, and requests are few.
 */
async function exchange(url: URL, headers: Record<string, string>, sent: Sent): Promise<IncomingMessage> {
  const { method, body, idleMs = answerIdleMs } = sent
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const fail = (cause: unknown) => reject(new Outage('Storage cannot be reached', cause))
  const transport = url.protocol === 'https:' ? https : http
  const request = transport.request(url, { method, headers, agent: false, timeout: idleMs })
  request.on('timeout', () => request.destroy(new Error('Storage fell silent')))
  request.on('error', fail)
  request.on('response', (answer) => {
    request.setTimeout(transferIdleMs)
    resolve(answer)
  })
  if (body === undefined || body instanceof Uint8Array) request.end(body)
  else pipeline(body, request).catch(fail)
  return promise
}

/** S3's ETag is the MD5 only for an object uploaded in one piece and not encrypted under a KMS or customer key. */
function md5InETag({ headers }: IncomingMessage): string | undefined {
  const encryption = headers['x-amz-server-side-encryption']
  if (encryption !== undefined && encryption !== 'AES256') return undefined
  if (headers['x-amz-server-side-encryption-customer-algorithm'] !== undefined) return undefined
  return /^"?([0-9a-f]{32})"?$/.exec(headers.etag ?? '')?.[1]
}

async function measured(body: Readable, keep?: (chunk: Uint8Array) => Promise<void>): Promise<StoredObject> {
  const hash = createHash('md5')
  let sizeBytes = 0
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    await keep?.(chunk)
    hash.update(chunk)
    sizeBytes += chunk.byteLength
  }
  return { sizeBytes, md5: hash.digest('hex') }
}

async function unexpected(answer: IncomingMessage): Promise<Outage> {
  return wrongAnswer(answer, await textOf(answer))
}

function wrongAnswer({ statusCode }: IncomingMessage, text: string): Outage {
  const code = /<Code>([A-Za-z]{1,64})<\/Code>/.exec(text)?.[1] ?? 'no code'
  return new Outage(`Storage answered ${statusCode} (${code})`)
}

/** The beginning of an answer's text; a misconfigured endpoint may send a long one. */
async function textOf(answer: IncomingMessage): Promise<string> {
  let text = ''
  try {
    for await (const chunk of answer) {
      text += String(chunk)
      if (text.length > answerTextMax) break
    }
  } catch (cause) {
    throwOutage(cause)
  }
  return text
}

function throwOutage(cause: unknown): never {
  throw new Outage('Storage cannot be reached', cause)
}
