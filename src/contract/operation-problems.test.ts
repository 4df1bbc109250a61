import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyObject, idInBody, text } from './fields.ts'
import { problemsOf } from './operation-problems.ts'
import { operation } from './operation.ts'
import { paged, siteIdFilter } from './parameters.ts'

test('ERR-07 a plain read can answer the credential, limit and failure codes and those of its handler', () => {
  const read = operation({
    id: 'getUser',
    at: 'GET /v1/users/{userId}',
    scope: 'users:read',
    answers: { 200: text },
    refuses: ['user_not_found'],
    says: 'Shows one.',
  })
  assert.deepEqual(problemsOf(read), [
    'invalid_token',
    'rate_limit_exceeded',
    'insufficient_scope',
    'invalid_user_id',
    'unknown_query_parameter',
    'invalid_request',
    'user_not_found',
    'internal_error',
    'service_unavailable',
  ])
})

test('ERR-09 ERR-18 ERR-53 a list of a site adds the codes of its parameters, of its rules and of the site', () => {
  const list = operation({
    id: 'listSiteProducts',
    at: 'GET /v1/sites/{siteId}/products',
    scope: 'products:read',
    query: { siteId: siteIdFilter, ...paged({ default: 50, max: 200 }) },
    queryRules: [{ code: 'cursor_not_supported_with_search', broken: () => false }],
    collection: 'products',
    answers: { 200: text },
    refuses: [],
    says: 'Lists them.',
  })
  const codes = problemsOf(list)
  for (const code of [
    'updated_since_not_supported',
    'invalid_cursor',
    'invalid_request',
    'cursor_not_supported_with_search',
    'site_not_found',
  ] as const) {
    assert.ok(codes.includes(code), code)
  }
  assert.equal(codes.filter((code) => code === 'invalid_site_id').length, 1)
})

test('ERR-36 a body adds its own code, those of its fields and, if it refuses nulls, null_not_supported', () => {
  const write = operation({
    id: 'createDivision',
    at: 'POST /v1/divisions',
    scope: 'divisions:write',
    body: {
      schema: bodyObject({ siteId: idInBody }),
      malformed: 'invalid_segments_body',
      nulls: 'refused',
      fieldProblems: { siteId: 'invalid_site_id' },
      missingProblems: { siteId: 'invalid_quantity' },
      example: { siteId: 101 },
    },
    answers: { 201: text },
    refuses: [],
    says: 'Makes one.',
  })
  const codes = problemsOf(write)
  assert.deepEqual(codes.slice(codes.indexOf('null_not_supported'), codes.indexOf('internal_error')), [
    'null_not_supported',
    'invalid_quantity',
    'invalid_site_id',
    'invalid_segments_body',
  ])
  assert.ok(!codes.includes('invalid_request'))
})
