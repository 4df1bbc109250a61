import type { Caller } from '../../contract/caller.ts'
import type { Environment } from '../../vocabulary/environment.ts'
import { effectiveScopes, type RefusalCause } from '../effective-scopes.ts'
import type { PartnerRecord } from '../partner-record.ts'
import type { AccessTokenClaims, AccessTokens } from './access-token.ts'
import type { CredentialLookup } from './credential-lookup.ts'

/** A person's sign-in, found by the subject of its token: the partner and the person. */
export type SignedIn = { partner: PartnerRecord; clientId: string | null; user: NonNullable<Caller['user']> }

/**
 * From an `Authorization` header to a caller. undefined whatever the cause, so that callers cannot tell the causes apart
 * (AUTH-20, AUTH-22 to AUTH-29); `refused` gets the cause, for the log.
 * @throws Outage when the primary database cannot answer, which is never a 401
 */
export type BearerAuthenticator = (
  authorization: string | undefined,
  now: Date,
  refused?: (cause: RefusalCause) => void,
) => Promise<Caller | undefined>

const bearerForm = /^bearer +([!-~]+) *$/i

export function bearerAuthenticator(parts: {
  environment: Environment
  tokens: AccessTokens
  clients: Pick<CredentialLookup, 'find' | 'used'>
  /** left out = tokens of signed-in persons are refused */
  findSignIn?: (claims: AccessTokenClaims, now: Date) => Promise<SignedIn | undefined>
}): BearerAuthenticator {
  const { environment, tokens, clients, findSignIn } = parts

  return async (authorization, now, refused) => {
    const caller = await resolve(authorization, now)
    if (typeof caller !== 'string') return caller
    refused?.(caller)
    return undefined
  }

  async function resolve(authorization: string | undefined, now: Date): Promise<Caller | RefusalCause> {
    if (authorization === undefined || authorization === '') return 'no_credential'
    const token = bearerForm.exec(authorization)?.[1]
    if (token === undefined) return 'not_bearer'
    const claims = tokens.read(token, now)
    if (!claims) return 'token_not_valid'
    return claims.kind === 'client' ? clientCaller(claims, now) : userCaller(claims, now)
  }

  async function clientCaller(claims: AccessTokenClaims, now: Date): Promise<Caller | RefusalCause> {
    const partner = await clients.find(claims)
    if (!partner) return 'credential_unknown'
    if (partner.machineMethod !== 'BEARER') return 'wrong_method'
    const scopes = effectiveScopes(partner, claims.scopes)
    if (typeof scopes === 'string') return scopes
    clients.used(claims.subject, now)
    return { ...identity(partner, scopes, claims), authMethod: 'IDP_M2M', clientId: claims.subject, user: null }
  }

  async function userCaller(claims: AccessTokenClaims, now: Date): Promise<Caller | RefusalCause> {
    const signedIn = await findSignIn?.(claims, now)
    if (!signedIn) return 'credential_unknown'
    const scopes = effectiveScopes(signedIn.partner, claims.scopes)
    if (typeof scopes === 'string') return scopes
    const { clientId, user } = signedIn
    return { ...identity(signedIn.partner, scopes, claims), authMethod: 'IDP_USER', clientId, user }
  }

  function identity(partner: PartnerRecord, scopes: Caller['scopes'], claims: AccessTokenClaims) {
    return {
      partnerId: partner.partnerId,
      partnerName: partner.partnerName,
      environment,
      tier: partner.tier,
      siteIds: partner.siteIds,
      scopes,
      tokenExpiresOn: claims.expiresOn,
      certificate: null,
    }
  }
}
