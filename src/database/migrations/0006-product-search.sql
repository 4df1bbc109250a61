create extension if not exists pg_trgm;
create extension if not exists btree_gin;
create extension if not exists fuzzystrmatch;

-- Normalizes a text for search: no accents, lower case, single spaces between words. Documents and queries both pass
-- through here. It names ranges of characters, not classes, so that the database's locale does not matter.
create function search_text(given text) returns text
language sql immutable parallel safe
return trim(both ' ' from regexp_replace(
  regexp_replace(lower(normalize(given, nfkd)), '[\u0300-\u036f]+', '', 'g'),
  '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+', ' ', 'g'));

-- The whole of a name or code as one word, by its stem: `Note Pads`, `notepad` and `NOTE-PAD` are called the same.
create function called_as(given text) returns text
language sql immutable parallel safe
return (ts_lexize('english_stem', replace(search_text(given), ' ', '')))[1];

-- Stems prefixed with their site's number, in documents and queries: `card` on site 101 is `101/card`. So each site's
-- word has a list of its own in the index, however many sites use the word. No stem contains a quote: search_text
-- removes them.
create function stems_of_site(site int, stems tsvector) returns tsvector
language sql immutable parallel safe
return regexp_replace(stems::text, '''([^'']+)''', '''' || site || '/\1''', 'g')::tsvector;
create function stems_of_site(site int, asked tsquery) returns tsquery
language sql immutable parallel safe
return regexp_replace(asked::text, '''([^'']+)''', '''' || site || '/\1''', 'g')::tsquery;

-- What a search asks of a product of a site. `called`: what it would be called in full. `stems`: of each word it must hold
-- the word itself, the word joined with a neighbour, or one of those in `corrected` at its place. A product says `notepad`
-- where a search says `note pad`; for the other way round, product_search holds the joined words of names. A word that is
-- none, such as `the`, asks for nothing; null if no word asks for anything. `lexemes`: all that stems names.
-- @param given a search_text
create function asked_of(site int, given text, corrected text[], out called text, out stems tsquery, out lexemes text[])
language plpgsql immutable parallel safe
as $$
declare
  words text[] := string_to_array(given, ' ');
  stem text;
  every text;
begin
  called := site || '/' || (ts_lexize('english_stem', replace(given, ' ', '')))[1];
  for place in 1..cardinality(words) loop
    stem := plainto_tsquery('english', words[place])::text;
    continue when stem = '';
    if place > 1 then
      stem := stem || coalesce(' | ' || nullif(plainto_tsquery('english', words[place - 1] || words[place])::text, ''), '');
    end if;
    if place < cardinality(words) then
      stem := stem || coalesce(' | ' || nullif(plainto_tsquery('english', words[place] || words[place + 1])::text, ''), '');
    end if;
    if corrected[place] is not null then
      stem := stem || ' | ' || replace(plainto_tsquery('english', corrected[place])::text, '&', '|');
    end if;
    every := coalesce(every || ' & ', '') || '(' || stem || ')';
  end loop;
  stems := stems_of_site(site, every::tsquery);
  lexemes := string_to_array(translate(stems::text, '&|()''', ''), ' ');
end
$$;

-- The searchable texts of a product as its site shows it: a share has its master's texts until it overrides them. Only
-- triggers write this table.
create table product_search (
  product_number bigint primary key references product on delete cascade,
  site_id int not null,
  service_type text not null,
  -- active, as its master is, and not hidden
  offered boolean not null,
  -- what it is called in full, each as called_as after its site's number: its name, its code, its id, its variants' SKUs
  called text[] not null,
  -- the stems of its name and code, and of each two words of the name joined, without positions
  name_stems tsvector not null,
  -- all stems, weighted by where they occur: those of name_stems (A), SKUs, variants' choices and keywords (B),
  -- description (C), description for search engines (D)
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

-- The words of a site that a mistyped word may have meant, each once, with the number of letters that were added, left
-- out or replaced; two letters swapped count as one. A mistake is likely only in a longer word, and not in its first
-- letter: a word of five to eight letters may have one, a longer one two. Words that share trigrams are compared, long
-- ones only if they share more, because hundreds share two of many. A short word with two letters swapped shares few
-- with the right word, so those spellings are looked up as they are. The setting made inside ends with the function.
create function resembling_words(asked_site int, mistyped text) returns table (word text, mistakes int)
language plpgsql stable strict rows 3
set pg_trgm.similarity_threshold = 0.25
as $$
declare
  mistakes_max int := case when length(mistyped) < 9 then 1 else 2 end;
begin
  -- No stored word is longer than 40 letters.
  if length(mistyped) not between 5 and 42 then
    return;
  end if;
  if length(mistyped) > 5 then
    perform set_config('pg_trgm.similarity_threshold', '0.3', true);
  end if;
  return query
    select near.word, near.mistakes
    from (
      select known.word, levenshtein_less_equal(known.word, mistyped, mistakes_max) as mistakes
      from search_word known
      where known.site_id = asked_site and known.word % mistyped and left(known.word, 1) = left(mistyped, 1)
    ) near
    where near.mistakes <= mistakes_max
    union
    select known.word, 1
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

  insert into product_search (product_number, site_id, service_type, offered, called, name_stems, stems)
  select product.product_number, product.site_id, product.service_type,
    product.active and source.active and product.visibility <> 'HIDDEN',
    array(
      select distinct product.site_id || '/' || left(called_as(each), 200)
      from unnest(array[source.name, source.code, product.kind || product.product_number, product.product_number::text]
        || variants.skus) as each
    ),
    stems_of_site(product.site_id, strip(name.stems)),
    stems_of_site(product.site_id, setweight(name.stems, 'A')
      || setweight(to_tsvector('english', search_text(concat_ws(' ', array_to_string(variants.skus, ' '),
        array_to_string(variants.choices, ' '), shown.meta_keywords))), 'B')
      || setweight(to_tsvector('english', search_text(coalesce(shown.description, ''))), 'C')
      || setweight(to_tsvector('english', search_text(coalesce(shown.meta_description, ''))), 'D'))
  from product
  join product source on source.product_number = coalesce(product.master_number, product.product_number)
  join product shown on shown.product_number
    = case when product.override_display then product.product_number else source.product_number end
  cross join lateral (
    select coalesce(array_agg(distinct sku) filter (where sku is not null), '{}') as skus,
      coalesce(array_agg(distinct choice) filter (where choice is not null), '{}') as choices
    from (
      select coalesce(variant.sku, counted.sku) as sku, choice
      from variant
      left join variant counted on counted.variant_id = variant.master_variant_id
      cross join unnest(array[variant.attribute1_choice, variant.attribute2_choice, variant.attribute3_choice]) as choice
      where variant.product_number = product.product_number
    ) as each_choice
  ) as variants
  cross join lateral (
    select to_tsvector('english', concat_ws(' ', string_agg(word, ' ' order by place),
      string_agg(former || word, ' ' order by place), search_text(source.code))) as stems
    from (
      select place, word, lag(word) over (order by place) as former
      from string_to_table(search_text(source.name), ' ') with ordinality as each (word, place)
    ) as each_word
  ) as name
  where product.product_number = any(product_numbers)
  order by product.product_number
  on conflict (product_number) do update
  set site_id = excluded.site_id, service_type = excluded.service_type, offered = excluded.offered,
    called = excluded.called, name_stems = excluded.name_stems, stems = excluded.stems
  where (product_search.site_id, product_search.service_type, product_search.offered, product_search.called,
      product_search.stems)
    is distinct from (excluded.site_id, excluded.service_type, excluded.offered, excluded.called, excluded.stems);

  insert into search_word (site_id, word)
  select site_id, word
  from (
    select distinct product.site_id, word
    from product
    join product source on source.product_number = coalesce(product.master_number, product.product_number)
    join product shown on shown.product_number
      = case when product.override_display then product.product_number else source.product_number end
    cross join lateral string_to_table(search_text(concat_ws(' ', source.name, source.code, shown.meta_keywords,
      shown.description, shown.meta_description, (
        select string_agg(distinct concat_ws(' ', attribute1_choice, attribute2_choice, attribute3_choice), ' ')
        from variant where variant.product_number = product.product_number
      ))), ' ') as word
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

-- Only a change of what product_search holds matters. A master's change also changes its shares.
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
      new_product.master_number, new_product.active, new_product.visibility)
    is distinct from (old_product.name, old_product.code, old_product.description, old_product.meta_description,
      old_product.meta_keywords, old_product.override_display, old_product.service_type, old_product.site_id,
      old_product.master_number, old_product.active, old_product.visibility)
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

create function product_search_follows_variant() returns trigger
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
create trigger product_search_on_variant_update
  after update of sku, master_variant_id, attribute1_choice, attribute2_choice, attribute3_choice on variant
  for each row when ((old.sku, old.master_variant_id, old.attribute1_choice, old.attribute2_choice, old.attribute3_choice)
    is distinct from (new.sku, new.master_variant_id, new.attribute1_choice, new.attribute2_choice, new.attribute3_choice))
  execute function product_search_follows_variant();
