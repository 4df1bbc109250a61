import { Type } from 'typebox'
import { QueryRefused, readQueryString } from '../vocabulary/query-string.ts'
import { wordsFilter, type Parameter } from './parameters.ts'

/**
 * The toolsets of the MCP endpoint: an agent that needs only some of the API is given an address that offers no more.
 * Each chapter of the contract names the toolset of its operations.
 */
export const toolsets = {
  orders: 'orders, their lines and shipments, submissions',
  proofs: 'proofs: look at them, approve or decline them',
  artwork: 'print files of lines, and checks of files before an order',
  catalog: 'products, their variants, images and templates',
  quotes: 'prices of goods and of delivery',
  users: 'storefront users, their segments and addresses',
  divisions: 'parts of a customer organisation',
  credit: 'credit accounts and their movements',
  sites: 'the storefronts granted to you',
} as const

export type Toolset = keyof typeof toolsets

export const toolsetNames = Object.keys(toolsets) as Toolset[]

/** A parameter that may stand alone, as in `?readonly`. */
const bareFlag: Parameter<boolean> = {
  schema: Type.Boolean(),
  read: (value) => (value === '' || value === 'true' ? true : value === 'false' ? false : undefined),
  malformed: 'invalid_request',
  form: 'left without a value, or true or false',
  says: 'only what reads; may stand without a value',
}

/** What the address of the MCP endpoint may ask for. */
export const mcpQuery = {
  toolsets: wordsFilter(toolsetNames, 'invalid_request', 'only these toolsets; `get_me` is in each'),
  readonly: bareFlag,
} as const

const queryLengthMax = 300

/** Whether a query of the endpoint's address is one that it accepts. */
export function isMcpQuery(query: string): boolean {
  if (query.length > queryLengthMax) return false
  const known = new Map<string, Parameter<unknown>>(Object.entries(mcpQuery))
  try {
    return [...readQueryString(query)].every(([name, value]) => known.get(name)?.read(value) !== undefined)
  } catch (error) {
    if (error instanceof QueryRefused) return false
    throw error
  }
}
