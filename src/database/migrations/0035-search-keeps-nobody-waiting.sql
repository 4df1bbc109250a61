-- Whoever writes texts waits for nobody but writers of the same texts, however many products a transaction writes and however
-- long it stays open.

-- Two who write a new word at once both keep it, so that neither waits for the other: a word may stand here twice.
alter table search_word drop constraint search_word_pkey;
create index search_word_as_written on search_word (site_id, word);

-- As before; a word that stands twice is one.
create or replace function resembling_words(asked_site int, mistyped text) returns table (word text, nearness real)
language plpgsql stable strict rows 3
set pg_trgm.similarity_threshold = 0.25
as $$
begin
  if length(mistyped) > 5 then
    perform set_config('pg_trgm.similarity_threshold', '0.3', true);
  end if;
  return query
    select known.word, similarity(known.word, mistyped)
    from search_word known
    where known.site_id = asked_site and known.word % mistyped
    union
    select known.word, 0.9::real
    from search_word known
    where known.site_id = asked_site and known.word = any(array(
      select overlay(mistyped placing reverse(substr(mistyped, place, 2)) from place for 2)
      from generate_series(1, length(mistyped) - 1) place
    ));
end
$$;

-- As before, writes anew what search knows of these products. Products that share texts are written by one transaction at a
-- time, since a share's row is made of two products that others may be changing: whoever writes them holds the master's row,
-- the lowest first. A new product's is not there yet, and nobody else sees such a product.
create or replace function refresh_product_search(product_numbers bigint[]) returns void
language plpgsql as $$
begin
  perform from product_search
  where product_number in (
    select coalesce(product.master_number, product.product_number)
    from product where product.product_number = any(product_numbers)
  )
  order by product_number
  for no key update;

  insert into product_search (product_number, site_id, service_type, called, name_stems, stems)
  select product.product_number, product.site_id, product.service_type,
    array(
      select distinct product.site_id || '/' || left(search_text(each), 200)
      from unnest(array[source.name, source.code] || sku.all) as each
    ),
    stems_of_site(product.site_id, strip(name.stems)),
    stems_of_site(product.site_id, setweight(name.stems, 'A')
      || setweight(to_tsvector('english', search_text(concat_ws(' ', array_to_string(sku.all, ' '), shown.meta_keywords))), 'B')
      || setweight(to_tsvector('english', search_text(coalesce(shown.description, ''))), 'C')
      || setweight(to_tsvector('english', search_text(coalesce(shown.meta_description, ''))), 'D'))
  from product
  join product source on source.product_number = coalesce(product.master_number, product.product_number)
  join product shown on shown.product_number
    = case when product.override_display then product.product_number else source.product_number end
  cross join lateral (
    select array(
      select coalesce(variant.sku, counted.sku)
      from variant
      left join variant counted on counted.variant_id = variant.master_variant_id
      where variant.product_number = product.product_number and coalesce(variant.sku, counted.sku) is not null
      order by variant.variant_id
    ) as all
  ) as sku
  cross join lateral to_tsvector('english', search_text(concat_ws(' ', source.name, source.code))) as name (stems)
  where product.product_number = any(product_numbers)
  order by product.product_number
  on conflict (product_number) do update
  set site_id = excluded.site_id, service_type = excluded.service_type, called = excluded.called,
    name_stems = excluded.name_stems, stems = excluded.stems
  where (product_search.site_id, product_search.service_type, product_search.called, product_search.stems)
    is distinct from (excluded.site_id, excluded.service_type, excluded.called, excluded.stems);

  insert into search_word (site_id, word)
  select site_id, word
  from (
    select distinct product.site_id, word
    from product
    join product source on source.product_number = coalesce(product.master_number, product.product_number)
    join product shown on shown.product_number
      = case when product.override_display then product.product_number else source.product_number end
    cross join lateral string_to_table(search_text(concat_ws(' ', source.name, source.code, shown.meta_keywords,
      shown.description, shown.meta_description)), ' ') as word
    where product.product_number = any(product_numbers)
      and word ~ '^[^0-9]{3,40}$' and ts_lexize('english_stem', word) <> '{}'
  ) as written
  where not exists (
    select from search_word known where known.site_id = written.site_id and known.word = written.word
  );
end
$$;
