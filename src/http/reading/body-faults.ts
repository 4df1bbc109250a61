import type { ErrorObject } from 'ajv/dist/2020.js'
import { formOf, notBlank } from '../../contract/fields.ts'
import type { BodyFault } from '../../contract/refusal.ts'

/** What a validator found, as faults in words: what is wrong, where, and what would be right. */

/** The part of a JSON schema that these words are made from. */
type Schema = {
  type?: string | readonly string[]
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  pattern?: string
  format?: string
  properties?: Readonly<Record<string, Schema>>
} & Partial<Record<Limit, number>>

type Limit = 'minLength' | 'maxLength' | 'minimum' | 'maximum' | 'minItems' | 'maxItems'

/** A fault, and the error that it was made from. */
export type FoundFault = { fault: BodyFault; error: ErrorObject }

/** The faults in the order of the validator, one per path. @param errors of a validator that is verbose */
export function faultsOf(errors: readonly ErrorObject[]): FoundFault[] {
  const byPath = new Map<string, FoundFault>()
  for (const error of told(errors)) {
    const steps = stepsOf(error)
    const path = written(steps)
    if (!byPath.has(path)) byPath.set(path, { fault: { path, rule: error.keyword, detail: describe(error) }, error })
  }
  return [...byPath.values()]
}

/** The errors that tell something: without those that only led to another, as the branches of an `anyOf` do. */
function told(errors: readonly ErrorObject[]): ErrorObject[] {
  let left: ErrorObject[] = errors.filter(({ keyword, propertyName }) => !propertyName || keyword === 'propertyNames')
  for (const error of errors) {
    if (error.keyword !== 'anyOf') continue
    const isOfBranch = ({ schemaPath }: ErrorObject): boolean => schemaPath.startsWith(`${error.schemaPath}/`)
    // A value of the right type says more by its other faults than by not being null.
    const deeper = left.filter(
      (each) => isOfBranch(each) && (each.keyword !== 'type' || each.instancePath !== error.instancePath),
    )
    left = left.filter(
      (each) => (deeper.length === 0 || each !== error) && (!isOfBranch(each) || deeper.includes(each)),
    )
  }
  return left
}

/** Where the fault is: for a key that is missing or not accepted, where that key would be or is. */
function stepsOf({ instancePath, keyword, params }: ErrorObject): string[] {
  const steps = instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  const { missingProperty, additionalProperty, propertyName } = params as Record<string, string>
  if (keyword === 'required') return [...steps, missingProperty!]
  if (keyword === 'additionalProperties') return [...steps, additionalProperty!]
  return keyword === 'propertyNames' ? [...steps, propertyName!] : steps
}

/** `['lines', '2', 'quantity']` → `lines[2].quantity` */
function written(steps: readonly string[]): string {
  return steps.reduce((path, step) => {
    if (/^\d+$/.test(step)) return `${path}[${step}]`
    if (!/^[\w$-]{1,100}$/.test(step)) return path === '' ? quoted(step) : `${path}[${quoted(step)}]`
    return path === '' ? step : `${path}.${step}`
  }, '')
}

function quoted(name: string): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name)
}

function describe(error: ErrorObject): string {
  const steps = stepsOf(error)
  const subject = steps.length === 0 ? 'The body' : `The field ${written(steps)}`
  const { keyword, params } = error
  const { limit } = params as { limit: number }
  const schema = error.parentSchema as Schema
  switch (keyword) {
    case 'required':
      return `${subject} is required.`
    case 'additionalProperties':
    case 'propertyNames':
      return `The field ${quoted(written(steps))} is not accepted here.${accepted(schema)}`
    case 'minLength':
      return limit === 1 ? `${subject} must not be empty.` : `${subject} must have at least ${limit} characters.`
    case 'maxLength':
      return `${subject} must have at most ${limit} characters.`
    case 'minItems':
      return `${subject} must have at least ${counted(limit, 'item')}.`
    case 'maxItems':
      return `${subject} must have at most ${counted(limit, 'item')}.`
    case 'uniqueItems':
      return `${subject} must not repeat an item.`
    case 'minProperties':
      return `${subject} must have at least ${counted(limit, 'field')}.${accepted(schema)}`
    case 'maxProperties':
      return `${subject} must have at most ${counted(limit, 'field')}.`
    case 'minimum':
      return `${subject} must be at least ${limit}.`
    case 'exclusiveMinimum':
      return `${subject} must be greater than ${limit}.`
    case 'maximum':
      return `${subject} must be at most ${limit}.`
    case 'exclusiveMaximum':
      return `${subject} must be less than ${limit}.`
    case 'const':
      return `${subject} must be ${JSON.stringify((params as { allowedValue: unknown }).allowedValue)}.`
    case 'pattern':
      return schema.pattern === notBlank ? `${subject} must not be blank.` : `${subject} must be ${wanted(schema)}.`
    default:
      return `${subject} must be ${wanted(schema)}.`
  }
}

function accepted({ properties }: Schema): string {
  return properties === undefined ? '' : ` Accepted: ${Object.keys(properties).join(', ')}.`
}

/** What a value must be, as the rest of a sentence: `a whole number from 1 to 200 or null`. */
export function wanted(schema: Schema): string {
  if (schema.anyOf) return schema.anyOf.map(wanted).join(' or ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return `one of ${schema.enum.map(String).join(', ')}`
  if (schema.format !== undefined) return formats[schema.format] ?? anotherForm
  if (schema.pattern !== undefined && schema.pattern !== notBlank) return formOf(schema.pattern) ?? anotherForm
  return [schema.type ?? []]
    .flat()
    .map((type) => `${typeNames[type] ?? type}${limits(schema, type)}`)
    .join(' or ')
}

/** A walk over all contracts proves that nobody reads it. */
const anotherForm = 'text of another form'

const formats: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  'date-time': 'an instant with its zone, such as 2026-01-31T09:30:00Z',
  uri: 'a URL',
}

const typeNames: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'an array',
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
}

function limits(schema: Schema, type: string): string {
  if (type === 'string') return range(schema.minLength, schema.maxLength, ' of', ' characters')
  if (type === 'array') return range(schema.minItems, schema.maxItems, ' of', ' items')
  if (type !== 'integer' && type !== 'number') return ''
  const { minimum, maximum } = schema
  return minimum !== undefined && maximum !== undefined
    ? ` from ${minimum} to ${maximum}`
    : range(minimum, maximum, ' of', '')
}

function range(least: number | undefined, most: number | undefined, before: string, after: string): string {
  if (least !== undefined && most !== undefined) return `${before} ${least} to ${most}${after}`
  if (most !== undefined) return `${before} at most ${most}${after}`
  return least === undefined ? '' : `${before} at least ${least}${after}`
}

function counted(limit: number, noun: string): string {
  return `${limit} ${noun}${limit === 1 ? '' : 's'}`
}
