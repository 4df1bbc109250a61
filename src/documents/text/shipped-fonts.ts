import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { Blob, Face, Font } from 'harfbuzzjs'

/**
 * The fonts that the service ships (`../fonts/README.md`). A font is unpacked when a text first needs it, and stays for
 * the life of the thread.
 */
export type Weight = 'regular' | 'bold'

export type ShippedFont = {
  name: string
  /** the TrueType file */
  bytes: Buffer
  shaper: Font
  unitsPerEm: number
  /** bold that the font itself lacks: its outlines are drawn with a line around them */
  thickened: boolean
}

type Family = {
  regular: string
  bold?: string
  /** what it is asked for; a character that no family is asked for has no font */
  of: RegExp
}

const latin: Family = { regular: 'NotoSans-Regular', bold: 'NotoSans-Bold', of: /./su }
const han = /[\p{Script=Han}\p{Script_Extensions=Han}]/u
const japanese: Family = {
  regular: 'NotoSansJP-Regular',
  of: /[\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\uff00-\uffef]/u,
}
const simplified: Family = { regular: 'NotoSansSC-Regular', of: /[\p{Script_Extensions=Han}\uff00-\uffef]/u }
const traditional: Family = {
  regular: 'NotoSansTC-Regular',
  of: /[\p{Script_Extensions=Han}\p{Script_Extensions=Bopomofo}\uff00-\uffef]/u,
}
const korean: Family = { regular: 'NotoSansKR-Regular', of: /[\p{Script_Extensions=Hangul}\uff00-\uffef]/u }
const rareHan: Family = { regular: 'NotoSansSC-More', of: han }
const emoji: Family = { regular: 'NotoEmoji-Regular', of: /[\p{Emoji}\u20e3\u{e0020}-\u{e007f}]/u }
const symbols: Family = { regular: 'NotoSansJP-Regular', of: /[\p{S}\p{P}\p{No}]/u }

/** Scripts that have a font of their own, by the font. */
const fontOfScript: readonly (readonly [script: string, font: string])[] = [
  ['Arabic', 'NotoSansArabic'],
  ['Hebrew', 'NotoSansHebrew'],
  ['Devanagari', 'NotoSansDevanagari'],
  ['Bengali', 'NotoSansBengali'],
  ['Tamil', 'NotoSansTamil'],
  ['Thai', 'NotoSansThai'],
  ['Georgian', 'NotoSansGeorgian'],
  ['Armenian', 'NotoSansArmenian'],
  ['Gujarati', 'NotoSansGujarati'],
  ['Gurmukhi', 'NotoSansGurmukhi'],
  ['Telugu', 'NotoSansTelugu'],
  ['Kannada', 'NotoSansKannada'],
  ['Malayalam', 'NotoSansMalayalam'],
  ['Oriya', 'NotoSansOriya'],
  ['Sinhala', 'NotoSansSinhala'],
  ['Khmer', 'NotoSansKhmer'],
  ['Lao', 'NotoSansLao'],
  ['Myanmar', 'NotoSansMyanmar'],
  ['Ethiopic', 'NotoSansEthiopic'],
  ['Tibetan', 'NotoSerifTibetan'],
  ['Javanese', 'NotoSansJavanese'],
  ['Balinese', 'NotoSansBalinese'],
  ['Mongolian', 'NotoSansMongolian'],
  ['Cherokee', 'NotoSansCherokee'],
  ['Thaana', 'NotoSansThaana'],
  ['Syriac', 'NotoSansSyriac'],
  ['Nko', 'NotoSansNKo'],
  ['Adlam', 'NotoSansAdlam'],
  ['Tifinagh', 'NotoSansTifinagh'],
  ['Canadian_Aboriginal', 'NotoSansCanadianAboriginal'],
  ['Ol_Chiki', 'NotoSansOlChiki'],
  ['Meetei_Mayek', 'NotoSansMeeteiMayek'],
  ['Yi', 'NotoSansYi'],
]

const ofOneScript = fontOfScript.map(([script, font]): Family => ({
  regular: `${font}-Regular`,
  of: new RegExp(`\\p{Script_Extensions=${script}}`, 'u'),
}))

/** Scripts that one font holds together, or that have one alone. */
export const scriptsToTellApart = ['Latin', 'Greek', 'Cyrillic', ...fontOfScript.map(([script]) => script)]

const loaded = new Map<string, ShippedFont>()

function load({ regular, bold }: Family, weight: Weight): ShippedFont {
  const name = weight === 'bold' ? (bold ?? regular) : regular
  const thickened = weight === 'bold' && bold === undefined
  const key = `${name} ${thickened}`
  const known = loaded.get(key)
  if (known) return known
  const plain = thickened ? load({ regular, of: latin.of }, 'regular') : readFont(name)
  const font = { ...plain, thickened }
  loaded.set(key, font)
  return font
}

function readFont(name: string): ShippedFont {
  const bytes = brotliDecompressSync(readFileSync(new URL(`../fonts/${name}.ttf.br`, import.meta.url)))
  const face = new Face(new Blob(bytes))
  return { name, bytes, shaper: new Font(face), unitsPerEm: face.upem, thickened: false }
}

/** The font whose measures set the lines. */
export function mainFont(weight: Weight): ShippedFont {
  return load(latin, weight)
}

export type FontChooser = (grapheme: string, before: ShippedFont | undefined) => ShippedFont | undefined

/**
 * Chooses the font of each grapheme of a text; undefined = no shipped font has it.
 *
 * @param language of the text (BCP 47), which decides how Chinese characters look. Without a language that says it, the
 *   text itself does: kana make it Japanese, and characters that only one of the fonts has make it that font's.
 */
export function fontsFor(text: string, weight: Weight, language: string | undefined): FontChooser {
  const ofHan = hanFamilies(text, language)
  const plain = [...ofOneScript.filter(({ of }) => of.test(text)), latin, ...ofHan, rareHan, symbols, emoji]
  const pictures = [emoji, ...plain]
  return (grapheme, before) => {
    const characters = visible(grapheme)
    if (characters.length === 0) return before ?? load(latin, weight)
    const stays = before && before.name !== emoji.regular && staysInFont.test(grapheme)
    if (stays && hasAll(before, characters)) return before
    const families = isPicture.test(grapheme) ? pictures : plain
    for (const family of families) {
      if (!characters.some((character) => family.of.test(character))) continue
      const font = load(family, weight)
      if (hasAll(font, characters)) return font
    }
    return undefined
  }
}

/** Space, and punctuation that several scripts share, look like the text before them. */
const staysInFont = /^(?:\s|(?![\x20-\x7e])[\p{P}\p{S}])/u
const isPicture = /\p{Emoji_Presentation}|\p{Emoji}\ufe0f|\p{Emoji}\u20e3/u

function visible(grapheme: string): string[] {
  return Array.from(grapheme).filter((character) => !/\p{Default_Ignorable_Code_Point}/u.test(character))
}

function hasAll(font: ShippedFont, characters: readonly string[]): boolean {
  return characters.every((character) => font.shaper.nominalGlyph(character.codePointAt(0)!) !== undefined)
}

function hanFamilies(text: string, language = ''): readonly Family[] {
  const all = [simplified, traditional, japanese, korean]
  const said = saidHan(text, language)
  if (said) return [said, ...all.filter((family) => family !== said)]
  const characters = Array.from(text).filter((character) => han.test(character))
  if (characters.length === 0) return all
  const whole = all.find((family) => hasAll(load(family, 'regular'), characters))
  return whole ? [whole, ...all.filter((family) => family !== whole)] : all
}

function saidHan(text: string, language: string): Family | undefined {
  if (/^ja\b/i.test(language) || /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return japanese
  if (/^ko\b/i.test(language) || /\p{Script=Hangul}/u.test(text)) return korean
  if (/^zh\b.*\b(?:Hant|TW|HK|MO)\b/i.test(language) || /\p{Script=Bopomofo}/u.test(text)) return traditional
  return /^zh\b/i.test(language) ? simplified : undefined
}
