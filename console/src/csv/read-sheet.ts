/** Reads a file of a spreadsheet in the browser, so that its own cells can be shown before it is sent. */

export type Sheet = {
  /** the first row names the columns; places are those that a spreadsheet counts from 1 */
  rows: readonly (readonly string[])[]
  /** the same rows as the service takes them: UTF-8, with commas */
  text: string
  /** what was read otherwise than the service would have read it, in sentences */
  hints: readonly string[]
}

const separators = [',', ';', '\t'] as const
const separatorNames = { ',': 'commas', ';': 'semicolons', '\t': 'tabs' } as const

/**
 * Takes what spreadsheets write: UTF-8, UTF-16 or Windows-1252, with commas, semicolons or tabs. A file that is UTF-8 with
 * commas is sent as it is.
 */
export function readSheet(bytes: ArrayBuffer): Sheet {
  const { text, encoding } = decoded(bytes)
  const separator = separatorOf(text)
  const rows = parseRows(text, separator)
  if (encoding === 'UTF-8' && separator === ',') return { rows, text, hints: [] }
  return {
    rows,
    text: writeRows(rows),
    hints: [
      ...(encoding === 'UTF-8'
        ? []
        : [`The file is ${encoding} and is sent as UTF-8. Look whether its accented letters are right below.`]),
      ...(separator === ','
        ? []
        : [`Its cells are separated by ${separatorNames[separator]}; it is sent with commas. Decimals need a point.`]),
    ],
  }
}

function decoded(bytes: ArrayBuffer): { text: string; encoding: string } {
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength))
  if (first === 0xff && second === 0xfe) return { text: new TextDecoder('utf-16le').decode(bytes), encoding: 'UTF-16' }
  if (first === 0xfe && second === 0xff) return { text: new TextDecoder('utf-16be').decode(bytes), encoding: 'UTF-16' }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'UTF-8' }
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'Windows-1252' }
  }
}

/** The separator that the header has most of. */
function separatorOf(text: string): (typeof separators)[number] {
  const [header = ''] = text.split('\n', 1)
  const countOf = (separator: string) => header.split(separator).length
  return separators.reduce((best, separator) => (countOf(separator) > countOf(best) ? separator : best))
}

/** Rows of cells; quoted cells may hold separators, quotes and line breaks. The last line break begins no row. */
export function parseRows(text: string, separator: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  const endRow = () => {
    rows.push([...row, cell])
    row = []
    cell = ''
  }
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]!
    if (isQuoted) {
      if (sign !== '"') cell += sign
      else if (text[at + 1] === '"') {
        cell += '"'
        at += 1
      } else isQuoted = false
    } else if (sign === '"' && cell === '') isQuoted = true
    else if (sign === separator) {
      row.push(cell)
      cell = ''
    } else if (sign === '\n') endRow()
    else if (sign !== '\r' || text[at + 1] !== '\n') cell += sign
  }
  if (cell !== '' || row.length > 0) endRow()
  return rows
}

function writeRows(rows: readonly (readonly string[])[]): string {
  const written = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
  return rows.map((row) => `${row.map(written).join(',')}\r\n`).join('')
}
