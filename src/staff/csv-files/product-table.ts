import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { withKeptDecimals } from '../../vocabulary/exact-decimal.ts'
import { createProducts } from '../../platform/catalog/create-products.ts'
import { definitionDecimals } from '../../platform/catalog/product-definition.ts'
import { pricesStart } from '../../platform/catalog/price-tables.ts'
import { productWarnings } from '../../platform/catalog/product-warnings.ts'
import { differing, numberOf, productRecordsOf } from '../../platform/catalog/product-record.ts'
import { lockCodes, type ProductWish } from '../../platform/catalog/product-rules.ts'
import { updateProducts } from '../../platform/catalog/update-products.ts'
import { type ProductId, readProductId } from '../../vocabulary/product-id.ts'
import { artworkSources, artworkTypes, serviceTypes, visibilities } from '../../vocabulary/product-kinds.ts'
import { catalog } from '../catalog/contract.ts'
import { decimal, flag, list, optional, text, whole, word, someWords } from '../csv/cells.ts'
import { csvTable, type RowOf } from '../csv/csv-table.ts'
import type { Applied, RowWarning } from '../csv/import-csv.ts'
import type { NumberedRow } from '../csv/read-csv.ts'

/** Products of a site, its shares among them; a row without productId is a product to be created. */
export const productTable = csvTable(
  {
    productId: optional(text),
    serviceType: word(serviceTypes),
    name: text,
    code: text,
    artworkSource: word(artworkSources),
    artworkTypes: someWords(artworkTypes),
    active: flag,
    visibility: word(visibilities),
    requiresApproval: flag,
    overrideDisplay: optional(flag),
    minQuantity: optional(whole),
    maxQuantity: optional(whole),
    handlingFee: optional(decimal),
    taxable: flag,
    shippable: flag,
    digitalDelivery: flag,
    requiresProof: flag,
    unitWeightOunces: optional(decimal),
    turnaroundBusinessDays: optional(whole),
    fulfilmentCenterId: optional(whole),
    templateVendor: optional(text),
    templateId: optional(text),
    attributeNames: list,
    description: optional(text),
    metaDescription: optional(text),
    metaKeywords: optional(text),
  },
  10_000,
)

type ProductRow = RowOf<typeof productTable>

/** The other rows are tried even if one is refused. */
export async function applyProducts(
  tx: Transaction,
  siteId: number,
  rows: readonly NumberedRow<ProductRow>[],
  change: Change,
): Promise<Applied> {
  const applied: Applied = { created: 0, updated: 0, unchanged: 0, errors: [] }
  const fail = (row: number, refused: Refused): void =>
    void applied.errors.push({
      row,
      column: refused.field ?? columnOf[refused.refused] ?? null,
      code: refused.refused,
      detail: refused.detail ?? catalog.problems[refused.refused as keyof typeof catalog.problems][1],
    })

  // Locked before any product, even if only new products need the codes.
  await lockCodes(tx, { siteId })
  const edits = await editsOf(tx, siteId, rows, fail)
  const wishes = edits.filter(({ wish }) => Object.keys(wish).length > 0)
  applied.unchanged = edits.length - wishes.length
  for (const [index, outcome] of (await updateProducts(tx, change, [siteId], wishes)).entries()) {
    if ('refused' in outcome) fail(wishes[index]!.row, outcome)
    else applied.updated += 1
  }

  const fresh = rows.filter(({ values }) => values.productId === null)
  const created = await createProducts(
    tx,
    change,
    siteId,
    fresh.map(({ values }) => values),
  )
  const rowOf = new Map(edits.map(({ row, productId }) => [productId.number, row]))
  for (const [index, outcome] of created.entries()) {
    const { row, values } = fresh[index]!
    if ('done' in outcome) rowOf.set(outcome.done.productId.number, row)
    if ('refused' in outcome) fail(row, outcome)
    else if (values.overrideDisplay === null) applied.created += 1
    else
      fail(row, { refused: 'product_not_usable', field: 'overrideDisplay', detail: 'Only a share can override texts.' })
  }
  return { ...applied, warnings: await warningsOf(tx, rowOf) }
}

/** What is allowed and hardly meant, of the products as they are after the file. @param rowOf rows by product number */
async function warningsOf(tx: Transaction, rowOf: ReadonlyMap<string, number>): Promise<RowWarning[]> {
  const numbers = [...rowOf.keys()]
  const [records, pricedFrom, segments] = await Promise.all([
    productRecordsOf(tx, numbers),
    pricesStart(tx, numbers.map(Number)),
    tx.rows<{ productNumber: number; count: number }>(sql`
      select product_number, count(*)::int as count from product_segment
      where product_number = any(${numbers}::bigint[]) group by product_number`),
  ])
  const counts = new Map(segments.map(({ productNumber, count }) => [productNumber, count]))
  return records.flatMap((product) => {
    const number = numberOf(product)
    const warnings = productWarnings(product, counts.get(number) ?? 0, pricedFrom.get(number))
    return warnings.map((detail) => ({ row: rowOf.get(String(number))!, detail }))
  })
}

type Refused = { refused: string; field?: string; detail?: string }

const columnOf: Readonly<Record<string, string>> = {
  product_not_found: 'productId',
  code_taken: 'code',
  fulfilment_center_unknown: 'fulfilmentCenterId',
  limits_crossed: 'maxQuantity',
}

type Edit = { row: number; productId: ProductId; wish: ProductWish }

/** The rows that name products of the site. A repeated product is refused. */
async function editsOf(
  tx: Transaction,
  siteId: number,
  rows: readonly NumberedRow<ProductRow>[],
  fail: (row: number, refused: Refused) => void,
): Promise<Edit[]> {
  const named = rows.flatMap(({ row, values }) => {
    if (values.productId === null) return []
    return [{ row, values, id: readProductId(values.productId) }]
  })
  const numbers = named.flatMap(({ id }) => (id ? [id.number] : []))
  const records = await productRecordsOf(tx, numbers)
  const present = new Map(records.filter((each) => each.siteId === siteId).map((each) => [each.productId, each]))
  const seen = new Set<string>()
  return named.flatMap(({ row, values, id }) => {
    const { productId, serviceType, overrideDisplay, ...fields } = values
    const current = present.get(productId!)
    if (!id || !current) return fail(row, { refused: 'product_not_found' }) ?? []
    if (seen.has(productId!)) {
      const detail = 'A row above names the same product.'
      return fail(row, { refused: 'row_repeated', field: 'productId', detail }) ?? []
    }
    seen.add(productId!)
    if (serviceType !== current.serviceType) {
      const detail = "A product's serviceType cannot change."
      return fail(row, { refused: 'service_type_fixed', field: 'serviceType', detail }) ?? []
    }
    const wish: ProductWish = { ...fields, ...(overrideDisplay === null ? {} : { overrideDisplay }) }
    // An empty cell stands for an empty text and for null.
    for (const field of mayBeEmpty) if (wish[field] === null && current[field] === '') delete wish[field]
    return [{ row, productId: id, wish: differing(current, withKeptDecimals(current, wish, definitionDecimals)) }]
  })
}

const mayBeEmpty = ['description', 'metaDescription', 'metaKeywords', 'templateVendor', 'templateId'] as const
