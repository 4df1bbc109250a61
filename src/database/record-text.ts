/**
 * Writes records as JSON. Each comes from PostgreSQL as the text of a row: `(1,Oak,t,"2026-01-31 09:30:00.12+00")`. Its values
 * go from there into bytes; no object is made in between, which takes most of the time of a page otherwise.
 *
 * The form is that of PostgreSQL's record type. A null has no text at all. A value is in quotes if it is empty or holds a
 * comma, a parenthesis, a space, a quote or a backslash. Quotes and backslashes within are doubled.
 */

/** How a value is written. An instant comes in PostgreSQL's form, UTC; JSON comes as it is. */
type Kind = 'number' | 'boolean' | 'text' | 'instant' | 'json'

type Property = { type?: unknown; format?: unknown; anyOf?: readonly object[] }

/** The keys of a record in their order, with the kinds of their values. */
export type RecordForm = readonly { before: Buffer; kind: Kind }[]

/** @param schema the record as it is published: it tells what its values are. Lists must come as JSON */
export function recordForm(
  keys: readonly string[],
  schema: { readonly properties: Readonly<Record<string, object>> },
): RecordForm {
  return keys.map((key, index) => ({
    before: Buffer.from(`${index === 0 ? '{' : ','}${JSON.stringify(key)}:`),
    kind: kindOf(schema.properties[key]!),
  }))
}

function kindOf(property: Property): Kind {
  const { type, format, anyOf } = property
  if (anyOf) return kindOf(anyOf.find((each) => (each as Property).type !== 'null')!)
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean') return 'boolean'
  if (type === 'string') return format === 'date-time' ? 'instant' : 'text'
  return 'json'
}

/** Where pages are written before they are copied out. It grows with the longest page, up to a bound. */
const bytesKept = 1 << 20
let bytes = Buffer.allocUnsafeSlow(1 << 16)

/**
 * The records as a JSON list without its brackets, between two texts.
 * @param texts each a row as PostgreSQL writes it
 */
export function writeRecords(form: RecordForm, texts: readonly string[], before: string, after: string): Buffer {
  let at = 0
  reserve(at, before.length * 3)
  at += bytes.write(before, at)
  for (let index = 0; index < texts.length; index++) {
    const text = texts[index]!
    reserve(at, bytesMaxOf(form, text))
    if (index > 0) bytes[at++] = comma
    at = writeRecord(form, text, at)
  }
  reserve(at, after.length * 3)
  at += bytes.write(after, at)
  const written = Buffer.from(bytes.subarray(0, at))
  if (bytes.length > bytesKept) bytes = Buffer.allocUnsafeSlow(bytesKept)
  return written
}

function reserve(at: number, more: number): void {
  if (at + more <= bytes.length) return
  const longer = Buffer.allocUnsafeSlow(Math.max(bytes.length * 2, at + more))
  bytes.copy(longer, 0, 0, at)
  bytes = longer
}

/** A control character takes six bytes of JSON. A null takes four and a boolean five, though their texts are shorter. */
function bytesMaxOf(form: RecordForm, text: string): number {
  let most = text.length * 6 + 2
  for (const { before } of form) most += before.length + 8
  return most
}

const [quote, comma, backslash, letterT, letterZ, letterU] = [0x22, 0x2c, 0x5c, 0x54, 0x5a, 0x75]
const [zero, point, brace, end] = [0x30, 0x2e, 0x7d, 0x29]

function writeRecord(form: RecordForm, text: string, start: number): number {
  let at = start
  // Past the parenthesis.
  let from = 1
  for (let column = 0; column < form.length; column++) {
    const { before, kind } = form[column]!
    for (let index = 0; index < before.length; index++) bytes[at++] = before[index]!
    const isQuoted = text.charCodeAt(from) === quote
    if (isQuoted) from++
    const to = isQuoted ? endOfQuoted(text, from) : endOfPlain(text, from)
    if (to === from && !isQuoted) at = copy('null', 0, 4, at)
    else if (kind === 'number') at = copy(text, from, to, at)
    else if (kind === 'boolean') at = text[from] === 't' ? copy('true', 0, 4, at) : copy('false', 0, 5, at)
    else if (kind === 'instant') at = writeInstant(text, from, at)
    else if (kind === 'text') at = writeText(text, from, to, at)
    else at = isQuoted ? writeJson(text.slice(from, to), at) : copy(text, from, to, at)
    from = to + (isQuoted ? 2 : 1)
  }
  if (from !== text.length) throw new Error(`a row does not have the ${form.length} columns of its record`)
  bytes[at++] = brace
  return at
}

function endOfPlain(text: string, from: number): number {
  let to = from
  for (let code = text.charCodeAt(to); code !== comma && code !== end; code = text.charCodeAt(++to))
    // Past the end of the text.
    if (Number.isNaN(code)) throw new Error('a row ends within a value')
  return to
}

function endOfQuoted(text: string, from: number): number {
  let to = text.indexOf('"', from)
  while (text.charCodeAt(to + 1) === quote) to = text.indexOf('"', to + 2)
  if (to < 0) throw new Error('a row ends within quotes')
  return to
}

function copy(text: string, from: number, to: number, start: number): number {
  let at = start
  for (let index = from; index < to; index++) bytes[at++] = text.charCodeAt(index)
  return at
}

/** `2026-01-31 09:30:00.12+00` → `"2026-01-31T09:30:00.120Z"`; columns keep milliseconds. */
function writeInstant(text: string, from: number, start: number): number {
  let at = start
  bytes[at++] = quote
  at = copy(text, from, from + 10, at)
  bytes[at++] = letterT
  at = copy(text, from + 11, from + 19, at)
  bytes[at++] = point
  let read = from + 19
  if (text.charCodeAt(read) === point) read++
  for (let digit = 0; digit < 3; digit++) {
    const code = text.charCodeAt(read)
    const isDigit = code >= zero && code < zero + 10
    bytes[at++] = isDigit ? code : zero
    if (isDigit) read++
  }
  bytes[at++] = letterZ
  bytes[at++] = quote
  return at
}

/** JSON with a comma or a quote: what has neither is ASCII, and not in quotes. */
function writeJson(text: string, at: number): number {
  return at + bytes.write(text.includes('"') ? text.replaceAll(/(["\\])\1/g, '$1') : text, at)
}

/** Two characters that JSON escapes by a letter each. */
const escapes: Readonly<Record<number, string>> = { 8: 'b', 9: 't', 10: 'n', 12: 'f', 13: 'r' }

function writeText(text: string, from: number, to: number, start: number): number {
  let at = start
  bytes[at++] = quote
  for (let index = from; index < to; index++) {
    const code = text.charCodeAt(index)
    if (code === quote || code === backslash) {
      bytes[at++] = backslash
      bytes[at++] = code
      // It is doubled.
      index++
    } else if (code >= 0x80) {
      let next = index + 1
      while (next < to && text.charCodeAt(next) >= 0x80) next++
      at += bytes.write(text.slice(index, next), at)
      index = next - 1
    } else if (code >= 0x20) bytes[at++] = code
    else at = writeControl(code, at)
  }
  bytes[at++] = quote
  return at
}

function writeControl(code: number, start: number): number {
  let at = start
  bytes[at++] = backslash
  const escape = escapes[code]
  if (escape !== undefined) return at + bytes.write(escape, at)
  bytes[at++] = letterU
  return at + bytes.write(code.toString(16).padStart(4, '0'), at)
}
