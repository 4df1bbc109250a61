import type { Logger } from 'pino'
import { accessTokens } from './auth/bearer/access-token.ts'
import { bearerAuthenticator } from './auth/bearer/authenticate.ts'
import { credentialLookup } from './auth/bearer/credential-lookup.ts'
import { certificateAuthenticator } from './auth/client-certificate/authenticate.ts'
import { certificateLookup } from './auth/client-certificate/certificate-lookup.ts'
import { certificateOfConnection, certificateOfProxy } from './auth/client-certificate/presented-certificate.ts'
import { bearerChallenge, protectedResourceDocuments } from './auth/oauth/protected-resource.ts'
import { machineClients } from './auth/oauth/machine-clients.ts'
import { revocationEndpoint } from './auth/oauth/revocation-endpoint.ts'
import { refuseTokenRequest, tokenEndpoint, tokenRequestBytesMax } from './auth/oauth/token-endpoint.ts'
import { signInLookup } from './auth/sign-in/find-sign-in.ts'
import { signInPaths } from './auth/sign-in/metadata.ts'
import { openSignIn } from './auth/sign-in/sign-in.ts'
import type { Database } from './database/database.ts'
import type { HostParts } from './gateway/host.ts'
import type { PlainRoute } from './http/plain-route.ts'
import { pathOfRequest, queryOf } from './http/reading/request-line.ts'
import type { ServerCertificate } from './mutual-tls/listener.ts'
import { createEgress } from './outside/egress/guarded-request.ts'
import type { Settings } from './settings.ts'
import { addressRanges } from './vocabulary/address-ranges.ts'
import type { Clock } from './vocabulary/clock.ts'
import type { Environment } from './vocabulary/environment.ts'
import type { KeyPurpose, KeyRing } from './vocabulary/keys.ts'
import type { Limiter } from './vocabulary/limiters.ts'

/**
 * How the callers of one environment are identified: by tokens, with the routes that issue them, or by client
 * certificates.
 */
export type PartnerCredentials = {
  identifyByToken: HostParts['identify']
  identifyByCertificate: (tls: TlsEnd) => HostParts['identify']
  challenge: HostParts['challenge']
  /** the routes that issue tokens: the token endpoint, its metadata and the pages on which people sign in */
  routes: PlainRoute[]
  close: () => Promise<void>
}

/**
 * Where TLS ends: here, with this server certificate, or at a proxy that passes the client's certificate on in a
 * header.
 */
export type TlsEnd =
  | { by: 'service'; serverCertificate: () => Promise<ServerCertificate> }
  | { by: 'proxy'; addresses: readonly string[]; header: string }

export function openPartnerCredentials(parts: {
  name: Environment
  database: Database
  keys: (purpose: KeyPurpose) => KeyRing
  settings: Pick<Settings, 'limits' | 'signInClientHosts'>
  /** of the bearer host, as partners reach it */
  baseUrl: () => string
  /** the developer site, as people reach it; known once it listens */
  developerUrl: () => string
  /** PEM certificates trusted instead of the public authorities when documents of applications are fetched */
  clientDocumentAuthorities: readonly string[] | undefined
  /** told of each refusal by a limit of its own, for metrics */
  observeRefusal: (limiter: Limiter) => void
  clock: Clock
  log: Logger
}): PartnerCredentials {
  const { name, database, keys, settings, baseUrl, clientDocumentAuthorities, clock, log } = parts
  const tokens = accessTokens(keys('access-token'), { environment: name, audience: 'partner-commerce' })
  const clients = credentialLookup(database, log)
  const findSignIn = signInLookup(database.reads, keys('session'))
  const authenticate = bearerAuthenticator({ environment: name, tokens, clients, findSignIn })
  const signIn = openSignIn({
    environment: name,
    baseUrl,
    developerUrl: parts.developerUrl,
    database,
    tokens,
    keys: {
      session: keys('session'),
      link: keys('link'),
      storedSecret: keys('stored-secret'),
      signature: keys('sign-in-signature'),
    },
    egress: createEgress({
      allowedHosts: (host) => settings.signInClientHosts.includes(host),
      ...(clientDocumentAuthorities && { certificateAuthorities: clientDocumentAuthorities }),
    }),
    attemptRefused: () => parts.observeRefusal('sign_in_attempts'),
    clock,
    log,
  })
  const machines = machineClients({
    database,
    clientSecretKeys: keys('client-secret'),
    limits: settings.limits,
    refused: () => parts.observeRefusal('token_endpoint'),
  })
  const { statements } = database
  const tokenForms = {
    method: 'POST',
    bytesMax: tokenRequestBytesMax,
    refuseBody: refuseTokenRequest,
    noted: true,
  } as const
  const tokenRoutes: PlainRoute[] = [
    {
      ...tokenForms,
      path: signInPaths.token,
      name: 'token',
      answer: tokenEndpoint({ clients: machines, tokens, otherGrants: signIn.grants }),
    },
    {
      ...tokenForms,
      path: signInPaths.revoke,
      name: 'token revocation',
      answer: revocationEndpoint({ clients: machines, tokens, statements, ofSignIn: signIn.revoke }),
    },
  ]
  const metadataRoutes = protectedResourceDocuments(baseUrl).map(({ path, answer }): PlainRoute => ({
    method: 'GET',
    path,
    name: 'protected resource metadata',
    bytesMax: 0,
    answer,
  }))

  return {
    identifyByToken: (request, now, refused) => authenticate(request.headers.authorization, now, refused),
    identifyByCertificate: (tls) => {
      const presented =
        tls.by === 'service' ? certificateOfConnection() : certificateOfProxy(tls.header, addressRanges(tls.addresses))
      const find = certificateLookup(database.reads)
      return certificateAuthenticator({ environment: name, presented, find })
    },
    challenge: (request) => bearerChallenge(baseUrl(), { path: pathOfRequest(request), query: queryOf(request) }),
    routes: [...tokenRoutes, ...metadataRoutes, ...signIn.routes],
    close: async () => {
      await Promise.all([clients.close(), signIn.close()])
    },
  }
}
