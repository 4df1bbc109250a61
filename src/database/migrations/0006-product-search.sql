create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- Normalizes a text for search: no accents, lower case, single spaces between words. Documents and queries both pass
-- through here. It names ranges of characters, not classes, so that the database's locale does not matter.
create function search_text(given text) returns text
language sql immutable parallel safe
return trim(both ' ' from regexp_replace(
  regexp_replace(lower(normalize(given, nfkd)), '[\u0300-\u036f]+', '', 'g'),
  '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+', ' ', 'g'));

-- Stems prefixed with their site's number, in documents and queries: `card` on site 101 is `101/card`. So each site's
-- word has a list of its own in the index, however many sites use the word. No stem contains a quote: search_text
-- removes them.
create function stems_of_site(site int, stems tsvector) returns tsvector
language sql immutable parallel safe
return regexp_replace(stems::text, '''([^'']+)''', '''' || site || '/\1''', 'g')::tsvector;
create function stems_of_site(site int, asked tsquery) returns tsquery
language sql immutable parallel safe
return regexp_replace(asked::text, '''([^'']+)''', '''' || site || '/\1''', 'g')::tsquery;

-- The searchable texts of a product as its site shows it: a share has its master's texts until it overrides them. Only
-- triggers write this table.
create table product_search (
  product_number bigint primary key references product on delete cascade,
  site_id int not null,
  service_type text not null,
  -- what it is called in full, each as search_text after its site's number: its name, its code, its variants' SKUs
  called text[] not null,
  -- the stems of its name and code, without positions
  name_stems tsvector not null,
  -- all stems, weighted by where they occur: name and code (A), SKUs and keywords (B), description (C), description for search engines (D)
  stems tsvector not null
);
-- Without fastupdate: every search would have to read the pending entries.
create index product_search_index on product_search using gin (stems, name_stems, called) with (fastupdate = off);
-- A sample of one product in 32, with an index of its own: when thousands of a site's products contain a word, a search
-- takes its candidates from here and does not read the word's whole list.
create index product_search_sample_index on product_search using gin (stems, name_stems) with (fastupdate = off)
  where product_number % 32 = 0;

-- The words of a site's texts as written, to find what a mistyped word may have meant. A word stays after the last
-- product that used it is gone: a word that finds nothing does no harm. There is no unique key: when two transactions
-- add the same new word, both store it and neither waits for the other.
create table search_word (
  site_id int not null,
  word text not null
);
create index search_word_index on search_word using gin (site_id, word gin_trgm_ops) with (fastupdate = off);
create index search_word_as_written on search_word (site_id, word);

-- The words of a site that a mistyped word may have meant, each once, with its similarity, up to 1. A long word must be
-- more similar: hundreds of words share two of its many trigrams, and each would be compared. A short word with two
-- letters swapped shares few trigrams with the right word, so those spellings are looked up as they are. The setting
-- made inside ends with the function.
create function resembling_words(asked_site int, mistyped text) returns table (word text, nearness real)
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

-- Rewrites the searchable texts of these products. A share's row depends on two products that others may be changing,
-- so only one transaction at a time writes products that share texts. It locks the rows of their masters here, the
-- lowest first, and so waits only for writers of the same texts. A new product has no row yet, but no other transaction
-- sees it either.
create function refresh_product_search(product_numbers bigint[]) returns void
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

create function product_search_follows_new_products() returns trigger
language plpgsql as $$
begin
  perform refresh_product_search(array_agg(product_number)) from new_product;
  return null;
end
$$;

-- Only a change of searchable texts matters. A master's change also changes its shares.
create function product_search_follows_products() returns trigger
language plpgsql as $$
begin
  perform refresh_product_search(array_agg(product.product_number))
  from new_product
  join old_product using (product_number)
  join product on product.product_number = new_product.product_number
    or product.master_number = new_product.product_number
  where (new_product.name, new_product.code, new_product.description, new_product.meta_description,
      new_product.meta_keywords, new_product.override_display, new_product.service_type, new_product.site_id,
      new_product.master_number)
    is distinct from (old_product.name, old_product.code, old_product.description, old_product.meta_description,
      old_product.meta_keywords, old_product.override_display, old_product.service_type, old_product.site_id,
      old_product.master_number)
  having count(*) > 0;
  return null;
end
$$;

-- A share's variant without a SKU of its own shows its master's.
create function product_search_follows_variants() returns trigger
language plpgsql as $$
begin
  perform refresh_product_search(array_agg(distinct product.product_number))
  from changed_variant
  join product on product.product_number = changed_variant.product_number
    or product.master_number = changed_variant.product_number
  having count(*) > 0;
  return null;
end
$$;

create function product_search_follows_sku() returns trigger
language plpgsql as $$
begin
  perform refresh_product_search(array_agg(product_number))
  from product
  where product_number = new.product_number or master_number = new.product_number;
  return null;
end
$$;

create trigger product_search_on_insert after insert on product
  referencing new table as new_product
  for each statement execute function product_search_follows_new_products();
create trigger product_search_on_update after update on product
  referencing new table as new_product old table as old_product
  for each statement execute function product_search_follows_products();
create trigger product_search_on_variant_insert after insert on variant
  referencing new table as changed_variant
  for each statement execute function product_search_follows_variants();
create trigger product_search_on_variant_delete after delete on variant
  referencing old table as changed_variant
  for each statement execute function product_search_follows_variants();
-- Stock moves with every order: a trigger with a column list does not fire unless a statement sets one of these columns.
create trigger product_search_on_sku after update of sku, master_variant_id on variant
  for each row execute function product_search_follows_sku();
