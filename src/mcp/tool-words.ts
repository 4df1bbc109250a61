import { methodOf, pathOf, pathParameterNames, type Operation } from '../contract/operation.ts'
import { toolName } from '../publish/mcp.ts'

type Tool = { entry: Operation; argumentNames: readonly string[] }

/**
 * What a refusal says, in the words of a tool: the operations' own sentences speak of paths, query parameters, bodies
 * and other operations, where a tool has arguments and there are other tools.
 *
 * @param offered the operations that are tools
 */
export function toolWords(offered: readonly Operation[]): (detail: string, tool: Tool) => string {
  const routes = offered.map((entry) => ({
    form: new RegExp(`^${methodOf(entry)} ${pathOf(entry).replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    name: toolName(entry.id),
  }))

  function toolAt(route: string): string {
    return routes.find(({ form }) => form.test(route))?.name ?? route
  }

  const inToolWords = (words: string): string =>
    words
      .replaceAll(/\b(?:GET|POST|PUT|PATCH) \/v1\/[\w/{}-]+/g, toolAt)
      .replaceAll(/\b(?:a )?(?:query |path )?(?:parameter|field)(s?)\b/gi, (found, plural: string) => {
        const noun = `argument${plural}`
        return /^a /i.test(found) ? `${found[0] === 'A' ? 'An' : 'an'} ${noun}` : matchingCase(found, noun)
      })
      .replaceAll(/\bbody\b/g, 'input')

  return (detail, { entry, argumentNames }) =>
    // What the caller sent is quoted, and stays as it is.
    detail
      .replaceAll(/("(?:[^"\\]|\\.)*")|[^"]+/g, (words, quoted?: string) => quoted ?? inToolWords(words))
      .replace(/\bone or more of ([^.]*), separated by commas/, 'a list of one or more of $1')
      .replace(/^The input must have at least \d+ arguments?/, (found) =>
        [found, ...pathParameterNames(entry)].join(' besides '),
      )
      .replace(/(?<=accepted here\. Accepted: )[^.]*/, (found) =>
        requestLists(entry).includes(found) ? listed(argumentNames) : found,
      )
}

/** What is accepted in the query and in the body, as a refusal lists it; an object inside a body has its own list. */
function requestLists({ query, body }: Operation): string[] {
  return [query, (body?.schema as { properties?: object } | undefined)?.properties].map((fields) =>
    listed(Object.keys(fields ?? {})),
  )
}

function listed(names: readonly string[]): string {
  return names.join(', ') || 'none'
}

function matchingCase(found: string, noun: string): string {
  return found[0] === found[0]!.toUpperCase() ? noun[0]!.toUpperCase() + noun.slice(1) : noun
}
