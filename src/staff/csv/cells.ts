import { readWholeNumber } from '../../vocabulary/whole-number.ts'

/** How a value is written to a cell and read from it. */
export type Cell<Value> = {
  write: (value: Value) => string
  /** undefined = the text does not have this form */
  read: (text: string) => Value | undefined
  /** the form in words: `name is …` */
  form: string
}

/** A cell of any value, for code that only passes it on. */
export type AnyCell = { write: (value: never) => string; read: (text: string) => unknown; form: string }

export type ValueIn<C extends AnyCell> = Exclude<ReturnType<C['read']>, undefined>

/** How a formula begins: also in full-width signs, and after a line break. */
const formula = String.raw`[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]`
const [guardedStart, unguardedStart] = [new RegExp(`^'*${formula}`), new RegExp(`^'+${formula}`)]

/**
 * Spreadsheets recognize a formula by its first character. A text that begins like one is written with an apostrophe before
 * it, and so is a text that begins with such an apostrophe. Reading removes it. Every other text is written as it is.
 */
export function guarded(text: string): string {
  return guardedStart.test(text) ? `'${text}` : text
}

export function unguarded(text: string): string {
  return unguardedStart.test(text) ? text.slice(1) : text
}

/** PostgreSQL cannot store it in a text. */
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

/** Such as stock, which is below zero where pieces are owed. */
export const signed: Cell<number> = {
  write: String,
  read: (cell) => (/^(0|-?[1-9]\d{0,9})$/.test(cell) ? Number(cell) : undefined),
  form: 'a whole number, below zero or not',
}

/** Exact. The rules of the field check it later. */
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

/** Some of the words, separated by semicolons. */
export function someWords<const Words extends readonly string[]>(known: Words): Cell<Words[number][]> {
  return {
    write: (values) => values.join(';'),
    read: (cell) => {
      const all = cell.split(';')
      return all.every((each): each is Words[number] => known.includes(each)) ? all : undefined
    },
    form: `some of ${known.join(', ')}, with semicolons between`,
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

/** Texts without semicolons, separated by semicolons. */
export const list: Cell<string[]> = {
  write: (values) => guarded(values.join(';')),
  read: (cell) => {
    const all = text.read(cell)
    return all === undefined ? undefined : all === '' ? [] : all.split(';')
  },
  form: 'a list with semicolons between',
}
