/** What commands print: text with a style. Only the terminal turns a style into escape sequences. */

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

export type Piece = string | { text: string; style: Style }

const opens: Readonly<Record<Style, number>> = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 }

const style =
  (name: Style) =>
  (text: string | number): Piece => ({ text: String(text), style: name })

export const bold = style('bold')
export const dim = style('dim')
export const red = style('red')
export const green = style('green')
export const yellow = style('yellow')
export const cyan = style('cyan')

export function textOf(piece: Piece): string {
  return typeof piece === 'string' ? piece : piece.text
}

export function withText(piece: Piece, text: string): Piece {
  return typeof piece === 'string' ? text : { ...piece, text }
}

/** @param text already safe */
export function painted(piece: Piece, text: string, inColour: boolean): string {
  if (typeof piece === 'string' || !inColour || text === '') return text
  return `\u001B[${opens[piece.style]}m${text}\u001B[0m`
}
