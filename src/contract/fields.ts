import {
  Type,
  type TArray,
  type TNull,
  type TProperties,
  type TSchema,
  type TString,
  type TStringOptions,
  type TUnion,
} from 'typebox'
import { productIdPattern } from '../vocabulary/product-id.ts'
import { filledLine, oneLine, severalLines } from '../vocabulary/text.ts'

/** The building blocks of records and bodies: only this file defines the form of each kind of field. */

export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()])
}

/** A published record or part of one: strict, and named in the OpenAPI document. */
export function record<Properties extends TProperties>(name: string, properties: Properties, description?: string) {
  return Type.Object(properties, { $id: name, additionalProperties: false, ...(description ? { description } : {}) })
}

/** A request body or a part of one: unknown keys are refused (GEN-11). */
export function bodyObject<Properties extends TProperties>(properties: Properties) {
  return Type.Object(properties, { additionalProperties: false })
}

/** A page of a collection: the records under their plural key, and where the next page starts (PAG-01, PAG-03). */
export function pageOf<const Plural extends string, Item extends TSchema>(name: string, plural: Plural, item: Item) {
  const properties = {
    [plural]: Type.Array(item),
    nextCursor: described(
      nullable(Type.String()),
      'send it back as `cursor` for the next page; null = this is the last page',
    ),
  } as Record<Plural, TArray<Item>> & { nextCursor: TUnion<[TString, TNull]> }
  return record(name, properties)
}

/** The body of a PATCH: at least one of these keys, all of them declared optional. */
export function patchBody<Properties extends TProperties>(properties: Properties) {
  return Type.Object(properties, { additionalProperties: false, minProperties: 1 })
}

/** The same form with another description. typebox has its markers in hidden properties, which a spread would lose. */
export function described<Schema extends TSchema>(schema: Schema, description: string): Schema {
  return Object.create(Object.getPrototypeOf(schema), {
    ...Object.getOwnPropertyDescriptors(schema),
    description: { value: description, enumerable: true, configurable: true, writable: true },
  }) as Schema
}

/** pattern → the form it asks for */
const forms = new Map<string, string>()

/**
 * Text that a pattern checks. Programs get the pattern, people the form: the rest of a sentence after "must be".
 * @throws Error if the pattern has another form elsewhere
 */
export function formedText(pattern: string, form: string, options: TStringOptions = {}) {
  if ((forms.get(pattern) ?? form) !== form) throw new Error(`the pattern ${pattern} has two forms`)
  forms.set(pattern, form)
  return Type.String({ ...options, pattern })
}

/** The form of a pattern in words; undefined for a pattern that `formedText` does not know. */
export function formOf(pattern: string): string | undefined {
  return forms.get(pattern)
}

export const text = Type.String()
export const flag = Type.Boolean()
export const whole = Type.Integer()

/** ISO 8601 in UTC, `2026-01-31T09:30:00.000Z` (GEN-12) */
export const instant = Type.String({ format: 'date-time', description: 'ISO 8601 instant in UTC' })

/** Exact amount in the currency's scale, such as `"12.50"` (GEN-06) */
export const decimal = formedText('^-?\\d+(\\.\\d+)?$', 'an exact decimal such as "12.50"', {
  description: 'exact decimal',
})

export const uuid = Type.String({ format: 'uuid' })
export const productId = formedText(productIdPattern, 'a product id such as SLO_123 or SLS_123')

/** Column of 32 bits, published as a number of at most nine digits (GEN-16) */
export const int32 = Type.Integer({ minimum: 1, maximum: 999_999_999 })

/** Order, item and shipment numbers: up to fifteen digits */
export const longNumber = Type.Integer({ minimum: 1, maximum: 999_999_999_999_999 })

/** An id in a body: positive. Whether it identifies something, the verb finds out, also beyond the 32 bits of its column. */
export const idInBody = Type.Integer({ minimum: 1 })

/** The same, with the answer for an unknown id for those that are not positive too. */
export const anyIdInBody = Type.Integer()

/** Any 32-bit integer in a body. */
export const anyInt32 = Type.Integer({ minimum: -2_147_483_648, maximum: 2_147_483_647 })

export function textUpTo(lengthMax: number) {
  return Type.String({ maxLength: lengthMax })
}

/** Matches text with at least one character that is not white space. */
export const notBlank = '\\S'

export function filledText(lengthMax: number) {
  return Type.String({ minLength: 1, maxLength: lengthMax, pattern: notBlank })
}

/** A name or a part of an address: one line, without control characters. */
export function lineUpTo(lengthMax: number) {
  return formedText(oneLine, 'one line without control characters', { maxLength: lengthMax })
}

/** A note or a comment: it may have line breaks and tabs, but no other control characters. */
export function notesUpTo(lengthMax: number) {
  return formedText(severalLines, 'text without control characters other than tabs and line breaks', {
    maxLength: lengthMax,
  })
}

/** A name or a part of an address that is not blank. */
export function filledLineUpTo(lengthMax: number) {
  return formedText(filledLine, 'one line without control characters, and not blank', {
    minLength: 1,
    maxLength: lengthMax,
  })
}

/** An ISO 3166-1 alpha-2 code, which callers may write in any letter case. */
export const sentCountry = formedText('^[A-Za-z]{2}$', 'an ISO 3166-1 alpha-2 code such as US', {
  description: 'ISO 3166-1 alpha-2 code, in any letter case',
})

/** U+0020–U+007E and not blank, for identifiers that partners choose. */
export function printableAscii(lengthMax: number) {
  return formedText('^ *[!-~][ -~]*$', 'printable ASCII: letters, digits, signs and spaces, and not only spaces', {
    minLength: 1,
    maxLength: lengthMax,
  })
}

/** An enumeration that clients must treat as open: new values may be added. */
export function openEnum<const Values extends readonly string[]>(values: Values, description?: string) {
  return Type.Unsafe<Values[number]>(
    Type.String({ 'x-extensible-enum': values, ...(description ? { description } : {}) }),
  )
}

/** A closed enumeration. */
export function oneOf<const Values extends readonly string[]>(values: Values) {
  return Type.Unsafe<Values[number]>(Type.String({ enum: values }))
}
