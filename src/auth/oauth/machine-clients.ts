import type { Database } from '../../database/database.ts'
import { proveAppClient } from '../../partners/partners.ts'
import type { Scope } from '../../vocabulary/scopes.ts'
import { sourceNetwork } from '../../vocabulary/source-network.ts'
import { minuteLimit } from './minute-limit.ts'
import { invalidClient, invalidClientByHeader, refused, tooMany, type TokenAnswer } from './token-answers.ts'
import type { TokenForm, TokenRequest } from './token-form.ts'
import type { KeyRing } from '../../vocabulary/keys.ts'

/**
 * App clients as they present themselves at the token and revocation endpoints, by their secret, and the limits of these
 * endpoints. Every request counts for its network, and for the client that it names at that network, whether it
 * succeeds or not. What proven clients get counts for the client everywhere.
 */
export type MachineClients = {
  /** undefined = go on */
  refuseNetwork: (request: TokenRequest) => TokenAnswer | undefined
  /** the same for a client id, which may be another's; so it counts at this network only */
  refuseClient: (clientId: string, request: TokenRequest) => TokenAnswer | undefined
  /** the client whose credentials a request holds. @throws Outage when the primary database cannot answer */
  prove: (request: TokenRequest, form: TokenForm) => Promise<{ client: ProvenClient } | { answer: TokenAnswer }>
  /** counts a token of a proven client */
  refuseProven: (client: ProvenClient, request: TokenRequest) => TokenAnswer | undefined
}

export type ProvenClient = { clientId: string; capabilities: readonly Scope[] }

const perMinute = { client: 20, network: 100 }

/** @param parts `clientSecretKeys`: `keyRing(masterKeys, environment, 'client-secret')`; `refused` is told when a limit refuses */
export function machineClients(parts: {
  database: Pick<Database, 'reads' | 'statements'>
  clientSecretKeys: KeyRing
  limits: 'on' | 'off'
  refused?: () => void
}): MachineClients {
  const { database, clientSecretKeys, limits } = parts
  const networkLimit = limits === 'on' ? minuteLimit({ perMinute: perMinute.network }) : undefined
  const clientLimit = limits === 'on' ? minuteLimit({ perMinute: perMinute.client }) : undefined

  function refuseClient(clientId: string, { sourceAddress, now }: TokenRequest): TokenAnswer | undefined {
    return waitOf(clientLimit?.admit(`${clientId} ${sourceNetwork(sourceAddress)}`, now))
  }

  function waitOf(seconds = 0): TokenAnswer | undefined {
    if (seconds <= 0) return undefined
    parts.refused?.()
    return tooMany(seconds)
  }

  return {
    refuseNetwork: ({ sourceAddress, now }) => waitOf(networkLimit?.admit(sourceNetwork(sourceAddress), now)),
    refuseClient,
    prove: async (request, form) => {
      const claimed = readClient(request.headers.authorization, form)
      if ('answer' in claimed) return claimed
      const { clientId } = claimed
      const tooOften = refuseClient(clientId, request)
      if (tooOften) return { answer: tooOften }
      const proven = await proveAppClient(database, clientSecretKeys, claimed)
      if (!proven) return { answer: claimed.byHeader ? invalidClientByHeader() : invalidClient() }
      return { client: { clientId, ...proven } }
    },
    refuseProven: ({ clientId }, { now }) => waitOf(clientLimit?.admit(clientId, now)),
  }
}

/** Whether a request claims to come from a client with a secret: those of people have none. */
export function presentsSecret({ headers }: Pick<TokenRequest, 'headers'>, form: TokenForm): boolean {
  return headers.authorization !== undefined || form.has('client_secret')
}

/** The client id that a request names, for the log. */
export function namedClient({ headers: { authorization } }: Pick<TokenRequest, 'headers'>, form: TokenForm) {
  return form.get('client_id') ?? (authorization === undefined ? undefined : readBasic(authorization)?.clientId)
}

type ClaimedClient = { clientId: string; secret: string; byHeader: boolean }

/** The client's claimed credentials, by body or by Basic but not both (RFC 6749 §2.3). */
function readClient(authorization: string | undefined, form: TokenForm): ClaimedClient | { answer: TokenAnswer } {
  const clientId = form.get('client_id')
  const secret = form.get('client_secret')
  if (authorization === undefined) {
    if (clientId === undefined || secret === undefined) return { answer: invalidClient() }
    return { clientId, secret, byHeader: false }
  }
  if (secret !== undefined) {
    return { answer: refused(400, 'invalid_request', 'Client credentials must be sent in one way only.') }
  }
  const basic = readBasic(authorization)
  if (!basic) return { answer: invalidClientByHeader() }
  if (clientId !== undefined && clientId !== basic.clientId) {
    return { answer: refused(400, 'invalid_request', 'client_id differs from the Basic credentials.') }
  }
  return { ...basic, byHeader: true }
}

/** RFC 6749 §2.3.1: client id and secret are form-encoded before Basic encodes them. */
function readBasic(authorization: string): { clientId: string; secret: string } | undefined {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization)?.[1]
  if (encoded === undefined) return undefined
  const credentials = Buffer.from(encoded, 'base64').toString()
  const colon = credentials.indexOf(':')
  if (colon < 1) return undefined
  try {
    return {
      clientId: decodeURIComponent(credentials.slice(0, colon).replaceAll('+', ' ')),
      secret: decodeURIComponent(credentials.slice(colon + 1).replaceAll('+', ' ')),
    }
  } catch {
    return undefined
  }
}
