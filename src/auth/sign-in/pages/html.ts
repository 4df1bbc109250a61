import { escapeHtml } from '../../../vocabulary/escape-html.ts'

/** Text that is already HTML; all other text in a page is escaped. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Piece = Html | string | number | false | null | undefined | readonly Piece[]

/** `html\`<p>${name}</p>\`` */
export function html(strings: TemplateStringsArray, ...pieces: Piece[]): Html {
  return new Html(strings.map((text, index) => text + (index < pieces.length ? written(pieces[index]) : '')).join(''))
}

function written(piece: Piece): string {
  if (piece instanceof Html) return piece.text
  if (Array.isArray(piece)) return (piece as readonly Piece[]).map(written).join('')
  if (piece === false || piece === null || piece === undefined) return ''
  return escapeHtml(String(piece))
}

/** Text from outside, on one line: without control characters and direction marks, and of limited length. */
export function shown(text: string, lengthMax = 80): string {
  const line = text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const letters = Array.from(line)
  return letters.length > lengthMax ? `${letters.slice(0, lengthMax - 1).join('')}…` : line
}
