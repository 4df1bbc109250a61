import type { Queries } from '../../database/database.ts'
import { nothing, sql, sqlText } from '../../database/sql.ts'
import type { ServiceType } from '../../vocabulary/product-kinds.ts'
import { productColumns, type ProductRow, productSources } from './product-view.ts'

/**
 * The best matches a search looks at. A word that stands in tens of thousands of products tells too little to rank them
 * all; as many of them are ranked as lie first in the table, and what is called as asked is always among them.
 */
const candidatesMax = 1_000

/** Mistyped words beyond these are taken as written. */
const wordsCorrectedMax = 8
const readingsMax = 3

/**
 * The products of a site that hold every word asked for, in whatever inflection, best match first: those called exactly
 * so (name, code, SKU), then by how often and where the words stand. Where nothing holds them all, words the site's
 * products do not know are read as those they resemble. One round trip; the same products always in the same order.
 */
export function searchProducts(
  queries: Queries,
  siteId: number,
  { q, serviceType, limit }: { q: string; serviceType: ServiceType | undefined; limit: number },
): Promise<ProductRow[]> {
  const ofType = serviceType ? sqlText`and product_search.service_type = ${serviceType}` : nothing
  const match = sqlText`
    select product_search.product_number, product_search.called @> array[asked.text] as is_called,
      ts_rank(product_search.words, asked.query) as rank`
  // Served by product_search_index, search_word_index and search_word's primary key.
  return queries.rows<ProductRow>(sql`
    with asked as materialized (
      select search_text(${q}) as text, plainto_tsquery('english', search_text(${q})) as query
    ), called as (
      ${match}
      from asked
      join product_search on product_search.site_id = ${siteId} and product_search.called @> array[asked.text] ${ofType}
      limit ${candidatesMax}
    ), holding as (
      ${match}
      from asked
      join product_search on product_search.site_id = ${siteId} and product_search.words @@ asked.query ${ofType}
      limit ${candidatesMax}
    ), word as (
      select word.place, word.text, plainto_tsquery('english', word.text) as query
      from asked
      cross join string_to_table(asked.text, ' ') with ordinality as word (text, place)
      where not exists (select from called) and not exists (select from holding)
    ), reading as (
      select word.place, string_agg(read.query, ' | ') as query
      from word
      cross join lateral (
        select word.query::text
        union
        (
          select plainto_tsquery('english', resembling.word)::text
          from resembling_words(${siteId}, word.text) resembling
          where word.place <= ${wordsCorrectedMax} and not exists (
            select from product_search where product_search.site_id = ${siteId} and product_search.words @@ word.query
          )
          order by resembling.nearness desc, resembling.word
          limit ${readingsMax}
        )
      ) as read (query)
      where numnode(word.query) > 0
      group by word.place
    ), meant as materialized (
      select asked.text, (select string_agg('(' || reading.query || ')', ' & ') from reading)::tsquery as query
      from asked
    ), resembling as (
      select product_search.product_number, false, ts_rank(product_search.words, meant.query)
      from meant
      join product_search on product_search.site_id = ${siteId} and product_search.words @@ meant.query ${ofType}
      limit ${candidatesMax}
    ), best as (
      select * from called union select * from holding union select * from resembling
      order by is_called desc, rank desc, product_number
      limit ${limit}
    )
    select ${productColumns}
    from best
    join product on product.product_number = best.product_number
    ${productSources}
    order by best.is_called desc, best.rank desc, best.product_number`)
}
