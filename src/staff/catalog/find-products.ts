import type { Queries } from '../../database/database.ts'
import { nothing, sql, sqlText } from '../../database/sql.ts'
import {
  recordColumns,
  recordSource,
  type ProductRecord,
  type RecordFilter,
} from '../../platform/catalog/product-record.ts'
import { foldedWords } from '../search/fold.ts'

/**
 * Products of all sites, or in a state that partners do not search, whose name has words that begin so or whose code
 * begins so: those with exactly this code first, then by product number. Served by product_by_words and
 * product_by_folded_code.
 */
export function findProducts(
  queries: Queries,
  q: string,
  { siteId, serviceType, active, archived, limit }: Omit<RecordFilter, 'after'>,
): Promise<ProductRecord[]> {
  const words = foldedWords(q)
    .map((word) => `'${word}':*`)
    .join(' & ')
  const code = q.trim().toLowerCase()
  return queries.rows<ProductRecord>(sql`
    with found as materialized (
      select product_number from product where words_to_find(name) @@ (select ${words}::tsquery)
      union
      select product_number from product
      where lower(code) collate "C" >= ${code} and lower(code) collate "C" < ${code} || ${'\u{10ffff}'}
    )
    select ${recordColumns} from found join product using (product_number) ${recordSource}
    where (product.archived_on is not null) = ${archived ?? false}
      ${siteId === undefined ? nothing : sqlText`and product.site_id = ${siteId}`}
      ${serviceType === undefined ? nothing : sqlText`and product.service_type = ${serviceType}`}
      ${active === undefined ? nothing : sqlText`and product.active = ${active}`}
    order by lower(product.code) <> ${code}, product.product_number
    limit ${limit}::int`)
}
