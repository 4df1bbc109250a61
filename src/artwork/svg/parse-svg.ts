import { SaxesParser } from 'saxes'

/** An element by its local name, with attributes by local name: what matters is drawn alike under any prefix. */
export type SvgElement = {
  name: string
  attributes: Map<string, string>
  /** texts between elements are strings */
  children: (SvgElement | string)[]
}

/** Larger or deeper documents are not read. */
export const svgBounds = { bytes: 32 * 1_024 * 1_024, elements: 200_000, depth: 200, characters: 64 * 1_024 * 1_024 }

/**
 * Reads the elements of an SVG document. Entities are the five of XML, and those that the document declares for the
 * addresses of its namespaces, as Illustrator does; nothing else is expanded, and nothing is looked up. Processing
 * instructions, such as style sheets from elsewhere, are told as references.
 * @returns the root; `too complex` beyond the bounds; null when the document is not well formed or not SVG
 */
export function parseSvg(bytes: Uint8Array): { root: SvgElement; references: string[] } | 'too complex' | null {
  if (bytes.length > svgBounds.bytes) return 'too complex'
  const text = decoded(bytes)
  if (text === null) return null
  const document: SvgElement = { name: '', attributes: new Map(), children: [] }
  const open: SvgElement[] = [document]
  const references: string[] = []
  let [elements, characters, beyond] = [0, 0, false]
  const parser = new SaxesParser({ fragment: false })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('doctype', (doctype) => {
    for (const [, name, , address] of doctype.matchAll(
      /<!ENTITY\s+([\w.-]{1,50})\s+(["'])(https?:\/\/[^&<>"']{1,200})\2\s*>/g,
    ))
      parser.ENTITIES[name!] = address!
  })
  parser.on('processinginstruction', ({ target, body }) => {
    if (target === 'xml-stylesheet') references.push(/href\s*=\s*["']([^"']*)/.exec(body)?.[1] ?? target)
  })
  parser.on('opentag', ({ name, attributes }) => {
    const element: SvgElement = { name: localName(name), attributes: new Map(), children: [] }
    for (const [key, value] of Object.entries(attributes)) {
      characters += value.length
      if (key === 'xmlns' || key.startsWith('xmlns:')) continue
      element.attributes.set(localName(key), value)
    }
    open.at(-1)!.children.push(element)
    open.push(element)
    if (++elements > svgBounds.elements || open.length > svgBounds.depth) beyond = true
    if (beyond || characters > svgBounds.characters) throw new Beyond()
  })
  parser.on('closetag', () => open.pop())
  const addText = (piece: string): void => {
    characters += piece.length
    open.at(-1)!.children.push(piece)
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  try {
    parser.write(text).close()
  } catch (error) {
    return error instanceof Beyond ? 'too complex' : null
  }
  const root = document.children.find((child) => typeof child !== 'string')
  return root?.name === 'svg' ? { root, references } : null
}

class Beyond extends Error {}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** As its first bytes or its declaration say; UTF-8 otherwise. */
function decoded(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1')
  const byMark = head.startsWith('\xff\xfe') ? 'utf-16le' : head.startsWith('\xfe\xff') ? 'utf-16be' : undefined
  const declared = /^(?:\xef\xbb\xbf)?<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(head)?.[1]
  try {
    return new TextDecoder(byMark ?? declared ?? 'utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
