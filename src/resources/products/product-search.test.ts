import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../database/sql.ts'
import { partner } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'

const service = await testService()
const primary = await partner(service, 'primary')

async function search(siteId: number, q: string, more = ''): Promise<string[]> {
  const answer = await primary.get(`/v1/products?siteId=${siteId}&q=${encodeURIComponent(q)}${more}`)
  assert.equal(answer.status, 200, `${q} ${JSON.stringify(answer.body)}`)
  assert.equal(answer.body.nextCursor, null)
  return answer.body.products.map((each: any) => each.productId)
}

const main = (): number => service.manifest.sites.main
const second = (): number => service.manifest.sites.second
const fixtures = () => service.manifest.fixtures.products
const master = 'SLO_100101'

async function change(statement: ReturnType<typeof sql>): Promise<void> {
  await service.owner.production.statements.rows(statement)
}

async function patched(productId: string, body: unknown): Promise<void> {
  const answer = await primary.patch(`/v1/products/${productId}`, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
}

test('CAT-12 a search finds products by the words of their names, in any inflection, letter case and order', async () => {
  const { pod, template } = fixtures()
  for (const q of ['business cards', 'CARDS business', 'Business Card', 'business-card']) {
    // The second says it in its name only.
    assert.deepEqual(await search(main(), q), [template, pod], q)
  }
  assert.deepEqual(await search(main(), 'personalize envelopes'), [fixtures().templateLegacy])
})

test('CAT-12 a search finds products by code, SKU, keyword, description and description for search engines', async () => {
  const { stock, unpriceable } = fixtures()
  // The kit is described to search engines as the shirt is.
  await patched('SLO_100016', { metaDescription: null, metaKeywords: null })
  for (const q of [
    'MER-TEE',
    'mer tee',
    'MER-TEE-BLAC-LARG',
    'apparel',
    'ring-spun',
    'chest',
    'black and white shirt',
  ]) {
    assert.deepEqual(await search(main(), q), [stock], q)
  }
  assert.deepEqual(await search(main(), 'folder-custom'), [unpriceable])
})

test('CAT-12 an exact name match ranks first, and words in the name rank before words in the description', async () => {
  await patched(fixtures().withImages, { description: 'Also printed as a welcome kit, kit, kit, kit for the kit.' })
  const found = await search(main(), 'kit')
  assert.deepEqual(found.slice(0, 2), ['SLO_100016', fixtures().withImages])
  // By its words alone it would come later, since other products have them more often.
  await patched(fixtures().withImages, { description: 'card-franchise, card-franchise: card franchise card franchise' })
  assert.equal((await search(main(), 'CARD-FRANCHISE'))[0], 'SLO_100013')
})

test('CAT-12 a small mistake in a word of five letters or more is read as the word it resembles', async () => {
  const { pod, template, stock, withImages } = fixtures()
  const asked: [string, string[]][] = [
    ['buisness card', [pod, template]],
    ['busines card', [pod, template]],
    ['bussiness cards', [pod, template]],
    ['shrit', [stock]],
    ['tshirt', [stock]],
    ['bannre', [withImages]],
    ['personlized buisness', [template]],
    ['personilised business', [template]],
  ]
  for (const [q, ids] of asked) {
    const found = await search(main(), q)
    for (const id of ids) assert.ok(found.includes(id), `${q} finds ${found.join(', ')}`)
  }
})

test('CAT-12 a short word, another first letter and a word further off are not read as another word', async () => {
  for (const q of ['crad', 'dog', 'lot', 'kits pen cad', 'ciznbess', 'dusiness', 'shorts', 'barnar', 'bnnar']) {
    assert.deepEqual(await search(main(), q), [], q)
  }
})

test('CAT-12 a mistyped word never replaces one that the products have', async () => {
  const { withImages } = fixtures()
  await patched(withImages, { metaKeywords: 'busyness' })
  assert.deepEqual(await search(main(), 'busyness'), [withImages])
  await patched(withImages, { metaKeywords: null })
})

test('CAT-12 the product named so ranks first, then those with the fewest other words in their names, hidden and inactive ones last', async () => {
  const cards = ['Matte Business Card for Teams', 'Card for any Business', 'Business Card', 'Business Card, Matte']
  await change(sql`
    insert into product (product_number, kind, site_id, name, code, service_type, artwork_source, visibility, active,
      description, created_on, updated_on)
    select 999100 + place, 'SLO', ${main()}, name, 'RANK-' || place, 'POD', 'NONE',
      'PUBLIC', true, repeat('business card ', 5 - place::int), now(), now()
    from unnest(${cards}::text[]) with ordinality as each (name, place)`)
  const found = (await search(main(), 'business cards')).filter((id) => id.startsWith('SLO_9991'))
  assert.equal((await search(main(), 'business cards'))[0], 'SLO_999103')
  assert.deepEqual(found, ['SLO_999103', 'SLO_999104', 'SLO_999101', 'SLO_999102'])
  for (const changed of [
    sql`update product set visibility = 'HIDDEN' where product_number = 999104`,
    sql`update product set active = false, visibility = 'PUBLIC' where product_number = 999104`,
  ]) {
    await change(changed)
    const later = (await search(main(), 'business cards')).filter((id) => id.startsWith('SLO_9991'))
    assert.deepEqual(later, ['SLO_999103', 'SLO_999101', 'SLO_999104', 'SLO_999102'])
  }
  await change(sql`delete from product where product_number between 999100 and 999199`)
})

test('CAT-12 a search finds products by their ids and by the choices of their variants, which it follows', async () => {
  const { stock, pod, shared } = fixtures()
  for (const id of [stock, pod, shared]) {
    for (const q of [id, id.toLowerCase(), id.slice(4)]) assert.deepEqual(await search(main(), q), [id], q)
  }
  assert.deepEqual(await search(main(), 'logo shirt gray'), [stock])
  assert.deepEqual(await search(main(), 'logo shirt purple'), [])
  const variant = `/v1/products/${stock}/variants/60006`
  assert.equal((await primary.patch(variant, { attribute1Choice: 'Purple' })).status, 200)
  assert.deepEqual(await search(main(), 'logo shirt purple'), [stock])
  assert.deepEqual(await search(main(), 'purpel'), [stock])
  assert.equal((await primary.patch(variant, { attribute1Choice: 'Gray' })).status, 200)
  assert.deepEqual(await search(main(), 'logo shirt purple'), [])
})

test('CAT-12 words are found joined and apart, and names and codes without their spaces', async () => {
  const { templateUnconfigured, stock, unpriceable, pod } = fixtures()
  const asked: [string, string][] = [
    ['note pad', templateUnconfigured],
    ['notepad', templateUnconfigured],
    ['note-pads personalized', templateUnconfigured],
    ['tshirt', stock],
    ['t shirts', stock],
    ['diecut', unpriceable],
    ['die cut', unpriceable],
    ['mertee', stock],
    ['classicbusinesscard', pod],
  ]
  for (const [q, id] of asked) assert.equal((await search(main(), q))[0], id, q)
})

test('CAT-12 a word that occurs in the products is never corrected, and several words narrow a search', async () => {
  assert.deepEqual(await search(main(), 'business envelope'), [])
  assert.deepEqual(await search(main(), 'personalized envelope'), [fixtures().templateLegacy])
})

test('CAT-12 accents and punctuation make no difference', async () => {
  await patched(fixtures().unpriceable, { description: 'Für das Café: «crème brûlée»!' })
  for (const q of ['cafe', 'CAFÉ', 'creme brulee', 'cafe\u0301', '“Café”']) {
    assert.deepEqual(await search(main(), q), [fixtures().unpriceable], q)
  }
})

test('CAT-12 text that looks like a query language, or has no word, is treated as plain text', async () => {
  for (const q of [
    "card' & !business | (",
    '!!!',
    "o'neill",
    '"a" -b',
    '\\',
    ':*',
    '<->',
    '日本語',
    'the of and',
    '%',
    '_',
  ]) {
    await search(main(), q)
  }
  assert.deepEqual(await search(main(), '!!!'), [])
  assert.deepEqual(await search(main(), 'business & !card'), [fixtures().template, fixtures().pod])
  assert.deepEqual(await search(main(), 'x'.repeat(200)), [])
})

test('CAT-12 TEN-03 a search finds only the products of its site', async () => {
  assert.deepEqual(await search(main(), 'umbrella'), [])
  assert.deepEqual(await search(second(), 'brochure'), ['SLO_100102'])
  assert.ok(!(await search(main(), 'brochures')).includes('SLO_100102'))
  const outsider = await partner(service, 'outsider')
  const { foreign } = service.manifest.sites
  const found = await outsider.get(`/v1/sites/${foreign}/products?q=umbrela`)
  assert.deepEqual(
    found.body.products.map((each: any) => each.productId),
    [service.manifest.fixtures.foreign.productId],
  )
})

test('CAT-02 CAT-11 CAT-12 the route of a site searches like the site filter, and serviceType and limit narrow a search', async () => {
  const byFilter = await primary.get(`/v1/products?siteId=${main()}&q=card`)
  const byRoute = await primary.get(`/v1/sites/${main()}/products?q=card`)
  assert.deepEqual(byRoute.body, byFilter.body)
  const all = byFilter.body.products.map((each: any) => each.productId)
  assert.ok(all.length > 3)
  assert.deepEqual(await search(main(), 'card', '&limit=2'), all.slice(0, 2))
  const stockOnly = await search(main(), 'logo kit', '&serviceType=POD')
  assert.deepEqual(stockOnly, [])
  for (const each of byFilter.body.products) assert.equal(each.siteId, main())
  assert.deepEqual(await search(main(), 'shirt', '&serviceType=STOCK'), [fixtures().stock])
  assert.deepEqual(await search(main(), 'shrit', '&serviceType=POD'), [])
})

test('CAT-12 search results look as in the list, include hidden and inactive products, and keep the same order', async () => {
  const listed = (await primary.get(`/v1/products?siteId=${main()}`)).body.products
  const first = (await primary.get(`/v1/products?siteId=${main()}&q=card`)).body
  const again = (await primary.get(`/v1/products?siteId=${main()}&q=card`)).body
  assert.deepEqual(again, first)
  for (const found of first.products) {
    assert.deepEqual(
      found,
      listed.find((each: any) => each.productId === found.productId),
    )
  }
  assert.deepEqual(await search(main(), 'discontinued postcard'), ['SLO_100014'])
  assert.deepEqual(await search(main(), 'retired brochure'), ['SLO_100015'])
})

test("GEN-14 CAT-12 a share is found by its master's texts while it shows them, and follows every change of them", async () => {
  const { shared } = fixtures()
  assert.deepEqual(await search(main(), 'ceramic mug'), [shared])
  assert.deepEqual(await search(main(), 'dishwasher'), [shared])
  assert.deepEqual(await search(main(), 'CAS-MUG-NAVY'), [shared])
  await patched(master, { description: 'Holds eleven ounces of espresso.' })
  assert.deepEqual(await search(main(), 'dishwasher'), [])
  assert.deepEqual(await search(main(), 'espressos'), [shared])
  assert.deepEqual(await search(second(), 'espressos'), [master])

  await patched(shared, { description: 'For lemonade, says Meridian.' })
  assert.deepEqual(await search(main(), 'espresso'), [])
  assert.deepEqual(await search(main(), 'lemonade'), [shared])
  assert.deepEqual(await search(second(), 'lemonade'), [])
  await patched(master, { description: 'Holds twelve ounces of cappuccino.' })
  assert.deepEqual(await search(main(), 'cappuccino'), [])
  await patched(shared, { overrideDisplay: false })
  assert.deepEqual(await search(main(), 'cappuccino'), [shared])
  assert.deepEqual(await search(main(), 'lemonade'), [])

  await change(
    sql`update product set name = 'Cascade Stoneware Tankard', code = 'CAS-TANK' where product_number = 100101`,
  )
  assert.deepEqual(await search(main(), 'tankard'), [shared])
  assert.deepEqual(await search(main(), 'tankrad'), [shared])
  assert.deepEqual(await search(main(), 'cas-tank'), [shared])
  await change(sql`update variant set sku = 'TANKARD-9' where variant_id = 60101`)
  assert.deepEqual(await search(second(), 'tankard-9'), [master])
  await change(sql`update variant set sku = null where variant_id = 60011`)
  assert.deepEqual(await search(main(), 'tankard 9'), [shared])
})

test('CAT-12 after concurrent changes to a master and its share, search finds the share by the texts it shows', async () => {
  const { shared } = fixtures()
  for (let round = 0; round < 6; round++) {
    const words = `rounded${'abcdef'[round]}`
    await Promise.all([
      patched(master, { description: `${words} of the master` }),
      patched(shared, round % 2 ? { overrideDisplay: false } : { description: `${words} of the share` }),
      patched(master, { metaKeywords: `${words}, keyed` }),
    ])
    const shown = (await primary.get(`/v1/products/${shared}`)).body
    const stored = await service.production.database.statements.row<{ isCurrent: boolean }>(sql`
      select stems @@ stems_of_site(101, plainto_tsquery('english', search_text(${shown.description})))
        and stems @@ stems_of_site(101, plainto_tsquery('english', search_text(${shown.metaKeywords}))) as is_current
      from product_search where product_number = 100006`)
    assert.deepEqual([stored!.isCurrent, shown.description.startsWith(words)], [true, true], shown.description)
  }
})

test('CAT-12 search finds new products, and no longer finds removed ones', async () => {
  await change(sql`
    insert into product (product_number, kind, site_id, name, code, service_type, artwork_source, created_on, updated_on)
    values (999001, 'SLO', ${main()}, 'Zeppelin Kite', 'ZEP-1', 'STOCK', 'NONE', now(), now())`)
  assert.deepEqual(await search(main(), 'zeppelins'), ['SLO_999001'])
  assert.deepEqual(await search(main(), 'zepelin'), ['SLO_999001'])
  await change(sql`
    insert into variant (site_id, product_number, sku, created_on, updated_on)
    values (${main()}, 999001, 'ZEP-RED', now(), now())`)
  assert.deepEqual(await search(main(), 'zep-red'), ['SLO_999001'])
  await change(sql`delete from variant where product_number = 999001`)
  assert.deepEqual(await search(main(), 'zep-red'), [])
  await change(sql`delete from product where product_number = 999001`)
  assert.deepEqual(await search(main(), 'zeppelin'), [])
})

test('CAT-12 stock movements do not change the search index', async () => {
  const stored = () =>
    service.production.database.statements.row<{ version: string }>(sql`
      select xmin::text as version from product_search where product_number = 100001`)
  const former = await stored()
  await change(sql`update variant set stock_quantity = stock_quantity - 1 where variant_id = 60001`)
  await change(sql`update product set updated_on = now() where product_number = 100001`)
  assert.deepEqual(await stored(), former)
})

test('ERR-14 ERR-29 ERR-31 a search that is too long is refused for that reason', async () => {
  const said = async (method: string, path: string, body?: unknown) =>
    (await primary.call(method, path, body)).body.detail
  assert.match(await said('GET', `/v1/products?siteId=${main()}&q=${'x'.repeat(201)}`), /200 characters/)
  const product = `/v1/products/${service.manifest.fixtures.products.stock}`
  assert.match(await said('PATCH', `${product}/variants/1234567890`, { location: 'A' }), /nine digits/)
  assert.match(await said('PATCH', `${product}/images/1234567890`, { sequence: 1 }), /nine digits/)
})

test('ERR-14 ERR-15 ERR-16 a search without words, without a site or with a cursor is refused', async () => {
  const refusals: [string, string][] = [
    [`?siteId=${main()}&q=`, 'invalid_query'],
    [`?siteId=${main()}&q=%20%09`, 'invalid_query'],
    [`?siteId=${main()}&q=%E2%80%8B`, 'invalid_query'],
    [`?siteId=${main()}&q=%20%E2%81%A0%C2%AD%E2%A0%80`, 'invalid_query'],
    [`?siteId=${main()}&q=${'x'.repeat(201)}`, 'invalid_query'],
    ['?q=card', 'site_id_required_for_search'],
    [`?siteId=${main()}&q=card&cursor=abc`, 'cursor_not_supported_with_search'],
    [`?siteId=${service.manifest.sites.foreign}&q=card`, 'invalid_site_id'],
  ]
  for (const [query, code] of refusals) {
    const answer = await primary.get(`/v1/products${query}`)
    assert.deepEqual([answer.status, answer.body.code], [400, code], query)
  }
})
