import { readWholeNumber } from '../../vocabulary/whole-number.ts'

/** How a value stands in a cell and is read from it. */
export type Cell<Value> = {
  write: (value: Value) => string
  /** undefined = the text has not this form */
  read: (text: string) => Value | undefined
  /** what the form is, for people: `name is …` */
  form: string
}

/** A cell of any value, for whoever only carries it. */
export type AnyCell = { write: (value: never) => string; read: (text: string) => unknown; form: string }

export type ValueIn<C extends AnyCell> = Exclude<ReturnType<C['read']>, undefined>

/**
 * Spreadsheets take a text for a formula by how it begins. Such a text is written behind an apostrophe, and so is one that
 * would read as that; reading takes the apostrophe off again. Every other text stands as it is.
 */
export function guarded(text: string): string {
  return /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text
}

export function unguarded(text: string): string {
  return /^'+[=+\-@\t\r]/.test(text) ? text.slice(1) : text
}

/** What PostgreSQL keeps in no text. */
const impossible = '\u0000'

export const text: Cell<string> = {
  write: guarded,
  read: (cell) => (cell.includes(impossible) ? undefined : unguarded(cell)),
  form: 'a text',
}

export const flag: Cell<boolean> = {
  write: String,
  read: (cell) => (cell === 'true' ? true : cell === 'false' ? false : undefined),
  form: 'true or false',
}

export const whole: Cell<number> = {
  write: String,
  read: (cell) => (cell === '0' ? 0 : readWholeNumber(cell, { digitsMax: 10 })),
  form: 'a whole number',
}

/** Exact, and left to the rules of its field. */
export const decimal: Cell<string> = {
  write: (value) => value,
  read: (cell) => (/^\d{1,20}(\.\d{1,20})?$/.test(cell) ? cell : undefined),
  form: 'a decimal such as 12.50',
}

export function word<const Words extends readonly string[]>(words: Words): Cell<Words[number]> {
  return {
    write: (value) => value,
    read: (cell) => words.find((each) => each === cell),
    form: `one of ${words.join(', ')}`,
  }
}

/** An empty cell is null. */
export function optional<Value>(cell: Cell<Value>): Cell<Value | null> {
  return {
    write: (value) => (value === null ? '' : cell.write(value)),
    read: (written) => (written === '' ? null : cell.read(written)),
    form: `${cell.form}, or empty`,
  }
}

/** Texts without a semicolon, between semicolons. */
export const list: Cell<string[]> = {
  write: (values) => guarded(values.join(';')),
  read: (cell) => {
    const all = text.read(cell)
    return all === undefined ? undefined : all === '' ? [] : all.split(';')
  },
  form: 'a list with semicolons between',
}
