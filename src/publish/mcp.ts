import { methodOf, pathParameterNames, type Operation } from '../contract/operation.ts'
import { pathParameters, type Parameter } from '../contract/parameters.ts'
import { Problem } from '../contract/problem-document.ts'
import { inlined, type Json, type JsonObject } from './schemas.ts'

/**
 * The contract as MCP tools. A pure function of an entry, without handler or caller: the endpoint decides which tools a
 * caller sees, and turns the call of a tool into a call of the operation.
 */
export type PublishedTool = {
  /** `approve_proof` for `approveProof` */
  name: string
  title: string
  description: string
  inputSchema: JsonObject & { type: 'object' }
  outputSchema: JsonObject & { type: 'object' }
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: false }
}

/** Page sizes for agents: small, since every record uses up context. */
export const toolPage = { default: 10, max: 25 } as const

/** Whether an operation is offered to agents. Some are not, such as those that issue a credential for one minute. */
export function isOfferedToAgents(entry: Operation): boolean {
  return entry.agents?.offered !== 'never'
}

export function publishTool(entry: Operation): PublishedTool {
  const isRead = methodOf(entry) === 'GET'
  return {
    name: toolName(entry.id),
    title: titleOf(entry.id),
    description: entry.agentNote ? `${entry.says}\n\n${entry.agentNote}` : entry.says,
    inputSchema: inputSchema(entry),
    outputSchema: outputSchema(entry),
    annotations: {
      readOnlyHint: isRead || entry.agents?.readOnly === true,
      destructiveHint: entry.agents?.destructive === true,
      idempotentHint: isRead || entry.agents?.readOnly === true || entry.agents?.idempotent === true,
      openWorldHint: false,
    },
  }
}

/** `approveProof` → `approve_proof` */
export function toolName(id: string): string {
  return id.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** `approveProof` → `Approve proof` */
function titleOf(id: string): string {
  const words = toolName(id).replaceAll('_', ' ')
  return words[0]!.toUpperCase() + words.slice(1)
}

/** One flat object of the parameters of path, query and body, which have no name in common. */
function inputSchema(entry: Operation): PublishedTool['inputSchema'] {
  const path = pathParameterNames(entry)
  const query = Object.entries(entry.query ?? {})
  const body = entry.body ? forTools(entry.body.schema) : {}
  const required = [...path, ...((body.required as string[] | undefined) ?? [])]
  const keysMin = body.minProperties as number | undefined
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(path.map((name) => [name, parameterSchema(pathParameters[name])])),
      ...Object.fromEntries(
        query.map(([name, parameter]) => [name, name === 'limit' ? pageSize : parameterSchema(parameter)]),
      ),
      ...(body.properties as JsonObject | undefined),
    },
    ...(required.length > 0 ? { required } : {}),
    // At least one field of the body, besides those of the path.
    ...(keysMin === undefined ? {} : { minProperties: path.length + keysMin }),
    additionalProperties: false,
  }
}

const pageSize: JsonObject = {
  type: 'integer',
  minimum: 1,
  maximum: toolPage.max,
  default: toolPage.default,
  description: `page size; default ${toolPage.default}, at most ${toolPage.max}`,
}

function parameterSchema(parameter: Parameter<unknown>): JsonObject {
  return { ...forTools(parameter.schema), description: parameter.says }
}

/**
 * The body of the answer, or the problem of a failed call: some clients check structured content against this schema
 * even if the result has `isError`.
 */
function outputSchema(entry: Operation): PublishedTool['outputSchema'] {
  const bodies = [...new Set(Object.values(entry.answers))].map(forTools)
  return { type: 'object', anyOf: [...bodies, problem] }
}

function forTools(schema: Parameters<typeof inlined>[0]): JsonObject {
  return withStandardKeywords(inlined(schema)) as JsonObject
}

/** Turns the values of an open enumeration into examples: strict readers refuse keywords unknown to JSON Schema. */
function withStandardKeywords(value: Json): Json {
  if (Array.isArray(value)) return value.map(withStandardKeywords)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key === 'x-extensible-enum' ? 'examples' : key,
      withStandardKeywords(member),
    ]),
  )
}

const problem = withoutCodes(forTools(Problem))

/** Leaves out the list of all codes, which every tool would repeat. */
function withoutCodes(schema: JsonObject): JsonObject {
  const properties = schema.properties as JsonObject
  const { enum: _, ...code } = properties.code as JsonObject
  return { ...schema, description: 'when the call failed (isError)', properties: { ...properties, code } }
}
