import type { Queries } from '../../database/database.ts'
import { nothing, sql, type SqlPart, sqlText } from '../../database/sql.ts'
import type { RecordRow } from '../../database/view.ts'
import type { ServiceType } from '../../vocabulary/product-kinds.ts'
import { productSources, productRecord } from './product-view.ts'

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

/** A product as it is sent, and its number. */
type Found = RecordRow & { productNumber: number }

/**
 * The products of a site that hold every word asked for, in whatever inflection, joined with a neighbour or apart: first
 * those called exactly so (name, code, id, SKU), then those with all the words in name and code, then the others. Among
 * each come first those with the most of the words in name and code, then those that can be ordered, then those whose name
 * and code have the fewest other words, then by how often and where else the words stand. Where nothing holds them all,
 * words the site's products do not know are read as those they resemble: only then a second round trip. The same products
 * always in the same order.
 */
export async function searchProducts(queries: Queries, search: Search): Promise<Found[]> {
  const found = await productsHolding(queries, search)
  return found.length > 0 ? found : productsResembling(queries, search)
}

function productsHolding(queries: Queries, search: Search): Promise<Found[]> {
  const { siteId, q, limit } = search
  return queries.rows<Found>(sql`
    with asked as materialized (
      select * from asked_of(${siteId}, search_text(${q}), null)
    ), called as materialized (
      ${matching(search, sqlText`product_search.called @> array[asked.called]`)}
    ), ${candidates(search, sqlText`named`, sqlText`product_search.name_stems @@ asked.stems`, sqlText`true`)},
    ${candidates(
      search,
      sqlText`holding`,
      sqlText`product_search.stems @@ asked.stems`,
      sqlText`(select count(*) from named) < ${limit}`,
    )},
    found as (
      select 1 as kind, * from called
      union all select 2, * from named
      union all select 3, * from holding
    )
    ${bestOf(limit)}`)
}

function productsResembling(queries: Queries, search: Search): Promise<Found[]> {
  const { siteId, q, limit } = search
  // Served also by search_word_index and search_word_as_written.
  return queries.rows<Found>(sql`
    with written as materialized (
      select place, word, plainto_tsquery('english', word) as stem
      from string_to_table(search_text(${q}), ' ') with ordinality as each (word, place)
    ), unknown as (
      select place, word
      from written
      cross join lateral stems_of_site(${siteId}, stem) as site_stem
      where place <= ${wordsCorrectedMax} and numnode(stem) > 0
        and not exists (select from product_search where product_search.stems @@ site_stem and ${sampled})
        and not exists (select from product_search where product_search.stems @@ site_stem)
    ), corrected as (
      select unknown.place, string_agg(resembling.word, ' ') as words
      from unknown
      cross join lateral (
        select word from resembling_words(${siteId}, unknown.word)
        order by mistakes, similarity(word, unknown.word) desc, word
        limit ${readingsMax}
      ) as resembling
      group by unknown.place
    ), asked as materialized (
      select *
      from asked_of(${siteId}, search_text(${q}), array(
        select words from written left join corrected using (place) order by place
      ))
    ),
    ${candidates(search, sqlText`holding`, sqlText`product_search.stems @@ asked.stems`, sqlText`true`)},
    found as (
      select 4 as kind, * from holding
    )
    ${bestOf(limit)}`)
}

function candidatesMax(limit: number): number {
  return Math.max(candidatesUsual, limit)
}

/** The products in product_search_sample_index. */
const sampled = sqlText`product_search.product_number % 32 = 0`

/**
 * Products of the site that match what is asked, with what decides their place. Served by product_search_index.
 */
function matching({ siteId, serviceType, limit }: Search, condition: SqlPart): SqlPart {
  return sqlText`
    select product_search.product_number, product_search.offered,
      length(ts_delete(product_search.name_stems, asked.lexemes)) as unasked,
      length(product_search.name_stems) as name_length,
      ts_rank(product_search.stems, asked.stems) as rank
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

/** The products found, each once, the best first. */
function bestOf(limit: number): SqlPart {
  return sqlText`, best as (
      select product_number, min(kind) as kind, name_length - unasked as named, unasked, offered, max(rank) as rank
      from found
      group by product_number, name_length, unasked, offered
      order by kind, named desc, offered desc, unasked, rank desc, product_number
      limit ${limit}
    )
    select ${productRecord.column}, product.product_number
    from best
    join product on product.product_number = best.product_number
    ${productSources}
    order by best.kind, best.named desc, best.offered desc, best.unasked, best.rank desc, best.product_number`
}
