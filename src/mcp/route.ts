import type { Toolset } from '../contract/toolsets.ts'
import type { CallerRoute } from '../gateway/host.ts'
import type { PerformedOperation } from '../gateway/perform.ts'
import type { McpParts } from './endpoint.ts'

/**
 * The MCP endpoint as a route. The protocol's library costs start-up time and memory, and many services never meet an
 * agent. So the library is loaded, and the tools are made, with the first message.
 */
export function mcpRoute(
  operations: readonly PerformedOperation[],
  { toolsetOf, ...parts }: Omit<McpParts, 'tools'> & { toolsetOf: (id: string) => Toolset | null },
): CallerRoute {
  let answer: Promise<CallerRoute['answer']> | undefined

  async function load(): Promise<CallerRoute['answer']> {
    const [{ mcpEndpoint }, { mcpTools }] = await Promise.all([import('./endpoint.ts'), import('./tools.ts')])
    return mcpEndpoint({ tools: mcpTools(operations, toolsetOf), ...parts })
  }

  return {
    method: 'POST',
    path: '/v1/mcp',
    name: 'mcp',
    answer: async (request) => (await (answer ??= load()))(request),
  }
}
