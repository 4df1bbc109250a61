import type { TSchema } from 'typebox'

/**
 * Turns the contract's schemas into those of a published document: every named record becomes one component, to which
 * all uses refer, and "or null" takes its short form.
 */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

export type SchemaComponents = {
  /** the schema for the document; adds its records to the components */
  published: (schema: TSchema) => JsonObject
  /** adds an unnamed schema to the components under a name; returns the reference to it */
  add: (name: string, schema: TSchema) => JsonObject
  /** all components, by name, in alphabetical order */
  all: () => Record<string, JsonObject>
}

export function createSchemaComponents(): SchemaComponents {
  const byName = new Map<string, JsonObject>()

  function published(schema: TSchema): JsonObject {
    return convert(schema as unknown as Json, put) as JsonObject
  }

  function put(name: string, schema: JsonObject): JsonObject {
    const converted = convert(schema, put) as JsonObject
    const before = byName.get(name)
    if (before && JSON.stringify(before) !== JSON.stringify(converted)) {
      throw new Error(`two different schemas are named ${name}`)
    }
    byName.set(name, converted)
    return { $ref: `#/components/schemas/${name}` }
  }

  return {
    published,
    add: (name, schema) => put(name, withoutName(schema as unknown as JsonObject)),
    all: () => Object.fromEntries([...byName].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/** The schema with its named records inlined, for readers that do not follow references. */
export function inlined(schema: TSchema): JsonObject {
  const inline = (_name: string, record: JsonObject): JsonObject => convert(record, inline) as JsonObject
  return convert(schema as unknown as Json, inline) as JsonObject
}

function convert(value: Json, named: (name: string, record: JsonObject) => JsonObject): Json {
  if (Array.isArray(value)) return value.map((item) => convert(item, named))
  if (typeof value !== 'object' || value === null) return value
  if (typeof value.$id === 'string') return named(value.$id, withoutName(value))
  const converted: JsonObject = {}
  for (const [key, member] of Object.entries(value)) converted[key] = convert(member, named)
  return withShortNull(converted)
}

function withoutName(schema: JsonObject): JsonObject {
  const { $id: _, ...nameless } = schema
  return nameless
}

/** `anyOf: [{type: 'string'}, {type: 'null'}]` → `type: ['string', 'null']`, which tools show better. */
function withShortNull(schema: JsonObject): JsonObject {
  const [of, nothing, ...rest] = (Array.isArray(schema.anyOf) ? schema.anyOf : []) as JsonObject[]
  if (!of || rest.length > 0 || nothing?.type !== 'null' || typeof of.type !== 'string') return schema
  const { anyOf: _, ...around } = schema
  return {
    ...around,
    ...of,
    type: [of.type, 'null'],
    ...(Array.isArray(of.enum) ? { enum: [...of.enum, null] } : {}),
  }
}
