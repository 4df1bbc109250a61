import assert from 'node:assert/strict'
import type { Answer } from '../world/partner.ts'

/** The answer a model expects: a refusal with its code, or a record with the fields the model knows. */
export type Refusal = readonly [status: number, code: string]
export type Expected<Body> = { refusal: Refusal } | { body: Body }

export function refused(status: number, code: string): { refusal: Refusal } {
  return { refusal: [status, code] }
}

export function isEmpty(wish: object): boolean {
  return Object.keys(wish).length === 0
}

/** True if a field that cannot be cleared is null. The service refuses this before any other check. */
export function hasNull(wish: object, fields: readonly string[]): boolean {
  return fields.some((field) => (wish as Record<string, unknown>)[field] === null)
}

/** Asserts that the answer has the expected status, and the expected code or every expected field. */
export function assertExpected(answer: Answer, expected: Expected<unknown>, accepted: number): void {
  if ('refusal' in expected) {
    assert.deepEqual([answer.status, answer.body.code], expected.refusal)
    return
  }
  assert.deepEqual([answer.status, knownPart(answer.body, expected.body)], [accepted, expected.body])
}

/** The answer's values for the fields the model knows. Lists are compared whole. */
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
