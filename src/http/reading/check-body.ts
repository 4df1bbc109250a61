import type { ValidateFunction } from 'ajv/dist/2020.js'
import type { TSchema } from 'typebox'
import type { Body } from '../../contract/operation.ts'
import type { ProblemCode } from '../../contract/problems.ts'
import { type BodyFault, Refusal } from '../../contract/refusal.ts'
import { isDateTime } from '../../vocabulary/instant.ts'
import { isJsonObject } from '../../vocabulary/json.ts'
import { faultsOf, type FoundFault, wanted } from './body-faults.ts'
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
    await check(value)
    return value
  }
}

/**
 * Checks a body against its contract. Nothing is coerced, removed or filled in. The refusal names every fault in words,
 * with its path as a caller would write it (`lines[2].quantity`); the first one decides the code.
 */
function bodyChecker(body: Body): (value: unknown) => Promise<void> {
  let compiled: Promise<ValidateFunction> | undefined
  let compiledForAll: Promise<ValidateFunction> | undefined
  const clearable = body.nulls === 'refused' ? fieldsByNull(body.schema) : undefined
  return async (value) => {
    const nulls = clearable ? refusedNulls(value, clearable) : []
    const validate = await (compiled ??= compile(body.schema, { allErrors: false }))
    const fits = validate(value)
    let { errors } = validate
    const looksForAll = fits || isSmall(value)
    if (!fits && looksForAll) {
      const validateAll = await (compiledForAll ??= compile(body.schema, { allErrors: true }))
      validateAll(value)
      errors = validateAll.errors
    }
    const found = faultsOf(errors ?? [])
    const unfit = joined(
      nulls,
      found.map(({ fault }) => fault),
    )
    const faults = looksForAll ? joined(unfit, beyondSchema(body, value)) : unfit
    if (faults.length === 0) return
    const code = nulls.length > 0 ? 'null_not_supported' : found[0] ? codeOf(body, found[0]) : body.malformed
    throw new Refusal(code, faults[0]!.detail, undefined, faults.slice(0, faultsMax))
  }
}

/** The first faults, and of the others those at paths that the first do not have. */
function joined(first: readonly BodyFault[], others: readonly BodyFault[]): BodyFault[] {
  const paths = new Set(first.map(({ path }) => path))
  return [...first, ...others.filter(({ path }) => !paths.has(path))]
}

/** What the operation's own rules find, whether or not the body fits the schema. */
function beyondSchema({ check }: Body, value: unknown): readonly BodyFault[] {
  const wrong = check && isJsonObject(value) ? (check(value) ?? []) : []
  return typeof wrong === 'string' ? [{ path: '', rule: 'combination', detail: wrong }] : wrong
}

/** More faults than a person reads; a program's faults repeat. */
const faultsMax = 100

/** Of a larger body only the first fault is looked for: a body can have as many faults as values. */
const smallValuesMax = 10_000

function isSmall(value: unknown): boolean {
  let left = smallValuesMax
  const count = (each: unknown): void => {
    if (--left > 0 && typeof each === 'object' && each !== null) for (const inner of Object.values(each)) count(inner)
  }
  count(value)
  return left > 0
}

async function compile(schema: TSchema, { allErrors }: { allErrors: boolean }): Promise<ValidateFunction> {
  const { Ajv2020 } = await import('ajv/dist/2020.js')
  const { default: addFormats } = await import('ajv-formats')
  const ajv = new Ajv2020({
    allErrors,
    // Errors then have the schema that they broke.
    verbose: true,
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

type FieldSchema = Parameters<typeof wanted>[0]

/** name → the field's schema, whether null is one of its values, and whether it can be left out */
function fieldsByNull(
  schema: TSchema,
): Map<string, { isClearable: boolean; isOptional: boolean; schema: FieldSchema }> {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, FieldSchema>
    required?: readonly string[]
  }
  return new Map(
    Object.entries(properties).map(([name, field]) => [
      name,
      {
        isClearable: field.anyOf?.some((kind) => kind.type === 'null') ?? false,
        isOptional: !required.includes(name),
        schema: field,
      },
    ]),
  )
}

function refusedNulls(value: unknown, fields: ReturnType<typeof fieldsByNull>): BodyFault[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value).flatMap(([name, given]) => {
    const field = fields.get(name)
    if (given !== null || !field || field.isClearable) return []
    const remedy = field.isOptional ? 'Leave it out, or send' : 'Send'
    const detail = `The field ${name} cannot be null. ${remedy} ${wanted(field.schema)}.`
    return [{ path: name, rule: 'null', detail }]
  })
}

function codeOf(body: Body, { error }: FoundFault): ProblemCode {
  const field = error.instancePath.split('/')[1]
  if (field !== undefined) return body.fieldProblems?.[field] ?? body.malformed
  const { missingProperty } = error.params as { missingProperty?: string }
  return (missingProperty !== undefined && body.missingProblems?.[missingProperty]) || body.malformed
}
