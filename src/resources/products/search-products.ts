import type { Queries } from '../../database/database.ts'
import { nothing, sql, sqlText } from '../../database/sql.ts'
import type { ServiceType } from '../../vocabulary/product-kinds.ts'
import { productColumns, type ProductRow, productSources } from './product-view.ts'

/**
 * As many matches of a kind are ranked, or as many as are asked for if that is more. A word that stands in thousands of
 * products tells too little of each to be worth ranking them all; which of them are is up to where they lie in the table.
 */
const candidatesUsual = 250

/** Mistyped words beyond these are taken as written. */
const wordsCorrectedMax = 8
const readingsMax = 3

/**
 * The products of a site that hold every word asked for, in whatever inflection: first those called exactly so (name,
 * code, SKU), then those with all the words in name and code, then the others; among each by how often and where the words
 * stand. Where nothing holds them all, words the site's products do not know are read as those they resemble. One round
 * trip; the same products always in the same order.
 */
export function searchProducts(
  queries: Queries,
  siteId: number,
  { q, serviceType, limit }: { q: string; serviceType: ServiceType | undefined; limit: number },
): Promise<ProductRow[]> {
  const candidate = sqlText`product_search.site_id = ${siteId}
        ${serviceType ? sqlText`and product_search.service_type = ${serviceType}` : nothing}`
  const candidatesMax = Math.max(candidatesUsual, limit)
  const rank = sqlText`ts_rank(product_search.stems, asked.stems)`
  // Served by product_search_index, search_word_index and search_word's primary key.
  return queries.rows<ProductRow>(sql`
    with asked as materialized (
      select text, ${siteId}::int || '/' || text as called,
        stems_of_site(${siteId}, plainto_tsquery('english', text)) as stems
      from search_text(${q}) as text
    ), called as (
      select product_search.product_number, 1 as kind, ${rank} as rank
      from asked
      join product_search on product_search.called @> array[asked.called] and ${candidate}
      limit ${candidatesMax}
    ), named as (
      select product_search.product_number, 2 as kind, ${rank} as rank
      from asked
      join product_search on product_search.name_stems @@ asked.stems and ${candidate}
      limit ${candidatesMax}
    ), holding as (
      select product_search.product_number, 3 as kind, ${rank} as rank
      from asked
      join product_search on product_search.stems @@ asked.stems and ${candidate}
      where (select count(*) from named) < ${limit}
      limit ${candidatesMax}
    ), word as (
      select word.place, word.text, plainto_tsquery('english', word.text) as stem
      from asked
      cross join string_to_table(asked.text, ' ') with ordinality as word (text, place)
      where not exists (select from called) and not exists (select from holding)
        and (select count(*) from named) < ${limit}
    ), reading as (
      select word.place, string_agg(read.stem, ' | ') as stems
      from word
      cross join lateral (
        select word.stem::text
        union
        (
          select plainto_tsquery('english', resembling.word)::text
          from resembling_words(${siteId}, word.text) resembling
          where word.place <= ${wordsCorrectedMax} and not exists (
            select from product_search where product_search.stems @@ stems_of_site(${siteId}, word.stem)
          )
          order by resembling.nearness desc, resembling.word
          limit ${readingsMax}
        )
      ) as read (stem)
      where numnode(word.stem) > 0
      group by word.place
    ), resembling as (
      select product_search.product_number, 4 as kind, ${rank} as rank
      from (
        select stems_of_site(${siteId}, string_agg('(' || reading.stems || ')', ' & ')::tsquery) as stems from reading
      ) as asked
      join product_search on product_search.stems @@ asked.stems and ${candidate}
      limit ${candidatesMax}
    ), best as (
      select product_number, min(kind) as kind, max(rank) as rank
      from (table called union all table named union all table holding union all table resembling) found
      group by product_number
      order by kind, rank desc, product_number
      limit ${limit}
    )
    select ${productColumns}
    from best
    join product on product.product_number = best.product_number
    ${productSources}
    order by best.kind, best.rank desc, best.product_number`)
}
