import type { Queries, Transaction } from '../../database/database.ts'
import { insertRows } from '../../database/rows.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { isExactDecimal } from '../../vocabulary/exact-decimal.ts'
import { readInstant } from '../../vocabulary/instant.ts'
import { money } from '../../vocabulary/money.ts'
import type { Done } from '../../vocabulary/outcome.ts'
import type { ProductId } from '../../vocabulary/product-id.ts'
import { nameFault } from '../../vocabulary/text.ts'
import { recordAudit } from '../audit/audit.ts'
import { hasPublishedId } from './published-id.ts'

/** Discounts on a product for a time. They may overlap: the best one in force applies. */
export type ProductDiscount = {
  name: string | null
  /** more than 0 and at most 100; exact decimal */
  percent: string
  /** instants; null = without beginning, without end */
  startsOn: string | null
  stopsOn: string | null
}

/** In the order they were given. */
export function productDiscounts(queries: Queries, productId: ProductId): Promise<ProductDiscount[]> {
  // product_discount_by_product
  return queries.rows<ProductDiscount>(sql`
    select name, percent, starts_on, stops_on
    from product_discount
    where product_number = (select product.product_number from product where ${hasPublishedId(productId)})
    order by product_discount_id`)
}

/** Replaces the discounts on a product. The last of several concurrent changes wins as a whole. */
export async function replaceDiscounts(
  tx: Transaction,
  change: Change,
  productId: ProductId,
  discounts: readonly ProductDiscount[],
): Promise<Done | { refused: 'product_not_found' } | { refused: 'discounts_not_usable'; detail: string }> {
  const product = await tx.row<{ productNumber: number; siteId: number }>(sql`
    select product_number, site_id from product where ${hasPublishedId(productId)} for no key update`)
  if (!product) return { refused: 'product_not_found' }
  const rows = discounts.map(({ startsOn, stopsOn, ...rest }) => ({
    ...rest,
    startsOn: startsOn && readInstant(startsOn),
    stopsOn: stopsOn && readInstant(stopsOn),
  }))
  for (const { name, percent, startsOn, stopsOn } of rows) {
    const unnamed = name === null ? undefined : nameFault('name', name, 200)
    if (unnamed) return { refused: 'discounts_not_usable', detail: unnamed }
    if (!isExactDecimal(percent, 4) || money(percent).lte(0) || money(percent).gt(100)) {
      return {
        refused: 'discounts_not_usable',
        detail: 'The field percent must be more than 0 and at most 100, with at most four decimals.',
      }
    }
    if (startsOn === undefined || stopsOn === undefined) {
      return { refused: 'discounts_not_usable', detail: 'The fields startsOn and stopsOn must be instants or null.' }
    }
    if (startsOn !== null && stopsOn !== null && stopsOn <= startsOn) {
      return { refused: 'discounts_not_usable', detail: 'The field stopsOn must be after startsOn.' }
    }
  }
  const before = await productDiscounts(tx, productId)
  await Promise.all([
    tx.rows(sql`delete from product_discount where product_number = ${product.productNumber}`),
    insertRows(
      tx,
      'product_discount',
      rows.map((row) => ({ siteId: product.siteId, productNumber: product.productNumber, ...row })),
    ),
    tx.rows(sql`update product set updated_on = ${change.now} where product_number = ${product.productNumber}`),
    recordAudit(tx, change, {
      action: 'product.discounts_replaced',
      subject: { kind: 'product', id: product.productNumber },
      siteId: product.siteId,
      detail: { before, after: discounts },
    }),
  ])
  return { done: {} }
}
