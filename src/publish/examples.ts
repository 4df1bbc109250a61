import { fieldExamples, leftOut } from './field-words.ts'
import type { Json, JsonObject } from './schemas.ts'

/**
 * An example of what a schema of the contract describes. Values come from the operation's own example where it has a
 * field of the name, else from the words that all fields share, else from the form of the schema.
 *
 * @param schema as the contract has it, with its named records in place
 * @param own the values of the operation's own example, by field
 */
export function exampleOf(schema: JsonObject, own: Readonly<Record<string, Json>> = {}, name?: string): Json {
  return make(schema, { own, record: undefined, name })
}

type Place = { own: Readonly<Record<string, Json>>; record: string | undefined; name: string | undefined }

function make(schema: JsonObject, place: Place): Json {
  const record = (schema.$id as string | undefined) ?? place.record
  const chosen = known(schema, place)
  if (chosen !== undefined) return chosen
  const forms = (schema.anyOf ?? schema.oneOf) as JsonObject[] | undefined
  if (forms)
    return make(
      forms.find(({ type }) => type !== 'null')!,
      place,
    )
  if (schema.const !== undefined) return schema.const
  const values = (schema.enum ?? schema['x-extensible-enum']) as Json[] | undefined
  if (values) return values[0]!
  switch (schema.type) {
    case 'object':
      return object(schema, { ...place, record })
    case 'array':
      return [make(schema.items as JsonObject, place)]
    case 'boolean':
      return false
    case 'integer':
      return Math.max((schema.minimum as number | undefined) ?? 1, 1)
    case 'number':
      return ((schema.exclusiveMinimum ?? schema.minimum ?? -1) as number) < 12.5 ? 12.5 : 100
    default:
      return text(schema)
  }
}

function object({ properties, additionalProperties }: JsonObject, place: Place): JsonObject {
  if (!properties) {
    const values = additionalProperties as JsonObject | boolean | undefined
    return typeof values === 'object' ? { name: make(values, { ...place, name: undefined }) } : {}
  }
  return Object.fromEntries(
    Object.entries(properties as Record<string, JsonObject>)
      .filter(([name]) => fieldExamples[`${place.record}.${name}`] !== leftOut)
      .map(([name, field]) => [name, make(field, { ...place, name })]),
  )
}

function known(schema: JsonObject, { own, record, name }: Place): Json | undefined {
  if (name === undefined) return undefined
  return [fieldExamples[`${record}.${name}`], own[name], fieldExamples[name]].find(
    (value) => value !== undefined && fits(schema, value),
  )
}

/** Whether a value can stand for a field; records and lists of records never do. */
function fits(schema: JsonObject, value: Json): boolean {
  const forms = (schema.anyOf ?? schema.oneOf) as JsonObject[] | undefined
  if (forms) return forms.some((form) => fits(form, value))
  if (schema.const !== undefined) return schema.const === value
  if (Array.isArray(schema.enum)) return schema.enum.includes(value)
  if (Array.isArray(schema['x-extensible-enum'])) return schema['x-extensible-enum'].includes(value)
  switch (schema.type) {
    case 'null':
      return value === null
    case 'boolean':
      return typeof value === 'boolean'
    case 'integer':
    case 'number':
      return typeof value === 'number' && within(schema, value)
    case 'string':
      return typeof value === 'string' && isText(schema, value)
    case 'array':
      return Array.isArray(value) && value.every((each) => fits(schema.items as JsonObject, each))
    default:
      return false
  }
}

function within({ type, minimum, maximum, exclusiveMinimum }: JsonObject, value: number): boolean {
  return (
    (type !== 'integer' || Number.isInteger(value)) &&
    value >= ((minimum ?? -Infinity) as number) &&
    value <= ((maximum ?? Infinity) as number) &&
    value > ((exclusiveMinimum ?? -Infinity) as number)
  )
}

function isText({ pattern, format, minLength, maxLength }: JsonObject, value: string): boolean {
  if (value.length < ((minLength ?? 0) as number) || value.length > ((maxLength ?? Infinity) as number)) return false
  if (typeof format === 'string' && !(forms[format]?.test(value) ?? true)) return false
  return typeof pattern !== 'string' || new RegExp(pattern, 'u').test(value)
}

const forms: Readonly<Record<string, RegExp>> = {
  'date-time': /^\d{4}-\d\d-\d\dT[\d:.]+Z$/,
  date: /^\d{4}-\d\d-\d\d$/,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  uri: /^https?:\/\//,
  email: /@/,
}

/** Texts by their form, the first that fits. */
const texts = [
  'text',
  '2026-01-31T09:30:00.000Z',
  '2026-01-31',
  '0c4f2d1e-6a3b-4f7d-9e25-1b8c7a60d3f4',
  'https://files.example.com/cards.pdf',
  'dana@example.com',
  'SLO_4711',
  '12.50',
  '123456',
]

function text(schema: JsonObject): string {
  return texts.find((each) => isText(schema, each)) ?? 'text'
}
