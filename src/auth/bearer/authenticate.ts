import type { Caller } from '../../contract/caller.ts'
import type { Environment } from '../../vocabulary/environment.ts'
import { effectiveScopes, type NoteRefused, type PublicCredential, type RefusalCause } from '../effective-scopes.ts'
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
  refused?: NoteRefused,
) => Promise<Caller | undefined>

type RefusedToken = { cause: RefusalCause } & PublicCredential

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
    if (!('cause' in caller)) return caller
    const { cause, ...credential } = caller
    refused?.(cause, credential)
    return undefined
  }

  async function resolve(authorization: string | undefined, now: Date): Promise<Caller | RefusedToken> {
    if (authorization === undefined || authorization === '') return { cause: 'no_credential' }
    const token = bearerForm.exec(authorization)?.[1]
    if (token === undefined) return { cause: 'not_bearer' }
    const claims = tokens.read(token, now)
    if (!claims) return refusedToken(token)
    return claims.kind === 'client' ? clientCaller(claims, now) : userCaller(claims, now)
  }

  function refusedToken(token: string): RefusedToken {
    const expired = tokens.readSigned(token)
    if (!expired) return { cause: 'token_not_valid' }
    // The subject of a person's token names a sign-in, which is nobody's public name.
    return { cause: 'token_expired', ...(expired.kind === 'client' && { clientId: expired.subject }) }
  }

  async function clientCaller(claims: AccessTokenClaims, now: Date): Promise<Caller | RefusedToken> {
    const clientId = claims.subject
    const partner = await clients.find(claims)
    if (!partner) return { cause: 'credential_unknown', clientId }
    if (partner.machineMethod !== 'BEARER') return { cause: 'wrong_method', clientId }
    const scopes = effectiveScopes(partner, claims.scopes)
    if (typeof scopes === 'string') return { cause: scopes, clientId }
    clients.used(clientId, now)
    return { ...identity(partner, scopes, claims), authMethod: 'IDP_M2M', clientId, user: null }
  }

  async function userCaller(claims: AccessTokenClaims, now: Date): Promise<Caller | RefusedToken> {
    const signedIn = await findSignIn?.(claims, now)
    if (!signedIn) return { cause: 'credential_unknown' }
    const { clientId, user } = signedIn
    const scopes = effectiveScopes(signedIn.partner, claims.scopes)
    if (typeof scopes === 'string') return { cause: scopes, clientId: clientId ?? undefined }
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
