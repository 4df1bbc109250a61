import type { KeyObject } from 'node:crypto'
import { createHash } from 'node:crypto'
import { publishedScope, scopes } from '../../vocabulary/scopes.ts'

/**
 * What the authorization server publishes about itself: its metadata (RFC 8414, OpenID Connect Discovery) and the public
 * keys of its signatures. Answered without the library, so that reading them does not load it.
 */

export const signInPaths = {
  authorize: '/oauth2/authorize',
  token: '/oauth2/token',
  revoke: '/oauth2/revoke',
  jwks: '/oauth2/jwks',
  login: '/oauth2/login',
  logout: '/oauth2/logout',
  applications: '/oauth2/applications',
  invitation: '/oauth2/invitation',
  forgotten: '/oauth2/forgotten-password',
  reset: '/oauth2/reset-password',
  style: '/oauth2/style.css',
} as const

/** A key with which the library signs (`signing-keys.ts`). */
export type SigningKey = {
  kty: 'EC'
  crv: 'P-256'
  x: string
  y: string
  d: string
  kid: string
  alg: 'ES256'
  use: 'sig'
}

export function signingKeyOf(privateKey: KeyObject): SigningKey {
  const { x, y, d } = privateKey.export({ format: 'jwk' }) as { x: string; y: string; d: string }
  // RFC 7638
  const thumbprint = createHash('sha256')
    .update(JSON.stringify({ crv: 'P-256', kty: 'EC', x, y }))
    .digest('base64url')
  return { kty: 'EC', crv: 'P-256', x, y, d, kid: thumbprint, alg: 'ES256', use: 'sig' }
}

export function publicKeys(keys: readonly SigningKey[]): object {
  return { keys: keys.map(({ d: _private, ...publicKey }) => publicKey) }
}

/** Every key of the library's own discovery document has the same value here. */
export function serverMetadata(baseUrl: string): object {
  return {
    issuer: baseUrl,
    authorization_endpoint: baseUrl + signInPaths.authorize,
    token_endpoint: baseUrl + signInPaths.token,
    revocation_endpoint: baseUrl + signInPaths.revoke,
    jwks_uri: baseUrl + signInPaths.jwks,
    scopes_supported: ['openid', 'offline_access', ...scopes.map(publishedScope)],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    revocation_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    request_uri_parameter_supported: false,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    claims_supported: ['sub', 'sid', 'auth_time', 'iss'],
  }
}
