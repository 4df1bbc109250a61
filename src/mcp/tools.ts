import type { Caller } from '../contract/caller.ts'
import type { PerformedOperation } from '../gateway/perform.ts'
import { isOfferedToAgents, publishTools, type PublishedTool } from '../publish/mcp.ts'
import { toolInputReader, type ToolInput } from './tool-input.ts'
import { toolWords } from './tool-words.ts'

/**
 * The tools of a host: one for each of its operations that is offered to agents. It decides which tools a caller sees;
 * whether a call is allowed is checked with every call.
 */
export type McpTool = PerformedOperation & {
  published: PublishedTool
  readInput: (args: Readonly<Record<string, unknown>>) => ToolInput
  /** the sentence of a refusal, in words of this tool */
  inItsWords: (detail: string) => string
}

export type McpTools = {
  byName: (name: string) => McpTool | undefined
  /**
   * the tools that the caller's effective scopes allow, in the contract's order (MCP-01); the same list for the same
   * scopes
   */
  of: (caller: Caller) => PublishedTool[]
}

/** Makes every schema once. @param operations in the contract's order */
export function mcpTools(operations: readonly PerformedOperation[]): McpTools {
  const offered = operations.filter(({ entry }) => isOfferedToAgents(entry))
  const entries = offered.map(({ entry }) => entry)
  const published = publishTools(entries)
  const inWords = toolWords(entries)
  const tools = offered.map(({ entry, perform }, index): McpTool => ({
    entry,
    perform,
    published: published[index]!,
    readInput: toolInputReader(entry),
    inItsWords: (detail) => {
      const argumentNames = Object.keys(published[index]!.inputSchema.properties as object)
      return inWords(detail, { entry, argumentNames })
    },
  }))
  const byName = new Map(tools.map((tool) => [tool.published.name, tool]))
  // At most one list for each set of ten scopes.
  const lists = new Map<string, PublishedTool[]>()

  return {
    byName: (name) => byName.get(name),
    of: ({ scopes }) => {
      const key = [...scopes].toSorted().join(' ')
      let list = lists.get(key)
      if (!list) {
        const allowed = tools.filter(({ entry }) => entry.scope === null || scopes.has(entry.scope))
        lists.set(key, (list = allowed.map((tool) => tool.published)))
      }
      return list
    },
  }
}
