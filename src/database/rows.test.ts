import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testService } from '../../test/world/service.ts'
import { insertRows, insertTables, updateRows } from './rows.ts'
import { sql } from './sql.ts'

const service = await testService()
const { statements } = service.production.database

test('rows go in and change in the types of their table, exact, and what they do not name stays', async () => {
  const { main } = service.manifest.sites
  const product = { kind: 'SLO', siteId: main, serviceType: 'STOCK', artworkSource: 'NONE' }
  const dates = { createdOn: new Date('2026-01-02T03:04:05.678Z'), updatedOn: new Date('2026-01-02T03:04:05.678Z') }
  const inserted = await insertRows<{ productNumber: number; code: string }>(
    statements,
    'product',
    ['one', 'two'].map((code) => ({
      ...product,
      name: `${code}; "quoted" \\ 'text'`,
      code,
      attributeNames: ['Size', 'a, "b"'],
      handlingFee: code === 'one' ? '0.100000000000000000001' : null,
      minQuantity: undefined,
      ...dates,
    })),
    ['productNumber', 'code'],
  )
  assert.deepEqual(
    inserted.map(({ code }) => code),
    ['one', 'two'],
  )
  await updateRows(
    statements,
    'product',
    'productNumber',
    inserted.map(({ productNumber, code }) => ({ productNumber, name: code, handlingFee: '7.50' })).slice(1),
  )
  const stored = await statements.rows(sql`
    select name, attribute_names, handling_fee, min_quantity, taxable, created_on from product
    where product_number = any(${inserted.map(({ productNumber }) => productNumber)}::bigint[]) order by product_number`)
  const common = {
    attributeNames: ['Size', 'a, "b"'],
    minQuantity: null,
    taxable: true,
    createdOn: '2026-01-02T03:04:05.678Z',
  }
  assert.deepEqual(stored, [
    { ...common, name: `one; "quoted" \\ 'text'`, handlingFee: '0.100000000000000000001' },
    { ...common, name: 'two', handlingFee: '7.50' },
  ])
})

test('rows of several tables go in together, whichever of them refers to which', async () => {
  const { main } = service.manifest.sites
  const dates = { createdOn: new Date(), updatedOn: new Date() }
  const ids = { segmentId: 900_001, divisionId: 900_002 }
  await insertTables(statements, [
    ['segment_rule', [{ siteId: main, ...ids }]],
    ['user_segment', []],
    ['segment', [{ siteId: main, segmentId: ids.segmentId, name: 'Together', ...dates }]],
    [
      'division',
      [
        {
          siteId: main,
          divisionId: ids.divisionId,
          name: 'T',
          code: 'T',
          codeFolded: 't',
          countryCode: 'US',
          supplierCode: 'S',
          ...dates,
        },
      ],
    ],
  ])
  const rules = await statements.rows(sql`
    select segment.name, division.code from segment_rule
    join segment using (segment_id) join division on division.division_id = segment_rule.division_id
    where segment_id = ${ids.segmentId}`)
  assert.deepEqual(rules, [{ name: 'Together', code: 'T' }])
})

test('no rows are no statement', async () => {
  const refuses = { rows: () => assert.fail('asked') }
  assert.deepEqual(await insertRows(refuses, 'product', []), [])
  await insertTables(refuses, [['product', []]])
  await updateRows(refuses, 'product', 'productNumber', [])
})

test('what is no plain name becomes no part of a statement', () => {
  for (const name of ['name; drop table product', 'name"', 'product_name', ''])
    assert.throws(() => insertRows(statements, 'product', [{ [name]: 1 }]), /names no column/)
})
