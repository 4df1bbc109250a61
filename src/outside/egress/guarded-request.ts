/**
 * Calls to addresses that others chose: webhook targets, artwork URLs, template vendors, client documents. It owns what
 * may be called (http and https, public addresses or hosts that staff name), time and size limits, and the number of
 * open connections. It does not own what is sent or what an answer means, and it never retries.
 */
import { request as requestHttp, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { isAllowableAddress, isMetadataName, isPublicAddress } from './addresses.ts'
import { openPools, type NameLookup } from './connections.ts'
import { EgressBusy, EgressFailed, EgressRefused } from './outcomes.ts'

export type EgressOptions = {
  /**
   * Hosts that may have any address but a link-local one, written like `URL.hostname` but without brackets. Asked on every call and
   * redirect.
   */
  allowedHosts: (host: string) => boolean
  /** Used instead of the name servers and the hosts file. */
  lookup?: NameLookup
  /** PEM certificates trusted instead of the public authorities. */
  certificateAuthorities?: readonly string[]
  /** Calls under way to one host name; beyond it a call throws EgressBusy. Default 64. */
  connectionsPerHostMax?: number
  /** Calls under way in all; beyond it a call throws EgressBusy. Default 512. */
  connectionsMax?: number
  /** Connections kept for reuse, in all. Default 128. */
  idleConnectionsMax?: number
  /**
   * How long an idle connection is kept, or less if the server's `Keep-Alive` says so. The default of 1000 is below the
   * idle time of common servers, of which 2 seconds is the shortest.
   */
  idleMillisecondsMax?: number
}

type CallOptions = {
  /**
   * The egress sets `Host` and `Accept-Encoding`. Only `Accept` and `User-Agent` follow a redirect to another origin.
   */
  headers?: Readonly<Record<string, string>>
  /** Covers everything: name, connection, TLS, redirects, headers and body. */
  timeoutMilliseconds: number
  /**
   * How many redirects of a GET are followed, each checked like a first target. With 0, the default, the 3xx is
   * returned.
   */
  followRedirects?: number
  /** Ends the call early, which then throws the signal's reason. */
  signal?: AbortSignal
}

export type RequestOptions = CallOptions & {
  method?: string
  body?: Buffer
  responseBytesMax: number
  /**
   * What happens when a body is too large, too slow or broken off. `fail` (default): the call fails. `keep`: the call
   * answers with as much of the body as came.
   */
  incompleteBody?: 'fail' | 'keep'
}

export type DownloadOptions = CallOptions & { bytesMax: number }

/** `durationMilliseconds` runs from the call to the arrival of the final response's headers. */
export type EgressAnswer = {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  bodyIsComplete: boolean
  durationMilliseconds: number
}

export type Egress = {
  /** One call. Throws EgressRefused, EgressFailed or EgressBusy; any status is an answer. */
  request: (target: string | URL, options: RequestOptions) => Promise<EgressAnswer>
  /**
   * GETs a file of at most `bytesMax` bytes and hands it over piece by piece, waiting for each piece to be taken.
   * Throws as `request` does, EgressFailed `status` for any status but 200, and whatever the sink throws. After a
   * failure, what the sink took is not a complete file.
   */
  download: (
    target: string | URL,
    options: DownloadOptions,
    sink: (piece: Buffer) => void | Promise<void>,
  ) => Promise<{ headers: IncomingHttpHeaders; bytes: number; durationMilliseconds: number }>
  /**
   * Says what can be said of a target before it is called.
   * @throws EgressRefused when a call of it would be refused at once
   */
  assertCallable: (target: string | URL) => void
  /** Closes all connections, which ends the calls under way. */
  close: () => void
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const headersThatFollow: ReadonlySet<string> = new Set(['accept', 'user-agent'])

export function createEgress({
  allowedHosts,
  lookup,
  certificateAuthorities,
  connectionsPerHostMax = 64,
  connectionsMax = 512,
  idleConnectionsMax = 128,
  idleMillisecondsMax = 1_000,
}: EgressOptions): Egress {
  const pools = openPools({ lookup, certificateAuthorities, idleConnectionsMax, idleMillisecondsMax })
  const callsUnderWay = new Map<string, number>()
  let callsUnderWayInAll = 0

  /** A call never waits for another: beyond a bound it is turned away. */
  function assertSlotFor(host: string): void {
    if (callsUnderWayInAll >= connectionsMax || (callsUnderWay.get(host) ?? 0) >= connectionsPerHostMax)
      throw new EgressBusy()
  }

  /** Counts a call to a host. The function it returns ends the count, and is called once. */
  function takeSlot(host: string): () => void {
    callsUnderWay.set(host, (callsUnderWay.get(host) ?? 0) + 1)
    callsUnderWayInAll += 1
    return () => {
      const left = (callsUnderWay.get(host) ?? 0) - 1
      if (left > 0) callsUnderWay.set(host, left)
      else callsUnderWay.delete(host)
      callsUnderWayInAll -= 1
    }
  }

  /** One request and the head of its response. */
  async function exchange(
    url: URL,
    sent: { method: string; headers: Readonly<Record<string, string>>; body: Buffer | undefined },
    deadline: Deadline,
  ): Promise<IncomingMessage> {
    const protocol = url.protocol === 'https:' ? 'https:' : 'http:'
    const host = hostOf(url)
    const isAllowed = allowedHosts(host)
    // Connections skip the name look-up when the host is already an address.
    assertMayBeCalled(host, isAllowed)
    // The end of an idle connection may have arrived unread while this process was busy. One turn of the event loop
    // ends the current round, the second reads it, and the connection leaves the pool before we write to it.
    await turn()
    await turn()
    if (deadline.signal.aborted) throw deadline.signal.reason
    assertSlotFor(host)
    const request = (protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method: sent.method,
      headers: { ...sent.headers, 'Accept-Encoding': 'identity' },
      agent: (isAllowed ? pools.allowed : pools.public)[protocol],
      signal: deadline.signal,
    })
    request.once('close', takeSlot(host))
    const isInHandshake = watchHandshake(request, protocol)
    let hasResponse = false
    const response = new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', (answer) => {
        hasResponse = true
        resolve(answer)
      })
      request.on('error', (error) => reject(asOutcome(error, deadline, isInHandshake())))
      // An unexpected 101 closes the request without a response and without an error.
      request.once('close', () => {
        if (!hasResponse) reject(asOutcome(new EgressFailed('protocol', 'no response'), deadline, false))
      })
    })
    request.end(sent.body)
    return response
  }

  /** The final response of a call, after redirects. */
  async function respond(
    target: string | URL,
    { followRedirects = 0, headers = {}, ...options }: CallOptions & { method?: string; body?: Buffer },
    deadline: Deadline,
  ): Promise<IncomingMessage> {
    const { method = 'GET', body } = options
    const redirectsMax = method === 'GET' ? followRedirects : 0
    let url = parseTarget(target)
    let sentHeaders = headers
    for (let redirectsLeft = redirectsMax; ; redirectsLeft -= 1) {
      const response = await exchange(url, { method, headers: sentHeaders, body }, deadline)
      const { location } = response.headers
      const isRedirect = redirectStatuses.has(response.statusCode ?? 0) && location !== undefined
      if (redirectsMax === 0 || !isRedirect) return response
      response.destroy()
      if (redirectsLeft === 0) throw new EgressFailed('redirect', 'too many')
      const next = parseTarget(location, url)
      if (url.protocol === 'https:' && next.protocol === 'http:') throw new EgressFailed('redirect', 'https to http')
      if (next.origin !== url.origin)
        sentHeaders = Object.fromEntries(
          Object.entries(sentHeaders).filter(([name]) => headersThatFollow.has(name.toLowerCase())),
        )
      url = next
    }
  }

  return {
    async request(target, options) {
      const startedAt = performance.now()
      const deadline = startDeadline(options.timeoutMilliseconds, options.signal)
      try {
        const response = await respond(target, options, deadline)
        const durationMilliseconds = Math.round(performance.now() - startedAt)
        const keepsIncomplete = options.incompleteBody === 'keep'
        if (!keepsIncomplete) assertUnencoded(response)
        const { body, failure } = await readBody(response, options.responseBytesMax, deadline)
        if (failure !== null && !keepsIncomplete) throw failure
        return {
          status: response.statusCode ?? 0,
          headers: response.headers,
          body,
          bodyIsComplete: failure === null,
          durationMilliseconds,
        }
      } finally {
        deadline.stop()
      }
    },

    async download(target, options, sink) {
      const startedAt = performance.now()
      const deadline = startDeadline(options.timeoutMilliseconds, options.signal)
      try {
        const response = await respond(target, options, deadline)
        const durationMilliseconds = Math.round(performance.now() - startedAt)
        if (response.statusCode !== 200) {
          response.destroy()
          throw new EgressFailed('status', String(response.statusCode))
        }
        assertUnencoded(response)
        // Checked first, so that the sink takes no piece of a file that it cannot have.
        if (Number(response.headers['content-length'] ?? 0) > options.bytesMax) {
          response.destroy()
          throw new EgressFailed('too-large')
        }
        let bytes = 0
        const pour = async () => {
          for await (const piece of piecesOf(response, options.bytesMax, deadline)) {
            await sink(piece)
            bytes += piece.byteLength
          }
        }
        // A sink that never takes its piece must not outlast the deadline either.
        await Promise.race([pour(), deadline.passed])
        return { headers: response.headers, bytes, durationMilliseconds }
      } finally {
        deadline.stop()
      }
    },

    assertCallable(target) {
      const host = hostOf(parseTarget(target))
      assertMayBeCalled(host, allowedHosts(host))
    },

    close: pools.close,
  }
}

/**
 * Parses a target as it will be called. WHATWG URLs turn every spelling of an IPv4 address (decimal, octal,
 * hexadecimal, shortened, full-width) into the dotted one, so the address rules see what the connection uses.
 * @throws EgressRefused when it cannot be called at all
 */
export function parseTarget(target: string | URL, base?: URL): URL {
  const url = URL.parse(target, base)
  if (url === null) throw new EgressRefused('url')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new EgressRefused('scheme')
  if (url.username !== '' || url.password !== '') throw new EgressRefused('credentials')
  if (url.port === '0') throw new EgressRefused('port')
  return url
}

/** A target's host, in the form that `allowedHosts` gets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

/**
 * @throws EgressRefused for the name of a cloud's metadata service, and for a host written as an address that is not
 *   public or, if the host is allowed, that is link-local. Names are checked again when they are called.
 */
export function assertMayBeCalled(host: string, isAllowed: boolean): void {
  const isReachable = isAllowed ? isAllowableAddress : isPublicAddress
  if (isMetadataName(host) || (isIP(host) !== 0 && !isReachable(host)))
    throw new EgressRefused(isAllowed ? 'link' : 'address')
}

type Deadline = { signal: AbortSignal; passed: Promise<never>; stop: () => void }

function startDeadline(milliseconds: number, outer: AbortSignal | undefined): Deadline {
  const controller = new AbortController()
  const { signal } = controller
  // Input that arrived while this process was busy is not late.
  let lastLook: NodeJS.Immediate | undefined
  const timer = setTimeout(() => {
    lastLook = setImmediate(() => controller.abort(new EgressFailed('timeout')))
  }, milliseconds)
  const end = () => controller.abort(outer?.reason)
  if (outer?.aborted) end()
  else outer?.addEventListener('abort', end, { once: true })
  const passed = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  // Only a download waits for it; without a handler its rejection would end the process.
  passed.catch(() => undefined)
  return {
    signal,
    passed,
    stop: () => {
      clearTimeout(timer)
      clearImmediate(lastLook)
      outer?.removeEventListener('abort', end)
    },
  }
}

/** Answers whether a call is between its connection and the end of the TLS handshake. */
function watchHandshake(request: ClientRequest, protocol: 'http:' | 'https:'): () => boolean {
  let isInHandshake = false
  if (protocol === 'https:')
    request.once('socket', (socket) => {
      if (!socket.connecting) return
      socket.once('connect', () => (isInHandshake = true))
      socket.once('secureConnect', () => (isInHandshake = false))
    })
  return () => isInHandshake
}

function asOutcome(error: unknown, deadline: Deadline, isInHandshake: boolean): unknown {
  if (deadline.signal.aborted) return deadline.signal.reason
  if (error instanceof EgressRefused || error instanceof EgressFailed) return error
  const { code } = error as NodeJS.ErrnoException
  if (code?.startsWith('HPE_')) return new EgressFailed('protocol', code, error)
  return new EgressFailed(isInHandshake || code?.startsWith('ERR_SSL_') ? 'tls' : 'connection', code, error)
}

/** We ask for unencoded bytes. A body that is compressed all the same is refused, since decompressing invites bombs. */
function assertUnencoded(response: IncomingMessage): void {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (encoding === 'identity' || encoding === '') return
  response.destroy()
  throw new EgressFailed('protocol', 'content-encoding')
}

/** Yields a response's body in pieces: at most `bytesMax` bytes, and throws `too-large` if there is more. */
async function* piecesOf(response: IncomingMessage, bytesMax: number, deadline: Deadline): AsyncGenerator<Buffer> {
  let bytes = 0
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      const room = bytesMax - bytes
      bytes += piece.byteLength
      if (piece.byteLength <= room) yield piece
      else {
        if (room > 0) yield piece.subarray(0, room)
        throw new EgressFailed('too-large')
      }
    }
  } catch (error) {
    throw asOutcome(error, deadline, false)
  }
}

async function readBody(
  response: IncomingMessage,
  bytesMax: number,
  deadline: Deadline,
): Promise<{ body: Buffer; failure: unknown }> {
  const pieces: Buffer[] = []
  try {
    for await (const piece of piecesOf(response, bytesMax, deadline)) pieces.push(piece)
    return { body: Buffer.concat(pieces), failure: null }
  } catch (failure) {
    return { body: Buffer.concat(pieces), failure }
  }
}
