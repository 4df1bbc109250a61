import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { newProduct } from '../../../test/every-staff-operation/samples/catalog.ts'
import { partner, type Answer } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'
import { staff } from '../../../test/world/staff.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { createProducts } from '../../platform/catalog/create-products.ts'
import { type RowOf, writeCsv } from '../csv/csv-table.ts'
import { readCsv } from '../csv/read-csv.ts'
import { productTable } from './product-table.ts'

const service = await testService()
const admin = await staff(service)

type Kind = 'products' | 'prices'
const fileAt = (siteId: number, kind: Kind) => `/staff/v1/production/sites/${siteId}/${kind}.csv`

function send(siteId: number, kind: Kind, body: string | Buffer, query = ''): Promise<Answer> {
  return admin.call('POST', fileAt(siteId, kind) + query, body, { 'content-type': 'text/csv' })
}

async function exported(siteId: number, kind: Kind): Promise<string> {
  const answer = await admin.get(fileAt(siteId, kind))
  assert.equal(answer.status, 200)
  return answer.body
}

/** What a site's catalog is, and how often it was changed. */
async function state(): Promise<unknown> {
  return service.production.database.statements.row(sql`
    select (select md5(string_agg(product::text, '|' order by product_number)) from product) as products,
      (select md5(string_agg(price_break::text, '|' order by product_number, variant_id, from_quantity)) from price_break)
        as prices,
      (select count(*) from audit_record) as records`)
}

test('an exported file is imported again and changes nothing, for every site and kind, also with a byte order mark', async () => {
  const former = await state()
  for (const siteId of Object.values(service.manifest.sites)) {
    for (const kind of ['products', 'prices'] as const) {
      const file = await exported(siteId, kind)
      for (const body of [file, `\ufeff${file}`, file.replaceAll('\r\n', '\n')]) {
        const { status, body: report } = await send(siteId, kind, body)
        assert.equal(status, 200, JSON.stringify(report))
        assert.deepEqual([report.created, report.updated, report.errorCount], [0, 0, 0])
      }
    }
  }
  assert.deepEqual(await state(), former)
})

test('HEAD of an export answers its headers and makes nothing of the file', async () => {
  const url = service.hosts.consoleUrl + fileAt(service.manifest.sites.main, 'prices')
  const headers = { authorization: `Bearer ${admin.token}` }
  const whole = await fetch(url, { headers })
  await whole.text()
  // Reading a price would wait for this transaction.
  await service.production.database.transaction(async (tx) => {
    await tx.rows(sql`lock table price_break, product in access exclusive mode`)
    const head = await fetch(url, { method: 'HEAD', headers })
    assert.deepEqual([head.status, await head.text()], [200, ''])
    for (const name of ['content-type', 'content-disposition', 'cache-control']) {
      assert.equal(head.headers.get(name), whole.headers.get(name), name)
    }
  })
})

test('every text comes back as it was written, even one that a spreadsheet takes for a formula', async () => {
  const words = fc
    .string({ unit: 'binary', maxLength: 30 })
    .filter((text) => !text.includes('\0') && text.isWellFormed())
  const formulas = fc.constantFrom(
    '=1+1',
    '+1',
    '-1',
    '@x',
    '\tx',
    '\rx',
    '\nx',
    '＝1',
    '＋1',
    '－1',
    '＠x',
    "'＝1",
    "'",
    "'=1",
    "''-",
    '"',
    ',',
    '\r\n',
    '',
  )
  const text = fc.tuple(formulas, words).map(([start, rest]) => start + rest)
  const plain = (await readCsv(productTable, Buffer.from(await exported(service.manifest.sites.main, 'products'))))
    .rows[0]!
  async function* once<Row>(rows: Row): AsyncGenerator<Row> {
    yield rows
  }
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 5 }), async (names) => {
      const rows: RowOf<typeof productTable>[] = names.map((name) => ({ ...plain.values, name, attributeNames: [] }))
      let file = ''
      for await (const piece of writeCsv(productTable, once(rows))) file += piece
      for (const cell of (parse(file) as string[][]).flat()) assert.doesNotMatch(cell, /^[=+\-@\t\r\n＝＋－＠]/)
      const read = await readCsv(productTable, Buffer.from(file))
      assert.deepEqual(read.errors, [])
      assert.deepEqual(
        read.rows.map(({ values }) => values),
        rows,
      )
    }),
    { numRuns: 200, examples: [[['\r\n\t', '=1+1']]] },
  )
})

test('CAT-12 while products are being imported, partners give other products the same new words, and all are found', async () => {
  const { main } = service.manifest.sites
  const primary = await partner(service, 'primary')
  const { pod, shared } = service.manifest.fixtures.products
  const change: Change = { actor: { kind: 'STAFF', id: 'tester' }, now: new Date(), requestId: null }
  const kind = { artworkSource: 'NONE', serviceType: 'POD' } as const
  const products = Array.from({ length: 100 }, (_, index) => ({
    ...kind,
    name: 'Kaleidoscope',
    code: `KALEIDO-${index}`,
  }))
  const found = async (q: string): Promise<string[]> => {
    const answer = await primary.get(`/v1/products?siteId=${main}&q=${q}&limit=200`)
    return answer.body.products.map(({ productId }: { productId: string }) => productId)
  }
  await service.production.database.transaction(async (tx) => {
    assert.equal((await createProducts(tx, change, main, products)).length, 100)
    for (const product of [pod, shared]) {
      const patched = await primary.patch(`/v1/products/${product}`, { description: 'Not a kaleidoscope' })
      assert.equal(patched.status, 200, JSON.stringify(patched.body))
    }
  })
  for (const q of ['kaleidoscopes', 'kaliedoscope']) {
    const ids = await found(q)
    assert.ok(ids.length > 20 && ids.includes(pod), q)
  }
  const readings = await service.production.database.statements.rows<{ word: string }>(sql`
    select word from resembling_words(${main}, 'kaleidoskope') where word = 'kaleidoscope'`)
  assert.deepEqual(readings, [{ word: 'kaleidoscope' }])
})

test('a file creates and changes products, and partners read them at once', async () => {
  const { main } = service.manifest.sites
  const file = await exported(main, 'products')
  const [header, ...lines] = file.split('\r\n').filter((line) => line !== '')
  const podLine = lines.find((line) => line.includes('"BC-CLASSIC"'))!
  const fresh = podLine
    .replace(`"${service.manifest.fixtures.products.pod}"`, '')
    .replace('"BC-CLASSIC"', '"BC-IMPORTED"')
    .replace('"Classic Business Card"', '"Wombat card"')
  const renamed = podLine.replace('"Classic Business Card"', '"\'=Renamed, ""so"""')
  const body = [header, fresh, renamed].join('\n')
  const tried = await send(main, 'products', body, '?dryRun=true')
  assert.deepEqual(tried.body, {
    imported: false,
    dryRun: true,
    rows: 2,
    created: 1,
    updated: 1,
    unchanged: 0,
    errorCount: 0,
    errors: [],
    warnings: [],
  })
  assert.equal(await exported(main, 'products'), file)
  const done = await send(main, 'products', body)
  assert.deepEqual([done.body.imported, done.body.created, done.body.updated], [true, 1, 1])
  const primary = await partner(service, 'primary')
  assert.equal(
    (await primary.get(`/v1/products/${service.manifest.fixtures.products.pod}`)).body.name,
    '=Renamed, "so"',
  )
  const found = await primary.get(`/v1/sites/${main}/products?q=wombat`)
  assert.equal(found.body.products[0].code, 'BC-IMPORTED')
})

test('every wrong row is reported with its row and column, and nothing of the file is imported', async () => {
  const { main, second } = service.manifest.sites
  const former = await state()
  const [header, ...lines] = (await exported(main, 'products')).split('\r\n')
  const line = lines.find((each) => each.includes('"BC-PERSONAL"'))!
  const body = [
    header,
    line.replace('"BC-PERSONAL"', '"BC-OTHER"'),
    line,
    line.replace('"SLO_100003"', '').replace('"BC-PERSONAL"', '"MER-TEE"'),
    line.replace('"SLO_100003"', '"SLO_100101"'),
    line.replace('"SLO_100003"', '"SLO_100002"').replace('"POD"', '"STOCK"'),
    line.replace('"SLO_100003"', '"SLO_100004"').replace('"PUBLIC"', '"EVERYONE"'),
    '"too","short"',
    line.replace('"SLO_100003"', '"SLO_100005"').replace('"BC-PERSONAL"', '" "'),
  ].join('\r\n')
  const { status, body: report } = await send(main, 'products', body)
  assert.equal(status, 422)
  assert.deepEqual(
    report.errors.map(({ row, column, code }: Record<string, unknown>) => [row, column, code]),
    [
      [3, 'productId', 'row_repeated'],
      [4, 'code', 'code_taken'],
      [5, 'productId', 'product_not_found'],
      [6, 'serviceType', 'service_type_fixed'],
      [7, 'visibility', 'cell_malformed'],
      [8, null, 'cells_missing'],
      [9, 'code', 'product_not_usable'],
    ],
  )
  assert.deepEqual([report.imported, report.rows, report.updated, report.errorCount], [false, 8, 1, 7])

  const priceBody = [
    'unitPrice,productId,fromQuantity,variantId',
    `1.00,SLO_100002,1,`,
    `0.90,SLO_100002,1,`,
    `1.00,SLO_100001,1,60101`,
    `1.0000001,SLO_100003,1,`,
    `1.00,SLO_100101,1,`,
    `1e2,SLO_100004,1,`,
  ].join('\n')
  const prices = await send(main, 'prices', priceBody)
  assert.deepEqual(
    prices.body.errors.map(({ row, column, code }: Record<string, unknown>) => [row, column, code]),
    [
      [3, 'fromQuantity', 'prices_not_usable'],
      [4, 'variantId', 'prices_not_usable'],
      [5, 'unitPrice', 'prices_not_usable'],
      [6, 'productId', 'product_not_found'],
      [7, 'unitPrice', 'cell_malformed'],
    ],
  )
  assert.deepEqual(await state(), former)
  assert.equal(
    (await send(second, 'prices', 'productId,variantId,fromQuantity,unitPrice\nSLO_100101,,1,1')).status,
    200,
  )
})

test('an unknown fulfilment center is refused, whatever its number', async () => {
  const { main } = service.manifest.sites
  const { rows } = await readCsv(productTable, Buffer.from(await exported(main, 'products')))
  const owned = rows.find(({ values }) => values.code === 'BC-CLASSIC')!.values
  for (const fulfilmentCenterId of [0, 9_999_999_999]) {
    async function* once() {
      yield [{ ...owned, fulfilmentCenterId }]
    }
    let file = ''
    for await (const piece of writeCsv(productTable, once())) file += piece
    const [error] = (await send(main, 'products', file)).body.errors
    assert.deepEqual([error.row, error.column, error.code], [2, 'fulfilmentCenterId', 'fulfilment_center_unknown'])
  }
})

test('a malformed file is refused with what is wrong with it', async () => {
  const { main } = service.manifest.sites
  const codes = async (body: string | Buffer) =>
    (await send(main, 'prices', body)).body.errors.map(({ code }: { code: string }) => code)
  const header = 'productId,variantId,fromQuantity,unitPrice'
  assert.deepEqual(await codes('productId,variantId,fromQuantity,price,price'), [
    'column_unknown',
    'column_unknown',
    'column_missing',
  ])
  assert.deepEqual(await codes(`${header},unitPrice`), ['column_repeated'])
  assert.deepEqual(await codes('\ufeff'), ['header_missing'])
  assert.deepEqual(await codes(Buffer.from([0xff, 0xfe, 0x00])), ['not_utf8'])
  assert.deepEqual(await codes(`${header}\n"SLO_100002,,1,1`), ['csv_malformed'])
  assert.deepEqual(await codes(header + '\nSLO_100002,,1,1'.repeat(10_001)), ['too_many_rows'])
  assert.equal((await send(main, 'prices', '')).body.code, 'invalid_request')
  assert.equal((await send(main, 'prices', Buffer.alloc(8_388_609, 'x'))).body.code, 'invalid_request')
  assert.equal((await send(main, 'prices', header, '?dryRun=perhaps')).body.code, 'invalid_request')
  assert.equal((await admin.post(fileAt(main, 'prices'), { rows: [] })).body.code, 'invalid_request')
  assert.equal((await admin.get(fileAt(987_654, 'prices'))).body.code, 'site_not_found')
})

test('GEN-06 a file with the same numbers in another form changes neither products nor prices', async () => {
  const { main } = service.manifest.sites
  const at = `/staff/v1/production/sites/${main}/products`
  const decimals = { handlingFee: '7.5', unitWeightOunces: '3.25' }
  const { productId } = (await admin.post(at, { ...newProduct(), ...decimals })).body
  const [header, ...lines] = (await exported(main, 'products')).split('\r\n')
  const own = lines.find((line) => line.includes(productId))!
  const products = [header, own.replace('7.5', '7.50').replace('3.25', '3.250')].join('\n')
  assert.ok(products.includes('7.50') && products.includes('3.250'), products)
  const prices = (price: string) => `productId,variantId,fromQuantity,unitPrice\n${productId},,1,${price}\n`
  assert.equal((await send(main, 'prices', prices('4.5'))).body.updated, 1)
  const former = await state()
  for (const { body } of [await send(main, 'products', products), await send(main, 'prices', prices('4.50'))]) {
    assert.deepEqual([body.imported, body.updated, body.unchanged, body.errorCount], [true, 0, 1, 0])
  }
  assert.deepEqual(await state(), former)
})

test('an imported price applies to quotes at once; of two files at once the last one replaces the other as a whole', async () => {
  const { main } = service.manifest.sites
  const at = `/staff/v1/production/sites/${main}/products`
  const { productId } = (await admin.post(at, newProduct())).body
  const file = (turn: number) =>
    `productId,variantId,fromQuantity,unitPrice\n${productId},,${turn},${turn}.10\n${productId},,${turn + 10},${turn}.05\n`
  const answers = await Promise.all([1, 2, 3, 4].map((turn) => send(main, 'prices', file(turn))))
  assert.ok(answers.every(({ body }) => body.imported && body.updated === 1))
  const { priceBreaks } = (await admin.get(`/staff/v1/production/products/${productId}/prices`)).body
  assert.equal(priceBreaks.length, 2)
  const [first, second] = priceBreaks
  assert.equal(second.fromQuantity, first.fromQuantity + 10)
  assert.equal(second.unitPrice.split('.')[0], first.unitPrice.split('.')[0])
  const primary = await partner(service, 'primary')
  const quoted = await primary.post(`/v1/products/${productId}/quote`, { quantity: first.fromQuantity })
  assert.equal(quoted.body.lineListTotal, `${(first.fromQuantity * Number(first.unitPrice)).toFixed(2)}`)
})

test('a file of several pages has each of its products once', async () => {
  const { second } = service.manifest.sites
  const [header, first, ...others] = (await exported(second, 'products')).split('\r\n').filter((line) => line !== '')
  const own = [first!, ...others].find((line) => /^"\w+","STOCK"/.test(line))!
  const [productId, , name, code] = parse(own)[0]!
  const copies = Array.from({ length: 170 }, (_, index) =>
    own.replace(`"${productId}"`, '').replace(`"${name}"`, `"Page ${index}"`).replace(`"${code}"`, `"PAGE-${index}"`),
  )
  const { body: report } = await send(second, 'products', [header, ...copies].join('\n'))
  assert.equal(report.created, 170, JSON.stringify(report))
  const rows: string[][] = parse(await exported(second, 'products'))
  assert.equal(rows.length, 2 + others.length + 170)
  assert.equal(new Set(rows.map(([id]) => id)).size, rows.length)
})
