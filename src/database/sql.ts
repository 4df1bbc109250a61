import { createHash } from 'node:crypto'

/** A statement with its values apart, never text built from input. `name` lets PostgreSQL keep the plan. */
export type Sql = {
  readonly text: string
  readonly name: string
  readonly values: readonly unknown[]
  /** the error that is thrown when the statement fails, in place of the driver's */
  readonly failsAs?: (error: unknown) => unknown
}

/** A piece of a statement: a column list, a condition with its values, a step shared by two queries. */
export class SqlPart {
  readonly strings: readonly string[]
  readonly parts: readonly unknown[]
  constructor(strings: readonly string[], parts: readonly unknown[]) {
    this.strings = strings
    this.parts = parts
  }
}

/** A part of a statement, for use inside `sql`, with values of its own if it needs them. */
export function sqlText(strings: TemplateStringsArray, ...parts: unknown[]): SqlPart {
  return new SqlPart(strings, parts)
}

export const nothing = sqlText``

/**
 * A word of a closed list, as part of the text. A plan that is made for all values takes each for as common as any other;
 * so a word that few rows have gets a plan of its own.
 */
export function word(text: string): SqlPart {
  if (!/^\w+$/.test(text)) throw new Error(`not a word: ${text}`)
  return new SqlPart([`'${text}'`], [])
}

/**
 * A whole number of the program's own, as part of the text. A plan that is made for all values takes a limit for a tenth of
 * the rows.
 */
export function fixed(number: number): SqlPart {
  if (!Number.isSafeInteger(number)) throw new Error(`not a whole number: ${number}`)
  return new SqlPart([String(number)], [])
}

type Prepared = { text: string; name: string }
const preparedByTemplate = new WeakMap<TemplateStringsArray, Prepared>()
const nameByText = new Map<string, string>()

/**
 * A prepared statement: `sql\`select … where site_id = any(${siteIds})\``. A template is composed once. One with
 * `SqlPart`s inside makes one statement for each combination of parts that the program uses.
 */
export function sql(strings: TemplateStringsArray, ...parts: unknown[]): Sql {
  const known = preparedByTemplate.get(strings)
  if (known) return { text: known.text, name: known.name, values: parts }
  const values: unknown[] = []
  const text = written(strings, parts, values)
  const name = nameOf(text)
  if (!parts.some((part) => part instanceof SqlPart)) preparedByTemplate.set(strings, { text, name })
  return { text, name, values }
}

function written(strings: readonly string[], parts: readonly unknown[], values: unknown[]): string {
  let text = strings[0]!
  parts.forEach((part, index) => {
    text += part instanceof SqlPart ? written(part.strings, part.parts, values) : `$${values.push(part)}`
    text += strings[index + 1]!
  })
  return text
}

function nameOf(text: string): string {
  let name = nameByText.get(text)
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 22)
    nameByText.set(text, name)
  }
  return name
}
