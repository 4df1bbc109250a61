/** Answers of the token and revocation endpoints, in the form of RFC 6749. */

export type TokenAnswer = {
  status: number
  headers: Record<string, string>
  body: string
  told?: { code?: string; clientId?: string | undefined }
}

export function answer(status: number, body: object, headers: Record<string, string> = {}): TokenAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', pragma: 'no-cache', ...headers },
    body: JSON.stringify(body),
  }
}

export function refused(
  status: number,
  error: string,
  description: string,
  headers?: Record<string, string>,
): TokenAnswer {
  return { ...answer(status, { error, error_description: description }, headers), told: { code: error } }
}

export const invalidClientSays = 'The client credentials are missing or not valid.'

export function invalidClient(headers?: Record<string, string>): TokenAnswer {
  return refused(401, 'invalid_client', invalidClientSays, headers)
}

/** A client that used the header is told which scheme is accepted (RFC 6749 §5.2). */
export function invalidClientByHeader(): TokenAnswer {
  return invalidClient({ 'www-authenticate': 'Basic realm="oauth2/token", charset="UTF-8"' })
}

export function tooMany(retryAfterSeconds: number): TokenAnswer {
  return refused(429, 'temporarily_unavailable', 'Too many requests. Wait as long as Retry-After says.', {
    'retry-after': String(retryAfterSeconds),
  })
}
