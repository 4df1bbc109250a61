/** The errors of the token and revocation endpoints (RFC 6749 §5.2), and what each means to the one who asked. */
export const oauthErrors = {
  invalid_request: 'Something is missing, sent twice, or in two ways: read `error_description`.',
  invalid_client: 'The client id or the secret is wrong or was revoked, or belongs to the other environment.',
  invalid_grant:
    'The code or the refresh token was used before, is too old, or belongs to another request: sign in again.',
  invalid_scope: 'The scopes are not names separated by single spaces.',
  invalid_target: 'The token is asked for another service than this one: send the `resource` that the sign-in had.',
  unauthorized_client: 'This client may not get a token in this way: an app client may use `client_credentials` only.',
  unsupported_grant_type: 'The `grant_type` is not offered.',
  temporarily_unavailable:
    'Too many tokens were asked for: keep one for its hour, and wait as long as `Retry-After` says.',
} as const

export type OauthError = keyof typeof oauthErrors

export function isOauthError(code: string): code is OauthError {
  return Object.hasOwn(oauthErrors, code)
}

/** The part of a guide of the developer site that explains them. */
export const guideToOauthErrors = '/guides/sign-in/#when-a-token-is-refused'
