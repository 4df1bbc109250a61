import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Operation } from '../contract/operation.ts'
import { scopes } from '../vocabulary/scopes.ts'
import { api, chapters } from './api.ts'

const entries = Object.entries<Operation>(api)

/** Every route of the specification with the scope it asks for; `-` where any credential will do. */
const specified = `
GET /v1/ping -
GET /v1/me -
POST /v1/orders orders:write
GET /v1/orders/submissions orders:write
GET /v1/orders/submissions/{submissionId} orders:write
GET /v1/orders orders:read
GET /v1/orders/{orderNumber} orders:read
GET /v1/orders/{orderNumber}/items orders:read
GET /v1/orders/{orderNumber}/shipments orders:read
GET /v1/orders/{orderNumber}/items/{itemNumber}/proof orders:read
GET /v1/orders/{orderNumber}/items/{itemNumber}/proof/denial-reasons orders:read
POST /v1/orders/{orderNumber}/items/{itemNumber}/proof/approve orders:write
POST /v1/orders/{orderNumber}/items/{itemNumber}/proof/decline orders:write
POST /v1/orders/{orderNumber}/items/{itemNumber}/artwork/upload-url orders:write
POST /v1/orders/{orderNumber}/items/{itemNumber}/artwork orders:write
GET /v1/products products:read
GET /v1/sites/{siteId}/products products:read
GET /v1/products/{productId} products:read
GET /v1/products/{productId}/images products:read
PATCH /v1/products/{productId}/images/{imageId} products:write
GET /v1/products/{productId}/template products:read
POST /v1/products/{productId}/quote products:read
POST /v1/shipping/quote products:read
PATCH /v1/products/{productId} products:write
PATCH /v1/products/{productId}/variants/{variantId} products:write
PUT /v1/products/{productId}/segments products:write
GET /v1/segments products:read
GET /v1/users users:read
GET /v1/sites/{siteId}/users users:read
GET /v1/users/{userId} users:read
GET /v1/users/{userId}/addresses users:read
POST /v1/users users:write
PATCH /v1/users/{userId} users:write
PUT /v1/users/{userId}/segments users:write
GET /v1/divisions divisions:read
GET /v1/divisions/{divisionId} divisions:read
POST /v1/divisions divisions:write
PATCH /v1/divisions/{divisionId} divisions:write
GET /v1/credit-accounts credit:read
GET /v1/sites/{siteId}/credit-accounts credit:read
GET /v1/credit-accounts/{creditAccountId} credit:read
GET /v1/credit-accounts/{creditAccountId}/adjustments credit:read
GET /v1/sites sites:read
`
  .trim()
  .split('\n')

test('every operation is in the api under its own id, and no two share an id', () => {
  for (const [key, entry] of entries) assert.equal(key, entry.id)
  assert.equal(new Set(entries.map(([, entry]) => entry.id)).size, entries.length)
})

test('GEN-17 GEN-18 SUB-01 ORD-01 PRF-01 ART-01 CAT-01 PQ-01 SQ-01 USR-01 DIV-01 CRD-01 SITE-01 SCOPE-02 SCOPE-12 ART-20 EVT-27 the api has the routes of the specification, each with its scope, and beyond them only the documented additions', () => {
  const served = new Map(entries.map(([, entry]) => [`${entry.at} ${entry.scope ?? '-'}`, entry.at]))
  assert.deepEqual(
    specified.filter((route) => !served.has(route)),
    [],
  )
  const additions = [...served].filter(([route]) => !specified.includes(route))
  const told = readFileSync(new URL('../../docs/spec-gaps.md', import.meta.url), 'utf8')
  for (const [, at] of additions) assert.ok(told.includes(`\`${at}\``), `docs/spec-gaps.md does not tell of ${at}`)
})

test('the table of contents lists every operation once, in the order of the api', () => {
  assert.deepEqual(
    chapters.flatMap((chapter) => Object.keys(chapter.operations)),
    Object.keys(api),
  )
})

test('SCOPE-01 every scope gives access to at least one operation', () => {
  const used = new Set(entries.map(([, entry]) => entry.scope))
  for (const scope of scopes) assert.ok(used.has(scope), scope)
})
