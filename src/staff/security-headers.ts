/** The headers of every answer: pages run and load only what this host serves, and cannot be framed. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}

/**
 * The policy of the console's page. Pictures and uploads go to the object store, PDF files are printed from memory, and
 * styles that are made while the page runs carry the nonce of this answer.
 */
export function consolePolicy(storageOrigin: string, nonce: string): string {
  return (
    `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: blob: ${storageOrigin}; ` +
    `font-src 'self'; connect-src 'self' ${storageOrigin}; frame-src blob:; manifest-src 'self'; form-action 'self'; ` +
    "base-uri 'none'; frame-ancestors 'none'"
  )
}
