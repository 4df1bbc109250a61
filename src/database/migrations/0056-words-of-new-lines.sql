-- lives-with: 0037-people.sql
-- Words that are there are left out before they are written, since ON CONFLICT adds to the WAL for each row. Whoever adds a
-- line has locked its order, or just made it.
create or replace function order_search_follows_new_lines() returns trigger language plpgsql as $$
begin
  insert into order_search_word (word, order_number, found_in)
  select distinct said.word, order_number, 'j'::"char" from new_row cross join lateral order_words(job_name) as said (word)
  -- A line that comes later may bear a word of an earlier one.
  where not exists (
    select from order_search_word had
    where had.word = said.word and had.order_number = new_row.order_number and had.found_in = 'j'
  );
  return null;
end
$$;
