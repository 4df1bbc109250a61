import type { TSchema } from 'typebox'
import type { Permission } from '../vocabulary/staff-roles.ts'

/**
 * Fields of answers that need a permission of their own, beside that of the operation. Whoever lacks it gets null in their
 * place, or an empty list.
 */
const keyword = 'x-shown-with'

/** Marks a field that can be null, or a list. typebox has its markers in hidden properties, which a spread would lose. */
export function shownWith<Schema extends TSchema>(permission: Permission, schema: Schema): Schema {
  return Object.create(Object.getPrototypeOf(schema), {
    ...Object.getOwnPropertyDescriptors(schema),
    [keyword]: { value: permission, enumerable: true, configurable: true, writable: true },
  }) as Schema
}

type May = (permission: Permission) => boolean
type Cover = (value: unknown, may: May) => unknown

/** What takes the marked fields out of a value of this form; undefined = it has none. */
export function coverOf(schema: object): Cover | undefined {
  const part = schema as {
    properties?: Record<string, object>
    items?: object
    anyOf?: object[]
    [keyword]?: Permission
  }
  const needed = part[keyword]
  if (needed) return (value, may) => (may(needed) ? value : Array.isArray(value) ? [] : null)
  if (part.anyOf) return oneAfterAnother(part.anyOf.flatMap((each) => coverOf(each) ?? []))
  if (part.items) {
    const ofItem = coverOf(part.items)
    return ofItem && ((value, may) => (Array.isArray(value) ? value.map((item) => ofItem(item, may)) : value))
  }
  const covers = Object.entries(part.properties ?? {}).flatMap(([key, property]) => {
    const cover = coverOf(property)
    return cover ? [[key, cover] as const] : []
  })
  if (covers.length === 0) return undefined
  return (value, may) => {
    if (typeof value !== 'object' || value === null) return value
    const covered: Record<string, unknown> = { ...value }
    for (const [key, cover] of covers) if (key in covered) covered[key] = cover(covered[key], may)
    return covered
  }
}

function oneAfterAnother(covers: readonly Cover[]): Cover | undefined {
  if (covers.length === 0) return undefined
  return (value, may) => covers.reduce((sofar, cover) => cover(sofar, may), value)
}
