import type { Operation } from '../../contract/operation.ts'
import type { Parameter } from '../../contract/parameters.ts'
import { Refusal } from '../../contract/refusal.ts'
import { QueryRefused, readQueryString } from '../../vocabulary/query-string.ts'

/** What was read, by name. */
export type Values = Record<string, unknown>

type Queried = Pick<Operation, 'query' | 'queryRules' | 'collection'>

/**
 * Reads a query string by an operation's parameters. An unknown, repeated or malformed parameter and a broken rule are
 * refused.
 */
export function queryReader(entry: Queried): (raw: string) => Values {
  const parameters = Object.entries(entry.query ?? {})
  const known = new Map(parameters)
  const fallbacks = parameters.filter(([, parameter]) => parameter.fallback !== undefined)
  const accepted = parameters.length === 0 ? 'none' : parameters.map(([name]) => name).join(', ')

  return (raw) => {
    const values: Values = {}
    for (const [name, parameter] of fallbacks) values[name] = parameter.fallback
    for (const [name, text] of raw === '' ? [] : parametersOf(raw)) {
      const parameter = known.get(name)
      if (!parameter) throw unknownParameter(entry, name, accepted)
      const value = parameter.read(text)
      if (value === undefined) throw new Refusal(parameter.malformed, malformedDetail('query', name, parameter))
      values[name] = value
    }
    for (const rule of entry.queryRules ?? [])
      if (rule.broken(values as never)) throw new Refusal(rule.code, rule.detail)
    return values
  }
}

function parametersOf(raw: string): Map<string, string> {
  try {
    return readQueryString(raw)
  } catch (error) {
    if (error instanceof QueryRefused) throw new Refusal('invalid_request', error.message)
    throw error
  }
}

function unknownParameter(entry: Queried, name: string, accepted: string): Refusal {
  if (name === 'updatedSince' && entry.collection) return new Refusal('updated_since_not_supported')
  const shown = JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name)
  return new Refusal(
    'unknown_query_parameter',
    `The query parameter ${shown} is not accepted here. Accepted: ${accepted}.`,
  )
}

export function malformedDetail(where: 'path' | 'query', name: string, { form }: Parameter<unknown>): string {
  return `The ${where} parameter ${name} must be ${form}.`
}
