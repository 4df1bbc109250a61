import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Operation } from '../../src/contract/operation.ts'
import type { Answer } from './partner.ts'

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)

/** The answer has the status, and its body the published shape: no key missing, none too many. */
export function assertConforms(entry: Operation, status: number, answer: Answer): void {
  assert.equal(answer.status, status, JSON.stringify(answer.body))
  const validate = ajv.compile(withoutIds(entry.answers[status]!) as object)
  assert.ok(validate(answer.body), `${entry.id} answered outside its contract: ${ajv.errorsText(validate.errors)}`)
}

/** Ajv keeps schemas by `$id` and refuses to meet one twice; records that stand inside others would be. */
function withoutIds(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema, (key, value: unknown) => (key === '$id' ? undefined : value)))
}
