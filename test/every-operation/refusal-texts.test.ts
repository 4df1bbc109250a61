import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { methodOf, pathOf, pathParameterNames, type AnyOperation } from '../../src/contract/operation.ts'
import type { Parameter } from '../../src/contract/parameters.ts'
import { api } from '../../src/resources/api.ts'
import { control } from '../../src/sandbox/control/contract.ts'
import { staffApi } from '../../src/staff/api.ts'
import { partner, type Answer } from '../world/partner.ts'
import { sandboxPartner } from '../world/sandbox.ts'
import { assertTold } from '../world/sentences.ts'
import { testService } from '../world/service.ts'
import { staff } from '../world/staff.ts'
import { missingIds, offered, ownIds } from './sample-calls.ts'

/**
 * Sends every operation of every API all kinds of wrong values, in every field, and reads what the refusals say. Beside
 * the wrong values stands a key that nobody accepts, so no call changes anything.
 */
const service = await testService()
const [primary, tester, admin] = [
  await partner(service, 'primary'),
  await sandboxPartner(service),
  await staff(service),
]
type Api = {
  name: string
  entries: readonly AnyOperation[]
  caller: { call: (method: string, path: string, body?: unknown) => Promise<Answer> }
}
const apis: readonly Api[] = [
  { name: 'partner', entries: Object.values(offered), caller: primary },
  { name: 'sandbox', entries: Object.values(control), caller: tester },
  { name: 'staff', entries: Object.values(staffApi), caller: admin },
]

const ids: Readonly<Record<string, string>> = {
  ...missingIds,
  ...ownIds(service.manifest),
  environment: 'production',
  reasonKind: 'hold',
}
const someUuid = '00000000-0000-4000-8000-000000000000'

/** A path whose parameters are well-formed; of those that no partner knows, some are UUIDs and the others numbers. */
function pathsOf(entry: AnyOperation, changes: Readonly<Record<string, string>> = {}): string[] {
  return ['1', someUuid].map((other) =>
    pathOf(entry).replaceAll(/\{(\w+)\}/g, (_, name: string) => changes[name] ?? ids[name] ?? other),
  )
}

type Schema = TSchema & {
  type?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  additionalProperties?: Schema | boolean
}

const wrongValues = [null, true, -7, 1.5, 1e15, '', ' ', 'é\u0001^', 'x'.repeat(30_000), [], {}, [null], { nosuch: 1 }]

/** A body whose every field, at every depth or only at the top, has the wrong value. */
function wrongBody(schema: Schema, wrong: unknown, deep: boolean): unknown {
  const branch = schema.anyOf?.find(({ type }) => type !== 'null')
  if (branch) return wrongBody(branch, wrong, deep)
  if (schema.properties) {
    const fields = Object.entries(schema.properties)
    return Object.fromEntries(fields.map(([name, field]) => [name, deep ? wrongBody(field, wrong, deep) : wrong]))
  }
  if (schema.items) return [wrongBody(schema.items, wrong, deep), wrong]
  if (typeof schema.additionalProperties === 'object') return { name: wrong, 'a name': wrong, constructor: wrong }
  return wrong
}

for (const { name, entries, caller } of apis) {
  test(`ERR-05 ERR-19 every fault of a body in the ${name} API is told with what would be right, and several all at once`, async () => {
    let several = 0
    for (const entry of entries.filter(({ body }) => body)) {
      // The path is read before the body. One of the two is well-formed.
      let path: string | undefined
      for (const candidate of pathsOf(entry)) {
        const { body } = await caller.call(methodOf(entry), candidate, { nosuch: 1 })
        if (!/path parameter/.test(body.detail)) path = candidate
      }
      assert.ok(path, entry.id)
      for (const [wrong, deep] of wrongValues.flatMap((each) => [[each, true] as const, [each, false] as const])) {
        const fields = wrongBody(entry.body!.schema as Schema, wrong, deep) as object
        const { status, body } = await caller.call(methodOf(entry), path, { ...fields, nosuch: 1 })
        const where = `${entry.id} ${JSON.stringify(wrong).slice(0, 100)}`
        assert.equal(status, 400, `${where}: ${body.detail}`)
        assertTold(body, where, name === 'staff' ? 1 : 2)
        if (body.errors === undefined || body.errors.length === 1) continue
        several++
        assert.ok(
          body.errors.some((fault: { path: string; rule: string }) => /(^|\.)nosuch$/.test(fault.path)),
          `${where}: ${JSON.stringify(body.errors)}`,
        )
      }
    }
    assert.ok(several > 20, String(several))
  })

  test(`ERR-05 ERR-20 a malformed parameter of the ${name} API is told by name, with its form`, async () => {
    for (const entry of entries) {
      for (const parameter of pathParameterNames<string>(entry)) {
        const [path] = pathsOf(entry, { [parameter]: '%01' })
        const { body } = await caller.call(methodOf(entry), path!)
        assert.equal(body.status, 400, `${entry.id} ${parameter}`)
        assertTold(body, `${entry.id} ${parameter}`)
        assert.match(body.detail, /^The path parameter \w+ must be ./, entry.id)
      }
      for (const [parameter, { read }] of Object.entries(entry.query ?? {}) as [string, Parameter<unknown>][]) {
        if (read('\u0001') !== undefined) continue
        for (const path of pathsOf(entry)) {
          const { body } = await caller.call(methodOf(entry), `${path}?${parameter}=%01`)
          assert.equal(body.status, 400, `${entry.id} ${parameter}`)
          assertTold(body, `${entry.id} ${parameter}`)
          if (!/path parameter/.test(body.detail)) {
            assert.ok(body.detail.startsWith(`The query parameter ${parameter} must be `), body.detail)
          }
        }
      }
    }
  })
}

test('ERR-19 SUB-31 a body lists all its faults, the first as the detail; one fault alone needs no list', async () => {
  const line = { productId: 'SLO_1', partnerLineId: 'a', quantity: 1 }
  const shipTo = { name: 'A', address1: 'B', city: 'C', state: 'PA', postalCode: '19107', country: 'US' }
  const send = async (body: object) => (await primary.post('/v1/orders', body)).body
  const order = { siteId: service.manifest.sites.main, partnerOrderId: 'faults', shipTo, lines: [line] }

  const one = await send({ ...order, lines: [{ ...line, quantity: 0 }] })
  assert.deepEqual([one.detail, 'errors' in one], ['The field lines[0].quantity must be at least 1.', false])

  const many = await send({
    ...order,
    colour: 'red',
    partnerOrderId: 'é',
    shipTo: { ...shipTo, country: 'usa', city: '' },
    lines: [
      { ...line, quantity: '2' },
      { partnerLineId: 'b', quantity: 0.5 },
    ],
  })
  assert.equal(many.detail, many.errors[0].detail)
  const told = Object.fromEntries(
    many.errors.map(({ path, rule, detail }: Record<string, string>) => [path, [rule, detail]]),
  )
  assert.deepEqual(Object.keys(told).toSorted(), [
    'colour',
    'lines[0].quantity',
    'lines[1].productId',
    'lines[1].quantity',
    'partnerOrderId',
    'shipTo.city',
    'shipTo.country',
  ])
  assert.deepEqual(told['lines[0].quantity'], [
    'type',
    'The field lines[0].quantity must be a whole number of at least 1.',
  ])
  assert.deepEqual(told['lines[1].productId'], ['required', 'The field lines[1].productId is required.'])
  assert.match(told.colour![1]!, /^The field "colour" is not accepted here\. Accepted: siteId, partnerOrderId, /)
  assert.match(told.partnerOrderId![1]!, /^The field partnerOrderId must be printable ASCII/)

  const ours = await send({
    ...order,
    shipTo: undefined,
    lines: [line, { ...line, shipTo: { ...shipTo, country: 'XX' } }],
  })
  assert.deepEqual(
    ours.errors.map(({ path }: { path: string }) => path),
    ['lines[0].shipTo', 'lines[1].partnerLineId', 'lines[1].shipTo.country'],
  )

  const badPlace = { ...shipTo, name: 'A\nB', country: 'XX', email: 'nope' }
  const both = await send({
    ...order,
    shipTo: badPlace,
    lines: [{ ...line, quantity: 'x' }, line, { ...line, shipTo: { ...shipTo, country: 7, city: '\u200b' } }, 7],
  })
  assert.deepEqual(both.errors.map(({ path }: { path: string }) => path).toSorted(), [
    'lines[0].quantity',
    'lines[1].partnerLineId',
    'lines[2].partnerLineId',
    'lines[2].shipTo.city',
    'lines[2].shipTo.country',
    'lines[3]',
    'shipTo.country',
    'shipTo.email',
    'shipTo.name',
  ])
  const misplaced = await send({ ...order, lines: [{ ...line, quantity: 0, shipTo: 'here' }] })
  assert.deepEqual(
    misplaced.errors.map(({ path }: { path: string }) => path),
    ['lines[0].quantity', 'lines[0].shipTo', 'shipTo'],
  )
  const withoutIds = await send({
    ...order,
    lines: [
      { ...line, partnerLineId: 1 },
      { ...line, partnerLineId: 1 },
    ],
  })
  assert.deepEqual(
    withoutIds.errors.map(({ path, rule }: Record<string, string>) => [path, rule]),
    [
      ['lines[0].partnerLineId', 'type'],
      ['lines[1].partnerLineId', 'type'],
    ],
  )

  const division = await primary.patch(`/v1/divisions/${ids.divisionId}`, { name: null, code: null, active: 'yes' })
  assert.equal(division.body.code, 'null_not_supported')
  assert.deepEqual(
    division.body.errors.map(({ path, rule }: Record<string, string>) => [path, rule]),
    [
      ['name', 'null'],
      ['code', 'null'],
      ['active', 'type'],
    ],
  )
})

test('ERR-19 the faults beyond a schema are told beside those of the schema, in every API', async () => {
  const upload = { fileName: 'a/b', contentType: 'nonsense' }
  const line = { environment: 'production', orderNumber: '1', lineNumber: '1', shipmentNumber: '1' }
  const calls: [Api['caller'], AnyOperation, object, string[]][] = [
    [primary, api.reserveArtworkUpload, { ...upload, nosuch: 1 }, ['contentType', 'fileName', 'nosuch']],
    [primary, api.reserveArtworkUpload, { ...upload, contentType: null }, ['contentType', 'fileName']],
    [tester, control.takeOrderStep, { step: 'publish_proof', nosuch: 1 }, ['', 'nosuch']],
    [admin, staffApi.reserveLineUpload!, { ...upload, nosuch: 1 }, ['contentType', 'fileName', 'nosuch']],
    [admin, staffApi.setDates!, { shipBy: 'soon', nosuch: 1 }, ['nosuch', 'shipBy']],
    [admin, staffApi.ship!, { packages: [7, { trackingUrl: 'x' }], nosuch: 1 }, []],
    [admin, staffApi.adjustStock!, { nosuch: 1 }, ['', 'nosuch', 'reason']],
    [admin, staffApi.addSegmentRule!, { nosuch: 1 }, ['', 'nosuch']],
  ]
  for (const [caller, entry, sent, paths] of calls) {
    const path = pathsOf(entry, line)[0]!
    const { status, body } = await caller.call(methodOf(entry), path, sent)
    assert.equal(status, 400, `${entry.id}: ${body.detail}`)
    assertTold(body, entry.id)
    const told = body.errors.map((fault: { path: string }) => fault.path)
    if (paths.length > 0) assert.deepEqual(told.toSorted(), paths, entry.id)
    else assert.ok(told.includes('packages[1].trackingUrl'), JSON.stringify(told))
  }
})

test('ERR-36 a refused null is told what to send instead, and to leave the field out only where that is possible', async () => {
  const detailOf = async (answer: Promise<Answer>) => (await answer).body.detail
  assert.equal(
    await detailOf(primary.post('/v1/users', { username: null })),
    'The field username cannot be null. Send a string of 1 to 100 characters.',
  )
  assert.equal(
    await detailOf(primary.patch(`/v1/users/${ids.userId}`, { firstName: null })),
    'The field firstName cannot be null. Leave it out, or send a string.',
  )
  const { productId, imageId } = ids
  assert.equal(
    await detailOf(primary.patch(`/v1/products/${productId}/images/${imageId}`, { primary: null })),
    'The field primary cannot be null. Leave it out, or send true.',
  )
})

test('ERR-19 a body of very many faults is refused quickly, and lists at most a hundred', async () => {
  const lines = (count: number) => ({
    siteId: 1,
    partnerOrderId: 'x',
    lines: Array.from({ length: count }, () => ({})),
  })
  const some = (await primary.post('/v1/orders', lines(99))).body
  assert.equal(some.errors.length, 100)
  const tooMany = (await primary.post('/v1/orders', lines(50_000))).body
  assert.deepEqual([tooMany.detail, 'errors' in tooMany], ['The field lines must have at most 100 items.', false])
})
