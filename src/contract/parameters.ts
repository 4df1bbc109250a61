import { Type, type TSchema } from 'typebox'
import { readInstant } from '../vocabulary/instant.ts'
import { productIdPattern, readProductId } from '../vocabulary/product-id.ts'
import { isUuid } from '../vocabulary/text.ts'
import { readWholeNumber } from '../vocabulary/whole-number.ts'
import { int32, longNumber } from './fields.ts'
import type { ProblemCode } from './problems.ts'

/** One path or query parameter: its form, how its text is read, and the code that answers a malformed one. */
export type Parameter<Value> = {
  schema: TSchema
  /** undefined = malformed */
  read: (text: string) => Value | undefined
  malformed: ProblemCode
  says: string
  /** the value of a query parameter that is absent; without it an absent one reads as undefined */
  fallback?: Value
}

export type ValueOf<P> = P extends { read: (text: string) => infer Value } ? Exclude<Value, undefined> : never

function int32Id(malformed: ProblemCode, says: string): Parameter<number> {
  return { schema: int32, read: (value) => readWholeNumber(value, { digitsMax: 9 }), malformed, says }
}

function longId(malformed: ProblemCode, says: string): Parameter<number> {
  return { schema: longNumber, read: (value) => readWholeNumber(value, { digitsMax: 15 }), malformed, says }
}

/** A path parameter means the same wherever its name stands in a path. */
export const pathParameters = {
  siteId: int32Id('invalid_site_id', 'the site'),
  orderNumber: longId('invalid_order_number', 'the order'),
  itemNumber: longId('invalid_item_number', "the line's item number, as the items list shows it"),
  productId: {
    schema: Type.String({ pattern: productIdPattern }),
    read: readProductId,
    malformed: 'invalid_product_id',
    says: 'the product, SLO_… or SLS_…',
  },
  variantId: int32Id('invalid_variant_id', 'the variant'),
  imageId: int32Id('invalid_image_id', 'the image'),
  submissionId: {
    schema: Type.String({ format: 'uuid' }),
    read: (value: string) => (isUuid(value) ? value.toLowerCase() : undefined),
    malformed: 'invalid_submission_id',
    says: 'the submission',
  },
  userId: int32Id('invalid_user_id', 'the user'),
  divisionId: int32Id('invalid_division_id', 'the division'),
  receiverId: {
    schema: Type.String({ format: 'uuid' }),
    read: (value: string) => (isUuid(value) ? value.toLowerCase() : undefined),
    malformed: 'invalid_receiver_id',
    says: 'the receiver of webhooks, in the sandbox',
  },
  creditAccountId: int32Id('invalid_credit_account_id', 'the credit account'),
} satisfies Record<string, Parameter<unknown>>

export type PathParameterName = keyof typeof pathParameters

// The query parameters' building blocks. A filter's name is chosen by the operation, its form here.

export const siteIdFilter = int32Id('invalid_site_id', 'only records of this site')
export const userIdFilter = int32Id('invalid_user_id', 'only records of this user')
export const divisionIdFilter = int32Id('invalid_division_id', 'only records of this division')

export function instantFilter(says: string): Parameter<string> {
  return { schema: Type.String({ format: 'date-time' }), read: readInstant, malformed: 'invalid_request', says }
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
  }
}

export const activeFilter: Parameter<boolean> = {
  schema: Type.Boolean(),
  read: (value) => (value === 'true' ? true : value === 'false' ? false : undefined),
  malformed: 'invalid_active',
  says: 'only active (true) or inactive (false) records',
}

export function textFilter(
  options: { lengthMax: number; pattern?: RegExp; malformed: ProblemCode },
  says: string,
): Parameter<string> {
  return {
    schema: Type.String({
      maxLength: options.lengthMax,
      ...(options.pattern ? { pattern: options.pattern.source } : {}),
    }),
    read: (value) =>
      value.length <= options.lengthMax && (!options.pattern || options.pattern.test(value)) ? value : undefined,
    malformed: options.malformed,
    says,
  }
}

/** Keyset paging (PAG-01): `limit` above the maximum is capped, or refused where the operation says so. */
export function paged(size: { default: number; max: number; aboveMax?: 'capped' | 'refused' }) {
  const refused = size.aboveMax === 'refused'
  const limit: Parameter<number> & { fallback: number } = {
    schema: Type.Integer({ minimum: 1, ...(refused ? { maximum: size.max } : {}), default: size.default }),
    read: (value) => {
      // Of any length: what is far above the maximum is above it like any other.
      if (!/^[1-9][0-9]*$/.test(value)) return undefined
      const asked = Number(value)
      if (asked <= size.max) return asked
      return refused ? undefined : size.max
    },
    malformed: 'invalid_request',
    says: `how many to return; ${size.default} unless told, ${size.max} at most (more is ${refused ? 'refused' : 'capped'})`,
    fallback: size.default,
  }
  const cursor: Parameter<string> = {
    schema: Type.String(),
    read: (value) => value,
    malformed: 'invalid_cursor',
    says: 'the nextCursor of the page before, exactly as received',
  }
  return { cursor, limit }
}
