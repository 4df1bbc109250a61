import type { InlineHashes } from './built-site.ts'

/**
 * The headers of every answer of the developer site. Its pages run only scripts of this host and those whose hashes they
 * are served with; they call this host and the two bearer hosts, and show pictures of the object store.
 */
export const siteHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}

/** Of scripts: one that runs as a worker has the policy that it came with. The search is such a one. */
export const scriptPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"

/** Of everything else that is no page. */
export const closedPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox"

/**
 * Search runs WebAssembly. The colours of code are attributes of its words, so attributes may hold styles.
 * @param called origins that the pages may call
 */
export function pagePolicy(
  { scripts, styles }: InlineHashes,
  { called, pictures }: { called: readonly string[]; pictures: string },
): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'wasm-unsafe-eval'${named(scripts)}`,
    `style-src 'self'${named(styles)}`,
    "style-src-attr 'unsafe-inline'",
    `img-src 'self' data: blob: ${pictures}`,
    "font-src 'self'",
    `connect-src 'self' ${called.join(' ')}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function named(hashes: readonly string[]): string {
  return hashes.map((hash) => ` 'sha256-${hash}'`).join('')
}
