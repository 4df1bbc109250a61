import type { Static } from 'typebox'
import type { Queries } from '../../database/database.ts'
import { nothing, sql, type SqlPart, sqlText } from '../../database/sql.ts'
import { columns } from '../../database/view.ts'
import type { ServiceType } from '../../vocabulary/product-kinds.ts'
import type { Product } from './contract.ts'
import { productSources, productView } from './product-view.ts'

/**
 * As many matches of a kind are ranked, or as many as are asked for if that is more. A word of thousands of products
 * says too little about each to be worth ranking them all; their numbers and their positions in the table decide which
 * ones are ranked.
 */
const candidatesUsual = 64

/** Mistyped words beyond these are taken as written. */
const wordsCorrectedMax = 8
const readingsMax = 3

type Search = { siteId: number; q: string; serviceType: ServiceType | undefined; limit: number }

/**
 * The products of a site that hold every word asked for, in whatever inflection: first those called exactly so (name,
 * code, SKU), then those with all the words in name and code, then the others; among each by how often and where the
 * words stand. Where nothing holds them all, words the site's products do not know are read as those they resemble:
 * only then a second round trip. The same products always in the same order.
 */
export async function searchProducts(queries: Queries, search: Search): Promise<Static<typeof Product>[]> {
  const found = await productsHolding(queries, search)
  return found.length > 0 ? found : productsResembling(queries, search)
}

function productsHolding(queries: Queries, search: Search): Promise<Static<typeof Product>[]> {
  const { siteId, q, limit } = search
  return queries.rows<Static<typeof Product>>(sql`
    with asked as materialized (
      select ${siteId}::int || '/' || text as called, stems_of_site(${siteId}, plainto_tsquery('english', text)) as stems
      from search_text(${q}) as text
    ), called as materialized (
      ${matching(search, sqlText`product_search.called @> array[asked.called]`)}
    ), ${candidates(search, sqlText`named`, sqlText`product_search.name_stems @@ asked.stems`, sqlText`true`)},
    ${candidates(
      search,
      sqlText`holding`,
      sqlText`product_search.stems @@ asked.stems`,
      sqlText`(select count(*) from named) < ${limit}`,
    )},
    best as (
      select product_number, min(kind) as kind, max(rank) as rank
      from (
        select 1 as kind, * from called
        union all select 2, * from named
        union all select 3, * from holding
      ) found
      group by product_number
      order by kind, rank desc, product_number
      limit ${limit}
    )
    ${inOrder}`)
}

function productsResembling(queries: Queries, search: Search): Promise<Static<typeof Product>[]> {
  const { siteId, q, limit } = search
  // Served also by search_word_index and search_word_as_written.
  return queries.rows<Static<typeof Product>>(sql`
    with word as materialized (
      select place, text, plainto_tsquery('english', text) as stem,
        stems_of_site(${siteId}, plainto_tsquery('english', text)) as site_stem
      from string_to_table(search_text(${q}), ' ') with ordinality as word (text, place)
    ), unknown as (
      select word.place, word.text from word
      where word.place <= ${wordsCorrectedMax}
        and not exists (select from product_search where product_search.stems @@ word.site_stem and ${sampled})
        and not exists (select from product_search where product_search.stems @@ word.site_stem)
    ), reading as (
      select place, stem::text as stem from word
      union
      select unknown.place, plainto_tsquery('english', resembling.word)::text
      from unknown
      cross join lateral (
        select word from resembling_words(${siteId}, unknown.text)
        order by nearness desc, word
        limit ${readingsMax}
      ) as resembling
    ), asked as materialized (
      select stems_of_site(${siteId}, string_agg('(' || any_reading || ')', ' & ')::tsquery) as stems
      from (select string_agg(stem, ' | ') as any_reading from reading where stem <> '' group by place) as each_word
    ), ${candidates(search, sqlText`holding`, sqlText`product_search.stems @@ asked.stems`, sqlText`true`)},
    best as (
      select product_number, 4 as kind, rank from holding
      order by rank desc, product_number
      limit ${limit}
    )
    ${inOrder}`)
}

function candidatesMax(limit: number): number {
  return Math.max(candidatesUsual, limit)
}

/** The products in product_search_sample_index. */
const sampled = sqlText`product_search.product_number % 32 = 0`

/** Products of the site that match what is asked, with their rank. Served by product_search_index. */
function matching({ siteId, serviceType, limit }: Search, condition: SqlPart): SqlPart {
  return sqlText`
    select product_search.product_number, ts_rank(product_search.stems, asked.stems) as rank
    from asked
    join product_search on ${condition} and product_search.site_id = ${siteId}
      ${serviceType ? sqlText`and product_search.service_type = ${serviceType}` : nothing}
    limit ${candidatesMax(limit)}`
}

/**
 * A step that finds matching products among the sample, and where those are too few among all: so a word of thousands
 * of products costs no more than one of hundreds.
 */
function candidates(search: Search, name: SqlPart, matches: SqlPart, wanted: SqlPart): SqlPart {
  const enough = candidatesMax(search.limit)
  return sqlText`${name}_sample as materialized (
      ${matching(search, sqlText`${wanted} and ${matches} and ${sampled}`)}
    ), ${name} as materialized (
      select * from ${name}_sample where (select count(*) from ${name}_sample) = ${enough}
      union all
      (${matching(search, sqlText`${wanted} and ${matches} and (select count(*) from ${name}_sample) < ${enough}`)})
    )`
}

const inOrder = sqlText`
    select ${columns(productView)}
    from best
    join product on product.product_number = best.product_number
    ${productSources}
    order by best.kind, best.rank desc, best.product_number`
