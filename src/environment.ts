import type { Logger } from 'pino'
import { accessTokens } from './auth/bearer/access-token.ts'
import { bearerAuthenticator } from './auth/bearer/authenticate.ts'
import { credentialLookup } from './auth/bearer/credential-lookup.ts'
import { certificateAuthenticator } from './auth/client-certificate/authenticate.ts'
import { certificateLookup } from './auth/client-certificate/certificate-lookup.ts'
import { certificateOfConnection, certificateOfProxy } from './auth/client-certificate/presented-certificate.ts'
import { bearerChallenge, protectedResourceDocuments } from './auth/oauth/protected-resource.ts'
import { refuseTokenRequest, tokenEndpoint, tokenRequestBytesMax } from './auth/oauth/token-endpoint.ts'
import { signInLookup } from './auth/sign-in/find-sign-in.ts'
import { openSignIn } from './auth/sign-in/sign-in.ts'
import { pathParameters } from './contract/parameters.ts'
import { openDatabase, type Database } from './database/database.ts'
import { replicaReads } from './database/replica.ts'
import { withDemoProofs } from './demo/proof-files.ts'
import { createCursors } from './http/answering/cursors.ts'
import { readyOperations } from './http/perform.ts'
import { createEdge } from './gateway/edge/edge.ts'
import { sourceAddressReader } from './gateway/edge/source-address.ts'
import { createHost, performed, type HostParts } from './gateway/host.ts'
import type { PlainRoute } from './http/plain-route.ts'
import { localBuckets } from './gateway/throttle/buckets.ts'
import { forgetQuotasOf } from './gateway/throttle/forget-quotas.ts'
import type { sharedBuckets } from './gateway/throttle/shared-buckets.ts'
import { createThrottle } from './gateway/throttle/throttle.ts'
import { submissionBacklogs } from './intake/submission-backlogs.ts'
import { createOutcomes } from './intake/outcomes.ts'
import { startSubmissionWorker } from './intake/submission-worker.ts'
import { submissionStore } from './intake/store-submissions.ts'
import { noWorkersHere } from './intake/submissions.ts'
import { keptForATime } from './kept-for-a-time.ts'
import { browserClients } from './mcp/browser-clients.ts'
import { mcpRoute } from './mcp/route.ts'
import { openMutualTls } from './mutual-tls/mutual-tls.ts'
import type { ServerCertificate } from './mutual-tls/listener.ts'
import { startAuditSealer } from './platform/audit/audit-chain.ts'
import { startCreditExpirer } from './platform/credit/credit-expirer.ts'
import type { ObjectStore } from './outside/object-store/object-store.ts'
import type { TemplateVendor } from './outside/template-vendor/template-vendor.ts'
import { createEgress } from './outside/egress/guarded-request.ts'
import { tableRates } from './platform/shipping/rates.ts'
import { partnerOperations } from './resources/handlers.ts'
import { startRetention } from './retention/retention.ts'
import { openSandbox } from './sandbox/sandbox.ts'
import { listenerUrl, type Settings } from './settings.ts'
import { addressRanges } from './vocabulary/address-ranges.ts'
import type { Backlog } from './vocabulary/backlog.ts'
import type { Clock, PartnerTime } from './vocabulary/clock.ts'
import type { Environment } from './vocabulary/environment.ts'
import { deriveKey } from './vocabulary/keys.ts'
import { startEventPublisher } from './webhooks/event-publisher.ts'
import { webhookBacklogs } from './webhooks/webhook-backlogs.ts'
import { startWebhookCourier } from './webhooks/webhook-courier.ts'

/** One of the two worlds, production or sandbox, put together: its database, its hosts and its workers. */
export type OpenEnvironment = {
  name: Environment
  database: Database
  /** where its files are */
  objectStore: ObjectStore
  /** only the sandbox's partners have clocks of their own */
  partnerTime?: PartnerTime | undefined
  /** starts to listen; answers the port */
  listen: (host: string, port: number) => Promise<number>
  /** the same with certificates in place of tokens; answers the port */
  listenMutualTls: (tls: TlsEnd, host: string, port: number) => Promise<number>
  /** what waits in its queues. @throws Outage */
  backlogs: () => Promise<Backlog[]>
  /** stops taking requests and answers those it has */
  drain: () => Promise<void>
  /** after `drain`: ends the workers and the connections */
  close: () => Promise<void>
}

/** Where TLS ends: here, with this server certificate, or at a proxy that tells the client's certificate in a header. */
export type TlsEnd =
  | { by: 'service'; serverCertificate: () => Promise<ServerCertificate> }
  | { by: 'proxy'; addresses: readonly string[]; header: string }

export type EnvironmentParts = {
  name: Environment
  databaseUrl: string
  /** a replica of that database, if it has one */
  databaseReplicaUrl: string | undefined
  objectStore: ObjectStore
  templateVendor: TemplateVendor
  masterKey: Buffer
  settings: Settings
  clock: Clock
  /** PEM certificates trusted instead of the public authorities where applications' documents are fetched */
  clientDocumentAuthorities: readonly string[] | undefined
  /** milliseconds, never set back */
  monotonic: () => number
  log: Logger
  observe: (operation: string, status: number, milliseconds: number) => void
  observeDelivery: (outcome: string) => void
  submissionWaitMilliseconds: number
  /** how long, once it is stopped, clients' connections may rest before they are ended */
  closingGraceMilliseconds: number
}

export async function openEnvironment(parts: EnvironmentParts): Promise<OpenEnvironment> {
  const { name, masterKey, settings, clock, monotonic } = parts
  const log = parts.log.child({ environment: name })
  const database = openDatabase(parts.databaseUrl, { log })
  const replica = parts.databaseReplicaUrl === undefined ? undefined : openDatabase(parts.databaseReplicaUrl, { log })
  const balances = replica
    ? replicaReads({ primary: database.reads, replica: replica.reads, monotonic, log })
    : database.reads
  const objectStore = settings.demo ? withDemoProofs(parts.objectStore, database.reads) : parts.objectStore
  const key = (purpose: Parameters<typeof deriveKey>[2]): Buffer => deriveKey(masterKey, name, purpose)

  const tokens = accessTokens(key('access-token'), { environment: name, audience: 'partner-commerce' })
  const clients = credentialLookup(database, log)
  const findSignIn = signInLookup(database.reads, key('session'))
  const authenticate = bearerAuthenticator({ environment: name, tokens, clients, findSignIn })
  const buckets =
    settings.redisUrl === undefined || settings.limits === 'off' || settings.role === 'worker'
      ? localBuckets(monotonic)
      : await redisBuckets({ url: settings.redisUrl, environment: name, log })
  const throttle = createThrottle({ database, now: clock, buckets, limits: settings.limits, log })
  const { templateVendor } = parts
  const carrierRates = tableRates
  const artworkEgress = createEgress({ allowedHosts: (host) => settings.artworkHosts.includes(host) })
  const suppliers = { carrierRates, templateVendor, artwork: { egress: artworkEgress, objectStore } }
  const outcomes = await createOutcomes(database)
  const sandbox =
    name === 'SANDBOX'
      ? await openSandbox({
          database,
          objectStore,
          storedSecretKey: key('stored-secret'),
          receiverHosts: settings.sandboxWebhookHosts,
          forgetUsage: forgetQuotasOf,
          clock,
          log,
        })
      : undefined
  const worker =
    settings.role === 'api'
      ? undefined
      : await startSubmissionWorker({
          database,
          suppliers,
          outcomes,
          clock,
          log,
          ...(sandbox && { sandbox: sandbox.intake }),
        })
  const simulator = settings.role === 'api' ? undefined : sandbox?.startSimulator()
  const sealer = settings.role === 'api' ? undefined : startAuditSealer(database, log)
  const expirer = settings.role === 'api' ? undefined : startCreditExpirer({ database, clock, log })
  const retention =
    settings.role === 'api'
      ? undefined
      : startRetention({
          keptForATime: keptForATime(database, parts.objectStore),
          clock: parts.clock,
          log,
        })
  // Receivers hold what they are sent against their own clocks, so these go by the world's time in the sandbox too.
  const publisher = settings.role === 'api' ? undefined : startEventPublisher({ database, clock: parts.clock, log })
  const courier =
    settings.role === 'api'
      ? undefined
      : startWebhookCourier({
          database,
          storedSecretKey: key('stored-secret'),
          clock: parts.clock,
          monotonic,
          log,
          ...(sandbox && { attemptFor: sandbox.attemptFor }),
          recorded: parts.observeDelivery,
        })

  const paired = partnerOperations({
    database,
    intake: {
      database,
      store: submissionStore(database),
      outcomes,
      workers: worker ?? noWorkersHere,
      waitMilliseconds: parts.submissionWaitMilliseconds,
    },
    balances,
    // Limits go by the world's time, whatever the caller's own is.
    remaining: (caller) => throttle.remaining(caller, clock()),
    carrierRates,
    templateVendor,
    objectStore,
    worldClock: clock,
    searchAvailable: settings.searchAvailable,
  })
  const sourceAddress = sourceAddressReader(settings.trustedProxies)
  const signIn = openSignIn({
    environment: name,
    baseUrl,
    database,
    tokens,
    keys: {
      session: key('session'),
      link: key('link'),
      storedSecret: key('stored-secret'),
      signature: key('sign-in-signature'),
    },
    egress: createEgress({
      allowedHosts: (host) => settings.signInClientHosts.includes(host),
      ...(parts.clientDocumentAuthorities && { certificateAuthorities: parts.clientDocumentAuthorities }),
    }),
    clock,
  })
  const answerTokenRequest = tokenEndpoint({
    reads: database.reads,
    tokens,
    clientSecretKey: key('client-secret'),
    limits: settings.limits,
    otherGrants: signIn.grants,
  })
  const tokenRoute: PlainRoute = {
    method: 'POST',
    path: '/oauth2/token',
    name: 'token',
    bytesMax: tokenRequestBytesMax,
    answer: answerTokenRequest,
    refuseBody: refuseTokenRequest,
  }
  const heard = (requestId: string) => (cause: string) => log.info({ requestId, cause }, 'credential refused')
  const metadataRoutes: PlainRoute[] = protectedResourceDocuments(baseUrl).map(({ path, answer }) => ({
    method: 'GET',
    path,
    name: 'protected resource metadata',
    bytesMax: 0,
    answer,
  }))
  const rules = { pathParameters, cursors: createCursors(key('cursor')) }
  const withMagic = sandbox?.withMagic ?? ((_id, handler) => handler)
  const operations = readyOperations(
    paired.map(({ entry, handler }) => ({ entry, handler: withMagic(entry.id, handler) })),
    rules,
  )
  const common = {
    challenge: () => bearerChallenge(baseUrl()),
    sourceAddress: (request) => sourceAddress(request.socket.remoteAddress, request.headers['x-forwarded-for']),
    edge: createEdge({ limits: settings.limits, monotonic }),
    throttle,
    operations: [...operations, ...readyOperations(sandbox?.control ?? [], rules)],
    callerRoutes: [mcpRoute(operations.map(performed), { hostUrls, log })],
    clock,
    ...(sandbox && { partnerTime: sandbox.partnerTime }),
    log,
    observe: parts.observe,
    closingGraceMilliseconds: parts.closingGraceMilliseconds,
  } satisfies Partial<HostParts>
  const host = createHost({
    ...common,
    identify: (request, now, requestId) => authenticate(request.headers.authorization, now, heard(requestId)),
    allowsOpen: true,
    // Not on the other host: browsers ask without a certificate.
    browserClients: browserClients(hostUrls),
    plainRoutes: [tokenRoute, ...metadataRoutes, ...signIn.routes],
  })
  const drains = [() => host.close()]

  /** Of the bearer host, as partners reach it. */
  function baseUrl(): string {
    const listener = name === 'PRODUCTION' ? 'api' : 'sandbox'
    return listenerUrl(settings, listener, host.port() ?? settings.ports[listener])
  }

  function hostUrls(): string[] {
    return name === 'PRODUCTION' ? [baseUrl(), listenerUrl(settings, 'mtls', settings.ports.mtls)] : [baseUrl()]
  }

  /** The truststore is read when listening starts: a process that does not listen needs none. */
  async function listenMutualTls(tls: TlsEnd, address: string, port: number): Promise<number> {
    const mutualTls =
      tls.by === 'service'
        ? await openMutualTls({ database, serverCertificate: tls.serverCertificate, clock, log })
        : undefined
    const authenticateCertificate = certificateAuthenticator({
      environment: name,
      presented:
        tls.by === 'service' ? certificateOfConnection() : certificateOfProxy(tls.header, addressRanges(tls.addresses)),
      find: certificateLookup(database.reads),
    })
    const certificateHost = createHost({
      ...common,
      identify: (request, now, requestId) => authenticateCertificate(request, now, heard(requestId)),
      allowsOpen: false,
      ...(mutualTls && { serverFactory: mutualTls.serverFactory }),
    })
    drains.push(async () => {
      await certificateHost.close()
      await mutualTls?.close()
    })
    return certificateHost.listen(address, port)
  }

  return {
    name,
    database,
    objectStore,
    partnerTime: sandbox?.partnerTime,
    listen: host.listen,
    listenMutualTls,
    backlogs: async () =>
      (
        await Promise.all([
          submissionBacklogs(database.reads),
          webhookBacklogs(database.reads),
          sandbox?.backlog() ?? [],
        ])
      ).flat(),
    drain: async () => {
      await Promise.all(drains.map((drain) => drain()))
    },
    close: async () => {
      await Promise.all([worker?.close(), simulator?.close(), publisher?.close(), courier?.close()])
      await sealer?.close()
      await Promise.all([expirer?.close(), retention?.close()])
      await outcomes.close()
      await Promise.all([throttle.close(), clients.close()])
      await Promise.all([database.close(), replica?.close()])
    },
  }
}

/** Loaded only where there is a Redis: its client costs time and memory. */
const redisBuckets: typeof sharedBuckets = async (parts) =>
  (await import('./gateway/throttle/shared-buckets.ts')).sharedBuckets(parts)
