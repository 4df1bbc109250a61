import { generate, correction, type Bitmap2D } from 'lean-qr'
import { layOut, type LaidText, type TextStyle } from '../../../documents/text/lay-out.ts'
import type { TemplateValues, ValueProblem } from '../template-vendor.ts'
import {
  lineHeightOfTexts,
  type Area,
  type Art,
  type Chosen,
  type Design,
  type Inks,
  type Path,
  type Picture,
  type QrCode,
  type Rectangle,
  type Text,
  type Texts,
} from './design.ts'

/** What is drawn on a page once the values are known. */
export type Composed =
  | (Rectangle & { inks: Inks })
  | (Path & { fills: Inks | undefined; lines: Inks | undefined })
  | Picture
  | { draw: 'text'; text: string; area: Area; style: TextStyle; inks: Inks; turned: { degrees: number; around: Area } }
  | (QrCode & { code: Bitmap2D })

type Composition = { pages: Composed[][]; problems: ValueProblem[] }

/** Fills the values into a design. Only without problems are the pages whole. */
export function compose(design: Design, values: TemplateValues): Composition {
  const filling = new Filling(design, values)
  const pages = design.pages.map((arts) => arts.flatMap((art) => filling.art(art)))
  return { pages, problems: filling.problems() }
}

/** The rest of a longer value is not looked at. */
const valueLengthMax = 1_000
/** In ems. A text of more letters than a field could hold of this width is not set to its end, which would take long. */
const narrowestLetter = 0.2
/** Below it, cameras take the modules of a code for noise. */
const modulePointsMin = 0.9
/** the white around a code, in modules */
export const quietZone = 4

class Filling {
  readonly #values: TemplateValues
  readonly #problems = new Map<string, ValueProblem>()
  readonly #laidTexts = new Map<string, LaidText>()

  constructor(design: Design, values: TemplateValues) {
    this.#values = values
    for (const { name, required, listItems } of design.variables) {
      const value = this.#valueOf(name)
      if ((Object.hasOwn(values, name) ? values[name]!.length : 0) > valueLengthMax) {
        this.#note({ variable: name, kind: 'too_long', lengthMax: valueLengthMax })
      }
      if (required && value === '') this.#note({ variable: name, kind: 'missing' })
      else if (Object.hasOwn(values, name) && listItems && !listItems.includes(values[name]!)) {
        this.#note({ variable: name, kind: 'not_listed' })
      }
    }
  }

  problems(): ValueProblem[] {
    return [...this.#problems.values()]
  }

  art(art: Art): Composed[] {
    switch (art.draw) {
      case 'rectangle':
        return [{ ...art, inks: this.#chosen(art.fill) }]
      case 'path':
        return [{ ...art, fills: art.fill && this.#chosen(art.fill), lines: art.line && this.#chosen(art.line.inks) }]
      case 'picture':
        return [art]
      case 'texts':
        return this.#texts(art)
      case 'qr':
        return this.#qr(art)
      case 'choice':
        return this.#chosen<readonly Art[]>(art).flatMap((each) => this.art(each))
      case 'condition':
        return (this.#valueOf(art.value) === '' ? art.blank : art.given).flatMap((each) => this.art(each))
    }
  }

  #valueOf(name: string): string {
    return Object.hasOwn(this.#values, name) ? this.#values[name]!.slice(0, valueLengthMax).trim() : ''
  }

  /** A value that the list does not have is noted; the first item stands in for it. */
  #chosen<Thing>(thing: Chosen<Thing>): Thing {
    if (!isChoice(thing)) return thing
    const item = Object.hasOwn(thing.of, this.#valueOf(thing.by)) ? this.#valueOf(thing.by) : Object.keys(thing.of)[0]!
    return thing.of[item]!
  }

  #texts({ area, texts, vertical = 'top', turned = 0 }: Texts): Composed[] {
    const [left, top, width, height] = lying(area, turned)
    const set = texts.flatMap((text) => {
      const said = this.#textOf(text)
      if (said === '') return []
      const style = styleOf(text)
      const laid = this.#laidOnce(text, said, style, width)
      return [{ text, said, style: { ...style, size: laid.size }, height: laid.height }]
    })
    const spaceOf = (index: number): number => (index === 0 ? 0 : (set[index]!.text.space ?? 0))
    const used = set.reduce((sum, each, index) => sum + spaceOf(index) + each.height, 0)
    const free = height - used
    let at = top + (vertical === 'top' ? 0 : vertical === 'bottom' ? free : free / 2)
    return set.map(({ text, said, style, height: high }, index) => {
      at += spaceOf(index)
      const placed: Area = [left, at, width, high]
      at += high
      return {
        draw: 'text',
        text: said,
        area: placed,
        style,
        inks: this.#chosen(text.inks),
        turned: { degrees: turned, around: area },
      }
    })
  }

  #textOf({ text, maxLines = 1 }: Text): string {
    if (isValue(text)) return around(text, oneLined(this.#valueOf(text.value), maxLines))
    return this.#chosen(text)
  }

  /** A document may say the same in many fields, such as on a sheet of stickers. */
  #laidOnce(text: Text, said: string, style: TextStyle, width: number): LaidText {
    const key = JSON.stringify([text.text, said, style, width])
    return this.#laidTexts.getOrInsertComputed(key, () => this.#laid(text, said, style, width))
  }

  #laid({ text, maxLines = 1 }: Text, said: string, style: TextStyle, width: number): LaidText {
    const smallest = typeof style.size === 'number' ? style.size : style.size.min
    // Lines are counted here: a text with a last line is set many times, to shorten it.
    const asSmall: TextStyle = { ...style, size: smallest, maxLines: Infinity }
    const isShown = (laid: LaidText): boolean => isWhole(laid) && laid.lines.length <= maxLines
    const letters = lettersOf(said)
    const lettersMax = Math.ceil((maxLines * width) / (smallest * narrowestLetter))
    const small = layOut(letters.slice(0, lettersMax).join(''), asSmall, { width })
    if (isShown(small) && letters.length <= lettersMax) return layOut(said, style, { width })
    if (!isValue(text)) throw new Error(`a fixed text does not fit its field: ${said}`)
    const variable = text.value
    if (small.missing.length > 0) {
      this.#note({ variable, kind: 'no_glyphs', characters: small.missing.slice(0, 10).join('') })
      return small
    }
    const fits = (part: string): boolean => isShown(layOut(around(text, oneLined(part, maxLines)), asSmall, { width }))
    this.#note({ variable, kind: 'too_long', lengthMax: longest(this.#valueOf(variable), fits) })
    return small
  }

  #qr(art: QrCode): Composed[] {
    const value = this.#valueOf(art.value)
    if (value === '') return []
    const code = codeOf(value, art.area)
    if (code) return [{ ...art, code }]
    const lengthMax = longest(value, (part) => codeOf(part, art.area) !== undefined)
    this.#note({ variable: art.value, kind: 'too_long', lengthMax })
    return []
  }

  /** One problem for each variable. Where it stands in several fields, the smallest counts. */
  #note(problem: Pick<ValueProblem, 'variable' | 'kind'> & Partial<ValueProblem>): void {
    const noted = this.#problems.get(problem.variable)
    const whole = { lengthMax: null, characters: null, ...problem }
    if (whole.lengthMax !== null) whole.lengthMax = Math.max(1, whole.lengthMax)
    if (!noted) this.#problems.set(problem.variable, whole)
    else if (noted.kind === 'too_long' && whole.kind === 'too_long' && whole.lengthMax! < noted.lengthMax!) {
      noted.lengthMax = whole.lengthMax
    }
  }
}

function isChoice<Thing>(thing: Chosen<Thing>): thing is { by: string; of: Readonly<Record<string, Thing>> } {
  return typeof thing === 'object' && thing !== null && 'by' in thing
}

type ValueText = Extract<Text['text'], { value: string }>

function isValue(text: Text['text']): text is ValueText {
  return typeof text === 'object' && 'value' in text
}

function around({ before = '', after = '' }: ValueText, value: string): string {
  return value === '' ? '' : before + value + after
}

function oneLined(value: string, maxLines: number): string {
  return maxLines === 1 ? value.replace(/\s+/gu, ' ') : value
}

/** A text that is turned by a quarter has the area's height as its width. */
function lying([left, top, width, height]: Area, turned: number): Area {
  if (turned % 180 === 0) return [left, top, width, height]
  return [left + (width - height) / 2, top + (height - width) / 2, height, width]
}

function styleOf({ size, bold, align = 'left', maxLines = 1 }: Text): TextStyle {
  return { size, weight: bold ? 'bold' : 'regular', align, maxLines, lineHeight: lineHeightOfTexts }
}

function isWhole({ fits, wordsBroken, missing }: LaidText): boolean {
  return fits && !wordsBroken && missing.length === 0
}

/** What readers take for a letter, accents and all. */
function lettersOf(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment)
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/**
 * About how many characters of the text may stay: the longest beginning that fits. Short ones are tried first, since a
 * long text takes long to set.
 */
function longest(text: string, fits: (part: string) => boolean): number {
  const letters = lettersOf(text)
  const fitsUpTo = (length: number): boolean => fits(letters.slice(0, length).join(''))
  let low = 0
  let high = 8
  while (high < letters.length && fitsUpTo(high)) {
    low = high
    high *= 2
  }
  high = Math.min(high, letters.length)
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (fitsUpTo(middle)) low = middle
    else high = middle
  }
  return low
}

/** undefined when its modules would be too small to be read */
function codeOf(value: string, [, , width]: Area): Bitmap2D | undefined {
  // A code of version 1 has 21 modules a side, and each version 4 more.
  const maxVersion = Math.min(40, Math.floor((width / modulePointsMin - 2 * quietZone - 17) / 4))
  if (maxVersion < 1) return undefined
  try {
    return generate(value, { minCorrectionLevel: correction.M, maxVersion })
  } catch {
    // More than such a code takes.
    return undefined
  }
}
