import type { Queries, Transaction } from '../../database/database.ts'
import { insertRows } from '../../database/rows.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { isExactDecimal } from '../../vocabulary/exact-decimal.ts'
import { money } from '../../vocabulary/money.ts'
import type { Done } from '../../vocabulary/outcome.ts'
import type { ProductId } from '../../vocabulary/product-id.ts'
import { recordAudits } from '../audit/audit.ts'
import { chunksOf } from './product-rules.ts'
import { hasPublishedId } from './published-id.ts'
import { lineQuantityMax } from './quantity-rules.ts'

/**
 * The quantity breaks of a product, and of variants that have their own. A share without rows sells at its master's; a
 * product without any cannot be ordered.
 */
export type PriceRow = {
  /** null = for all variants without rows of their own */
  variantId: number | null
  fromQuantity: number
  /** of one piece; exact decimal */
  unitPrice: string
}

export const priceRowsMax = 1000
const unitPriceDecimals = 6

/** The product's own breaks, by variant and quantity. */
export function priceRows(queries: Queries, productId: ProductId): Promise<PriceRow[]> {
  // price_break_unique
  return queries.rows<PriceRow>(sql`
    select variant_id, from_quantity, unit_price
    from price_break
    where product_number = (select product.product_number from product where ${hasPublishedId(productId)})
    order by variant_id nulls first, from_quantity`)
}

/** The quantity from which the products have prices, those of its master for a share without any. */
export async function pricesStart(queries: Queries, numbers: readonly number[]): Promise<Map<number, number>> {
  if (numbers.length === 0) return new Map()
  // Served by product's primary key and price_break_unique.
  const rows = await queries.rows<{ productNumber: number; fromQuantity: number }>(sql`
    select product.product_number, min(price_break.from_quantity) as from_quantity
    from product join price_break on price_break.product_number = case
      when exists (select from price_break own where own.product_number = product.product_number)
      then product.product_number else coalesce(product.master_number, product.product_number) end
    where product.product_number = any(${numbers}::bigint[])
    group by product.product_number`)
  return new Map(rows.map((row) => [row.productNumber, row.fromQuantity]))
}

export type PriceProblem = { refused: 'prices_not_usable'; row: number; field: keyof PriceRow; detail: string }

/** What is wrong with a table before it is compared with the product. */
export function priceProblem(table: readonly PriceRow[]): PriceProblem | undefined {
  const wrong = (row: number, field: keyof PriceRow, detail: string): PriceProblem => ({
    refused: 'prices_not_usable',
    row,
    field,
    detail,
  })
  const reached = new Map<number | null, number>()
  for (const [row, { variantId, fromQuantity, unitPrice }] of table.entries()) {
    if (row >= priceRowsMax)
      return wrong(row, 'fromQuantity', `A product can have at most ${priceRowsMax} price breaks.`)
    if (!Number.isInteger(fromQuantity) || fromQuantity < 1 || fromQuantity > lineQuantityMax) {
      return wrong(row, 'fromQuantity', `The field fromQuantity must be a whole number from 1 to ${lineQuantityMax}.`)
    }
    if (!isExactDecimal(unitPrice, unitPriceDecimals)) {
      return wrong(row, 'unitPrice', 'The field unitPrice must be an amount with at most six decimals.')
    }
    if (fromQuantity <= (reached.get(variantId) ?? 0)) {
      return wrong(row, 'fromQuantity', 'The quantities must ascend, without repetition for the same goods.')
    }
    reached.set(variantId, fromQuantity)
  }
  return undefined
}

type PricesRefused = PriceProblem | { refused: 'product_not_found' }
type PricesReplaced = Done<{ changed: boolean }> | PricesRefused

/**
 * Replaces the prices of a product. The product is locked, so the last of several concurrent changes wins as a whole,
 * and an order is priced by one table or the other.
 */
export async function replacePrices(
  tx: Transaction,
  change: Change,
  productId: ProductId,
  table: readonly PriceRow[],
): Promise<PricesReplaced> {
  const [replaced] = await replacePriceTables(tx, change, [{ productId, table }])
  return replaced!
}

/** The same for many products, each named once: a refused table does not prevent the others. */
export async function replacePriceTables(
  tx: Transaction,
  change: Change,
  tables: readonly { productId: ProductId; table: readonly PriceRow[] }[],
): Promise<PricesReplaced[]> {
  const products = await lockProducts(
    tx,
    tables.map(({ productId }) => productId),
  )
  const judged = tables.map(({ productId, table }) => judge(products.get(idOf(productId)), table))
  const changed = judged.filter((each): each is Granted => 'after' in each)
  for (const chunk of chunksOf(changed)) {
    const numbers = chunk.map(({ product }) => product.productNumber)
    const rows = chunk.flatMap(({ product, after }) =>
      after.map(({ variantId, fromQuantity, unitPrice }) => ({
        productNumber: product.productNumber,
        variantId,
        fromQuantity,
        unitPrice,
      })),
    )
    await Promise.all([
      tx.rows(sql`delete from price_break where product_number = any(${numbers}::bigint[])`),
      insertRows(tx, 'price_break', rows),
      tx.rows(sql`
        update product set updated_on = ${change.now} where product_number = any(${numbers}::bigint[])`),
      recordAudits(
        tx,
        chunk.map(({ product, after }) => ({
          change,
          action: 'product.prices_replaced',
          subject: { kind: 'product', id: product.productNumber },
          siteId: product.siteId,
          detail: { before: product.rows.map(asTuple), after: after.map(asTuple) },
        })),
      ),
    ])
  }
  return judged.map((each) => ('refused' in each ? each : { done: { changed: 'after' in each } }))
}

type Locked = { productNumber: number; siteId: number; variantIds: number[]; rows: PriceRow[] }

/** Locks in ascending order, so that two changes of many cannot deadlock, and reads prices once all are locked. */
async function lockProducts(tx: Transaction, productIds: readonly ProductId[]): Promise<Map<string, Locked>> {
  const numbers = productIds.map(({ number }) => number)
  const [products, variants, rows] = await Promise.all([
    tx.rows<{ id: string; productNumber: number; siteId: number }>(sql`
      select kind || '_' || product_number as id, product_number, site_id
      from product where product_number = any(${numbers}::bigint[])
      order by product_number
      for no key update`),
    // variant_by_product
    tx.rows<{ productNumber: number; variantId: number }>(sql`
      select product_number, variant_id from variant
      where product_number = any(${numbers}::bigint[])`),
    // price_break_unique
    tx.rows<PriceRow & { productNumber: number }>(sql`
      select product_number, variant_id, from_quantity, unit_price
      from price_break where product_number = any(${numbers}::bigint[])
      order by variant_id nulls first, from_quantity`),
  ])
  const variantsOf = Map.groupBy(variants, (each) => each.productNumber)
  const rowsOf = Map.groupBy(rows, (each) => each.productNumber)
  return new Map(
    products.map(({ id, productNumber, siteId }) => {
      const variantIds = (variantsOf.get(productNumber) ?? []).map((each) => each.variantId)
      return [id, { productNumber, siteId, variantIds, rows: rowsOf.get(productNumber) ?? [] }]
    }),
  )
}

function idOf({ kind, number }: ProductId): string {
  return `${kind}_${number}`
}

type Granted = { product: Locked; after: PriceRow[] }

function judge(product: Locked | undefined, table: readonly PriceRow[]): Granted | PricesRefused | { unchanged: true } {
  if (!product) return { refused: 'product_not_found' }
  const wrong = priceProblem(table)
  if (wrong) return wrong
  const known = new Set<number | null>([null, ...product.variantIds])
  const stray = table.findIndex(({ variantId }) => !known.has(variantId))
  if (stray !== -1) {
    const detail = 'The product has no such variant.'
    return { refused: 'prices_not_usable', row: stray, field: 'variantId', detail }
  }
  const after = table.toSorted((a, b) => (a.variantId ?? 0) - (b.variantId ?? 0) || a.fromQuantity - b.fromQuantity)
  const isSame = JSON.stringify(product.rows.map(asTuple)) === JSON.stringify(after.map(asTuple))
  return isSame ? { unchanged: true } : { product, after }
}

function asTuple({ variantId, fromQuantity, unitPrice }: PriceRow) {
  return [variantId, fromQuantity, money(unitPrice).toFixed()] as const
}
