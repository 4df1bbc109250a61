/** A Content-Type (RFC 9110 §8.3): its media type in lower case, and the charsets that it names, mostly none or one. */
export type ContentType = { mediaType: string; charsets: readonly string[] }

/** Reads any text: whatever is no parameter is passed over. A quoted value may contain anything, semicolons too. */
export function readContentType(header: string | undefined): ContentType {
  const [mediaType = '', ...parameters] = (header ?? '').match(/(?:[^;"]|"(?:[^"\\]|\\.)*"?)+/g) ?? []
  const charsets = parameters.flatMap((parameter) => {
    const value = /^\s*charset\s*(?:=(.*))?$/is.exec(parameter)
    return value ? [unquoted((value[1] ?? '').trim()).toLowerCase()] : []
  })
  return { mediaType: mediaType.trim().toLowerCase(), charsets }
}

/** Whether the text is UTF-8, as far as the header says. */
export function isUtf8({ charsets }: ContentType): boolean {
  return charsets.every((charset) => charset === 'utf-8' || charset === 'utf8')
}

export const otherCharset = 'The body must be UTF-8. Send charset=utf-8, or no charset.'

function unquoted(value: string): string {
  return value.startsWith('"') ? value.replaceAll(/^"|"$/g, '').replaceAll(/\\(.)/gs, '$1') : value
}
