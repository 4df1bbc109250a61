import type { Budget } from '../budget.ts'
import { Keyword, Lexer } from '../syntax/lexer.ts'
import { Dict, isArray, type PdfObject, PdfString, type Resolver, type Stream } from '../syntax/objects.ts'

/** What is needed of a font (9.5 to 9.8) to tell where its text stands. Lengths are in parts of the font size. */
export type Font = {
  /** without the prefix of a subset */
  name: string
  embedded: boolean
  bytesPerCode: 1 | 2
  /** how far a code moves on */
  width: (code: number) => number
  isBlank: (code: number) => boolean
  ascent: number
  descent: number
  /** of the size that is set: Type 3 fonts have units of their own */
  sizeFactor: number
  vertical: boolean
}

/** Fonts claim all sorts of heights; text of Latin letters stays between these. */
const usualAscent = 0.72
const usualDescent = -0.21

const space = 32
const noBreakSpace = 160

/** @param decode of streams: the map to Unicode */
export function readFont(dict: Dict, resolver: Resolver, budget: Budget, decode: (stream: Stream) => Uint8Array): Font {
  budget.spend(1000)
  const type = dict.name('Subtype')
  const descendant = resolver.resolve(dict.array('DescendantFonts')?.[0])
  const composite = type === 'Type0'
  const inner = composite && descendant instanceof Dict ? descendant : dict
  const descriptor = inner.dict('FontDescriptor')
  const encoding = dict.name('Encoding') ?? dict.stream('Encoding')?.dict.name('CMapName')
  const blanks = blankCodes(dict.stream('ToUnicode'), budget, decode)
  const common = {
    name: (dict.name('BaseFont') ?? inner.name('BaseFont') ?? dict.name('Name') ?? '').replace(/^[A-Z]{6}\+/, ''),
    embedded: type === 'Type3' || ['FontFile', 'FontFile2', 'FontFile3'].some((key) => descriptor?.stream(key)),
    ascent: height(descriptor, ['CapHeight', 'Ascent'], usualAscent),
    descent: Math.max(-0.3, Math.min(0, (descriptor?.number('Descent') ?? usualDescent * 1000) / 1000)),
    vertical: composite && encoding !== undefined && /(^|-)V$/.test(encoding),
    sizeFactor: 1,
  }
  if (composite)
    return {
      ...common,
      bytesPerCode: 2,
      width: compositeWidths(inner, resolver, budget),
      isBlank: (code) => blanks.has(code),
    }
  const isBlank = (code: number): boolean => blanks.has(code) || code === space || code === noBreakSpace
  if (type === 'Type3') return { ...common, ...type3Metrics(dict), bytesPerCode: 1, isBlank }
  return { ...common, bytesPerCode: 1, width: simpleWidths(dict, descriptor, common.name), isBlank }
}

function height(descriptor: Dict | undefined, keys: readonly string[], usual: number): number {
  const told = keys.map((key) => descriptor?.number(key)).find((value) => value !== undefined && value > 0)
  return told === undefined ? usual : Math.max(0.5, Math.min(0.8, told / 1000))
}

function simpleWidths(dict: Dict, descriptor: Dict | undefined, name: string): Font['width'] {
  const widths = dict.list('Widths')
  const first = dict.number('FirstChar') ?? 0
  // Of the standard fonts, which may come without widths, only Courier has one for all.
  const missing = widths ? (descriptor?.number('MissingWidth') ?? 0) : name.startsWith('Courier') ? 600 : 530
  return (code) => {
    const width = widths?.[code - first]
    return (typeof width === 'number' ? width : missing) / 1000
  }
}

/** A Type 3 font draws in a space of its own, which FontMatrix makes text space. */
function type3Metrics(dict: Dict): Pick<Font, 'width' | 'ascent' | 'descent' | 'sizeFactor'> {
  const matrix = dict.numbers('FontMatrix') ?? [0.001, 0, 0, 0.001, 0, 0]
  const across = Math.abs(matrix[0] ?? 0) || 0.001
  const upward = Math.abs(matrix[3] ?? 0) || 0.001
  const [, bottom = 0, , top = 0] = dict.numbers('FontBBox') ?? []
  const widths = dict.list('Widths')
  const first = dict.number('FirstChar') ?? 0
  const tall = (top - bottom) * upward
  const sizeFactor = tall > 0 ? tall : 1000 * upward
  return {
    width: (code) => {
      const width = widths?.[code - first]
      return typeof width === 'number' ? width * across : 0
    },
    ascent: tall > 0 ? top * upward : usualAscent * sizeFactor,
    descent: tall > 0 ? bottom * upward : 0,
    sizeFactor,
  }
}

const codes = 65_536

/** /W: `first [w w w]` and `first last w` by turns (9.7.4.3). */
function compositeWidths(dict: Dict, resolver: Resolver, budget: Budget): Font['width'] {
  const usual = dict.number('DW') ?? 1000
  const widths = new Float32Array(codes).fill(usual)
  const items = dict.list('W') ?? []
  for (let at = 0; at + 1 < items.length;) {
    const first = items[at]
    const second = items[at + 1]
    if (typeof first !== 'number') break
    if (isArray(second ?? null)) {
      for (const [index, width] of (second as readonly PdfObject[]).entries()) {
        const value = resolver.resolve(width)
        if (typeof value === 'number') widths[first + index] = value
      }
      at += 2
    } else {
      const width = items[at + 2]
      if (typeof second !== 'number' || typeof width !== 'number') break
      const [from, to] = [Math.max(0, first), Math.min(codes, second + 1)]
      budget.spend(Math.max(1, (to - from) / 16))
      widths.fill(width, from, to)
      at += 3
    }
  }
  return (code) => (widths[code] ?? usual) / 1000
}

/** The codes that ToUnicode (9.10.3) maps to a space, by its `bfchar` pairs. */
function blankCodes(map: Stream | undefined, budget: Budget, decode: (stream: Stream) => Uint8Array): Set<number> {
  const blanks = new Set<number>()
  if (map === undefined) return blanks
  const lexer = new Lexer(decode(map))
  let inPairs = false
  let code: number | undefined
  for (let token = lexer.next(); token !== undefined; token = lexer.next()) {
    if (token instanceof Keyword) inPairs = token.value === 'beginbfchar'
    if (!inPairs || !(token instanceof PdfString)) continue
    const value = token.bytes.reduce((sum, byte) => (sum * 256 + byte) % 2 ** 32, 0)
    if (code === undefined) code = value
    else {
      if (value === space || value === noBreakSpace) blanks.add(code)
      code = undefined
    }
  }
  budget.spend(lexer.position)
  return blanks
}
