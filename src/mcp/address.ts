import { mcpQuery, type Toolset } from '../contract/toolsets.ts'
import { queryReader } from '../http/reading/read-query.ts'

/** What the address of the endpoint narrows it to: `/v1/mcp?toolsets=orders,catalog&readonly`. */
export type McpAddress = {
  /** undefined = all */
  toolsets: readonly Toolset[] | undefined
  readOnly: boolean
  /** the same for addresses that mean the same */
  key: string
}

/** The address without parameters, which narrows nothing. */
export const wholeAddress: McpAddress = { toolsets: undefined, readOnly: false, key: '' }

const read = queryReader({ query: mcpQuery })

/** @throws Refusal for an unknown toolset or any other parameter (GEN-09) */
export function readAddress(query: string): McpAddress {
  if (query === '') return wholeAddress
  const { toolsets, readonly = false } = read(query) as { toolsets?: Toolset[]; readonly?: boolean }
  return { toolsets, readOnly: readonly, key: `${toolsets?.join(',') ?? ''}${readonly ? '&readonly' : ''}` }
}

/** What an address leaves out, as a sentence; undefined = nothing */
export function narrownessOf({ toolsets, readOnly }: McpAddress): string | undefined {
  const limits = [
    ...(toolsets ? [`has the toolsets ${toolsets.join(', ')} only`] : []),
    ...(readOnly ? ['only reads'] : []),
  ]
  return limits.length === 0 ? undefined : `This address of the endpoint ${limits.join(' and ')}.`
}
