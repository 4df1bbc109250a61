import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { methodOf, pathOf, type AnyOperation } from '../contract/operation.ts'
import { problemsOf } from '../contract/operation-problems.ts'
import { developer, developerChapters } from '../developer/contract.ts'
import { api, chapters } from '../resources/api.ts'
import { control, controlChapters } from '../sandbox/control/contract.ts'
import { staffApi, staffContract } from '../staff/api.ts'
import { publishDeveloperOpenapi } from './developer-openapi.ts'
import { publishOpenapi } from './openapi.ts'
import { publishSandboxOpenapi } from './sandbox-openapi.ts'
import type { Json, JsonObject } from './schemas.ts'
import { publishStaffOpenapi } from './staff-openapi.ts'

/** What holds for all documents, so that people can read them and generators make good clients of them. */
const hosts = { baseUrl: 'https://api.test', mtlsBaseUrl: 'https://mtls.test', sandboxBaseUrl: 'https://sandbox.test' }
type Published = { name: string; document: any; entries: AnyOperation[]; codesOf: (entry: any) => readonly string[] }
const published: readonly Published[] = [
  { name: 'partners', document: publishOpenapi(chapters, hosts), entries: Object.values(api), codesOf: problemsOf },
  {
    name: 'sandbox',
    document: publishSandboxOpenapi(controlChapters, hosts.sandboxBaseUrl),
    entries: Object.values(control),
    codesOf: problemsOf,
  },
  {
    name: 'developer',
    document: publishDeveloperOpenapi(developerChapters, hosts),
    entries: Object.values(developer),
    codesOf: problemsOf,
  },
  {
    name: 'staff',
    document: publishStaffOpenapi(staffContract, 'https://staff.test'),
    entries: Object.values(staffApi),
    codesOf: ({ id }) => staffContract.problemsOf(id),
  },
]

/** Every object of a document with its place, besides those inside of examples. */
function* objectsOf(value: Json, place = ''): Generator<{ place: string; object: JsonObject }> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield { place, object: value }
  for (const [key, member] of Object.entries(value)) {
    if (key !== 'example' && key !== 'examples') yield* objectsOf(member, `${place}/${key}`)
  }
}

/** The object at a reference, or the object itself. */
function followed(document: any, object: any): any {
  const ref = object.$ref as string | undefined
  return ref === undefined
    ? object
    : ref
        .slice(2)
        .split('/')
        .reduce((node, key) => node[key], document)
}

function operationsOf(document: any): { place: string; operation: any }[] {
  return Object.entries({ ...document.paths, ...document.webhooks }).flatMap(([path, methods]) =>
    Object.entries(methods as object).map(([method, operation]) => ({ place: `${method} ${path}`, operation })),
  )
}

test('every field of every schema says what it means', () => {
  for (const { name, document } of published) {
    for (const { place, object } of objectsOf(document)) {
      if (!place.includes('/properties/') && typeof object.properties === 'object') {
        for (const [field, schema] of Object.entries(object.properties as Record<string, JsonObject>)) {
          assert.ok(typeof schema.description === 'string' && schema.description !== '', `${name} ${place} ${field}`)
        }
      }
    }
  }
})

test('every refusal is a named response, or the union of named problems', () => {
  for (const { name, document, entries, codesOf } of published) {
    for (const entry of entries) {
      const { responses } = document.paths[pathOf(entry)][methodOf(entry).toLowerCase()]
      const said = Object.entries(responses)
        .filter(([status]) => Number(status) >= 400)
        .flatMap(([status, response]) => {
          const { content } = followed(document, response)
          const schema = content?.['application/problem+json']?.schema
          if (!schema) return []
          return ((schema.oneOf as JsonObject[] | undefined) ?? [schema]).map((each) => {
            assert.match(String(each.$ref), /^#\/components\/schemas\/\w+Problem$/, `${name} ${entry.id} ${status}`)
            const [base, own] = followed(document, each).allOf
            assert.equal(base.$ref, '#/components/schemas/Problem')
            assert.equal(own.properties.status.const, Number(status))
            return own.properties.code.const as string
          })
        })
      assert.deepEqual(said.toSorted(), [...codesOf(entry)].toSorted(), `${name} ${entry.id}`)
    }
  }
})

test('what is received may grow, what is sent is closed, and enumerations that may grow take any text', () => {
  for (const { name, document } of published) {
    for (const [record, schema] of Object.entries<JsonObject>(document.components.schemas)) {
      const isBody = record.endsWith('Body')
      for (const { place, object } of objectsOf(schema)) {
        if (isBody && object.type === 'object' && object.properties) {
          assert.equal(object.additionalProperties, false, `${name} ${record} ${place}`)
        }
        if (!isBody) assert.notEqual(object.additionalProperties, false, `${name} ${record} ${place}`)
      }
    }
    assert.ok(!JSON.stringify(document).includes('x-extensible-enum'), name)
  }
  const [{ document }] = published as [Published]
  const { anyOf } = document.components.schemas.Order.properties.status
  assert.ok(anyOf[0].enum.includes('IN_PRODUCTION'))
  assert.deepEqual(anyOf[1], { type: 'string' })
})

test('words in capitals that partners receive are open lists, unless only one word can be meant', () => {
  const [{ document }] = published as [Published]
  for (const [record, schema] of Object.entries<JsonObject>(document.components.schemas)) {
    if (record.endsWith('Body')) continue
    for (const { place, object } of objectsOf(schema)) {
      const values = Array.isArray(object.enum) ? object.enum.filter((value) => value !== null) : []
      const isChoiceOfWords = values.length > 1 && values.every((value) => /^[A-Z][A-Z0-9_]*$/.test(String(value)))
      if (isChoiceOfWords) assert.match(place, /\/anyOf\/0$/, `${record} ${place}`)
    }
  }
})

test('no schema says the bounds that its format says', () => {
  for (const { name, document } of published) {
    const text = JSON.stringify(document)
    for (const bound of ['"minimum":-2147483648', '"maximum":2147483647']) assert.ok(!text.includes(bound), name)
    assert.ok(text.includes('"format":"int32"'), name)
  }
})

test('every parameter, body and answer has an example that fits its schema', () => {
  for (const { name, document } of published) {
    const ajv = new Ajv2020({ strict: false })
    addFormats.default(ajv)
    ajv.addSchema({ $id: 'https://document.test/', components: { schemas: document.components.schemas } })
    const absolute = (schema: JsonObject): JsonObject =>
      JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"https://document.test/#/components'))
    const checked = new Set<string>()
    const assertFits = (schema: JsonObject, example: Json | undefined, place: string): void => {
      assert.notEqual(example, undefined, `${place} has no example`)
      const pair = JSON.stringify([schema, example])
      if (checked.has(pair)) return
      checked.add(pair)
      assert.ok(ajv.validate(absolute(schema), example), `${place}: ${ajv.errorsText()}`)
    }
    const assertContent = (content: Record<string, any> | undefined, place: string): void => {
      for (const { schema, example, examples } of Object.values(content ?? {})) {
        if (!schema) continue
        if (!examples) assertFits(schema, example, place)
        for (const each of Object.values<any>(examples ?? {})) assertFits(schema, followed(document, each).value, place)
      }
    }
    for (const { place, operation } of operationsOf(document)) {
      for (const each of operation.parameters ?? []) {
        const parameter = followed(document, each)
        assertFits(parameter.schema, parameter.example, `${name} ${place} ${parameter.name}`)
      }
      assertContent(operation.requestBody?.content, `${name} ${place}`)
      for (const [status, response] of Object.entries<any>(operation.responses)) {
        assertContent(followed(document, response).content, `${name} ${place} ${status}`)
      }
    }
  }
})

/** Every text within a value; the keys are none. */
function* textsOf(value: Json): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) yield* textsOf(each)
}

test('no example of a request has a placeholder for a text of a certain form', () => {
  for (const { name, document } of published) {
    for (const { place, operation } of operationsOf(document)) {
      for (const { example } of Object.values<any>(operation.requestBody?.content ?? {})) {
        assert.ok(![...textsOf(example ?? null)].includes('text'), `${name} ${place}: ${JSON.stringify(example)}`)
      }
    }
  }
})

test('the answers of an operation show the values of its own example', () => {
  const [{ document }] = published as [Published]
  const { requestBody, responses } = document.paths['/v1/users'].post
  const [sent, answered] = [requestBody.content, responses[201].content].map((each) => each['application/json'].example)
  assert.equal(sent.username, api.createUser.body.example.username)
  const shared = Object.keys(answered).filter((key) => key in sent)
  assert.ok(shared.length > 0, Object.keys(answered).join())
  for (const key of shared) assert.equal(answered[key], sent[key], key)
})

test('every answer that says to come later says when', () => {
  for (const { name, document } of published) {
    for (const { place, operation } of operationsOf(document)) {
      for (const status of [429, 503]) {
        const response = operation.responses[status]
        if (response) assert.ok('Retry-After' in followed(document, response).headers, `${name} ${place} ${status}`)
      }
    }
  }
})

test('AUTH-04 AUTH-05 SIGN-01 the token endpoint shows all its grants and answers, and authorize and revoke are described', () => {
  const [{ document }] = published as [Published]
  const { post } = document.paths['/oauth2/token']
  const { schema } = post.requestBody.content['application/x-www-form-urlencoded']
  const grants = schema.oneOf.map((each: JsonObject) => followed(document, each).properties.grant_type.const)
  assert.deepEqual(grants, ['client_credentials', 'authorization_code', 'refresh_token'])
  assert.deepEqual(Object.keys(post.responses), ['200', '400', '401', '403', '429', '500', '503'])
  const errors = followed(document, post.responses[400]).content['application/json'].schema
  const { error } = followed(document, errors).properties
  assert.ok(error.anyOf[0].enum.includes('invalid_grant'))
  assert.ok(document.paths['/oauth2/authorize'].get.parameters.length >= 6)
  const { responses } = document.paths['/oauth2/revoke'].post
  assert.deepEqual(Object.keys(responses), ['200', '400', '401', '403', '429', '500', '503'])
})
