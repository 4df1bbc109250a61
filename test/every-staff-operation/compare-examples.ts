import type { TSchema } from 'typebox'
import { staffExamples } from '../../src/staff/examples.ts'
import type { Json, JsonObject } from '../../src/publish/schemas.ts'
import type { StaffOperation } from '../../src/staff/operation.ts'
import type { StaffExample } from './stable-examples.ts'

/** What the published example of an operation lacks, or says otherwise than what was sent and answered now. */
export function exampleFaults(entry: StaffOperation, now: StaffExample): string[] {
  const published = staffExamples[entry.id]
  if (!published) return [`${entry.id} has no published example`]
  if ((entry.body || entry.upload) && now.body === undefined) return [`the sample of ${entry.id} sends no body`]
  const { body = null, status, answer } = published
  return [
    ...(status === now.status ? [] : [`${entry.id} answers ${now.status}, not ${status}`]),
    ...differences(entry.body?.schema, body, now.body ?? null, `${entry.id} body`),
    ...differences(entry.answers[now.status], answer, now.answer, `${entry.id} answer`),
  ]
}

/**
 * Differing keys and types. A null may be anything, an empty list a list of anything. Where the schema leaves the form
 * open, as in the details of an audit record, every form is the same.
 */
function differences(schema: TSchema | undefined, shown: Json, now: Json, place: string): string[] {
  if (shown === null || now === null) return shown === now || schema ? [] : [`${place} is ${JSON.stringify(now)}`]
  const form = formOf(schema as JsonObject | undefined)
  if (!form) return []
  if (kindOf(shown) !== kindOf(now)) return [`${place} is now ${kindOf(now)}, not ${kindOf(shown)}`]
  if (Array.isArray(shown) && Array.isArray(now)) {
    const items = form.items as TSchema | undefined
    return shown.slice(0, now.length).flatMap((each, at) => differences(items, each, now[at]!, `${place}.${at}`))
  }
  if (!form.properties || typeof shown !== 'object') return []
  const [before, after] = [shown as JsonObject, now as JsonObject]
  return Object.entries(form.properties as unknown as Record<string, TSchema>).flatMap(([key, field]) => {
    if (!(key in before) && !(key in after)) return []
    if (!(key in before)) return [`${place} now has ${key}`]
    if (!(key in after)) return [`${place} no longer has ${key}`]
    return differences(field, before[key]!, after[key]!, `${place}.${key}`)
  })
}

/** The one form besides null; undefined where several are allowed, or any. */
function formOf(schema: JsonObject | undefined): JsonObject | undefined {
  if (!schema) return undefined
  const forms = ((schema.anyOf ?? [schema]) as JsonObject[]).filter(({ type }) => type !== 'null')
  return forms.length === 1 ? forms[0] : undefined
}

function kindOf(value: Json): string {
  return Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`
}
