import { type SqlPart, sqlText } from '../../database/sql.ts'
import type { ProductId } from '../../vocabulary/product-id.ts'

/**
 * The condition that the row `product` is published under this id. It compares kind and number as text, so that an id
 * with leading zeros finds no product. Served by product's primary key.
 */
export function hasPublishedId({ kind, number }: ProductId): SqlPart {
  return sqlText`product.product_number = ${number}::bigint and product.product_number::text = ${number}
      and product.kind = ${kind}`
}
