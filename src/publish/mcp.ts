import { isDeepStrictEqual } from 'node:util'
import type { TSchema } from 'typebox'
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
  description: string
  inputSchema: JsonObject & { type: 'object' }
  outputSchema: JsonObject & { type: 'object' }
  annotations: { readOnlyHint: boolean; destructiveHint?: boolean; idempotentHint?: boolean; openWorldHint: boolean }
}

/** Page sizes for agents: small, since every record uses up context. */
export const toolPage = { default: 10, max: 25 } as const

/** Whether an operation is offered to agents. Some are not, such as lists that another list contains. */
export function isOfferedToAgents(entry: Operation): boolean {
  return entry.agents?.offered !== 'never'
}

/** What the tools before tell already: this one names them instead, and adds what it tells. */
type Told = {
  /** the tool that describes a record, by the name of the record */
  records: Map<string, string>
  /** the tool that describes an argument with fields of its own, and how, by the name of the argument */
  inputs: Map<string, { by: string; schema: JsonObject }>
}

const nothingTold = (): Told => ({ records: new Map(), inputs: new Map() })

export function publishTool(entry: Operation, told = nothingTold()): PublishedTool {
  return {
    name: toolName(entry.id),
    description: entry.agentNote ? `${entry.says}\n\n${entry.agentNote}` : entry.says,
    inputSchema: inputSchema(entry, told),
    outputSchema: outputSchema(entry, told),
    annotations: annotations(entry),
  }
}

/** All tools, in the order of their operations. What several answer or take is described once. */
export function publishTools(entries: readonly Operation[]): PublishedTool[] {
  const told = nothingTold()
  return entries.filter(isOfferedToAgents).map((entry) => publishTool(entry, told))
}

/** The protocol gives the other hints no meaning on a tool that only reads, and takes a tool for not idempotent by itself. */
function annotations({ at, agents = {} }: Operation): PublishedTool['annotations'] {
  const openWorldHint = agents.openWorld === true
  if (methodOf({ at }) === 'GET' || agents.readOnly) return { readOnlyHint: true, openWorldHint }
  return {
    readOnlyHint: false,
    destructiveHint: agents.destructive === true,
    ...(agents.idempotent && { idempotentHint: true }),
    openWorldHint,
  }
}

/** `approveProof` → `approve_proof` */
export function toolName(id: string): string {
  return id.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** One flat object of the parameters of path, query and body, which have no name in common. */
function inputSchema(entry: Operation, told: Told): PublishedTool['inputSchema'] {
  const path = pathParameterNames(entry)
  const body = entry.body ? withoutRepeats(slim(inlined(entry.body.schema))) : {}
  const required = [...path, ...((body.required as string[] | undefined) ?? [])]
  const keysMin = body.minProperties as number | undefined
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(path.map((name) => [name, parameterSchema(pathParameters[name])])),
      ...Object.fromEntries(
        Object.entries(entry.query ?? {}).map(([name, parameter]) => [
          name,
          pageParameters[name] ?? parameterSchema(parameter),
        ]),
      ),
      ...(body.properties && toldOnce(entry, body.properties as Record<string, JsonObject>, told)),
    },
    ...(required.length > 0 ? { required } : {}),
    // At least one field of the body, besides those of the path.
    ...(keysMin === undefined ? {} : { minProperties: path.length + keysMin }),
    additionalProperties: false,
  }
}

/** An argument with fields of its own that an earlier tool takes in just this form is told by the name of that tool. */
function toldOnce(entry: Operation, fields: Record<string, JsonObject>, { inputs }: Told): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, schema]): [string, JsonObject] => {
      if (!schema.properties && !(schema.items as JsonObject | undefined)?.properties) return [name, schema]
      const earlier = inputs.get(name)
      if (earlier && isDeepStrictEqual(earlier.schema, schema)) {
        return [name, { type: schema.type!, description: `as ${earlier.by} takes it` }]
      }
      if (!earlier) inputs.set(name, { by: toolName(entry.id), schema })
      return [name, schema]
    }),
  )
}

const pageParameters: Readonly<Record<string, JsonObject>> = {
  limit: { type: 'integer', maximum: toolPage.max, default: toolPage.default, description: 'page size' },
  cursor: { type: 'string', description: 'nextCursor of the page before' },
}

function parameterSchema(parameter: Parameter<unknown>): JsonObject {
  return { ...slim(inlined(parameter.schema)), description: parameter.says }
}

/**
 * The keys of the answer. None is required, because some clients check the problem of a failed call (`isError`) against
 * this schema too.
 */
function outputSchema(entry: Operation, { records }: Told): PublishedTool['outputSchema'] {
  const [record] = Object.values(entry.answers) as (TSchema & { $id?: string })[]
  const { $id: recordName } = record!
  const by = recordName === undefined ? undefined : records.get(recordName)
  if (by !== undefined) return { type: 'object', description: `as ${by} answers` }
  if (recordName !== undefined) records.set(recordName, toolName(entry.id))
  const { properties } = inlined(record!) as { properties: Record<string, JsonObject> }
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, field]) => [
        name,
        { type: typeBeside(typeOf(field), problemTypes[name]) },
      ]),
    ),
  }
}

/** The types of a field, without what is in it. */
function typeOf({ type, anyOf, const: only }: JsonObject): string[] {
  if (type !== undefined) return [type].flat() as string[]
  return only === undefined ? (anyOf as JsonObject[]).flatMap(typeOf) : [typeof only]
}

/** The types of the fields of a problem, whose names records have too. */
const problemTypes = Object.fromEntries(
  Object.entries(inlined(Problem).properties as Record<string, JsonObject>).map(([name, field]) => [
    name,
    typeOf(field)[0]!,
  ]),
)

function typeBeside(types: readonly string[], also: string | undefined): Json {
  const all = [...new Set(also === undefined ? types : [...types, also])]
  return all.length === 1 ? all[0]! : all
}

/**
 * Tools share the context of a model with its task, so a schema says types, choices and meanings. The limits of a value
 * are checked with the call, and a refusal names them.
 */
function slim(schema: JsonObject, inside = false): JsonObject {
  const kept = Object.entries(schema).filter(([key]) => !unsaid.has(key) && !(inside && key === 'additionalProperties'))
  return Object.fromEntries(
    kept.map(([key, member]): [string, Json] => {
      if (key === 'properties') {
        const fields = Object.entries(member as Record<string, JsonObject>)
        return [key, Object.fromEntries(fields.map(([name, field]) => [name, slim(field, true)]))]
      }
      if (key === 'items') return [key, slim(member as JsonObject, true)]
      if (key === 'anyOf') return [key, (member as JsonObject[]).map((each) => slim(each, true))]
      return [key, member]
    }),
  )
}

/** An object whose fields are all among those of an earlier one is told by its name, best of one with just these. */
function withoutRepeats(schema: JsonObject, said = new Map<string, JsonObject>()): JsonObject {
  const fields = Object.entries((schema.properties ?? {}) as Record<string, JsonObject>).map(
    ([name, field]): [string, JsonObject] => {
      const own = field.properties as JsonObject | undefined
      if (!own) return [name, withoutRepeats(field, said)]
      const [first] = [...said]
        .filter(([, earlier]) => Object.keys(own).every((key) => isDeepStrictEqual(earlier[key], own[key])))
        .toSorted(([, a], [, b]) => Object.keys(a).length - Object.keys(b).length)
      said.set(name, own)
      if (!first) return [name, withoutRepeats(field, said)]
      const lacking = Object.keys(first[1]).filter((key) => !(key in own))
      const but = lacking.length === 0 ? '' : `, but not ${lacking.join(', ')}`
      return [
        name,
        { type: 'object', description: `${String(field.description)}; it has the fields of ${first[0]}${but}` },
      ]
    },
  )
  return {
    ...schema,
    ...(schema.properties ? { properties: Object.fromEntries(fields) } : {}),
    ...(schema.items ? { items: withoutRepeats(schema.items as JsonObject, said) } : {}),
  }
}

const unsaid: ReadonlySet<string> = new Set([
  'format',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'maxProperties',
  'propertyNames',
])
