import { pathOf, methodOf, type Operation } from '../contract/operation.ts'
import { toolName } from '../publish/mcp.ts'

/**
 * What a refusal says, in the words of a tool: the operations' own sentences speak of paths, query parameters, bodies
 * and other operations, where a tool has arguments and there are other tools.
 *
 * @param offered the operations that are tools
 */
export function toolWords(offered: readonly Operation[]): (detail: string, argumentNames: readonly string[]) => string {
  const routes = offered.map((entry) => ({
    form: new RegExp(`^${methodOf(entry)} ${pathOf(entry).replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    name: toolName(entry.id),
  }))

  function toolAt(route: string): string {
    return routes.find(({ form }) => form.test(route))?.name ?? route
  }

  return (detail, argumentNames) =>
    detail
      .replaceAll(/\b(?:GET|POST|PUT|PATCH) \/v1\/[\w/{}-]+/g, toolAt)
      .replaceAll(/\b(?:a )?(?:query |path )?(?:parameter|field)(s?)\b/gi, (found, plural: string) => {
        const noun = `argument${plural}`
        return /^a /i.test(found) ? `${found[0] === 'A' ? 'An' : 'an'} ${noun}` : matchingCase(found, noun)
      })
      .replaceAll(/\bbody\b/g, 'input')
      .replace(/Accepted: [^.]*\./, `Accepted: ${argumentNames.join(', ') || 'none'}.`)
}

function matchingCase(found: string, noun: string): string {
  return found[0] === found[0]!.toUpperCase() ? noun[0]!.toUpperCase() + noun.slice(1) : noun
}
