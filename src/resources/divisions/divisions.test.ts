import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../database/sql.ts'
import { lockWait } from '../../../test/world/lock-waits.ts'
import { everyPage } from '../../../test/world/pages.ts'
import { type Answer, partner } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'

let turn = 0

/** More than the largest page, all under the one division of a granted site. */
const crowdCount = 230

const service = await testService()
const primary = await partner(service, 'primary')
const outsider = await partner(service, 'outsider')
const readonly = await partner(service, 'readonly')
const { noOrdering } = service.manifest.sites
const parent = await service.production.database.statements.row<{ divisionId: number }>(sql`
  select division_id from division where site_id = ${noOrdering}`)
const crowdParent = parent!.divisionId
await change(sql`
  insert into division (site_id, name, code, code_folded, parent_id, active, country_code, supplier_code, created_on,
    updated_on)
  select ${noOrdering}, 'Crowd ' || turn, 'CROWD-' || turn, 'crowd-' || turn, ${crowdParent}, turn % 3 <> 0, 'US', 'S', now(), now()
  from generate_series(1, ${crowdCount}::int) turn`)

async function change(statement: ReturnType<typeof sql>): Promise<void> {
  await service.owner.production.statements.rows(statement)
}

/** A valid new division; each test changes the fields it is about. */
function newDivision(changes: Record<string, unknown> = {}): Record<string, unknown> {
  const code = `NEW-${++turn}`
  return { siteId: service.manifest.sites.main, name: `New ${turn}`, code, ...changes }
}

async function created(changes: Record<string, unknown> = {}): Promise<number> {
  const answer = await primary.post('/v1/divisions', newDivision(changes))
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.divisionId
}

async function shown(divisionId: number): Promise<Answer['body']> {
  return (await primary.get(`/v1/divisions/${divisionId}`)).body
}

function codeOf(answer: Answer): [number, string] {
  return [answer.status, answer.body.code]
}

type Listed = { divisionId: number; siteId: number; parentId: number | null; active: boolean }

async function stored(siteIds: readonly number[]): Promise<Listed[]> {
  const rows = await service.production.database.statements.rows<Listed>(sql`
    select division_id, site_id, parent_id, active from division
    where site_id = any(${siteIds}::int[]) order by division_id`)
  return rows
}

function idsOf(divisions: readonly Listed[]): number[] {
  return divisions.map((division) => division.divisionId)
}

async function listed(path: string, limit = 200): Promise<number[]> {
  return idsOf((await everyPage<Listed>(primary, path, 'divisions', limit)).items)
}

test('DIV-01 DIV-07 DIV-08 TEN-03 PAG-05 all divisions of the granted sites are listed flat with their parents, inactive ones too', async () => {
  const all = await stored(service.manifest.partners.primary.siteIds)
  const { items, sizes } = await everyPage<Listed>(primary, '/v1/divisions', 'divisions', 70)
  assert.deepEqual(
    items.map(({ divisionId, siteId, parentId, active }) => ({ divisionId, siteId, parentId, active })),
    all.map((division) => ({ ...division })),
  )
  assert.ok(all.some((division) => !division.active) && all.some((division) => division.parentId !== null))
  assert.deepEqual(sizes.slice(0, -1), sizes.slice(0, -1).fill(70))
})

test('DIV-01 siteId, parentId and active narrow the list, alone and together, page by page', async () => {
  const { main } = service.manifest.sites
  const all = await stored(service.manifest.partners.primary.siteIds)
  const expected: [string, (division: Listed) => boolean][] = [
    [`siteId=${main}`, (division) => division.siteId === main],
    [`parentId=${crowdParent}`, (division) => division.parentId === crowdParent],
    ['active=false', (division) => !division.active],
    ['active=true', (division) => division.active],
    [`parentId=${crowdParent}&active=false`, (division) => division.parentId === crowdParent && !division.active],
    [`siteId=${noOrdering}&parentId=${crowdParent}`, (division) => division.parentId === crowdParent],
    [`siteId=${main}&parentId=${crowdParent}`, () => false],
  ]
  for (const [query, fits] of expected) {
    assert.deepEqual(await listed(`/v1/divisions?${query}`, 30), idsOf(all.filter(fits)), query)
  }
})

test('DIV-01 rootsOnly and code narrow the list, alone, with other filters and page by page', async () => {
  type Coded = Listed & { code: string }
  const { items: all } = await everyPage<Coded>(primary, '/v1/divisions', 'divisions', 200)
  const narrowed = async (query: string, keep: (division: Coded) => boolean): Promise<number> => {
    const expected = idsOf(all.filter(keep))
    for (const limit of [3, 200]) {
      const { items } = await everyPage<Coded>(primary, `/v1/divisions?${query}`, 'divisions', limit)
      assert.deepEqual(idsOf(items), expected, `${query} by ${limit}`)
    }
    return expected.length
  }
  assert.ok((await narrowed('rootsOnly=true', (each) => each.parentId === null)) > 2)
  await narrowed('rootsOnly=true&active=false', (each) => each.parentId === null && !each.active)
  await narrowed(`rootsOnly=true&parentId=${crowdParent}`, () => false)
  await narrowed(`rootsOnly=false&parentId=${crowdParent}`, (each) => each.parentId === crowdParent)
  const { main } = service.manifest.sites
  assert.ok(
    (await narrowed(`rootsOnly=true&siteId=${main}`, (each) => each.parentId === null && each.siteId === main)) > 0,
  )
  for (const { code, siteId } of all.filter((each) => each.parentId !== crowdParent)) {
    const query = `code=${encodeURIComponent(code)}`
    assert.ok((await narrowed(query, (each) => each.code === code)) > 0)
    await narrowed(
      `${query}&siteId=${siteId}&rootsOnly=true`,
      (each) => each.code === code && each.siteId === siteId && each.parentId === null,
    )
  }
  await narrowed(`code=CROWD-3&parentId=${crowdParent}&active=true`, (each) => each.code === 'CROWD-3' && each.active)
  await narrowed('code=CROWD', () => false)
  for (const wrong of ['rootsOnly=1', 'rootsOnly=', 'code=', 'code=%20', `code=${'x'.repeat(101)}`]) {
    assert.deepEqual(codeOf(await primary.get(`/v1/divisions?${wrong}`)), [400, 'invalid_request'], wrong)
  }
})

test('DIV-01 TEN-02 a foreign or missing parent gives an empty list', async () => {
  const { foreign } = service.manifest.fixtures
  assert.equal((await outsider.get(`/v1/divisions?parentId=${foreign.divisionId}`)).body.divisions.length, 1)
  for (const parentId of [foreign.divisionId, 999_999_999]) {
    const answer = await primary.get(`/v1/divisions?parentId=${parentId}`)
    assert.deepEqual([answer.status, answer.body], [200, { divisions: [], nextCursor: null }])
  }
})

test('DIV-01 a page holds 50 divisions by default and never more than 200', async () => {
  const sizeAt = async (query: string): Promise<number> =>
    (await primary.get(`/v1/divisions${query}`)).body.divisions.length
  assert.deepEqual(await Promise.all(['', '?limit=200', '?limit=201', '?limit=1'].map(sizeAt)), [50, 200, 200, 1])
})

test('DIV-01 TEN-04 ERR-09 ERR-10 ERR-18 ERR-20 ERR-23 ERR-25 each wrong filter has its own error code', async () => {
  const { foreign } = service.manifest.sites
  const first = await primary.get(`/v1/divisions?siteId=${noOrdering}&limit=1`)
  const expected: Record<string, string> = {
    [`?siteId=${foreign}`]: 'invalid_site_id',
    '?siteId=x': 'invalid_site_id',
    '?parentId=0': 'invalid_division_id',
    '?parentId=null': 'invalid_division_id',
    '?parentId=1000000000': 'invalid_division_id',
    '?active=TRUE': 'invalid_active',
    '?active=1': 'invalid_active',
    '?active=': 'invalid_active',
    '?divisionId=5001': 'unknown_query_parameter',
    '?updatedSince=x': 'updated_since_not_supported',
    [`?cursor=${encodeURIComponent(first.body.nextCursor)}`]: 'invalid_cursor',
  }
  for (const [query, code] of Object.entries(expected)) {
    assert.deepEqual(codeOf(await primary.get(`/v1/divisions${query}`)), [400, code], query)
  }
})

test('DIV-02 DIV-05 a single division has the same fields as in the list', async () => {
  const { child, root } = service.manifest.fixtures.divisions
  const { main } = service.manifest.sites
  const answer = await primary.get(`/v1/divisions/${child}`)
  const { createdOn, updatedOn, ...facts } = answer.body
  assert.deepEqual(facts, {
    divisionId: child,
    siteId: main,
    name: 'Field sales',
    code: 'SALES-FIELD',
    parentId: root,
    active: true,
    taxExempt: false,
    auditSalesTaxForTerms: false,
  })
  assert.ok(createdOn < updatedOn)
  const { items } = await everyPage<Listed>(primary, `/v1/divisions?siteId=${main}`, 'divisions', 200)
  assert.deepEqual(
    items.find((division) => division.divisionId === child),
    answer.body,
  )
  assert.equal((await shown(root)).parentId, null)
})

test('DIV-05 taxExempt and auditSalesTaxForTerms show the stored values of the division', async () => {
  const divisionId = await created()
  await change(sql`
    update division set tax_exempt = true, audit_sales_tax_for_terms = true where division_id = ${divisionId}`)
  const { taxExempt, auditSalesTaxForTerms } = await shown(divisionId)
  assert.deepEqual([taxExempt, auditSalesTaxForTerms], [true, true])
})

test('DIV-09 no answer contains the postal address of a division, and no body accepts one', async () => {
  const { child } = service.manifest.fixtures.divisions
  const fields = ['company', 'firstName', 'lastName', 'street', 'street2', 'city', 'zip', 'country', 'state']
  for (const answer of await Promise.all([
    primary.get(`/v1/divisions/${child}`),
    primary.get(`/v1/divisions?siteId=${service.manifest.sites.divisionAddresses}`),
  ])) {
    assert.equal(answer.status, 200)
    assert.doesNotMatch(JSON.stringify(answer.body), /Albany|Harbor Street|12207|address|country|supplier/i)
  }
  for (const field of [...fields, 'address', 'countryCode', 'supplierCode']) {
    const answers = await Promise.all([
      primary.post('/v1/divisions', newDivision({ [field]: 'X' })),
      primary.patch(`/v1/divisions/${child}`, { name: 'Field sales', [field]: 'X' }),
    ])
    for (const answer of answers) assert.deepEqual(codeOf(answer), [400, 'invalid_request'], field)
  }
})

test('TEN-01 TEN-02 ERR-50 a foreign division and a missing one get the same answer, on reads and writes', async () => {
  const { foreign, divisions } = service.manifest.fixtures
  const speak: ((id: number) => Promise<Answer>)[] = [
    (id) => primary.get(`/v1/divisions/${id}`),
    (id) => primary.patch(`/v1/divisions/${id}`, { name: 'X' }),
    (id) => primary.patch(`/v1/divisions/${id}`, { parentId: id }),
    (id) => primary.patch(`/v1/divisions/${id}`, { parentId: divisions.root }),
  ]
  for (const at of speak) {
    const [ofForeign, ofMissing] = await Promise.all([at(foreign.divisionId), at(999_999_999)])
    assert.deepEqual(codeOf(ofForeign), [404, 'division_not_found'])
    assert.deepEqual({ ...ofForeign.body, requestId: '' }, { ...ofMissing.body, requestId: '' })
  }
  assert.equal((await outsider.get(`/v1/divisions/${foreign.divisionId}`)).body.name, 'Albion Trade')
})

test('GEN-16 ERR-23 a division id that is no positive whole number of at most nine digits is refused on every route', async () => {
  for (const id of ['0', '-1', '01', '1.0', 'abc', '1000000000', '2147483648', '%20']) {
    const answers = await Promise.all([
      primary.get(`/v1/divisions/${id}`),
      primary.patch(`/v1/divisions/${id}`, { name: 'X' }),
    ])
    for (const answer of answers) assert.deepEqual(codeOf(answer), [400, 'invalid_division_id'], id)
  }
})

test('DIV-03 DIV-12 a division is created active with the fields sent, and Location leads to it', async () => {
  const { root } = service.manifest.fixtures.divisions
  const body = newDivision({ parentId: root })
  const answer = await primary.post('/v1/divisions', body)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  const { divisionId } = answer.body
  assert.deepEqual(answer.body, { divisionId })
  assert.equal(answer.headers.get('location'), `/v1/divisions/${divisionId}`)
  const { createdOn, updatedOn, ...facts } = (await primary.get(answer.headers.get('location')!)).body
  assert.deepEqual(facts, { ...body, divisionId, active: true, taxExempt: false, auditSalesTaxForTerms: false })
  assert.equal(createdOn, updatedOn)
  assert.equal((await shown(await created())).parentId, null)
  assert.equal((await shown(await created({ parentId: null }))).parentId, null)
})

test('DIV-11 a new division takes its country and supplier from its site, but no address', async () => {
  const { foreign } = service.manifest.sites
  const answer = await outsider.post('/v1/divisions', newDivision({ siteId: foreign }))
  const row = await service.production.database.statements.row<Record<string, unknown>>(sql`
    select division.country_code, division.supplier_code, address_company, address_country
    from division where division_id = ${answer.body.divisionId}`)
  assert.deepEqual(
    { ...row },
    { countryCode: 'GB', supplierCode: 'ALBION', addressCompany: null, addressCountry: null },
  )
})

test('DIV-03 GEN-11 ERR-19 ERR-23 ERR-36 a body of the wrong shape creates nothing', async () => {
  const without = (field: string): Record<string, unknown> => {
    const { [field]: _, ...rest } = newDivision()
    return rest
  }
  const expected: [unknown, string][] = [
    [newDivision({ active: true }), 'invalid_request'],
    [newDivision({ taxExempt: true }), 'invalid_request'],
    [newDivision({ name: '' }), 'invalid_request'],
    [newDivision({ name: ' ' }), 'invalid_request'],
    [newDivision({ name: 'N'.repeat(101) }), 'invalid_request'],
    [newDivision({ name: '\u200b\u00a0' }), 'invalid_request'],
    [newDivision({ name: 'North\nEast' }), 'invalid_request'],
    [newDivision({ code: '\u0007' }), 'invalid_request'],
    [newDivision({ code: '\u2060' }), 'invalid_request'],
    [newDivision({ code: '' }), 'invalid_request'],
    [newDivision({ code: 7 }), 'invalid_request'],
    ...['siteId', 'name', 'code'].map((field): [unknown, string] => [without(field), 'invalid_request']),
    ...['siteId', 'name', 'code'].map((field): [unknown, string] => [
      newDivision({ [field]: null }),
      'null_not_supported',
    ]),
    ...[0, -1, 1.5, '5001', true, {}].map((parentId): [unknown, string] => [
      newDivision({ parentId }),
      'invalid_division_id',
    ]),
    ['[]', 'invalid_request'],
    ['{', 'invalid_request'],
    [undefined, 'invalid_request'],
  ]
  const untouched = await stored(service.manifest.partners.primary.siteIds)
  for (const [body, code] of expected) {
    assert.deepEqual(codeOf(await primary.post('/v1/divisions', body)), [400, code], JSON.stringify(body))
  }
  assert.deepEqual(await stored(service.manifest.partners.primary.siteIds), untouched)
})

test('ERR-59 codes of a site are the same in any letter case, width and composition, without what does not show around or in them', async () => {
  const { main, second } = service.manifest.sites
  const divisionId = await created({ code: 'Straße É-1' })
  const other = await created()
  const same = [
    'STRASSE É-1',
    ' straße e\u0301-1 ',
    'Straße\u00a0É-1',
    'Straße É-\u200b1',
    'ｓtraße É-１',
    'straße é-1',
  ]
  for (const code of same) {
    const answers = [
      await primary.post('/v1/divisions', newDivision({ code })),
      await primary.patch(`/v1/divisions/${other}`, { code }),
    ]
    for (const answer of answers) {
      assert.deepEqual(codeOf(answer), [409, 'division_code_conflict'], JSON.stringify(code))
    }
    const found = await primary.get(`/v1/divisions?siteId=${main}&code=${encodeURIComponent(code)}`)
    assert.deepEqual(idsOf(found.body.divisions), [divisionId], JSON.stringify(code))
  }
  // Its own code may be spelt another way, and is free again when the division has another one.
  const renamed = await primary.patch(`/v1/divisions/${divisionId}`, { code: 'STRASSE é-1' })
  assert.equal(renamed.body.code, 'STRASSE é-1')
  assert.equal((await primary.patch(`/v1/divisions/${divisionId}`, { code: `FREE-${++turn}` })).status, 200)
  assert.equal((await primary.patch(`/v1/divisions/${other}`, { code: same[0] })).status, 200)
  await created({ code: same[0], siteId: second })
  await assert.rejects(
    change(sql`
      insert into division (site_id, name, code, code_folded, country_code, supplier_code, created_on, updated_on)
      values (${main}, 'Twin', 'x', 'strasse é-1', 'US', 'S', now(), now())`),
    /division_code_unique_on_site/,
  )
})

test('DIV-10 TEN-02 ERR-10 a site outside the grant, a missing one and a malformed one are refused alike', async () => {
  for (const siteId of [service.manifest.sites.foreign, 999_999_999, 0, -1, 1.5, '101', 2_147_483_648]) {
    const answer = await primary.post('/v1/divisions', newDivision({ siteId, parentId: 999_999_999 }))
    assert.deepEqual(codeOf(answer), [400, 'invalid_site_id'], String(siteId))
  }
})

test('ERR-32 a site that stores an address on every division refuses new divisions', async () => {
  const { divisionAddresses } = service.manifest.sites
  const untouched = await stored([divisionAddresses])
  for (const more of [{}, { parentId: untouched[0]!.divisionId }, { parentId: 999_999_999 }]) {
    const answer = await primary.post('/v1/divisions', newDivision({ siteId: divisionAddresses, ...more }))
    assert.deepEqual(codeOf(answer), [400, 'division_create_requires_address'])
  }
  assert.deepEqual(await stored([divisionAddresses]), untouched)
})

test('DIV-13 GAP-44 TEN-02 a missing parent and one on another site get the same refusal, on create and on PATCH', async () => {
  const [ofSecond] = await stored([service.manifest.sites.second])
  const divisionId = await created()
  const documents = new Set<string>()
  for (const parentId of [
    ofSecond!.divisionId,
    service.manifest.fixtures.foreign.divisionId,
    999_999_999,
    2_147_483_647,
    2_147_483_648,
  ]) {
    const answers = await Promise.all([
      primary.post('/v1/divisions', newDivision({ parentId })),
      primary.patch(`/v1/divisions/${divisionId}`, { parentId, name: 'Changed' }),
    ])
    for (const answer of answers) {
      assert.deepEqual(codeOf(answer), [422, 'parent_not_on_site'], String(parentId))
      documents.add(JSON.stringify({ ...answer.body, requestId: '' }))
    }
  }
  assert.equal(documents.size, 1)
  assert.notEqual((await shown(divisionId)).name, 'Changed')
})

test('DIV-13 an inactive division may be a parent', async () => {
  const { inactive } = service.manifest.fixtures.divisions
  assert.equal((await shown(await created({ parentId: inactive }))).parentId, inactive)
})

test('DIV-06 ERR-59 a code of the site is taken, and one of another site is free', async () => {
  const { second } = service.manifest.sites
  const { code } = newDivision()
  await created({ code })
  const other = await created()
  const untouched = await shown(other)
  for (const answer of [
    await primary.post('/v1/divisions', newDivision({ code })),
    await primary.patch(`/v1/divisions/${other}`, { code, name: 'Changed' }),
  ]) {
    assert.deepEqual(codeOf(answer), [409, 'division_code_conflict'])
  }
  assert.deepEqual(await shown(other), untouched)
  await created({ code, siteId: second })
  assert.equal((await primary.patch(`/v1/divisions/${other}`, { code: untouched.code })).status, 200)
})

test('ERR-59 one of many concurrent creations with the same code succeeds', async () => {
  const { code } = newDivision()
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => primary.post('/v1/divisions', newDivision({ code }))),
  )
  assert.deepEqual(answers.map((answer) => answer.status).toSorted(), [201, ...Array<number>(11).fill(409)])
  for (const { status, body } of answers) if (status === 409) assert.equal(body.code, 'division_code_conflict')
})

test("ERR-59 two divisions that concurrently take each other's code are both refused", async () => {
  const [one, other] = [await created(), await created()]
  const codes = [(await shown(one)).code, (await shown(other)).code]
  const answers = await Promise.all([
    primary.patch(`/v1/divisions/${one}`, { code: codes[1] }),
    primary.patch(`/v1/divisions/${other}`, { code: codes[0] }),
  ])
  for (const answer of answers) assert.deepEqual(codeOf(answer), [409, 'division_code_conflict'])
})

test('DIV-04 DIV-14 DIV-15 DIV-16 each field can be changed alone, and the others keep their values', async () => {
  const { root, child } = service.manifest.fixtures.divisions
  const divisionId = await created({ parentId: root })
  let expected = await shown(divisionId)
  for (const wish of [
    { name: 'Changed' },
    { code: `CHANGED-${++turn}` },
    { parentId: child },
    { active: false },
    { parentId: null },
    { active: true, name: 'Changed again', parentId: root },
  ]) {
    const answer = await primary.patch(`/v1/divisions/${divisionId}`, wish)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    expected = { ...expected, ...wish, updatedOn: answer.body.updatedOn }
    assert.deepEqual(answer.body, expected)
    assert.ok(answer.body.updatedOn > expected.createdOn)
  }
  assert.deepEqual(await shown(divisionId), expected)
})

test('DIV-14 DIV-17 GEN-11 ERR-19 ERR-23 ERR-36 an empty body, an unwritable field, a wrong type or null changes nothing', async () => {
  const { child, root } = service.manifest.fixtures.divisions
  const untouched = await shown(child)
  const expected: [unknown, string][] = [
    [{}, 'invalid_request'],
    [{ siteId: service.manifest.sites.main }, 'invalid_request'],
    [{ taxExempt: true }, 'invalid_request'],
    [{ name: 'Changed', divisionId: child }, 'invalid_request'],
    [{ name: 5 }, 'invalid_request'],
    [{ name: '' }, 'invalid_request'],
    [{ code: ' ' }, 'invalid_request'],
    [{ code: 'C'.repeat(101) }, 'invalid_request'],
    [{ active: 'false' }, 'invalid_request'],
    [{ active: 0 }, 'invalid_request'],
    [{ name: null }, 'null_not_supported'],
    [{ code: null, name: 'Changed' }, 'null_not_supported'],
    [{ active: null, parentId: root }, 'null_not_supported'],
    ...[0, -1, 1.5, '5001', false, []].map((parentId): [unknown, string] => [{ parentId }, 'invalid_division_id']),
    ['[]', 'invalid_request'],
    ['null', 'invalid_request'],
    ['{"name":"A","name":"B"}', 'invalid_request'],
    [undefined, 'invalid_request'],
  ]
  for (const [body, code] of expected) {
    assert.deepEqual(codeOf(await primary.patch(`/v1/divisions/${child}`, body)), [400, code], JSON.stringify(body))
  }
  assert.deepEqual(await shown(child), untouched)
})

const address = {
  addressCompany: 'Meridian Field Sales',
  addressFirstName: 'Robin',
  addressLastName: 'Hale',
  addressStreet: '12 Harbor Street',
  addressStreet2: 'Suite 4',
  addressCity: 'Albany',
  addressZip: '12207',
  addressCountry: 'US',
  addressState: 'NY',
}

async function addressOf(divisionId: number): Promise<Record<string, unknown>> {
  const row = await service.production.database.statements.row<Record<string, unknown>>(sql`
    select address_company, address_first_name, address_last_name, address_street, address_street2, address_city,
      address_zip, address_country, address_state
    from division where division_id = ${divisionId}`)
  return { ...row }
}

async function giveAddress(divisionId: number): Promise<void> {
  await change(sql`
    update division set address_company = ${address.addressCompany}, address_first_name = ${address.addressFirstName},
      address_last_name = ${address.addressLastName}, address_street = ${address.addressStreet},
      address_street2 = ${address.addressStreet2}, address_city = ${address.addressCity},
      address_zip = ${address.addressZip}, address_country = ${address.addressCountry},
      address_state = ${address.addressState}
    where division_id = ${divisionId}`)
}

const noAddress = Object.fromEntries(Object.keys(address).map((field) => [field, null]))

type Audited = { action: string; actorKind: string; actorId: string; subjectId: string; detail: any } // eslint-disable-line typescript/no-explicit-any

async function auditOf(answer: Answer): Promise<Audited[]> {
  return service.production.database.statements.rows<Audited>(sql`
    select action, actor_kind, actor_id, subject_id, detail from audit_record
    where request_id = ${answer.headers.get('request-id')} and subject_kind = 'division' order by audit_id`)
}

const allNine = ['company', 'firstName', 'lastName', 'street', 'street2', 'city', 'zip', 'country', 'state']

test('DIV-18 DIV-19 every PATCH on a site without division addresses clears all nine fields, even if it changes nothing', async () => {
  const { root } = service.manifest.fixtures.divisions
  const divisionId = await created()
  const same = await shown(divisionId)
  for (const wish of [
    { name: same.name },
    { name: same.name, code: same.code, parentId: null, active: true },
    { parentId: root },
    { active: false },
  ]) {
    await giveAddress(divisionId)
    const answer = await primary.patch(`/v1/divisions/${divisionId}`, wish)
    assert.equal(answer.status, 200)
    assert.deepEqual(await addressOf(divisionId), noAddress)
    const [record] = await auditOf(answer)
    assert.deepEqual(record!.detail.addressFieldsCleared, allNine)
  }
})

test('DIV-18 a refused PATCH clears nothing', async () => {
  const divisionId = await created()
  await giveAddress(divisionId)
  for (const wish of [{}, { parentId: divisionId }, { parentId: 999_999_999 }, { code: 'SALES' }, { name: null }]) {
    const answer = await primary.patch(`/v1/divisions/${divisionId}`, wish)
    assert.ok(answer.status >= 400)
    assert.deepEqual(await auditOf(answer), [])
  }
  assert.deepEqual(await addressOf(divisionId), address)
})

test('DIV-18 DIV-19 a PATCH on a site that stores division addresses keeps them, and says that it cleared none', async () => {
  const [summit, west] = await stored([service.manifest.sites.divisionAddresses])
  for (const { divisionId } of [summit!, west!]) {
    const answer = await primary.patch(`/v1/divisions/${divisionId}`, { active: true })
    assert.equal(answer.status, 200)
    assert.deepEqual(await addressOf(divisionId), address)
    const [record] = await auditOf(answer)
    assert.deepEqual(record!.detail.addressFieldsCleared, [])
  }
})

test('DIV-03 DIV-19 every accepted write is audited with its actor, old and new values, and the address fields it cleared', async () => {
  const answer = await primary.post('/v1/divisions', newDivision({ name: 'Audited', code: 'AUDITED' }))
  const { divisionId } = answer.body
  const who = {
    actorKind: 'PARTNER',
    actorId: service.manifest.partners.primary.partnerId,
    subjectId: String(divisionId),
  }
  const firstFields = { name: 'Audited', code: 'AUDITED', parentId: null }
  assert.deepEqual(
    (await auditOf(answer)).map((record) => ({ ...record })),
    [{ ...who, action: 'division.created', detail: firstFields }],
  )
  await change(sql`update division set address_city = 'Albany', address_zip = '' where division_id = ${divisionId}`)
  const steps: [Record<string, unknown>, string[]][] = [
    [{ active: false, name: 'Renamed' }, ['city', 'zip']],
    [{ active: false }, []],
  ]
  let current = { ...firstFields, active: true, taxExempt: false, auditSalesTaxForTerms: false }
  for (const [wish, addressFieldsCleared] of steps) {
    const patched = await primary.patch(`/v1/divisions/${divisionId}`, wish)
    const next = { ...current, ...wish }
    assert.deepEqual(
      (await auditOf(patched)).map((record) => ({ ...record })),
      [{ ...who, action: 'division.updated', detail: { before: current, after: next, addressFieldsCleared } }],
    )
    current = next
  }
})

test('GAP-40 a write is not made and answers 503 if its audit record cannot be written', async () => {
  const { child } = service.manifest.fixtures.divisions
  await giveAddress(child)
  await change(sql`
    alter table audit_record add constraint out_of_order check (action not like 'division.%') not valid`)
  const everything = async (): Promise<unknown> => [
    await stored(service.manifest.partners.primary.siteIds),
    await shown(child),
    await addressOf(child),
  ]
  const untouched = await everything()
  try {
    for (const answer of [
      await primary.post('/v1/divisions', newDivision()),
      await primary.patch(`/v1/divisions/${child}`, { name: 'Unrecorded' }),
    ]) {
      assert.deepEqual(codeOf(answer), [503, 'audit_unavailable'])
    }
  } finally {
    await change(sql`alter table audit_record drop constraint out_of_order`)
  }
  assert.deepEqual(await everything(), untouched)
})

test('GAP-42 a division deleted while it is changed gives monolith_target_missing', async () => {
  const { main } = service.manifest.sites
  await change(sql`
    create function vanish() returns trigger language plpgsql security definer as $$
    begin
      delete from division where division_id = new.division_id;
      return null;
    end $$`)
  await change(sql`
    create constraint trigger vanish after update on division deferrable initially deferred
    for each row when (new.name = 'Vanishing') execute function vanish()`)
  const atCommit = await created()
  const answer = await primary.patch(`/v1/divisions/${atCommit}`, { name: 'Vanishing' })
  assert.deepEqual(codeOf(answer), [409, 'monolith_target_missing'])

  // The PATCH has found the division and waits for the site's row; meanwhile the division goes.
  const whileWaiting = await created()
  const { database } = service.production
  const waiting = await service.owner.production.transaction(async (tx) => {
    await tx.rows(sql`select from site where site_id = ${main} for no key update`)
    const patch = primary.patch(`/v1/divisions/${whileWaiting}`, { name: 'Too late' })
    await lockWait(database, 'for no key update of site')
    await tx.rows(sql`delete from division where division_id = ${whileWaiting}`)
    return { patch }
  })
  assert.deepEqual(codeOf(await waiting.patch), [409, 'monolith_target_missing'])
  assert.deepEqual(codeOf(await primary.get(`/v1/divisions/${whileWaiting}`)), [404, 'division_not_found'])
})

test('DIV-01 DIV-03 DIV-04 the scope to read divisions does not allow writes', async () => {
  const { child } = service.manifest.fixtures.divisions
  assert.equal((await readonly.get('/v1/divisions')).status, 200)
  for (const answer of [
    await readonly.post('/v1/divisions', {}),
    await readonly.patch(`/v1/divisions/${child}`, { name: 'X' }),
  ]) {
    assert.deepEqual(codeOf(answer), [403, 'insufficient_scope'])
  }
})
