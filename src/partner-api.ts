import type { Logger } from 'pino'
import type { Caller } from './contract/caller.ts'
import { pathParameters } from './contract/parameters.ts'
import type { Database } from './database/database.ts'
import type { LaggingReads } from './database/replica.ts'
import { developerOperations } from './developer/handlers.ts'
import { apiCatalog } from './gateway/api-catalog.ts'
import { developerLinks } from './gateway/developer-links.ts'
import { developerPages, eitherOf } from './gateway/developer-pages.ts'
import { createEdge } from './gateway/edge/edge.ts'
import { sourceAddressReader } from './gateway/edge/source-address.ts'
import { createHost, performed, type HostParts } from './gateway/host.ts'
import { createRequestLog } from './gateway/request-log/request-log.ts'
import { localBuckets, type Buckets } from './gateway/throttle/buckets.ts'
import { createThrottle, type Throttle } from './gateway/throttle/throttle.ts'
import { createCursors } from './http/answering/cursors.ts'
import type { Front } from './http/front.ts'
import { readyOperations } from './http/perform.ts'
import type { PlainRoute } from './http/plain-route.ts'
import type { Outcomes } from './intake/outcomes.ts'
import { submissionStore } from './intake/store-submissions.ts'
import type { SubmissionWorkers } from './intake/submissions.ts'
import { browserClients } from './mcp/browser-clients.ts'
import { mcpRoute } from './mcp/route.ts'
import { openMutualTls } from './mutual-tls/mutual-tls.ts'
import type { ObjectStore } from './outside/object-store/object-store.ts'
import type { Suppliers } from './platform/ordering/plan-order.ts'
import { openPartnerCredentials, type TlsEnd } from './partner-credentials.ts'
import { toolsetOf } from './resources/api.ts'
import { partnerOperations, toolOperations, type HandlerParts } from './resources/handlers.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import { listenerUrl, type Settings } from './settings.ts'
import type { Clock } from './vocabulary/clock.ts'
import type { Tracing } from './vocabulary/tracing.ts'
import type { NoteUse } from './vocabulary/dependencies.ts'
import type { Environment } from './vocabulary/environment.ts'
import type { KeyPurpose, KeyRing } from './vocabulary/keys.ts'
import type { Limiter } from './vocabulary/limiters.ts'

/** The partner API of one environment: its operations, and the hosts on which callers with tokens or certificates reach them. */
export type PartnerApi = {
  /** starts to listen; answers the port */
  listen: (host: string, port: number) => Promise<number>
  /** the same, with certificates instead of tokens */
  listenMutualTls: (tls: TlsEnd, host: string, port: number) => Promise<number>
  /** what a partner has left of its limits. @throws Outage */
  standing: Throttle['standing']
  /** rejects with Outage when the processes' shared limits cannot be reached; undefined = this process counts for itself */
  reachSharedLimits: (() => Promise<unknown>) | undefined
  /** stops accepting requests and answers those under way */
  drain: () => Promise<void>
  /** after `drain` */
  close: () => Promise<void>
}

type PartnerApiParts = {
  name: Environment
  settings: Settings
  database: Database
  /** reads that may lag */
  balances: LaggingReads
  objectStore: ObjectStore
  suppliers: Suppliers
  outcomes: Outcomes
  workers: SubmissionWorkers
  /** only in the sandbox */
  sandbox: Sandbox | undefined
  keys: (purpose: KeyPurpose) => KeyRing
  clientDocumentAuthorities: readonly string[] | undefined
  clock: Clock
  /** milliseconds, never set back */
  monotonic: () => number
  log: Logger
  tracing: Tracing
  observe: HostParts['observe']
  observeUnlogged: (calls: number) => void
  observeRefusal: (limiter: Limiter) => void
  observeUse: NoteUse
  observeCertificate: (endsOn: Date) => void
  requestLog: 'off' | undefined
  /** the developer site, as people reach it; known once it listens */
  developerUrl: () => string
  submissionWaitMilliseconds: number
  /** how long idle connections of clients stay open after the stop has begun */
  closingGraceMilliseconds: number
  streamPulseMilliseconds: number
}

export async function openPartnerApi(parts: PartnerApiParts): Promise<PartnerApi> {
  const { name, settings, database, sandbox, clock, monotonic, log, developerUrl } = parts
  const { limits } = settings
  const refused = parts.observeRefusal
  const buckets = await openBuckets(parts)
  const throttle = createThrottle({ database, now: clock, buckets, limits, refused, log })
  const credentials = openPartnerCredentials({ ...parts, baseUrl })
  const handlerParts = {
    database,
    intake: {
      database,
      store: submissionStore(database, parts.tracing),
      outcomes: parts.outcomes,
      workers: parts.workers,
      waitMilliseconds: parts.submissionWaitMilliseconds,
    },
    balances: parts.balances,
    // Limits go by real time, whatever the caller's own clock says.
    remaining: (caller: Caller) => throttle.remaining(caller, clock()),
    ...parts.suppliers,
    objectStore: parts.objectStore,
    realClock: clock,
    searchAvailable: settings.searchAvailable,
  } satisfies HandlerParts
  const rules = { pathParameters, cursors: createCursors(parts.keys('cursor')) }
  const withMagic = sandbox?.withMagic ?? ((_id, handler) => handler)
  const operations = readyOperations(
    partnerOperations(handlerParts).map(({ entry, handler }) => ({ entry, handler: withMagic(entry.id, handler) })),
    rules,
  )
  const toolsOnly = readyOperations(toolOperations(handlerParts), rules)
  const sourceAddress = sourceAddressReader(settings.trustedProxies)
  const { statements } = database
  const requestLog =
    parts.requestLog === 'off' ? undefined : createRequestLog({ statements, log, dropped: parts.observeUnlogged })
  const common = {
    challenge: credentials.challenge,
    sourceAddress: (request) => sourceAddress(request.socket.remoteAddress, request.headers['x-forwarded-for']),
    edge: createEdge({ limits, monotonic, refused }),
    throttle,
    operations: [
      ...operations,
      ...readyOperations(sandbox?.control ?? [], rules),
      ...readyOperations(developerOperations({ database, standing: throttle.standing, realClock: clock }), rules),
    ],
    callerRoutes: [
      mcpRoute([...operations, ...toolsOnly].map(performed), {
        toolsetOf,
        confirmationKeys: parts.keys('confirmation'),
        hostUrls,
        log,
      }),
    ],
    links: developerLinks(developerUrl),
    clock,
    ...(sandbox && { partnerTime: sandbox.partnerTime }),
    log,
    tracing: parts.tracing,
    observe: parts.observe,
    ...(requestLog && { note: requestLog.note }),
    closingGraceMilliseconds: parts.closingGraceMilliseconds,
    streamPulseMilliseconds: parts.streamPulseMilliseconds,
  } satisfies Partial<HostParts>
  const host = createHost({
    ...common,
    ownUrl: baseUrl,
    identify: credentials.identifyByToken,
    allowsOpen: true,
    // Not on the mutual-TLS host: browsers send preflights without a certificate.
    browserClients: eitherOf(developerPages(developerUrl), browserClients(hostUrls)),
    plainRoutes: [...credentials.routes, catalogOf(baseUrl)],
  })
  let certificateHost: Front | undefined
  const drains = [() => host.close()]

  /** The URL of the bearer host, as partners reach it. */
  function baseUrl(): string {
    const listener = name === 'PRODUCTION' ? 'api' : 'sandbox'
    return listenerUrl(settings, listener, host.port() ?? settings.ports[listener])
  }

  function mutualTlsUrl(): string {
    return listenerUrl(settings, 'mtls', certificateHost?.port() ?? settings.ports.mtls)
  }

  function catalogOf(hostUrl: () => string): PlainRoute {
    return apiCatalog({ hostUrl, developerUrl, hasControl: sandbox !== undefined })
  }

  function hostUrls(): string[] {
    return name === 'PRODUCTION' ? [baseUrl(), mutualTlsUrl()] : [baseUrl()]
  }

  return {
    listen: host.listen,
    listenMutualTls: async (tls, address, port) => {
      const mutualTls =
        tls.by === 'service'
          ? await openMutualTls({
              database,
              serverCertificate: tls.serverCertificate,
              observeCertificate: parts.observeCertificate,
              clock,
              log,
            })
          : undefined
      certificateHost = createHost({
        ...common,
        ownUrl: mutualTlsUrl,
        identify: credentials.identifyByCertificate(tls),
        allowsOpen: false,
        plainRoutes: [catalogOf(mutualTlsUrl)],
        ...(mutualTls && { serverFactory: mutualTls.serverFactory }),
      })
      drains.push(async () => {
        await certificateHost?.close()
        await mutualTls?.close()
      })
      return certificateHost.listen(address, port)
    },
    standing: throttle.standing,
    reachSharedLimits: buckets.isShared ? async () => buckets.tokensLeft('trial-of-readiness', 'TRIAL') : undefined,
    drain: async () => {
      await Promise.all(drains.map((drain) => drain()))
    },
    close: async () => {
      await Promise.all([throttle.close(), credentials.close(), requestLog?.close()])
    },
  }
}

/** Loaded only if there is a Redis: its client costs time and memory. */
async function openBuckets({ name, settings, monotonic, observeUse, log }: PartnerApiParts): Promise<Buckets> {
  if (settings.redisUrl === undefined || settings.limits === 'off') return localBuckets(monotonic)
  const { sharedBuckets } = await import('./gateway/throttle/shared-buckets.ts')
  return sharedBuckets({
    url: settings.redisUrl,
    environment: name,
    noteUse: (isUp) => observeUse('redis', isUp),
    log,
  })
}
