import { type SqlPart, sqlText } from '../../database/sql.ts'
import type { ProductId } from '../../vocabulary/product-id.ts'

/**
 * Condition that the row `product` is the one published under the id: of its kind, and its number as it is written, so
 * that an id with leading zeros names none. Served by product's primary key.
 */
export function hasPublishedId({ kind, number }: ProductId): SqlPart {
  return sqlText`product.product_number = ${number}::bigint and product.product_number::text = ${number}
      and product.kind = ${kind}`
}
