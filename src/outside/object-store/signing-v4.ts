/**
 * AWS Signature Version 4, as S3 uses it: the canonical request, the string to sign, the signature, a presigned URL,
 * and the check of a received request. It is pure: time, keys and request are arguments. It knows nothing of objects,
 * files or HTTP servers. Rules: docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html and
 * sig-v4-header-based-auth.html.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

export type SigningKey = { accessKeyId: string; secretAccessKey: string; region: string }

type Pair = readonly [name: string, value: string]

export type CanonicalParts = {
  method: string
  /** decoded; each segment is percent-encoded once, as S3 requires */
  path: string
  /** decoded, in any order */
  query: readonly Pair[]
  /** the signed ones only, names in lower case, in any order */
  headers: readonly Pair[]
  payloadHash: string
}

export const unsignedPayload = 'UNSIGNED-PAYLOAD'
export const lifetimeSecondsMax = 604_800

const algorithm = 'AWS4-HMAC-SHA256'
/** How far a signer's clock may be ahead of ours, and how old a header-signed request may be. */
const skewMs = 15 * 60_000

export function canonicalRequest(parts: CanonicalParts): string {
  const headers = parts.headers.toSorted(byName)
  return [
    parts.method,
    encodedPath(parts.path),
    canonicalQuery(parts.query),
    headers.map(([name, value]) => `${name}:${value.trim().replace(/\s+/g, ' ')}\n`).join(''),
    headers.map(([name]) => name).join(';'),
    parts.payloadHash,
  ].join('\n')
}

export function canonicalQuery(query: readonly Pair[]): string {
  return query
    .map(([name, value]): Pair => [encoded(name), encoded(value)])
    .toSorted((a, b) => byName(a, b) || compare(a[1], b[1]))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
}

/** `20130524T000000Z`: the instant to the second, in the form of signatures. */
export function signingDate(instant: Date): string {
  return instant.toISOString().replace(/[-:]|\.\d{3}/g, '')
}

/** `20130524/us-east-1/s3/aws4_request` */
export function credentialScope(date: string, region: string): string {
  return `${date.slice(0, 8)}/${region}/s3/aws4_request`
}

export function stringToSign(date: string, region: string, canonical: string): string {
  const hash = createHash('sha256').update(canonical).digest('hex')
  return [algorithm, date, credentialScope(date, region), hash].join('\n')
}

/** The signature, lowercase hex. */
export function signature(key: SigningKey, date: string, canonical: string): string {
  const scope = credentialScope(date, key.region).split('/')
  const derived = scope.reduce<Buffer | string>((secret, part) => hmac(secret, part), `AWS4${key.secretAccessKey}`)
  return hmac(derived, stringToSign(date, key.region, canonical)).toString('hex')
}

/** When a URL presigned at `now` stops working. Signatures count whole seconds, so it is up to a second early, never late. */
export function expiryOf(now: Date, lifetimeSeconds: number): Date {
  if (!Number.isInteger(lifetimeSeconds) || lifetimeSeconds < 1 || lifetimeSeconds > lifetimeSecondsMax) {
    throw new RangeError(`A presigned URL lives 1 to ${lifetimeSecondsMax} whole seconds`)
  }
  return new Date((Math.floor(now.getTime() / 1000) + lifetimeSeconds) * 1000)
}

/**
 * A presigned URL: its query holds the whole permission. The signature covers `headers`, so the request must send them
 * unchanged.
 */
export function presignedUrl(request: {
  method: string
  /** `http(s)://host[:port]` */
  origin: string
  path: string
  query: readonly Pair[]
  headers: readonly Pair[]
  key: SigningKey
  now: Date
  lifetimeSeconds: number
}): string {
  const { method, path, key, now, lifetimeSeconds } = request
  expiryOf(now, lifetimeSeconds)
  const date = signingDate(now)
  const headers: Pair[] = [['host', new URL(request.origin).host], ...request.headers]
  const query: Pair[] = [
    ...request.query,
    ['X-Amz-Algorithm', algorithm],
    ['X-Amz-Credential', `${key.accessKeyId}/${credentialScope(date, key.region)}`],
    ['X-Amz-Date', date],
    ['X-Amz-Expires', String(lifetimeSeconds)],
    [
      'X-Amz-SignedHeaders',
      headers
        .map(([name]) => name)
        .toSorted()
        .join(';'),
    ],
  ]
  const canonical = canonicalRequest({ method, path, query, headers, payloadHash: unsignedPayload })
  const signed = signature(key, date, canonical)
  return `${request.origin}${encodedPath(path)}?${canonicalQuery(query)}&X-Amz-Signature=${signed}`
}

export type ReceivedRequest = {
  method: string
  /** the request target as it came over the wire */
  target: string
  /** names in lower case, as node:http gives them */
  headers: Readonly<Record<string, string | string[] | undefined>>
}

/** What a valid signature covers: the decoded path, and the query without the signature's own parameters. */
export type VerifiedRequest = { path: string; query: ReadonlyMap<string, string> }

/**
 * Checks a request that is signed in its query (presigned) or in its Authorization header. Returns undefined for every
 * fault — missing, altered, expired, for another method, by another key — so that no caller can leak the reason by
 * mistake.
 */
export function verifiedRequest(request: ReceivedRequest, key: SigningKey, now: Date): VerifiedRequest | undefined {
  const [, rawPath = '', search = ''] = /^([^?]*)\??(.*)$/s.exec(request.target) ?? []
  const path = decodedPath(rawPath)
  const parameters = [...new URLSearchParams(search)]
  const query = new Map(parameters)
  // A repeated parameter could mean one thing to the signature and another to its reader.
  if (path === undefined || query.size !== parameters.length) return undefined

  const claim = request.headers.authorization === undefined ? claimInQuery(query) : claimInHeader(request, query)
  if (claim === undefined) return undefined
  const signedAt = instantOf(claim.date)
  if (signedAt === undefined || signedAt - now.getTime() > skewMs) return undefined
  if (now.getTime() >= signedAt + claim.lifetimeMs) return undefined
  if (claim.credential !== `${key.accessKeyId}/${credentialScope(claim.date, key.region)}`) return undefined
  const headers = boundHeaders(request, claim.signedHeaders)
  if (headers === undefined) return undefined

  const unsigned = [...query].filter(([name]) => name !== 'X-Amz-Signature')
  // Only unsigned payloads pass, as in presigned URLs and our own adapter: a signed payload hash would have to be
  // verified.
  const payloadHash = unsignedPayload
  const canonical = canonicalRequest({ method: request.method, path, query: unsigned, headers, payloadHash })
  if (!/^[0-9a-f]{64}$/.test(claim.signature)) return undefined
  const expected = Buffer.from(signature(key, claim.date, canonical), 'hex')
  if (!timingSafeEqual(expected, Buffer.from(claim.signature, 'hex'))) return undefined
  return { path, query: new Map(unsigned.filter(([name]) => !queryOfSignature.has(name))) }
}

const queryOfSignature = new Set([
  'X-Amz-Algorithm',
  'X-Amz-Credential',
  'X-Amz-Date',
  'X-Amz-Expires',
  'X-Amz-SignedHeaders',
])

type Claim = {
  credential: string
  date: string
  lifetimeMs: number
  signedHeaders: string
  signature: string
}

function claimInQuery(query: ReadonlyMap<string, string>): Claim | undefined {
  const lifetime = query.get('X-Amz-Expires') ?? ''
  if (query.get('X-Amz-Algorithm') !== algorithm || !/^[1-9]\d{0,5}$/.test(lifetime)) return undefined
  return {
    credential: query.get('X-Amz-Credential') ?? '',
    date: query.get('X-Amz-Date') ?? '',
    lifetimeMs: Number(lifetime) * 1000,
    signedHeaders: query.get('X-Amz-SignedHeaders') ?? '',
    signature: query.get('X-Amz-Signature') ?? '',
  }
}

const authorizationForm = new RegExp(`^${algorithm} Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([^,]+)$`)

function claimInHeader({ headers }: ReceivedRequest, query: ReadonlyMap<string, string>): Claim | undefined {
  const parts = authorizationForm.exec(String(headers.authorization))
  // A second signature in the query would leave open which of the two was checked.
  if (parts === null || query.has('X-Amz-Signature')) return undefined
  const [, credential = '', signedHeaders = '', signed = ''] = parts
  return { credential, date: String(headers['x-amz-date']), lifetimeMs: skewMs, signedHeaders, signature: signed }
}

/** The signed headers with their values; undefined when one is missing or repeated, or an x-amz- header is left out. */
function boundHeaders({ headers }: ReceivedRequest, signedHeaders: string): Pair[] | undefined {
  const names = signedHeaders.split(';')
  if (!names.includes('host') || new Set(names).size !== names.length) return undefined
  // An unsigned x-amz- header could turn a permission to PUT into another operation, such as a copy of another object.
  if (Object.keys(headers).some((name) => name.startsWith('x-amz-') && !names.includes(name))) return undefined
  const pairs: Pair[] = []
  for (const name of names) {
    const value = Object.hasOwn(headers, name) ? headers[name] : undefined
    if (typeof value !== 'string') return undefined
    pairs.push([name, value])
  }
  return pairs
}

function decodedPath(path: string): string | undefined {
  if (!path.startsWith('/')) return undefined
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

function instantOf(date: string): number | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date)
  if (parts === null) return undefined
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map(Number)
  const instant = Date.UTC(year, month - 1, day, hours, minutes, seconds)
  return signingDate(new Date(instant)) === date ? instant : undefined
}

function hmac(secret: Buffer | string, text: string): Buffer {
  return createHmac('sha256', secret).update(text).digest()
}

function encodedPath(path: string): string {
  return path.split('/').map(encoded).join('/')
}

/** Percent-encodes all but the unreserved characters of RFC 3986 §2.3. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

function byName(a: Pair, b: Pair): number {
  return compare(a[0], b[0])
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
