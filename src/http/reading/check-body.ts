import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { notBlank } from '../../contract/fields.ts'
import type { Body } from '../../contract/operation.ts'
import { Refusal } from '../../contract/refusal.ts'
import { isDateTime } from '../../vocabulary/instant.ts'
import { filledLine, oneLine } from '../../vocabulary/text.ts'
import { BodyRefused } from './read-body.ts'

/**
 * Reads an operation's body and checks it.
 * @returns undefined where the operation takes no body
 */
export function bodyReader(body: Body | undefined): (read: () => Promise<unknown>) => Promise<unknown> {
  const check = body && bodyChecker(body)
  return async (read) => {
    let value: unknown
    try {
      value = await read()
    } catch (error) {
      if (error instanceof BodyRefused) throw new Refusal(body?.malformed ?? 'invalid_request', error.message)
      throw error
    }
    if (!body || !check) return undefined
    if (value === undefined) {
      if (!body.optional) throw new Refusal(body.malformed, 'A JSON body is required.')
      value = {}
    }
    check(value)
    return value
  }
}

/**
 * Checks a body against its contract. Nothing is coerced, removed or filled in. The first fault is named in words, with
 * its path as a caller would write it (`lines[2].quantity`).
 */
function bodyChecker(body: Body): (value: unknown) => void {
  let validate: ValidateFunction | undefined
  const clearable = body.nulls === 'refused' ? fieldsByNull(body.schema) : undefined
  return (value) => {
    if (clearable) refuseNulls(value, clearable)
    validate ??= compile(body.schema)
    if (!validate(value)) throw shapeRefusal(body, mostTelling(validate.errors!))
    const wrong = body.check?.(value as never)
    if (wrong !== undefined) throw new Refusal(body.malformed, wrong)
  }
}

function compile(schema: TSchema): ValidateFunction {
  const ajv = new Ajv2020({
    allErrors: false,
    coerceTypes: false,
    useDefaults: false,
    removeAdditional: false,
    strict: false,
  })
  addFormats.default(ajv)
  // The library also takes leap seconds, the year 0 and a space for the T, which the database would refuse or move.
  ajv.addFormat('date-time', isDateTime)
  return ajv.compile(schema)
}

/** name → whether null is one of the field's values */
function fieldsByNull(schema: TSchema): Map<string, boolean> {
  const properties = (schema as { properties?: Record<string, { anyOf?: { type?: string }[] }> }).properties ?? {}
  return new Map(
    Object.entries(properties).map(([name, field]) => [
      name,
      field.anyOf?.some((kind) => kind.type === 'null') ?? false,
    ]),
  )
}

function refuseNulls(value: unknown, clearable: Map<string, boolean>): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  for (const [name, field] of Object.entries(value)) {
    if (field === null && clearable.get(name) === false) {
      throw new Refusal('null_not_supported', `The field ${name} cannot be null.`)
    }
  }
}

/** The error that says why a key is not accepted comes before the one that names the key. */
function mostTelling(errors: ErrorObject[]): ErrorObject {
  return errors.find((error) => error.keyword === 'propertyNames') ?? errors[0]!
}

function shapeRefusal(body: Body, error: ErrorObject): Refusal {
  const steps = error.instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  const field = steps[0]
  if (error.keyword === 'required' && field === undefined) {
    const missing = (error.params as { missingProperty: string }).missingProperty
    return new Refusal(body.missingProblems?.[missing] ?? body.malformed, `The field ${missing} is required.`)
  }
  const code = (field !== undefined && body.fieldProblems?.[field]) || body.malformed
  return new Refusal(code, describe(error, written(steps)))
}

/** `['lines', '2', 'quantity']` → `lines[2].quantity` */
function written(steps: string[]): string {
  return steps.reduce((path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : path ? `${path}.${step}` : step), '')
}

function describe(error: ErrorObject, at: string): string {
  const subject = at ? `The field ${at}` : 'The body'
  const params = error.params as Record<string, unknown>
  const within = (name: unknown): string => (at ? `${at}.${String(name)}` : String(name))
  switch (error.keyword) {
    case 'required':
      return `The field ${within(params.missingProperty)} is required.`
    case 'additionalProperties':
      return `The field ${quoted(within(params.additionalProperty))} is not accepted here.`
    case 'propertyNames':
      return `${subject} must not have the key ${quoted(String(params.propertyName))}.`
    case 'type':
      return `${subject} must be ${typeName(params.type)}.`
    case 'anyOf':
      return `${subject} is not of an accepted type.`
    case 'enum':
      return `${subject} must be one of ${(params.allowedValues as unknown[]).map(String).join(', ')}.`
    case 'const':
      return `${subject} must be ${JSON.stringify(params.allowedValue)}.`
    case 'minLength':
      return params.limit === 1
        ? `${subject} must not be empty.`
        : `${subject} must have at least ${String(params.limit)} characters.`
    case 'maxLength':
      return `${subject} must have at most ${String(params.limit)} characters.`
    case 'minItems':
      return `${subject} must have at least ${counted(params.limit, 'item')}.`
    case 'maxItems':
      return `${subject} must have at most ${counted(params.limit, 'item')}.`
    case 'minProperties':
      return `${subject} must have at least ${counted(params.limit, 'field')}.`
    case 'maxProperties':
      return `${subject} must have at most ${counted(params.limit, 'field')}.`
    case 'minimum':
      return `${subject} must be at least ${String(params.limit)}.`
    case 'exclusiveMinimum':
      return `${subject} must be greater than ${String(params.limit)}.`
    case 'maximum':
      return `${subject} must be at most ${String(params.limit)}.`
    case 'pattern':
      return `${subject} ${patternSays.get(params.pattern) ?? `must match ${String(params.pattern)}`}.`
    default:
      return `${subject} ${error.message ?? 'is not valid'}.`
  }
}

const patternSays: ReadonlyMap<unknown, string> = new Map([
  [notBlank, 'must not be blank'],
  [oneLine, 'must be one line without control characters'],
  [filledLine, 'must be one line without control characters, and must not be blank'],
])

function counted(limit: unknown, noun: string): string {
  return `${String(limit)} ${noun}${limit === 1 ? '' : 's'}`
}

function quoted(name: string): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name)
}

function typeName(type: unknown): string {
  const names: Record<string, string> = {
    object: 'an object',
    array: 'an array',
    string: 'a string',
    integer: 'a whole number',
    number: 'a number',
    boolean: 'true or false',
    null: 'null',
  }
  return names[String(type)] ?? String(type)
}
