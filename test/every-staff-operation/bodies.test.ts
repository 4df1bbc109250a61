import assert from 'node:assert/strict'
import { test } from 'node:test'
import { methodOf, pathOf } from '../../src/contract/operation.ts'
import { staffApi } from '../../src/staff/api.ts'
import type { StaffOperation } from '../../src/staff/operation.ts'
import type { Answer } from '../world/partner.ts'
import { staff } from '../world/staff.ts'
import { staffSamples, usualPath } from './samples.ts'
import { walkService } from './walk-service.ts'

const service = await walkService()
const admin = await staff(service)

/** The fields that name something. */
const naming =
  /^(?:name|username|firstName|lastName|company|code|sku|location|serviceName|provider|label|templateName|attribute\dChoice)$/

const nameless = ['   ', '\u00a0\u3000', '\u200b\u2060', '\u0007', '\u2800\u3164', '\u0301']

type Schema = { type?: string; anyOf?: Schema[]; properties?: Record<string, Schema>; items?: Schema }

type Path = readonly string[]

/** The paths of a body's fields with such names: `name`, `discount.name`, `variants.0.sku`. */
function fieldsOf(schema: Schema, wanted: RegExp, above: Path = []): Path[] {
  const parts = schema.anyOf ?? [schema]
  return parts.flatMap(({ properties = {}, items }) => [
    ...Object.entries(properties).flatMap(([name, field]) => [
      ...(wanted.test(name) && field.type !== 'array' ? [[...above, name]] : []),
      ...(wanted.test(name) && field.type === 'array' ? [[...above, name, '0']] : []),
      ...(name === 'address' ? [] : fieldsOf(field, wanted, [...above, name])),
    ]),
    ...(items ? fieldsOf(items, wanted, [...above, '0']) : []),
  ])
}

/** The body with another value there; undefined if it has nothing above that field. */
function withValue(body: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value
  if (typeof body !== 'object' || body === null || (rest.length > 0 && !(step in body))) return undefined
  const changed = withValue((body as Record<string, unknown>)[step], rest, value)
  if (changed === undefined) return undefined
  return Array.isArray(body) ? body.toSpliced(Number(step), 1, changed) : { ...body, [step]: changed }
}

/** Sends the sample with another value there; undefined if the sample has no such place. */
async function sendWith(entry: StaffOperation, field: Path, value: unknown): Promise<Answer | undefined> {
  const sample = await staffSamples[entry.id]!({ service, admin })
  const body = withValue(sample.body, field, value)
  if (body === undefined) return undefined
  const values: Record<string, unknown> = { ...usualPath(service), ...sample.path }
  const url = pathOf(entry).replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])))
  return admin.call(methodOf(entry), url, body)
}

const entries: readonly StaffOperation[] = Object.values(staffApi).filter(({ body, open }) => body && !open)

test('no name of only blanks, control characters or invisible characters is accepted from staff anywhere', async () => {
  const tried: string[] = []
  for (const entry of entries) {
    for (const field of fieldsOf(entry.body!.schema as Schema, naming)) {
      for (const text of nameless) {
        // A blank field of an address counts as none, if an address can do without.
        const isOfAddress = /address/i.test(entry.id) || (field.at(-2) === 'shipTo' && field.at(-1) === 'company')
        if (text.trim() === '' && isOfAddress) continue
        const answer = await sendWith(entry, field, text)
        if (!answer) continue
        tried.push(`${entry.id} ${field.join('.')}`)
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

test('an id in a body that is above 32 bits is refused as one that no record has', async () => {
  const tried: string[] = []
  const ids = /[a-z]Ids?$/
  for (const entry of entries) {
    for (const field of fieldsOf(entry.body!.schema as Schema, ids)) {
      const answers: Answer[] = []
      for (const id of [2_147_483_647, 2_147_483_648, 999_999_999_999_999]) {
        const answer = await sendWith(entry, field, id)
        if (answer && answer.body.code !== 'invalid_request') answers.push(answer)
      }
      if (answers.length === 0) continue
      const what = `${entry.id} ${field.join('.')}: ${JSON.stringify(answers.map(({ body }) => body))}`
      tried.push(`${entry.id} ${field.join('.')}`)
      const codes = answers.map(({ status, body }) => `${status} ${body.code}`)
      assert.equal(codes.length, 3, what)
      assert.ok(answers[0]!.status >= 400 && answers[0]!.status < 500, what)
      assert.deepEqual(codes, Array(3).fill(codes[0]), what)
    }
  }
  const known = [
    'setOrderingUser userId',
    'createDivision siteId',
    'shareProduct siteId',
    'setProductSegments segmentIds.0',
  ]
  for (const each of known) assert.ok(tried.includes(each), `${each} of ${tried.join(', ')}`)
})
