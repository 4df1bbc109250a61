import assert from 'node:assert/strict'
import { test } from 'node:test'
import { methodOf, pathOf } from '../../src/contract/operation.ts'
import { staffApi } from '../../src/staff/api.ts'
import { staff } from '../world/staff.ts'
import { testService } from '../world/service.ts'
import { staffSamples, usualPath } from './samples.ts'

const service = await testService()
const admin = await staff(service)

/** The fields that name something; addresses have rules of their own. */
const naming = /^(?:name|username|firstName|lastName|company|code|sku|location|serviceName|provider|attribute\dChoice)$/

const nameless = ['   ', '\u00a0\u3000', '\u200b\u2060', '\u0007', '\u2800\u3164', '\u0301']

type Schema = { type?: string; anyOf?: Schema[]; properties?: Record<string, Schema>; items?: Schema }

/** The paths of the naming fields in a body: `name`, `discount.name`, `variants.0.sku`. */
function namingFields(schema: Schema, above: readonly string[] = []): string[][] {
  const parts = schema.anyOf ?? [schema]
  return parts.flatMap(({ properties = {}, items }) => [
    ...Object.entries(properties).flatMap(([name, field]) =>
      name === 'address'
        ? []
        : [...(naming.test(name) ? [[...above, name]] : []), ...namingFields(field, [...above, name])],
    ),
    ...(items ? namingFields(items, [...above, '0']) : []),
  ])
}

/** The body with another value there; undefined if it has nothing above that field. */
function withText(body: unknown, [step, ...rest]: readonly string[], text: string): unknown {
  if (step === undefined) return text
  if (typeof body !== 'object' || body === null || (rest.length > 0 && !(step in body))) return undefined
  const changed = withText((body as Record<string, unknown>)[step], rest, text)
  if (changed === undefined) return undefined
  return Array.isArray(body) ? body.with(Number(step), changed) : { ...body, [step]: changed }
}

test('no name of only blanks, control characters or invisible characters is accepted from staff anywhere', async () => {
  const tried: string[] = []
  for (const entry of Object.values(staffApi)) {
    if (!entry.body || entry.open || /address/i.test(entry.id)) continue
    for (const field of namingFields(entry.body.schema as Schema)) {
      for (const text of nameless) {
        const sample = await staffSamples[entry.id]!({ service, admin })
        const body = withText(sample.body, field, text)
        if (body === undefined) continue
        tried.push(`${entry.id} ${field.join('.')}`)
        const values: Record<string, unknown> = { ...usualPath(service), ...sample.path }
        const url = pathOf(entry).replaceAll(/\{(\w+)\}/g, (_, name: string) =>
          encodeURIComponent(String(values[name])),
        )
        const answer = await admin.call(methodOf(entry), url, body)
        const what = `${entry.id} ${field.join('.')} ${JSON.stringify(text)}: ${JSON.stringify(answer.body)}`
        assert.ok(answer.status === 422 || answer.status === 400, what)
      }
    }
  }
  const known = [
    'createProduct name',
    'changeVariant location',
    'updateUser company',
    'replaceDiscounts discounts.0.name',
  ]
  for (const each of known) assert.ok(tried.includes(each), each)
})
