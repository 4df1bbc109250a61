import assert from 'node:assert/strict'
import type { Answer } from '../world/partner.ts'

/** What a model says of an answer: a refusal by its code, or a record by the fields the model knows. */
export type Refusal = readonly [status: number, code: string]
export type Expected<Body> = { refusal: Refusal } | { body: Body }

export function refused(status: number, code: string): { refusal: Refusal } {
  return { refusal: [status, code] }
}

export function isEmpty(wish: object): boolean {
  return Object.keys(wish).length === 0
}

/** True where a field that cannot be cleared is null: refused before anything else is looked at. */
export function hasNull(wish: object, fields: readonly string[]): boolean {
  return fields.some((field) => (wish as Record<string, unknown>)[field] === null)
}

/** The answer has the status, and the code or every field of the record, that the model expects. */
export function assertExpected(answer: Answer, expected: Expected<unknown>, accepted: number): void {
  if ('refusal' in expected) {
    assert.deepEqual([answer.status, answer.body.code], expected.refusal)
    return
  }
  assert.deepEqual([answer.status, knownPart(answer.body, expected.body)], [accepted, expected.body])
}

/** What the answer says of the fields the model knows; lists are compared whole. */
function knownPart(answered: unknown, known: unknown): unknown {
  if (Array.isArray(answered) && Array.isArray(known)) {
    return answered.map((each, index) => (index < known.length ? knownPart(each, known[index]) : each))
  }
  if (!isRecord(answered) || !isRecord(known)) return answered
  return Object.fromEntries(Object.keys(known).map((key) => [key, knownPart(answered[key], known[key])]))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
