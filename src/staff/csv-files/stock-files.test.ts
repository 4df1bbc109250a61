import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newProduct } from '../../../test/every-staff-operation/samples/catalog.ts'
import { testService } from '../../../test/world/service.ts'
import { staff } from '../../../test/world/staff.ts'
import { assertStockAddsUp } from '../../../test/world/stock.ts'
import { sql } from '../../database/sql.ts'

const service = await testService()
const admin = await staff(service)
const { main } = service.manifest.sites
const { statements } = service.production.database
const at = '/staff/v1/production'

function send(path: string, body: string, query = '') {
  return admin.call('POST', `${at}/${path}.csv${query}`, body, { 'content-type': 'text/csv' })
}

async function goods(more: Record<string, unknown> = {}) {
  const created = await admin.post(`${at}/sites/${main}/products`, {
    ...newProduct('STOCK'),
    attributeNames: ['Size'],
    variants: [{ attribute1Choice: 'One', sku: 'ONE' }],
    ...more,
  })
  const { productId, variants } = created.body
  return { productId, variantId: variants[0].variantId as number, path: `${at}/products/${productId}` }
}

async function records(): Promise<unknown> {
  return statements.row(sql`select count(*) as count from audit_record`)
}

test('exported variants, stock, rates and zones are imported again and change nothing', async () => {
  const former = await records()
  for (const path of ['variants', 'stock', 'rates']
    .map((kind) => `sites/${main}/${kind}`)
    .concat('fulfilment-centers/1/zones')) {
    const file = (await admin.get(`${at}/${path}.csv`)).body as string
    const { status, body } = await send(path, file)
    assert.equal(status, 200, JSON.stringify(body.errors))
    assert.deepEqual([body.created, body.updated, body.errorCount], [0, 0, 0], path)
    assert.ok(body.rows > 0 && body.unchanged > 0, path)
  }
  assert.deepEqual(await records(), former)
})

async function lastImport(variantId: number): Promise<number> {
  const row = await statements.row<{ id: number }>(sql`
    select max(stock_movement_id) as id from stock_movement where variant_id = ${variantId} and kind = 'IMPORTED'`)
  return row!.id
}

test('a stock file adds its differences to the stock of today once, and is refused as a whole by row', async () => {
  const one = await goods()
  const stock = `${one.path}/variants/${one.variantId}/stock`
  await admin.post(stock, { counted: 100, reason: 'Counted' })
  const header = 'variantId,sku,productName,stockQuantity,newStockQuantity,lastImportId\n'
  // Meanwhile 30 pieces went.
  await admin.post(stock, { pieces: -30, reason: 'Fair' })
  const path = `sites/${main}/stock`
  const dry = await send(path, `${header}${one.variantId},,,100,95,\n`, '?dryRun=true')
  assert.deepEqual([dry.body.imported, dry.body.updated], [false, 1])
  assert.equal((await send(path, `${header}${one.variantId},,,100,95,\n`)).body.updated, 1)
  const level = async () => (await admin.get(`${at}/stock?productId=${one.productId}`)).body.variants[0].stockQuantity
  assert.equal(await level(), 65)
  const again = await send(path, `${header}${one.variantId},,,100,95,\n`)
  assert.equal(again.status, 422)
  assert.deepEqual([again.body.errors[0].column, again.body.errors[0].code], ['lastImportId', 'stock_not_as_exported'])
  assert.equal(await level(), 65)
  const exported = (await admin.get(`${at}/${path}.csv`)).body as string
  const line = exported.split('\r\n').find((each) => each.startsWith(`"${one.variantId}"`))!
  assert.equal((await send(path, `${header}${line.replace('"65",,', '"65","66",')}\n`)).body.updated, 1)
  assert.equal(await level(), 66)
  const latest = await lastImport(one.variantId)
  const refused = await send(
    path,
    `${header}${one.variantId},,,100,10,${latest}\n${one.variantId},,,100,90,\n999999999,,,1,2,\n60003,,,,5,\n`,
  )
  assert.equal(refused.status, 422)
  assert.deepEqual(
    refused.body.errors.map(({ row, column, code }: Record<string, unknown>) => [row, column, code]),
    [
      [2, 'newStockQuantity', 'stock_below_zero'],
      [3, 'variantId', 'row_repeated'],
      [4, 'variantId', 'variant_not_found'],
      [5, 'stockQuantity', 'stock_not_as_exported'],
    ],
  )
  assert.equal(await level(), 66)
  await assertStockAddsUp(statements)
})

test('a variants file creates and changes variants by the rules of single changes', async () => {
  const one = await goods()
  const header =
    'variantId,productId,sku,attribute1Choice,attribute2Choice,attribute3Choice,location,weight,weightUnit,backorderable,lowStockLevel,active\n'
  const path = `sites/${main}/variants`
  const file = `${header}${one.variantId},${one.productId},ONE,One,,,A-1,2.5,OZ,false,12,true\n,${one.productId},TWO,Two,,,,,,true,,true\n`
  const { body } = await send(path, file)
  assert.deepEqual([body.created, body.updated, body.errorCount], [1, 1, 0], JSON.stringify(body.errors))
  const { variants } = (await admin.get(one.path)).body
  assert.deepEqual(
    variants.map((each: Record<string, unknown>) => [each.sku, each.location, each.lowStockLevel, each.backorderable]),
    [
      ['ONE', 'A-1', 12, false],
      ['TWO', null, null, true],
    ],
  )
  const wrong = await send(
    path,
    `${header},${one.productId},X,Two,,,,,,true,,true\n,SLO_1,X,,,,,,,true,,true\n${one.variantId},SLO_100016,X,,,,,,,true,,true\n`,
  )
  assert.deepEqual(
    wrong.body.errors.map(({ row, column, code }: Record<string, unknown>) => [row, column, code]),
    [
      [2, 'attribute1Choice', 'variant_not_usable'],
      [3, 'productId', 'product_not_found'],
      [4, 'variantId', 'variant_not_found'],
    ],
  )
})

test('zones and rates are replaced by their files, and a fault is told by its row', async () => {
  const zones = 'countryCode,stateCode,postalPrefix,zone\n'
  const place = { name: 'Austin', countryCode: 'US', stateCode: 'TX', postalCode: '73301', timeZone: 'America/Chicago' }
  const { fulfilmentCenterId } = (await admin.post(`${at}/fulfilment-centers`, place)).body
  const ofCenter = `fulfilment-centers/${fulfilmentCenterId}/zones`
  assert.equal((await send(ofCenter, `${zones}US,,,8\nUS,TX,,2\n`)).body.updated, 1)
  assert.equal((await admin.get(`${at}/${ofCenter}`)).body.zones.length, 2)
  const twice = await send(ofCenter, `${zones}US,,,8\nUS,,,2\n`)
  assert.deepEqual([twice.status, twice.body.errors[0].row, twice.body.errors[0].code], [422, 3, 'zones_not_usable'])
  const rates = 'shippingServiceId,provider,serviceName,zone,upToOunces,price\n'
  const heavy = await send(`sites/${main}/rates`, `${rates}1,,,,16,5\n1,,,,8,4\n999999,,,,8,4\n`)
  assert.deepEqual(
    heavy.body.errors.map(({ row, code }: Record<string, unknown>) => [row, code]),
    [
      [3, 'rates_not_usable'],
      [4, 'service_not_found'],
    ],
  )
  assert.equal((await send('fulfilment-centers/9999/zones', zones)).body.code, 'fulfilment_center_not_found')
})

test('a products file takes the types of print files, and its report warns of what is hardly meant', async () => {
  const one = await goods()
  await admin.put(`${one.path}/prices`, { priceBreaks: [{ fromQuantity: 50, unitPrice: '2' }] })
  const file = ((await admin.get(`${at}/sites/${main}/products.csv`)).body as string).split('\r\n')
  const names = file[0]!.split(',')
  const row = file.find((line) => line.startsWith(`"${one.productId}"`))!
  assert.ok(row.includes('"application/pdf;image/png;image/jpeg;image/tiff;image/svg+xml"'), row)
  const changed = row
    .replace('application/pdf;image/png;image/jpeg;image/tiff;image/svg+xml', 'application/pdf')
    .replace('"PUBLIC"', '"SEGMENTS"')
  assert.ok(names.includes('artworkTypes'))
  const { status, body } = await send(`sites/${main}/products`, `${file[0]}\n${changed}\n`)
  assert.deepEqual([status, body.updated], [200, 1], JSON.stringify(body.errors))
  assert.deepEqual(body.warnings, [
    {
      row: 2,
      detail: 'The visibility is SEGMENTS and no segment is assigned: only users who see all segments see it.',
    },
  ])
  assert.deepEqual((await admin.get(one.path)).body.artworkTypes, ['application/pdf'])
  const wrong = await send(`sites/${main}/products`, `${file[0]}\n${changed.replace('application/pdf', 'text/html')}\n`)
  assert.deepEqual([wrong.body.errors[0].column, wrong.status], ['artworkTypes', 422])
})
