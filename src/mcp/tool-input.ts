import { pathParameterNames, type Operation } from '../contract/operation.ts'
import { isList } from '../contract/parameters.ts'
import type { RawCall } from '../gateway/perform.ts'
import { toolPage } from '../publish/mcp.ts'
import { readWholeNumber } from '../vocabulary/whole-number.ts'

/** The arguments of a tool call as the equivalent request, which is then checked as over HTTP. */
export type ToolInput = Pick<RawCall, 'path' | 'query' | 'body'>

/**
 * Sorts the arguments of a tool call into path, query and body. An unknown argument goes where HTTP would refuse it:
 * into the body if there is one, else into the query.
 */
export function toolInputReader(entry: Operation): (args: Readonly<Record<string, unknown>>) => ToolInput {
  const pathNames: ReadonlySet<string> = new Set(pathParameterNames(entry))
  const queryNames: ReadonlySet<string> = new Set(Object.keys(entry.query ?? {}))
  const pages = queryNames.has('limit')
  const listNames: ReadonlySet<string> = new Set(
    Object.entries(entry.query ?? {}).flatMap(([name, parameter]) => (isList(parameter) ? [name] : [])),
  )

  return (args) => {
    const path: Record<string, string> = {}
    const query = new Map<string, string>(pages ? [['limit', String(toolPage.default)]] : [])
    const body: [string, unknown][] = []
    for (const [name, value] of Object.entries(args)) {
      if (pathNames.has(name)) path[name] = textOf(value)
      else if (entry.body && !queryNames.has(name)) body.push([name, value])
      else if (listNames.has(name) && Array.isArray(value)) query.set(name, value.map(textOf).join(','))
      else query.set(name, pages && name === 'limit' ? pageSize(textOf(value)) : textOf(value))
    }
    return {
      path,
      query: [...query].map(([name, text]) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`).join('&'),
      // Built from entries, since assigning to __proto__ would set the prototype.
      body: async () => (entry.body ? Object.fromEntries(body) : undefined),
    }
  }
}

/** No parameter accepts the empty text, so it stands for values that have no text form: null, lists and objects. */
function textOf(value: unknown): string {
  return typeof value === 'object' ? '' : String(value)
}

function pageSize(text: string): string {
  const asked = readWholeNumber(text, { digitsMax: 15 })
  return asked !== undefined && asked > toolPage.max ? String(toolPage.max) : text
}
