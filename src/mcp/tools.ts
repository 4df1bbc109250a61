import type { Caller } from '../contract/caller.ts'
import type { Toolset } from '../contract/toolsets.ts'
import type { PerformedOperation } from '../gateway/perform.ts'
import { isOfferedToAgents, publishTools, type PublishedTool } from '../publish/mcp.ts'
import { wholeAddress, type McpAddress } from './address.ts'
import { toolInputReader, type ToolInput } from './tool-input.ts'
import { toolWords } from './tool-words.ts'

/**
 * The tools of a host: one for each of its operations that is offered to agents. It decides which tools a caller sees
 * at which address; whether a call is allowed is checked with every call.
 */
export type McpTool = PerformedOperation & {
  published: PublishedTool
  /** null = it is in every toolset */
  toolset: Toolset | null
  /** a person is asked before it is called, where the client can ask */
  asks: boolean
  readInput: (args: Readonly<Record<string, unknown>>) => ToolInput
  /** the sentence of a refusal, in words of this tool */
  inItsWords: (detail: string) => string
}

export type McpTools = {
  byName: (name: string) => McpTool | undefined
  byOperation: (id: string) => McpTool | undefined
  /**
   * the tools that the caller's effective scopes allow at this address, in the contract's order (MCP-01); the same list
   * for the same scopes and address
   */
  of: (caller: Caller, address?: McpAddress) => PublishedTool[]
  /** whether all of these may be called by this caller at this address */
  offers: (names: readonly string[], caller: Caller, address: McpAddress) => boolean
}

/** Whether an address has a tool, whatever the caller's scopes are. */
export function isAt({ toolsets, readOnly }: McpAddress, { toolset, published }: McpTool): boolean {
  if (readOnly && !published.annotations.readOnlyHint) return false
  return toolsets === undefined || toolset === null || toolsets.includes(toolset)
}

/** Addresses come from callers, so only so many lists are kept. A list takes a few milliseconds to make. */
const listsMax = 64

/** Makes every schema once. @param operations in the contract's order */
export function mcpTools(
  operations: readonly PerformedOperation[],
  toolsetOf: (id: string) => Toolset | null = () => null,
): McpTools {
  const offered = operations.filter(({ entry }) => isOfferedToAgents(entry))
  const entries = offered.map(({ entry }) => entry)
  const published = publishTools(entries)
  const inWords = toolWords(entries)
  const tools = offered.map((operation, index): McpTool => {
    const { entry } = operation
    const argumentNames = Object.keys(published[index]!.inputSchema.properties as object)
    return {
      ...operation,
      published: published[index]!,
      toolset: toolsetOf(entry.id),
      asks: entry.agents?.destructive === true,
      readInput: toolInputReader(entry),
      inItsWords: (detail) => inWords(detail, { entry, argumentNames }),
    }
  })
  const byName = new Map(tools.map((tool) => [tool.published.name, tool]))
  const byOperation = new Map(tools.map((tool) => [tool.entry.id, tool]))
  const lists = new Map<string, PublishedTool[]>()

  function isOffered(tool: McpTool, { scopes }: Caller, address: McpAddress): boolean {
    const { scope } = tool.entry
    return (scope === null || scopes.has(scope)) && isAt(address, tool)
  }

  return {
    byName: (name) => byName.get(name),
    byOperation: (id) => byOperation.get(id),
    of: (caller, address = wholeAddress) => {
      const key = `${address.key} ${[...caller.scopes].toSorted().join(' ')}`
      // Made anew: a tool names only such others as are in the same list.
      const list =
        lists.get(key) ??
        publishTools(tools.filter((tool) => isOffered(tool, caller, address)).map(({ entry }) => entry))
      // The list used last stays longest.
      lists.delete(key)
      lists.set(key, list)
      if (lists.size > listsMax) lists.delete(lists.keys().next().value!)
      return list
    },
    offers: (names, caller, address) =>
      names.every((name) => {
        const tool = byName.get(name)
        return tool !== undefined && isOffered(tool, caller, address)
      }),
  }
}
