import { Type, type TSchema } from 'typebox'
import { readInstant } from '../vocabulary/instant.ts'
import { productIdPattern, readProductId } from '../vocabulary/product-id.ts'
import { isUuid } from '../vocabulary/text.ts'
import { readWholeNumber } from '../vocabulary/whole-number.ts'
import { int32, longNumber } from './fields.ts'
import type { ProblemCode } from './problems.ts'

/** One path or query parameter: its form, its parser, and the problem code of a malformed value. */
export type Parameter<Value> = {
  schema: TSchema
  /** undefined = malformed */
  read: (text: string) => Value | undefined
  malformed: ProblemCode
  /** its meaning, or the records it selects */
  says: string
  /** the required form of its value, as the rest of a sentence: `a UUID` */
  form: string
  /** the value of an absent query parameter; undefined without it */
  fallback?: Value
}

/** Whether a parameter takes several values, separated by commas. */
export function isList({ schema }: Parameter<unknown>): boolean {
  return (schema as { type?: string }).type === 'array'
}

export type ValueOf<P> = P extends { read: (text: string) => infer Value } ? Exclude<Value, undefined> : never

function int32Id(malformed: ProblemCode, says: string): Parameter<number> {
  return {
    schema: int32,
    read: (value) => readWholeNumber(value, { digitsMax: 9 }),
    malformed,
    says,
    form: 'a positive whole number of at most nine digits',
  }
}

function longId(malformed: ProblemCode, says: string): Parameter<number> {
  return {
    schema: longNumber,
    read: (value) => readWholeNumber(value, { digitsMax: 15 }),
    malformed,
    says,
    form: 'a positive whole number of at most 15 digits',
  }
}

export function uuidParameter(malformed: ProblemCode, says: string): Parameter<string> {
  return {
    schema: Type.String({ format: 'uuid' }),
    read: (value) => (isUuid(value) ? value.toLowerCase() : undefined),
    malformed,
    says,
    form: 'a UUID',
  }
}

/** A path parameter has the same meaning in every path. */
export const pathParameters = {
  siteId: int32Id('invalid_site_id', 'the site'),
  orderNumber: longId('invalid_order_number', 'the order'),
  itemNumber: longId('invalid_item_number', "the line's item number"),
  productId: {
    schema: Type.String({ pattern: productIdPattern }),
    read: readProductId,
    malformed: 'invalid_product_id',
    says: 'the product, SLO_… or SLS_…',
    form: 'a product id such as SLO_123',
  },
  variantId: int32Id('invalid_variant_id', 'the variant'),
  imageId: int32Id('invalid_image_id', 'the image'),
  submissionId: uuidParameter('invalid_submission_id', 'the submission'),
  userId: int32Id('invalid_user_id', 'the user'),
  divisionId: int32Id('invalid_division_id', 'the division'),
  receiverId: uuidParameter('invalid_receiver_id', 'the receiver of webhooks, in the sandbox'),
  deliveryId: longId('invalid_request', 'the delivery of a webhook'),
  clientId: {
    schema: Type.String(),
    read: (value) => (/^pc_[a-z2-7]{20}$/.test(value) ? value : undefined),
    malformed: 'invalid_request',
    says: 'the app client',
    form: 'the id of an app client, pc_…',
  },
  creditAccountId: int32Id('invalid_credit_account_id', 'the credit account'),
  checkId: uuidParameter('invalid_request', 'the artwork check'),
  requestId: uuidParameter('invalid_request', 'the request, by its Request-Id'),
} satisfies Record<string, Parameter<unknown>>

export type PathParameterName = keyof typeof pathParameters

// The building blocks of query parameters. Each operation chooses the names of its filters.

export const siteIdFilter = int32Id('invalid_site_id', 'only records of this site')
export const userIdFilter = int32Id('invalid_user_id', 'only records of this user')
export const divisionIdFilter = int32Id('invalid_division_id', 'only records of this division')

export function instantFilter(says: string): Parameter<string> {
  return {
    schema: Type.String({ format: 'date-time' }),
    read: readInstant,
    malformed: 'invalid_request',
    says,
    form: 'an ISO 8601 instant with its zone, such as 2026-01-31T09:30:00Z, or a date',
  }
}

export function wordFilter<const Words extends readonly string[]>(
  words: Words,
  malformed: ProblemCode,
  says: string,
): Parameter<Words[number]> {
  const known: ReadonlySet<string> = new Set(words)
  return {
    schema: Type.String({ enum: [...words] }),
    read: (value) => (known.has(value) ? (value as Words[number]) : undefined),
    malformed,
    says,
    form: `one of ${words.join(', ')}`,
  }
}

/** One or more of the words, separated by commas: records with any of them. */
export function wordsFilter<const Words extends readonly string[]>(
  words: Words,
  malformed: ProblemCode,
  says: string,
): Parameter<Words[number][]> {
  return {
    schema: Type.Array(Type.String({ enum: [...words] }), { minItems: 1, uniqueItems: true }),
    read: (value) => {
      const asked = new Set(value.split(','))
      // In the order of the list, so that a cursor does not depend on the order in which a caller names them.
      const known = words.filter((word) => asked.has(word))
      return known.length === asked.size ? known : undefined
    },
    malformed,
    says,
    form: `one or more of ${words.join(', ')}, separated by commas`,
  }
}

export function flagFilter(malformed: ProblemCode, says: string): Parameter<boolean> {
  return {
    schema: Type.Boolean(),
    read: (value) => (value === 'true' ? true : value === 'false' ? false : undefined),
    malformed,
    says,
    form: 'true or false',
  }
}

export const activeFilter = flagFilter('invalid_active', 'only active (true) or inactive (false) records')

/** Text; where a pattern checks it, `form` says in words what the pattern asks for. */
export function textFilter(
  {
    lengthMax,
    malformed,
    ...checked
  }: { lengthMax: number; malformed: ProblemCode } & (
    | { pattern: RegExp; form: string }
    | { pattern?: undefined; form?: undefined }
  ),
  says: string,
): Parameter<string> {
  const { pattern, form = 'text' } = checked
  return {
    schema: Type.String({ maxLength: lengthMax, ...(pattern ? { pattern: pattern.source } : {}) }),
    read: (value) => (value.length <= lengthMax && (!pattern || pattern.test(value)) ? value : undefined),
    malformed,
    says,
    form: `${form} of at most ${lengthMax} characters`,
  }
}

/** The whole of a name or code that records bear. */
export function exactFilter(lengthMax: number, says: string): Parameter<string> {
  return {
    schema: Type.String({ minLength: 1, maxLength: lengthMax, pattern: '\\S' }),
    read: (value) => (value.trim() !== '' && value.length <= lengthMax ? value : undefined),
    malformed: 'invalid_request',
    says,
    form: `text of at most ${lengthMax} characters, not blank`,
  }
}

const streamSecondsMax = 3_600

export const streamSeconds: Parameter<number> = {
  schema: Type.Integer({ minimum: 1, maximum: streamSecondsMax }),
  read: (written) => {
    const read = readWholeNumber(written, { digitsMax: 4 })
    return read !== undefined && read <= streamSecondsMax ? read : undefined
  },
  malformed: 'invalid_request',
  says: 'ends the stream after so many seconds, for tools that wait for the end of an answer; without it, it goes on',
  form: `a whole number from 1 to ${streamSecondsMax}`,
}

const overlapHoursMax = 72

export const overlapHours: Parameter<number> = {
  schema: Type.Integer({ minimum: 1, maximum: overlapHoursMax }),
  read: (written) => {
    const read = readWholeNumber(written, { digitsMax: 2 })
    return read !== undefined && read <= overlapHoursMax ? read : undefined
  },
  malformed: 'invalid_request',
  says: 'for so many hours, deliveries carry a second `v1` by the former secret; only for a receiver that accepts any of several; without it, the former secret signs nothing any more',
  form: `a whole number from 1 to ${overlapHoursMax}`,
}

/** Keyset paging (PAG-01): `limit` above the maximum is capped, or refused if the operation says so. */
export function paged(size: { default: number; max: number; aboveMax?: 'capped' | 'refused' }) {
  const refused = size.aboveMax === 'refused'
  const limit: Parameter<number> & { fallback: number } = {
    schema: Type.Integer({ minimum: 1, ...(refused ? { maximum: size.max } : {}), default: size.default }),
    read: (value) => {
      // A number of any length counts as a limit above the maximum.
      if (!/^[1-9][0-9]*$/.test(value)) return undefined
      const asked = Number(value)
      if (asked <= size.max) return asked
      return refused ? undefined : size.max
    },
    malformed: 'invalid_request',
    says: `page size; default ${size.default}, at most ${size.max} (a larger one is ${refused ? 'refused' : 'capped'})`,
    form: refused ? `a whole number from 1 to ${size.max}` : 'a positive whole number',
    fallback: size.default,
  }
  const cursor: Parameter<string> = {
    schema: Type.String(),
    read: (value) => value,
    malformed: 'invalid_cursor',
    says: 'the nextCursor of the previous page, exactly as received',
    form: 'a nextCursor, exactly as received',
  }
  return { cursor, limit }
}
