import type { IncomingHttpHeaders } from 'node:http'

/**
 * The edge's managed rules (LIM-10): they block requests that carry known marks of attack tools. They look only at the
 * URL and a few headers. The service does not depend on them, since every input is validated again where it is used.
 * They must let through whatever partners may legitimately send: words such as "select" or "union", apostrophes, dates,
 * e-mail addresses, URLs as values, base64url cursors.
 */

/**
 * Marks that appear in no innocent request line or header. Matched on lower-case text, after percent escapes are
 * decoded once and once again, because attackers hide one encoding inside another.
 */
const anywhere = new RegExp(
  [
    // overlong UTF-8 of a dot or a slash, which is never valid
    String.raw`\xc0[\xae\xaf]`,
    String.raw`<\/?(?:script|iframe|object|embed)[\s>/]|<(?:svg|img|body)[\s/][^>]{0,200}\bon[a-z]{3,20}\s?=`,
    String.raw`\$\{(?:jndi:|(?:lower|upper|env|sys|date|::-)[^}]{0,40}\})`,
    String.raw`/etc/(?:passwd|shadow|hosts)\b|/proc/self/|\bwin\.ini\b|\bboot\.ini\b`,
    String.raw`\bunion\s{1,8}(?:all\s{1,8})?select\s{1,8}(?:(?:null|\d{1,9})\s{0,8}(?:,|--|#|$)|@@|char\(|concat\(|'|[a-z_*]{1,40}\s{0,8}(?:,|\sfrom\b))`,
    String.raw`\b(?:pg_)?sleep\(\s?\d{1,6}\s?\)|\bwaitfor\s{1,8}delay\s{0,8}'|\bbenchmark\(\s?\d{1,12}\s?,`,
    String.raw`'\s{0,8}(?:or|and)\s{1,8}'?(\w{1,20})'?\s{0,8}=\s{0,8}'?\1\b`,
    String.raw`;\s{0,8}(?:drop|truncate|alter)\s{1,8}(?:table|database)\b|;\s{0,8}shutdown\b`,
    String.raw`\bxp_cmdshell\b|\binformation_schema\.`,
    String.raw`(?:;|\||&&|\$\(|\x60)\s?(?:cat|wget|curl|nc|bash|sh|id|whoami)\s(?:-|/|http)`,
    String.raw`\bphp://(?:input|filter)|\bfile:///etc`,
  ].join('|'),
)

/** Directory traversal: any `..` segment in a path, or one next to a separator in a value. */
const climbs = /(?:^|[=&?/\\])\.\.(?:;[^/\\]{0,40})?[/\\]|[/\\]\.\.(?:$|[?#])/

/** Files and consoles that scanners look for and this service does not have. Matched on the path alone. */
const probes =
  /\/\.(?:env|git|svn|hg|aws|ssh|htaccess|htpasswd|ds_store|vscode|idea)(?:[./_-]|$)|\.(?:php\d?|aspx?|jsp|cgi|bak|sql)$|\/(?:wp-admin|wp-login|wp-content|phpmyadmin|cgi-bin|actuator)(?:\/|$)/

const scannedHeaders = [
  'user-agent',
  'referer',
  'accept-language',
  'x-forwarded-for',
  'x-api-version',
  'cookie',
] as const

/** True when the raw request target or one of the scanned headers carries such a mark. */
export function isSuspicious(url: string, headers: IncomingHttpHeaders): boolean {
  const once = decoded(url)
  const target = lowerCase(decoded(once))
  const query = target.indexOf('?')
  const path = query === -1 ? target : target.slice(0, query)
  if (once.includes('\0') || anywhere.test(target) || climbs.test(target) || probes.test(path)) return true
  return scannedHeaders.some((name) => {
    const value = headers[name]
    return value !== undefined && anywhere.test(lowerCase(decoded(decoded(String(value)))))
  })
}

/** Decodes percent escapes byte by byte: the marks are ASCII, and malformed escapes must stay visible. */
function decoded(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text
  return text
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_escape, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
}

/** Lowers ASCII letters only: other bytes are parts of characters. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
