import type { TSchema } from 'typebox'
import { fieldMeaning } from './field-words.ts'

/**
 * Turns the contract's schemas into those of a published document: every named record becomes one component, to which
 * all uses refer, and every field says what it means. What a client receives may grow, so there records take more keys
 * and open enumerations more values; what it sends is closed.
 */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

export type SchemaComponents = {
  /** the schema of something that is received, or of a parameter; adds its records to the components */
  published: (schema: TSchema) => JsonObject
  /** adds the schema of a body that is sent to the components under a name; returns the reference to it */
  add: (name: string, schema: TSchema) => JsonObject
  /** adds a component that is written in the form of the document already; returns the reference to it */
  put: (name: string, schema: JsonObject) => JsonObject
  /** all components, by name, in alphabetical order */
  all: () => Record<string, JsonObject>
}

export function createSchemaComponents(): SchemaComponents {
  const byName = new Map<string, JsonObject>()
  const received: Reading = { named: (name, record) => put(name, convert(record, received, name)), closed: false }
  const sent: Reading = { named: (name, record) => put(name, convert(record, sent, name)), closed: true }

  function put(name: string, converted: JsonObject): JsonObject {
    const before = byName.get(name)
    if (before && JSON.stringify(before) !== JSON.stringify(converted)) {
      throw new Error(`two different schemas are named ${name}`)
    }
    byName.set(name, converted)
    return { $ref: `#/components/schemas/${name}` }
  }

  return {
    published: (schema) => convert(schema as unknown as JsonObject, received),
    add: (name, schema) => put(name, convert(withoutName(schema as unknown as JsonObject), sent, name)),
    put,
    all: () => Object.fromEntries([...byName].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/** The schema with its named records inlined, for readers that do not follow references. */
export function inlined(schema: TSchema): JsonObject {
  const inline: Reading = { named: (name, record) => convert(record, inline, name), closed: true }
  return convert(schema as unknown as JsonObject, inline)
}

type Reading = {
  /** what stands for a named record */
  named: (name: string, record: JsonObject) => JsonObject
  /** whether objects refuse keys that they do not name */
  closed: boolean
}

/** @param within the name of the record or field that the schema describes */
function convert(schema: JsonObject, reading: Reading, within?: string): JsonObject {
  if (typeof schema.$id === 'string') return reading.named(schema.$id, withoutName(schema))
  const converted: JsonObject = {}
  for (const [key, member] of Object.entries(schema)) {
    if (key === 'properties') converted.properties = fields(member as Record<string, JsonObject>, reading, within)
    else if (key === 'items') converted.items = convert(member as JsonObject, reading, within)
    else if (key === 'anyOf' || key === 'allOf' || key === 'oneOf') {
      converted[key] = (member as JsonObject[]).map((each) => convert(each, reading, within))
    } else if (key === 'additionalProperties' && typeof member === 'object') {
      converted[key] = convert(member as JsonObject, reading, within)
    } else if (key !== 'additionalProperties' || member !== false || reading.closed) converted[key] = member
  }
  return withShortNull(withOpenEnum(withFormat(converted)))
}

function fields(properties: Record<string, JsonObject>, reading: Reading, within: string | undefined): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => {
      const converted = convert(field, reading, name)
      const meaning =
        converted.description === undefined ? (fieldMeaning(within, name) ?? meaningOfRecord(field)) : undefined
      return [name, meaning === undefined ? converted : { ...converted, description: meaning }]
    }),
  )
}

/** What a named record says of itself: the reference that stands for it at a field does not say it. */
function meaningOfRecord(field: JsonObject): string | undefined {
  const [of = field] = ((field.anyOf ?? []) as JsonObject[]).filter(({ type }) => type !== 'null')
  return typeof of.$id === 'string' ? (of.description as string | undefined) : undefined
}

function withoutName(schema: JsonObject): JsonObject {
  const { $id: _, ...nameless } = schema
  return nameless
}

const int32Min = -2_147_483_648
const int32Max = 2_147_483_647

/** The format of an integer says its width, so the bounds of the width itself need not be said. */
function withFormat(schema: JsonObject): JsonObject {
  const { type, minimum, maximum, ...rest } = schema
  if (type !== 'integer' || typeof maximum !== 'number') return schema
  return {
    type,
    format: maximum <= int32Max ? 'int32' : 'int64',
    ...(minimum === undefined || minimum === int32Min ? {} : { minimum }),
    ...(maximum === int32Max ? {} : { maximum }),
    ...rest,
  }
}

/** The values known today, or any other text. */
function withOpenEnum(schema: JsonObject): JsonObject {
  const { 'x-extensible-enum': values, type, ...rest } = schema
  if (values === undefined) return schema
  return { anyOf: [{ type: type!, enum: values }, { type: type! }], ...rest }
}

/** `anyOf: [{type: 'string'}, {type: 'null'}]` → `type: ['string', 'null']`, which tools show better. */
function withShortNull(schema: JsonObject): JsonObject {
  const [of, nothing, ...rest] = (Array.isArray(schema.anyOf) ? schema.anyOf : []) as JsonObject[]
  if (!of || rest.length > 0 || nothing?.type !== 'null') return schema
  const { anyOf: _, ...around } = schema
  if (Array.isArray(of.anyOf)) return { ...around, ...of, anyOf: [...of.anyOf, nothing] }
  if (typeof of.type !== 'string') return schema
  return {
    ...around,
    ...of,
    type: [of.type, 'null'],
    ...(Array.isArray(of.enum) ? { enum: [...of.enum, null] } : {}),
  }
}
