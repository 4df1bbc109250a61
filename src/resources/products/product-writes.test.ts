import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../database/sql.ts'
import { partner, type Answer } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'

const service = await testService()
const primary = await partner(service, 'primary')
const readonly = await partner(service, 'readonly')

const fixtures = () => service.manifest.fixtures.products
const productPath = (productId: string): string => `/v1/products/${productId}`
const master = 'SLO_100101'

function refused(answer: Answer, status: number, code: string, about = ''): void {
  assert.deepEqual([answer.status, answer.body.code], [status, code], `${about} ${JSON.stringify(answer.body)}`)
}

function answered(answer: Answer): any {
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

async function rows<Row>(statement: ReturnType<typeof sql>): Promise<Row[]> {
  return service.owner.production.statements.rows<Row>(statement)
}

/** Every refusal here leaves the product as it was. */
async function refusedChange(productId: string, body: unknown, status: number, code: string): Promise<Answer> {
  const former = answered(await primary.get(productPath(productId)))
  const answer = await primary.patch(productPath(productId), body)
  refused(answer, status, code, JSON.stringify(body))
  assert.deepEqual(answered(await primary.get(productPath(productId))), former)
  return answer
}

test('CAT-07 CAT-26 CAT-33 a change sets only the fields it names and answers with the updated product', async () => {
  const { pod } = fixtures()
  const former = answered(await primary.get(productPath(pod)))
  const changes = {
    visibility: 'HIDDEN',
    requiresApproval: true,
    minQuantity: 50,
    maxQuantity: 5_000,
    description: 'New words',
    metaDescription: 'For search engines',
    metaKeywords: 'cards, matte',
  }
  const body = answered(await primary.patch(productPath(pod), changes))
  assert.ok(body.updatedOn > former.updatedOn)
  assert.deepEqual(body, { ...former, ...changes, updatedOn: body.updatedOn })
  assert.deepEqual(answered(await primary.get(productPath(pod))), body)

  const emptied = answered(
    await primary.patch(productPath(pod), { description: null, metaDescription: null, metaKeywords: '' }),
  )
  assert.deepEqual(
    [emptied.description, emptied.metaDescription, emptied.metaKeywords, emptied.minQuantity],
    [null, null, '', 50],
  )
})

test('CAT-07 every change has an audit record, which names long texts without repeating them', async () => {
  answered(await primary.patch(productPath('SLO_100016'), { requiresApproval: false, description: 'A secret plan' }))
  const records = await rows<{ actorKind: string; actorId: string; siteId: number; detail: any }>(sql`
    select actor_kind, actor_id, site_id, detail from audit_record
    where action = 'product.updated' and subject_kind = 'product' and subject_id = '100016'`)
  assert.equal(records.length, 1)
  const [record] = records
  assert.deepEqual(
    [record!.actorKind, record!.actorId, record!.siteId],
    ['PARTNER', service.manifest.partners.primary!.partnerId, service.manifest.sites.main],
  )
  assert.deepEqual(
    [record!.detail.before.requiresApproval, record!.detail.after.requiresApproval, record!.detail.textsChanged],
    [true, false, ['description']],
  )
  assert.ok(!JSON.stringify(record!.detail).includes('secret plan'))
})

test('CAT-25 ERR-22 a product change that is empty, has a wrong type or names another field is refused', async () => {
  const { pod } = fixtures()
  const wrong: unknown[] = [
    {},
    [],
    'text',
    { name: 'Other' },
    { code: 'X' },
    { active: false },
    { segmentIds: [] },
    { turnaroundBusinessDays: 1 },
    { visibility: 'public' },
    { visibility: 1 },
    { requiresApproval: 'true' },
    { minQuantity: 0 },
    { minQuantity: 1.5 },
    { minQuantity: '5' },
    { maxQuantity: 2_147_483_648 },
    { description: 5 },
    { metaKeywords: ['a'] },
    { metaDescription: 'x'.repeat(2_001) },
    { overrideDisplay: true },
    { overrideDisplay: false },
    { requiresApproval: true, unknown: 1 },
  ]
  for (const body of wrong) await refusedChange(pod, body, 400, 'invalid_product_patch')
  refused(await primary.patch(productPath(pod), '{"visibility":'), 400, 'invalid_product_patch')
  refused(await primary.call('PATCH', productPath(pod)), 400, 'invalid_product_patch')
})

test('CAT-26 ERR-36 null is not supported where a field cannot be cleared', async () => {
  const { pod, shared } = fixtures()
  for (const field of ['visibility', 'requiresApproval', 'overrideDisplay', 'minQuantity', 'maxQuantity']) {
    for (const productId of [pod, shared]) await refusedChange(productId, { [field]: null }, 400, 'null_not_supported')
  }
})

test('ERR-35 the platform refuses a minimum above the maximum, in whichever order the two are set', async () => {
  const { maxQuantity } = fixtures()
  await refusedChange(maxQuantity, { minQuantity: 501 }, 400, 'monolith_rejected')
  await refusedChange(maxQuantity, { minQuantity: 10, maxQuantity: 9 }, 400, 'monolith_rejected')
  const body = answered(await primary.patch(productPath(maxQuantity), { minQuantity: 500 }))
  assert.deepEqual([body.minQuantity, body.maxQuantity], [500, 500])
  await refusedChange(maxQuantity, { maxQuantity: 499 }, 400, 'monolith_rejected')
  answered(await primary.patch(productPath(maxQuantity), { minQuantity: 600, maxQuantity: 700 }))
})

test('ERR-35 limits that no order can satisfy are refused, and say what would be right', async () => {
  const { pod, shared } = fixtures()
  const lineMax = 999_999_999
  const tooMany = await refusedChange(pod, { minQuantity: lineMax + 1 }, 400, 'invalid_product_patch')
  assert.equal(tooMany.body.detail, `The field minQuantity must be at most ${lineMax}.`)
  const text = await refusedChange(pod, { minQuantity: 'x' }, 400, 'invalid_product_patch')
  assert.equal(text.body.detail, `The field minQuantity must be a whole number from 1 to ${lineMax}.`)
  await rows(sql`update product set min_quantity = null, max_quantity = null where product_number in (100002, 100006)`)
  await rows(sql`update price_break set from_quantity = from_quantity + 24 where product_number in (100002, 100101)`)
  const { pricedFrom } = (
    await rows<{ pricedFrom: number }>(sql`
    select min(from_quantity) as priced_from from price_break where product_number = 100002`)
  )[0]!
  const below = await refusedChange(pod, { maxQuantity: pricedFrom - 1 }, 400, 'monolith_rejected')
  assert.equal(below.body.detail, `The field maxQuantity must be at least ${pricedFrom}, where the prices start.`)
  // A share without prices of its own has its master's.
  await refusedChange(shared, { maxQuantity: 24 }, 400, 'monolith_rejected')
  for (const [productId, start] of [
    [pod, pricedFrom],
    [shared, 25],
  ] as const) {
    assert.equal(answered(await primary.patch(productPath(productId), { maxQuantity: start })).maxQuantity, start)
  }
  // A maximum above every order is none.
  const none = { minQuantity: 1, maxQuantity: 2_147_483_647 }
  for (const productId of [pod, shared]) answered(await primary.patch(productPath(productId), none))
  await rows(sql`update price_break set from_quantity = from_quantity - 24 where product_number in (100002, 100101)`)
})

test('ERR-37 GEN-14 null for a text of a share is refused, since it would copy the master into it', async () => {
  const { shared } = fixtures()
  for (const field of ['description', 'metaDescription', 'metaKeywords']) {
    const answer = await refusedChange(shared, { [field]: null }, 400, 'sls_null_backfills_master')
    assert.ok(answer.body.detail.includes(field))
  }
  await refusedChange(shared, { visibility: 'PUBLIC', description: null }, 400, 'sls_null_backfills_master')
  // The form of the id tells it already: there need be no such product.
  refused(await primary.patch('/v1/products/SLS_987654321', { description: null }), 400, 'sls_null_backfills_master')
})

test('CAT-27 a share with its own text overrides its master, and inherits all three texts again on request', async () => {
  const { shared } = fixtures()
  const masters = answered(await primary.get(productPath(master)))
  const own = answered(await primary.patch(productPath(shared), { description: 'Our own words' }))
  assert.deepEqual(
    [own.overrideDisplay, own.description, own.metaDescription, own.metaKeywords],
    [true, 'Our own words', masters.metaDescription, masters.metaKeywords],
  )
  const more = answered(await primary.patch(productPath(shared), { metaKeywords: 'ours' }))
  assert.deepEqual([more.description, more.metaKeywords], ['Our own words', 'ours'])
  answered(await primary.patch(productPath(master), { metaDescription: 'Changed at the master' }))
  assert.equal(answered(await primary.get(productPath(shared))).metaDescription, masters.metaDescription)

  const inherits = answered(await primary.patch(productPath(shared), { overrideDisplay: false }))
  assert.deepEqual(
    [inherits.overrideDisplay, inherits.description, inherits.metaDescription, inherits.metaKeywords],
    [false, masters.description, 'Changed at the master', masters.metaKeywords],
  )
  const again = answered(await primary.patch(productPath(shared), { overrideDisplay: true }))
  assert.deepEqual([again.overrideDisplay, again.description], [true, masters.description])
  const mine = answered(await primary.get(productPath(master)))
  assert.deepEqual([mine.overrideDisplay, mine.description], [null, masters.description])
  answered(await primary.patch(productPath(shared), { overrideDisplay: false }))
})

test('CAT-27 one change cannot both make a share inherit and give it a text', async () => {
  const { shared } = fixtures()
  await refusedChange(shared, { overrideDisplay: false, metaKeywords: 'ours' }, 400, 'invalid_product_patch')
})

test('CAT-27 each of many concurrent changes to one share is made whole', async () => {
  const { shared } = fixtures()
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, turn) =>
      primary.patch(productPath(shared), turn % 2 ? { overrideDisplay: false } : { description: `Words ${turn}` }),
    ),
  )
  answers.forEach(answered)
  const [stored] = await rows<{ overrideDisplay: boolean; description: string | null }>(sql`
    select override_display, description from product where product_number = 100006`)
  assert.equal(stored!.overrideDisplay, stored!.description !== null)
  answered(await primary.patch(productPath(shared), { overrideDisplay: false }))
})

test('ERR-35 concurrent changes keep each other’s fields, and the limits never cross', async () => {
  const path = productPath('SLO_100010')
  for (let round = 1; round <= 5; round++) {
    answered(await primary.patch(path, { minQuantity: 100, maxQuantity: 1_000, visibility: 'PUBLIC' }))
    const fields = { requiresApproval: round % 2 === 1, visibility: 'HIDDEN', metaKeywords: `round ${round}` }
    const [raised, lowered, ...others] = await Promise.all([
      primary.patch(path, { minQuantity: 600 }),
      primary.patch(path, { maxQuantity: 500 }),
      ...Object.entries(fields).map(([field, value]) => primary.patch(path, { [field]: value })),
    ])
    others.forEach(answered)
    const codes = [raised, lowered].map(({ status, body }) => (status === 200 ? 'made' : body.code))
    assert.deepEqual(codes.toSorted(), ['made', 'monolith_rejected'])
    const limits =
      codes[0] === 'made' ? { minQuantity: 600, maxQuantity: 1_000 } : { minQuantity: 100, maxQuantity: 500 }
    const stands = answered(await primary.get(path))
    for (const [field, value] of Object.entries({ ...fields, ...limits })) assert.equal(stands[field], value, field)
  }
})

test('a change to a share’s own fields does not change its master', async () => {
  const { shared } = fixtures()
  const former = answered(await primary.get(productPath(master)))
  answered(await primary.patch(productPath(shared), { visibility: 'HIDDEN', minQuantity: 3, requiresApproval: true }))
  assert.deepEqual(answered(await primary.get(productPath(master))), former)
})

/** The answer without what differs from call to call. */
function bare({ status, body }: Answer): unknown {
  return { status, body: { ...body, requestId: '' } }
}

test('TEN-01 TEN-02 ERR-45 every write to a foreign product gets the answer for a missing one, and changes nothing', async () => {
  const { foreign } = service.manifest.fixtures
  const writes: ((productId: string) => Promise<Answer>)[] = [
    (id) => primary.patch(productPath(id), { requiresApproval: true }),
    (id) => primary.patch(`${productPath(id)}/variants/${foreign.variantId}`, { location: 'X' }),
    (id) => primary.put(`${productPath(id)}/segments`, { segmentIds: [foreign.segmentId] }),
    (id) => primary.patch(`${productPath(id)}/images/${foreign.imageId}`, { imageAlt: 'X' }),
  ]
  const outsider = await partner(service, 'outsider')
  const former = answered(await outsider.get(productPath(foreign.productId)))
  for (const write of writes) {
    const [onForeign, onMissing] = await Promise.all([write(foreign.productId), write('SLO_987654321012345')])
    refused(onForeign, 404, 'product_not_found')
    assert.deepEqual(bare(onForeign), bare(onMissing))
  }
  assert.deepEqual(answered(await outsider.get(productPath(foreign.productId))), former)
})

test('CAT-07 CAT-08 CAT-09 ERR-42 without products:write nothing of the catalog can be changed', async () => {
  const { stock, stockVariantId } = fixtures()
  refused(await readonly.patch(productPath(stock), { requiresApproval: true }), 403, 'insufficient_scope')
  refused(
    await readonly.patch(`${productPath(stock)}/variants/${stockVariantId}`, { location: 'X' }),
    403,
    'insufficient_scope',
  )
  refused(await readonly.put(`${productPath(stock)}/segments`, { segmentIds: [] }), 403, 'insufficient_scope')
})

// Variants

test('CAT-08 CAT-28 a variant change writes its five fields, clears with null and answers with the updated variant', async () => {
  const { stock } = fixtures()
  const path = `${productPath(stock)}/variants/60002`
  await rows(sql`update product set attribute_names = '{Color,Size,Fit}' where product_number = 100001`)
  const variant = (body: any): any => body.variants.find((each: any) => each.variantId === 60_002)
  const former = variant(answered(await primary.get(productPath(stock))))
  const changes = {
    attribute1Choice: 'Charcoal',
    attribute2Choice: '2XL',
    attribute3Choice: 'Tall',
    location: 'Z-99',
    weight: '7.250',
  }
  const changed = answered(await primary.patch(path, changes))
  assert.deepEqual(changed, { ...former, ...changes, updatedOn: changed.updatedOn })
  assert.ok(changed.updatedOn > former.updatedOn)
  assert.deepEqual(variant(answered(await primary.get(productPath(stock)))), changed)

  const one = answered(await primary.patch(path, { location: null }))
  assert.deepEqual([one.location, one.attribute1Choice, one.weight], [null, 'Charcoal', '7.250'])
  const cleared = answered(
    await primary.patch(path, { attribute1Choice: null, attribute2Choice: null, attribute3Choice: null, weight: null }),
  )
  assert.deepEqual(
    [cleared.attribute1Choice, cleared.attribute2Choice, cleared.attribute3Choice, cleared.weight],
    [null, null, null, null],
  )
  const [{ count }] = (await rows<{ count: number }>(sql`
    select count(*) as count from audit_record where action = 'variant.updated' and subject_id = '60002'`)) as [
    { count: number },
  ]
  assert.equal(count, 3)
})

test('CAT-28 ERR-35 a variant change by a partner obeys the rules of staff: no blank text, no choice without attribute, no second of a kind', async () => {
  const { stock, stockVariantId } = fixtures()
  const path = `${productPath(stock)}/variants/${stockVariantId}`
  await rows(sql`update product set attribute_names = '{Color,Size}' where product_number = 100001`)
  const former = answered(await primary.get(productPath(stock)))
  const wrong: [Record<string, unknown>, RegExp][] = [
    [{ location: '  ' }, /^The field location must be one line/],
    [{ location: '\u200b' }, /location/],
    [{ attribute1Choice: '' }, /^The field attribute1Choice must be one line/],
    [{ attribute2Choice: '\u0007' }, /attribute2Choice/],
    [{ attribute3Choice: 'Tall' }, /attribute3Choice must be null: the product has the attributes Color, Size only/],
    [{ attribute1Choice: 'White' }, /those of variant 60003/],
    [{ attribute1Choice: ' WHITE\u00a0', location: 'B-1' }, /those of variant 60003/],
  ]
  for (const [body, detail] of wrong) {
    const answer = await primary.patch(path, body)
    refused(answer, 400, 'monolith_rejected', JSON.stringify(body))
    assert.match(answer.body.detail, detail)
  }
  assert.deepEqual(answered(await primary.get(productPath(stock))), former)
  // Choices of an inactive variant are free; its own choices may be spelt another way.
  assert.equal(answered(await primary.patch(path, { attribute1Choice: 'BLACK' })).attribute1Choice, 'BLACK')
  const inactive = former.variants.find((each: any) => !each.active)
  const { attribute1Choice, attribute2Choice } = inactive
  answered(await primary.patch(path, { attribute1Choice, attribute2Choice }))
  answered(await primary.patch(path, { attribute1Choice: 'Black', attribute2Choice: 'Medium' }))
})

test("CAT-28 the attributes of a share's variants are its master's, and their choices its own", async () => {
  const { shared } = fixtures()
  const sharedVariantId = 60_011
  const path = `${productPath(shared)}/variants/${sharedVariantId}`
  const { variants } = answered(await primary.get(productPath(shared)))
  const [own, other] = [
    variants.find((each: any) => each.variantId === sharedVariantId),
    variants.find((each: any) => each.variantId !== sharedVariantId),
  ]
  refused(await primary.patch(path, { attribute2Choice: 'Large' }), 400, 'monolith_rejected')
  refused(await primary.patch(path, { attribute1Choice: other.attribute1Choice }), 400, 'monolith_rejected')
  answered(await primary.patch(path, { attribute1Choice: 'Ivory' }))
  answered(await primary.patch(path, { attribute1Choice: own.attribute1Choice }))
})

test('CAT-28 of two variants that get the same choices at once, one is refused', async () => {
  const { stock } = fixtures()
  await rows(sql`update variant set attribute1_choice = variant_id::text where product_number = 100001`)
  const wish = { attribute1Choice: 'Teal', attribute2Choice: 'Small' }
  const answers = await Promise.all(
    [60_001, 60_002, 60_003].map((variantId) => primary.patch(`${productPath(stock)}/variants/${variantId}`, wish)),
  )
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400])
})

test('CAT-28 ERR-28 a variant change that is empty, has a wrong type or names another field is refused', async () => {
  const { stock, stockVariantId } = fixtures()
  const path = `${productPath(stock)}/variants/${stockVariantId}`
  const former = answered(await primary.get(productPath(stock)))
  const wrong: unknown[] = [
    {},
    [],
    { sku: 'X' },
    { active: false },
    { weightUnit: 'KG' },
    { availableQuantity: 4 },
    { attribute1Name: 'Color' },
    { location: 5 },
    { weight: 5 },
    { weight: '-1' },
    { weight: '1e3' },
    { weight: '' },
    { weight: 'heavy' },
    { attribute1Choice: 'x'.repeat(256) },
  ]
  for (const body of wrong) refused(await primary.patch(path, body), 400, 'invalid_variant_patch', JSON.stringify(body))
  assert.deepEqual(answered(await primary.get(productPath(stock))), former)
})

test('ERR-29 a variant id that is no positive whole number is refused', async () => {
  for (const id of ['0', '-1', '01', '1.5', 'abc', '1234567890']) {
    const answer = await primary.patch(`${productPath(fixtures().stock)}/variants/${id}`, { location: 'X' })
    refused(answer, 400, 'invalid_variant_id', id)
  }
})

test("CAT-29 TEN-01 a variant that is missing, another product's, a POD product's, foreign or the master's gets the same answer", async () => {
  const { stock, pod, shared, stockVariantId } = fixtures()
  const { foreign } = service.manifest.fixtures
  const mastersVariant = 60_101
  const answers = await Promise.all(
    (
      [
        [stock, 987_654_321],
        [stock, 60_021],
        [stock, foreign.variantId],
        [pod, stockVariantId],
        [shared, mastersVariant],
      ] as const
    ).map(([productId, variantId]) =>
      primary.patch(`${productPath(productId)}/variants/${variantId}`, { location: 'X' }),
    ),
  )
  for (const answer of answers) {
    refused(answer, 404, 'variant_not_site_addressable')
    assert.deepEqual(bare(answer), bare(answers[0]!))
  }
})

test('GEN-06 a weight that is the same number changes nothing', async () => {
  const path = `${productPath(fixtures().stock)}/variants/60003`
  const former = answered(await primary.patch(path, { weight: '6.5' }))
  for (const weight of ['6.50', '6.500000', '06.5']) {
    assert.deepEqual(answered(await primary.patch(path, { weight })), former, weight)
  }
  assert.equal(answered(await primary.patch(path, { weight: '6.51' })).weight, '6.51')
})

test("a share's variant changes without its master, and a weight without a unit takes the master's unit", async () => {
  const { shared } = fixtures()
  await rows(sql`update variant set weight = null, weight_unit = null where variant_id = 60011`)
  await rows(sql`update variant set weight_unit = 'G' where variant_id = 60101`)
  const former = answered(await primary.get(productPath(master)))
  const changed = answered(
    await primary.patch(`${productPath(shared)}/variants/60011`, { attribute1Choice: 'Ivory', weight: '400' }),
  )
  assert.deepEqual([changed.attribute1Choice, changed.weight, changed.weightUnit], ['Ivory', '400', 'G'])
  assert.deepEqual(answered(await primary.get(productPath(master))), former)
})

// Segments

const segmentsPath = (productId: string): string => `${productPath(productId)}/segments`

test('CAT-09 CAT-30 a PUT of segments replaces the whole assignment and answers with their ids and names', async () => {
  const { pod } = fixtures()
  const [first, second, third] = service.manifest.fixtures.segments.main as [number, number, number]
  const named = (await primary.get(`/v1/segments?siteId=${service.manifest.sites.main}`)).body.segments
  const nameOf = (segmentId: number): string => named.find((each: any) => each.segmentId === segmentId).name

  const both = answered(await primary.put(segmentsPath(pod), { segmentIds: [second, first, second] }))
  assert.deepEqual(both, {
    productId: pod,
    segments: [first, second].toSorted((a, b) => a - b).map((id) => ({ segmentId: id, name: nameOf(id) })),
  })
  const other = answered(await primary.put(segmentsPath(pod), { segmentIds: [third] }))
  assert.deepEqual(
    other.segments.map((each: any) => each.segmentId),
    [third],
  )
  assert.deepEqual(answered(await primary.get(productPath(pod))).segmentIds, [third])
  const none = answered(await primary.put(segmentsPath(pod), { segmentIds: [] }))
  assert.deepEqual([none.segments, answered(await primary.get(productPath(pod))).segmentIds], [[], []])
  const records = await rows<{ detail: any }>(sql`
    select detail from audit_record where action = 'product.segments_replaced' and subject_id = '100002'
    order by audit_id`)
  assert.deepEqual(
    records.map(({ detail }) => [detail.segmentsAdded, detail.segmentsRemoved]),
    [
      [[first, second].toSorted((a, b) => a - b), []],
      [[third], [first, second].toSorted((a, b) => a - b)],
      [[], [third]],
    ],
  )
})

test('CAT-32 ERR-33 TEN-04 one segment from outside the site makes the whole request refused, and nothing changes', async () => {
  const { pod } = fixtures()
  const { segments, foreign } = service.manifest.fixtures
  const mine = segments.main[0]!
  answered(await primary.put(segmentsPath(pod), { segmentIds: [mine] }))
  for (const stranger of [foreign.segmentId, segments.second[0]!, 987_654_321, 2_147_483_648, 0, -5]) {
    const answer = await primary.put(segmentsPath(pod), { segmentIds: [segments.main[1]!, stranger] })
    refused(answer, 400, 'invalid_segment_ids', String(stranger))
    assert.equal(answer.body.detail, `Not on the product's site: ${stranger}.`)
    assert.deepEqual(answered(await primary.get(productPath(pod))).segmentIds, [mine])
  }
})

test('CAT-31 ERR-34 a segments body of the wrong shape, or with another field, is refused', async () => {
  const { pod } = fixtures()
  const wrong: unknown[] = [
    {},
    [],
    null,
    { segmentIds: null },
    { segmentIds: '1' },
    { segmentIds: ['1'] },
    { segmentIds: [1.5] },
    { segmentIds: [null] },
    { segmentIds: Array.from({ length: 1_001 }, () => 1) },
    { segmentIds: [], acknowledge: true },
  ]
  for (const body of wrong)
    refused(
      await primary.put(segmentsPath(pod), body),
      400,
      'invalid_segments_body',
      JSON.stringify(body)?.slice(0, 80),
    )
  refused(await primary.put(segmentsPath(pod), '{"segmentIds":[1,]}'), 400, 'invalid_segments_body')
  refused(await primary.call('PUT', segmentsPath(pod)), 400, 'invalid_segments_body')
})

test('CAT-30 one of many concurrent assignments wins as a whole, and each answer shows what its request set', async () => {
  const { pod } = fixtures()
  const all = service.manifest.fixtures.segments.main
  const asked = Array.from({ length: 24 }, (_, turn) => all.filter((_id, place) => ((turn + 1) >> place) & 1))
  const answers = await Promise.all(asked.map((segmentIds) => primary.put(segmentsPath(pod), { segmentIds })))
  const ids = (segments: any[]): number[] => segments.map((each) => each.segmentId)
  const sorted = (some: readonly number[]): number[] => some.toSorted((a, b) => a - b)
  answers.forEach((answer, turn) => assert.deepEqual(ids(answered(answer).segments), sorted(asked[turn]!)))
  const { segmentIds } = answered(await primary.get(productPath(pod)))
  assert.ok(
    asked.some((each) => JSON.stringify(sorted(each)) === JSON.stringify(segmentIds)),
    JSON.stringify(segmentIds),
  )
})

test('a change is not made if its audit record cannot be written', async () => {
  const { stock, stockVariantId, withImages, imageIds } = fixtures()
  const former = answered(await primary.get(productPath(stock)))
  await rows(sql`alter table audit_record rename to audit_record_away`)
  try {
    const answers = await Promise.all([
      primary.patch(productPath(stock), { requiresApproval: true }),
      primary.patch(`${productPath(stock)}/variants/${stockVariantId}`, { location: 'X' }),
      primary.put(segmentsPath(stock), { segmentIds: [service.manifest.fixtures.segments.main[0]] }),
      primary.patch(`${productPath(withImages)}/images/${imageIds[1]}`, { primary: true }),
    ])
    for (const answer of answers) refused(answer, 503, 'audit_unavailable')
  } finally {
    await rows(sql`alter table audit_record_away rename to audit_record`)
  }
  assert.deepEqual(answered(await primary.get(productPath(stock))), former)
})
