-- As before, the words of a site that a mistyped word may have meant. A long word has to share more with one to be taken for
-- it: two of its many trigrams alone are in hundreds of words, each of which would be looked at. What is set inside ends
-- with the function.
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
    union all
    select known.word, 0.9::real
    from search_word known
    where known.site_id = asked_site and known.word = any(array(
      select overlay(mistyped placing reverse(substr(mistyped, place, 2)) from place for 2)
      from generate_series(1, length(mistyped) - 1) place
    ));
end
$$;
