import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { methodOf, pathOf, type Operation } from '../../src/contract/operation.ts'
import { problemsOf } from '../../src/contract/operation-problems.ts'
import { Problem, problemRecord } from '../../src/contract/problem-document.ts'
import { everyProblemCode, problemStatus, problemTitle, type ProblemCode } from '../../src/contract/problems.ts'
import { developer } from '../../src/developer/contract.ts'
import { api } from '../../src/resources/api.ts'
import { control } from '../../src/sandbox/control/contract.ts'
import { assertTold } from './sentences.ts'

/**
 * Checks answers against the published contract: no missing or extra keys, every instant in UTC, only published values
 * in open enumerations, and only refusals that the operation declares. Every call of a test's `partner` is checked
 * here, so each test over HTTP also tests the schemas.
 */

const entries: readonly Operation[] = [...Object.values(api), ...Object.values(control), ...Object.values(developer)]

const BesideProblem = problemRecord(everyProblemCode)

const byLength = entries.toSorted((a, b) => a.at.split('{').length - b.at.split('{').length)

/** The operation that a request calls. A fixed path takes precedence over one with a parameter. */
export function operationAt(method: string, path: string): Operation | undefined {
  const plain = path.split('?', 1)[0]!
  return byLength.find((entry) => methodOf(entry) === method && formOf(pathOf(entry)).test(plain))
}

/** Asserts a status that the operation declares, and its shape. Every error must have the shape of a problem. */
export function assertAnswered(entry: Operation | undefined, status: number, body: unknown): void {
  if (status >= 400) return assertProblem(entry, status, body)
  if (!entry) return
  const schema = entry.answers[status]
  assert.ok(schema, `${entry.id} does not declare the status ${status}`)
  assertShape(entry.id, schema, body)
}

function assertProblem(entry: Operation | undefined, status: number, body: unknown): void {
  assertShape('a problem', entry && !pathOf(entry).startsWith('/v1/') ? BesideProblem : Problem, body)
  const problem = body as { code: ProblemCode; status: number; title: string; detail: string }
  assertTold(problem, entry?.id ?? 'a problem', problem.code === 'quote_invalid' ? 1 : 2)
  assert.deepEqual([problem.status, problem.title], [status, problemTitle(status)])
  assert.equal(problemStatus(problem.code), status)
  if (entry) assert.ok(problemsOf(entry).includes(problem.code), `${entry.id} does not declare ${problem.code}`)
}

const ajv = new Ajv2020({ strict: true, allErrors: true, verbose: true })
addFormats.default(ajv)
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
// Who else sees the field. Others get null, which every such field can be.
ajv.addKeyword({ keyword: 'x-shown-with', schemaType: 'string' })
ajv.addKeyword({
  keyword: 'x-extensible-enum',
  schemaType: 'array',
  validate: (words: string[], value: string) => words.includes(value),
})

const compiled = new WeakMap<TSchema, ValidateFunction>()

export function assertShape(name: string, schema: TSchema, body: unknown): void {
  let validate = compiled.get(schema)
  if (!validate) compiled.set(schema, (validate = ajv.compile(withoutIds(schema))))
  if (validate(body)) return
  const wrong = validate.errors!.map(
    (error) => `${error.instancePath} ${error.message} (${JSON.stringify(error.data)})`,
  )
  assert.fail(`${name} answered outside its contract: ${wrong.slice(0, 5).join('; ')}`)
}

/** Removes every `$id`. Ajv rejects an `$id` that it has seen, and nested records repeat theirs. */
function withoutIds(schema: TSchema): object {
  return JSON.parse(JSON.stringify(schema, (key, value: unknown) => (key === '$id' ? undefined : value))) as object
}

function formOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}
