import { createHash } from 'node:crypto'

/** A statement with its values apart: never text glued from input. `name` lets PostgreSQL keep the plan. */
export type Sql = { readonly text: string; readonly name: string; readonly values: readonly unknown[] }

/** A piece of SQL text that is part of the program (a column list, a step shared by two queries), not a value. */
export class SqlText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Marks program text for inlining into `sql`. Takes no values, so nothing from outside can pass through it. */
export function sqlText(strings: TemplateStringsArray): SqlText {
  return new SqlText(strings.raw[0]!)
}

type Prepared = { text: string; name: string }
const preparedByTemplate = new WeakMap<TemplateStringsArray, Map<string, Prepared>>()

/**
 * A prepared statement: `sql\`select … where site_id = any(${siteIds})\``. The text of one template is put together
 * once; a `SqlText` value is inlined and makes a statement of its own.
 */
export function sql(strings: TemplateStringsArray, ...parts: unknown[]): Sql {
  let variant = ''
  for (const part of parts) if (part instanceof SqlText) variant += `${part.text}\u0000`
  let prepared = preparedByTemplate.get(strings)?.get(variant)
  if (!prepared) {
    prepared = prepare(strings, parts)
    const variants = preparedByTemplate.get(strings) ?? new Map<string, Prepared>()
    preparedByTemplate.set(strings, variants.set(variant, prepared))
  }
  const values = variant === '' ? parts : parts.filter((part) => !(part instanceof SqlText))
  return { text: prepared.text, name: prepared.name, values }
}

function prepare(strings: TemplateStringsArray, parts: unknown[]): Prepared {
  let text = strings[0]!
  let position = 0
  parts.forEach((part, index) => {
    text += part instanceof SqlText ? part.text : `$${++position}`
    text += strings[index + 1]!
  })
  return { text, name: createHash('sha256').update(text).digest('base64url').slice(0, 22) }
}
