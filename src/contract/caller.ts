import type { Environment } from '../vocabulary/environment.ts'
import type { Scope } from '../vocabulary/scopes.ts'

export type AuthMethod = 'IDP_M2M' | 'MTLS' | 'IDP_USER'
export type Tier = 'TRIAL' | 'STANDARD' | 'ENTERPRISE'

/** Who calls, once the credential is resolved (GEN-05): one partner, its granted sites, its effective scopes. */
export type Caller = {
  partnerId: string
  partnerName: string
  environment: Environment
  authMethod: AuthMethod
  tier: Tier
  /** granted sites, ascending, never empty */
  siteIds: readonly number[]
  /** effective scopes, never empty */
  scopes: ReadonlySet<Scope>
  clientId: string | null
  tokenExpiresOn: Date | null
  /** `sha256`: of the whole certificate, in hex */
  certificate: { subjectDn: string; serialNumber: string; sha256: string; expiresOn: Date } | null
  user: { userName: string; email: string | null } | null
}
