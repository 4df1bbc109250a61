/**
 * The query of a URL, read without guessing. It owns decoding and the rule that a parameter appears only once. Which
 * parameters a route accepts, and what they mean, is the contract's matter. URLSearchParams is not used because it
 * turns malformed percent-escapes into U+FFFD and lets a parameter repeat.
 */

/**
 * A query refused by {@link readQueryString}; `parameter` is its decoded name, or the raw one if it cannot be decoded.
 */
export class QueryRefused extends Error {
  override readonly name = 'QueryRefused'
  readonly reason: 'repeated' | 'malformed'
  readonly parameter: string

  constructor(reason: 'repeated' | 'malformed', parameter: string) {
    super(
      reason === 'repeated'
        ? `The query parameter ${JSON.stringify(parameter)} is repeated. Send it once.`
        : `The query parameter ${JSON.stringify(parameter)} is not valid percent-encoded UTF-8.`,
    )
    this.reason = reason
    this.parameter = parameter
  }
}

/**
 * Reads a raw query (without the `?`) into decoded names and values, in the order sent. `+` is a space; a parameter
 * without `=` has the value `''`; an empty piece between two `&` is ignored. Throws {@link QueryRefused} for a name
 * sent twice, however encoded, and for a name or value that is not percent-encoded UTF-8 (RFC 3986 §2.1), contains
 * U+0000, or contains a character that a URL must encode.
 */
export function readQueryString(raw: string): Map<string, string> {
  const parameters = new Map<string, string>()
  for (const piece of raw.split('&')) {
    if (piece === '') continue
    const equals = piece.indexOf('=')
    const rawName = equals === -1 ? piece : piece.slice(0, equals)
    const name = decode(rawName)
    if (name === undefined) throw new QueryRefused('malformed', rawName)
    const value = equals === -1 ? '' : decode(piece.slice(equals + 1))
    if (value === undefined) throw new QueryRefused('malformed', name)
    if (parameters.has(name)) throw new QueryRefused('repeated', name)
    parameters.set(name, value)
  }
  return parameters
}

function decode(raw: string): string | undefined {
  // An HTTP server passes unencoded bytes on as Latin-1, so a raw é here is a byte of unknown meaning.
  if (/[^\x21-\x7e]/.test(raw)) return undefined
  try {
    const text = decodeURIComponent(raw.replaceAll('+', ' '))
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}
