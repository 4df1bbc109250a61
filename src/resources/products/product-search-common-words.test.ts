import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../database/sql.ts'
import { partner } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'

const productCount = 4_000
const partCount = 250
const firstNumber = 500_000

const service = await testService()
const primary = await partner(service, 'primary')
const site = (): number => service.manifest.sites.second
// Every product is a lantern by its description, every second by its name too; some share a rarer word. A statement has
// only so much time, so they come in parts.
for (let first = 1; first <= productCount; first += partCount) {
  await service.production.database.statements.rows(sql`
    insert into product (product_number, kind, site_id, name, code, service_type, artwork_source, description, created_on,
      updated_on)
    select ${firstNumber}::int + number, 'SLO', ${site()}, case when number % 2 = 0 then 'Garden Lantern ' else 'Garden Light ' end || number,
      'GL-' || number, case when number % 5 = 0 then 'STOCK' else 'POD' end, 'NONE',
      'A lantern' || case when number % 400 = 7 then ' with a brass handle' else '' end, now(), now()
    from generate_series(${first}::int, ${first + partCount - 1}::int) number`)
}

async function search(q: string, more = ''): Promise<any[]> {
  const answer = await primary.get(`/v1/products?siteId=${site()}&q=${encodeURIComponent(q)}${more}`)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body.products
}

const numbers = (products: any[]): number[] => products.map((each) => Number(each.productId.slice(4)) - firstNumber)
const sorted = (given: number[]): number[] => given.toSorted((a, b) => a - b)

test('CAT-12 a word in thousands of products fills a page of any size with products that have it in their names', async () => {
  for (const limit of [5, 64, 65, 500]) {
    const found = await search('lanterns', `&limit=${limit}`)
    assert.equal(found.length, limit)
    assert.equal(new Set(numbers(found)).size, limit)
    for (const each of found) assert.match(each.name, /Lantern/)
    assert.deepEqual(await search('lanterns', `&limit=${limit}`), found)
  }
})

test('CAT-12 an exact match ranks first among thousands of products', async () => {
  assert.deepEqual(numbers(await search('garden lantern 1234')), [1234])
  assert.deepEqual(numbers(await search('GL-3333')), [3333])
  await service.production.database.statements.rows(
    sql`update product set name = 'Lantern' where product_number = ${firstNumber + 3001}`,
  )
  assert.equal(numbers(await search('lantern', '&limit=5'))[0], 3001)
})

test('CAT-12 a rare word among thousands of products finds all its matches, alone and beside common words', async () => {
  const brass = Array.from({ length: 10 }, (_, index) => 7 + index * 400)
  assert.deepEqual(sorted(numbers(await search('brass'))), brass)
  assert.deepEqual(sorted(numbers(await search('brass handles lantern garden'))), brass)
  assert.deepEqual(numbers(await search('brass', '&serviceType=STOCK')), [])
  for (const each of await search('lantern', '&serviceType=STOCK')) assert.equal(each.serviceType, 'STOCK')
})

test('CAT-12 TEN-03 a mistyped common word still finds its products, and a word finds nothing on another site', async () => {
  const found = await search('lantren')
  assert.ok(found.length > 0)
  for (const each of found) assert.match(each.name, /Lantern/)
  assert.equal((await search('brasss handle')).length, 10)
  const elsewhere = await primary.get(`/v1/products?siteId=${service.manifest.sites.main}&q=lantern`)
  assert.deepEqual(elsewhere.body.products, [])
})
