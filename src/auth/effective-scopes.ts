import type { Scope } from '../vocabulary/scopes.ts'
import type { PartnerRecord } from './partner-record.ts'

/** Why a credential was refused. For the log alone: callers see one answer for all (AUTH-20). */
export type RefusalCause =
  | 'no_credential'
  | 'not_bearer'
  | 'token_not_valid'
  | 'token_expired'
  | 'certificate_not_readable'
  | 'certificate_forged'
  | 'certificate_not_valid_now'
  | 'credential_unknown'
  | 'wrong_method'
  | 'partner_disabled'
  | 'no_granted_sites'
  | 'no_effective_scopes'

/** How a refused credential is publicly known, as far as it is: the app client, or the SHA-256 of the certificate in hex. */
export type PublicCredential = { clientId?: string | undefined; certificate?: string }

/** Told why a credential was refused, and whose it is. */
export type NoteRefused = (cause: RefusalCause, credential: PublicCredential) => void

/**
 * The effective scopes of a partner's credential, or why it has none: the partner's capabilities, narrowed to those a token
 * carries if there is one (SCOPE-14, SCOPE-16). A disabled partner (AUTH-27), one without sites (AUTH-28) and an
 * empty set (AUTH-29) are refused.
 */
export function effectiveScopes(
  partner: PartnerRecord,
  tokenScopes?: readonly Scope[],
): ReadonlySet<Scope> | RefusalCause {
  if (partner.disabled) return 'partner_disabled'
  if (partner.siteIds.length === 0) return 'no_granted_sites'
  const scopes = new Set(
    tokenScopes ? partner.capabilities.filter((scope) => tokenScopes.includes(scope)) : partner.capabilities,
  )
  return scopes.size === 0 ? 'no_effective_scopes' : scopes
}
